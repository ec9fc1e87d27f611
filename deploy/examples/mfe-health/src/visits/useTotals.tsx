import { queryOf } from '@portal/client/query'
import { useHost, useQuery } from '@portal/sdk'
import { type Outcome, visits } from '../visits.ts'

type View = { search: string; filter: (name: 'school' | 'date_from' | 'date_to') => string }

/** How many visits ended how, of those that the list's search and other filters leave, and the schools that have any. */
export function useTotals({ search, filter }: View) {
  const { client } = useHost()
  const narrowed = {
    search,
    school: filter('school'),
    date_from: filter('date_from'),
    date_to: filter('date_to'),
  }
  const outcomes = useQuery(queryOf(client, visits.totals, { query: { total: 'by-outcome', ...narrowed } }))
    .data?.totals
  const schools = useQuery(queryOf(client, visits.totals, { query: { total: 'by-school' } })).data?.totals
  return {
    all: outcomes?.count,
    count: (outcome: Outcome) =>
      outcomes && (outcomes.groups.find(({ value }) => value === outcome)?.count ?? 0),
    schools: (schools?.groups ?? [])
      .map(({ value }) => String(value))
      .sort((a, b) => a.localeCompare(b, 'fr')),
  }
}
