import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/registers/geography'
import { transfers } from '@portal/contracts/transfers'
import { arrearAges } from '@portal/contracts/transfers/arrears'
import type { ListFilter } from '@portal/screens/DataTable'
import { useHost, useQuery } from '@portal/sdk'
import { ageName } from './age-words.ts'

type Name = 'cap' | 'school' | 'transfer_agency_id' | 'reason' | 'age'
type Choice = { id: number; name: string }

const choices = (options: readonly Choice[] = []) =>
  options.map(({ id, name }) => ({ value: String(id), label: name }))

/** Place, agency, reason and age; `reasons` and `schools` are those that the arrears have. */
export function useArrearsFilters(
  filter: (name: Name) => string,
  {
    reasons = [],
    schools = [],
  }: { reasons?: readonly { code: string; name: string }[]; schools?: readonly Choice[] },
): ListFilter<Name>[] {
  const { t } = useLingui()
  const { client } = useHost()
  const places = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 })
  const settings = useQuery({ ...queryOf(client, transfers.settings), staleTime: 300_000 })
  return [
    { name: 'cap', as: 'select', label: t`CAP`, all: t`All CAPs`, options: choices(places.data?.caps) },
    {
      name: 'school',
      as: 'select',
      label: t`School`,
      all: t`All schools of the CAP`,
      // A select of hundreds of schools is useless, so it needs a CAP first.
      later: filter('cap') === '' && filter('school') === '',
      options: choices(schools),
    },
    {
      name: 'transfer_agency_id',
      as: 'select',
      label: t`Transfer agency`,
      all: t`All agencies`,
      options: choices(settings.data?.agencies),
    },
    {
      name: 'reason',
      as: 'select',
      label: t`Reason`,
      all: t`All reasons`,
      options: reasons.map(({ code, name }) => ({ value: code, label: name })),
    },
    { name: 'age', label: t`Age`, options: arrearAges.map((age) => ({ value: age, label: ageName(age) })) },
  ]
}
