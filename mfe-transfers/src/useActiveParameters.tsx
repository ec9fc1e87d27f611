import type { Problem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import type { Parameter } from '@portal/contracts/transfers/agencies'
import { useHost, useQuery, useQueryClient } from '@portal/sdk'

/** Every active parameter, newest first: a select must offer them all, not a page of them (Calls 3.3). */
export function useActiveParameters() {
  const { client } = useHost()
  const queries = useQueryClient()
  const pageOf = (page: number) =>
    queryOf(client, transfers.parameters, { query: { status: 'active', per_page: 100, page } })
  return useQuery<Parameter[], Problem>({
    queryKey: [...pageOf(0).queryKey, 'all'],
    queryFn: async () => {
      const first = (await queries.fetchQuery(pageOf(1))).parameters
      const rest = Array.from({ length: first.last_page - 1 }, (_, at) => queries.fetchQuery(pageOf(at + 2)))
      return [first, ...(await Promise.all(rest)).map((answer) => answer.parameters)].flatMap(
        (page) => page.data,
      )
    },
  })
}
