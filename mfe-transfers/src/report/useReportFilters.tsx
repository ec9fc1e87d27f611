import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/registers/geography'
import { transfers } from '@portal/contracts/transfers'
import type { ReportFilters } from '@portal/contracts/transfers/donor-report'
import { today } from '@portal/i18n/format'
import { useHost, useQuery } from '@portal/sdk'
import { FilterDay } from '@portal/ui/DateBox'
import { FilterFold } from '@portal/ui/FilterPanel'
import { FilterSelect, Filters } from '@portal/ui/Filters'
import { type ReactNode, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

type Name = keyof ReportFilters
type Choice = { id: number; name: string }

const choices = (options: readonly Choice[] = []) =>
  options.map(({ id, name }) => ({ value: String(id), label: name }))

/** Period, CAP and agency of the report, kept in the address; this year until today, unless another period is chosen. */
export function useReportFilters(): { filters: ReportFilters; line: ReactNode; of: string[] } {
  const { t } = useLingui()
  const { client } = useHost()
  const [url, setUrl] = useSearchParams()
  const places = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 })
  const settings = useQuery({ ...queryOf(client, transfers.settings), staleTime: 300_000 })
  const set = (name: Name) => (value: string) =>
    setUrl(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const [from, to] = [url.get('from'), url.get('to')]
  const [cap, agency] = [url.get('cap') ?? '', url.get('transfer_agency_id') ?? '']
  const filters = useMemo(
    (): ReportFilters => ({
      from: from ?? `${(to ?? today()).slice(0, 4)}-01-01`,
      to: to ?? today(),
      ...(Number(cap) > 0 && { cap: Number(cap) }),
      ...(Number(agency) > 0 && { transfer_agency_id: Number(agency) }),
    }),
    [from, to, cap, agency],
  )
  const caps = choices(places.data?.caps)
  const agencies = choices(settings.data?.agencies)
  const nameOf = (options: { value: string; label: string }[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value
  return {
    filters,
    line: (
      <Filters>
        <FilterFold on={[from, to, cap, agency].filter(Boolean).length}>
          <FilterSelect label={t`CAP`} all={t`All CAPs`} options={caps} value={cap} onChange={set('cap')} />
          <FilterSelect
            label={t`Transfer agency`}
            all={t`All agencies`}
            options={agencies}
            value={agency}
            onChange={set('transfer_agency_id')}
          />
          <span className="days">
            <FilterDay label={t`From`} value={filters.from} onChange={set('from')} />
            <FilterDay label={t`To`} value={filters.to} onChange={set('to')} />
          </span>
        </FilterFold>
      </Filters>
    ),
    of: [cap ? nameOf(caps, cap) : t`All CAPs`, agency ? nameOf(agencies, agency) : t`All agencies`],
  }
}
