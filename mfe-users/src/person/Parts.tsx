import { useLingui } from '@lingui/react/macro'
import type { PersonData } from '@portal/contracts/access/person-data'
import { Sheet } from '@portal/ui/Figures'

/** Where data of such a person may be, and what an erasure leaves there, as the server's own table says it. */
export function Parts({ parts }: Pick<PersonData, 'parts'>) {
  const { t } = useLingui()
  const left = (stays: string[]) =>
    stays.length === 0 ? (
      <span className="muted">{t`Nothing stays.`}</span>
    ) : (
      <ul className="points">
        {stays.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    )
  return <Sheet facts={parts.map(({ what, stays }) => ({ key: what, label: what, value: left(stays) }))} />
}
