import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { schools } from '@portal/contracts/registers'
import { geography, type RegisterOptions } from '@portal/contracts/registers/geography'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { useCan, useHost, useQuery, useQueryClient } from '@portal/sdk'

const none: RegisterOptions = {
  regions: [],
  cercles: [],
  academies: [],
  caps: [],
  school_types: [],
  partner_types: [],
  employment_types: [],
  class_levels: [],
  languages: [],
}

/** What filters and selects of the registers offer, in the reader's language; empty until it is there. */
export function useOptions(): RegisterOptions {
  const { client } = useHost()
  useLanguageRefetch(geography.options)
  const { data } = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 })
  return data ?? none
}

/** Options of a select of ids. */
export const idChoices = (options: readonly { id: number; name: string }[]) =>
  options.map(({ id, name }) => ({ value: String(id), label: name }))

/** All schools of a CAP, to choose one of: a country has CAPs with hundreds (Calls 3.3). None where no CAP is chosen. */
export function useSchoolsOf(cap: string): { id: number; name: string }[] {
  const { client } = useHost()
  const queries = useQueryClient()
  const can = useCan()
  const pageOf = (page: number) =>
    queryOf(client, schools.list, { query: { cap: Number(cap), per_page: 100, sort: 'name', page } })
  const { data } = useQuery({
    queryKey: [...pageOf(0).queryKey, 'all'],
    queryFn: async () => {
      const { schools: first } = await queries.fetchQuery(pageOf(1))
      const rest = Array.from({ length: first.last_page - 1 }, (_, at) => queries.fetchQuery(pageOf(at + 2)))
      return [first, ...(await Promise.all(rest)).map((answer) => answer.schools)].flatMap(
        (page) => page.data,
      )
    },
    enabled: cap !== '' && can('schools.view'),
  })
  return data ?? []
}

/** The classes of a school, and its country; none where no school is chosen. */
export function useClassesOf(school: string | number): Partial<AnswerOf<typeof schools.classes>> {
  const { client } = useHost()
  const { data } = useQuery({
    ...queryOf(client, schools.classes, { params: { id: Number(school) } }),
    enabled: Number(school) > 0,
  })
  return data ?? {}
}
