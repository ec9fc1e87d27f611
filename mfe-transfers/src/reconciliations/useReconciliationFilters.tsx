import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/registers/geography'
import { transfers } from '@portal/contracts/transfers'
import type { ListFilter } from '@portal/screens/DataTable'
import { useHost, useQuery } from '@portal/sdk'
import { cohortChips } from '../words.tsx'

type Name = 'transfer_agency_id' | 'cap' | 'confirmed' | 'from' | 'to' | 'status'

const choices = (options: readonly { id: number; name: string }[] = []) =>
  options.map(({ id, name }) => ({ value: String(id), label: name }))

/** Agency, CAP, period and status of cohorts; `capName` is what a CAP is called, its number until that is known. */
export function useReconciliationFilters(): {
  filters: ListFilter<Name>[]
  capName: (id: string) => string
} {
  const { t } = useLingui()
  const { client } = useHost()
  const places = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 })
  const settings = useQuery({ ...queryOf(client, transfers.settings), staleTime: 300_000 })
  const caps = choices(places.data?.caps)
  return {
    filters: [
      {
        name: 'transfer_agency_id',
        as: 'select',
        label: t`Transfer agency`,
        all: t`All agencies`,
        options: choices(settings.data?.agencies),
      },
      { name: 'cap', as: 'select', label: t`CAP`, all: t`All CAPs`, options: caps },
      {
        name: 'confirmed',
        as: 'select',
        label: t`By statements`,
        all: t`All cohorts`,
        options: [
          { value: 'full', label: t`Confirmed` },
          { value: 'part', label: t`Partly confirmed` },
          { value: 'none', label: t`Not yet confirmed` },
        ],
      },
      { name: 'from', as: 'day', label: t`From` },
      { name: 'to', as: 'day', label: t`To` },
      { name: 'status', label: t`Status`, options: cohortChips() },
    ],
    capName: (id) => caps.find(({ value }) => value === id)?.label ?? id,
  }
}
