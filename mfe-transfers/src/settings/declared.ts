import { plural, t } from '@lingui/core/macro'
import type { Agency, agencyAbilities } from '@portal/contracts/transfers/agencies'
import type { Fact } from '@portal/ui/Figures'

/** What an agency can be asked, in words. The order is that of the contract. */
const abilityName = (ability: (typeof agencyAbilities)[number]): string =>
  ({
    ask_by_key: t`queried by order`,
    ask_by_reference: t`queried by reference`,
    list: t`lists its payments`,
    balance: t`tells its balance`,
    verify_name: t`checks names`,
    reverse: t`takes payments back`,
    report: t`reports payments`,
  })[ability]

const hours = (count: number) => plural(count, { one: '# hour', other: '# hours' })

/** What the portal can do with an agency, besides paying: of interest before a round, and when an answer is missing. */
export function declared(declares: Agency['declares']): Fact[] {
  if (!declares) return []
  const { abilities, key_life_hours, repeat_hours } = declares
  if (abilities.length === 0)
    return [
      {
        key: 'abilities',
        label: t`What it can do`,
        value: t`takes orders as files; it has no balance, list or check of names, and its answers are uploaded`,
      },
    ]
  return [
    {
      key: 'abilities',
      label: t`What it can do`,
      value: abilities.map(abilityName).join(', '),
    },
    { key: 'key life', label: t`Recognises an order for`, value: hours(key_life_hours) },
    {
      key: 'repeat',
      label: t`An order that it does not find`,
      value:
        repeat_hours > 0
          ? t`is sent again for ${hours(repeat_hours)}, then a person decides`
          : t`is never sent again: a person decides`,
    },
  ]
}
