import { queryOf } from '@portal/client/query'
import { geography, type RegisterOptions } from '@portal/contracts/geography'
import { schools } from '@portal/contracts/registers'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { useCan, useHost, useQuery } from '@portal/sdk'

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

/** The schools of a CAP, to choose one of; none where no CAP is chosen. */
export function useSchoolsOf(cap: string): { id: number; name: string }[] {
  const { client } = useHost()
  const can = useCan()
  const { data } = useQuery({
    ...queryOf(client, schools.list, { query: { cap: Number(cap), per_page: 100, sort: 'name' } }),
    enabled: cap !== '' && can('schools.view'),
  })
  return data?.schools.data ?? []
}

/** The classes of a school; none where no school is chosen. */
export function useClassesOf(school: string | number): { id: number; name: string }[] {
  const { client } = useHost()
  const { data } = useQuery({
    ...queryOf(client, schools.classes, { params: { id: Number(school) } }),
    enabled: Number(school) > 0,
  })
  return data?.classes ?? []
}
