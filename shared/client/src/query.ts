import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CallArgs, Client, Rest } from './client.ts'
import type { Problem } from './problem.ts'

/** First part of every query key of an endpoint: what `invalidate` matches. */
export const nameOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

type Args = { params?: unknown; query?: unknown; poll?: boolean }

const away = new Set([0, 502, 503, 504])

/** How long until a read is tried again by itself, in ms: only if the server was away or busy. */
export const whenBack = (problem: Problem | null): number | false =>
  problem && away.has(problem.status) ? 5_000 : false

/** Query options of a call; the key is the endpoint with its parameters and query, nothing else. */
export function queryOf<E extends Endpoint>(client: Pick<Client, 'call'>, endpoint: E, ...rest: Rest<E>) {
  const args = (rest[0] ?? {}) as CallArgs<E> & Args
  return queryOptions<AnswerOf<E>, Problem>({
    queryKey: [nameOf(endpoint), { params: args.params ?? {}, query: args.query ?? {} }],
    queryFn: ({ signal, client: queries, queryKey }) => {
      // The person makes the first call by opening the page; the timer makes the later ones.
      const poll = args.poll && queries.getQueryData(queryKey) !== undefined
      return client.call(endpoint, ...([{ ...args, poll, signal }] as unknown as Rest<E>))
    },
    // A refusal is not retried, a network failure is, once. A poll repeats by itself. A 503 has waited already, and is
    // said before the next try.
    retry: (times, problem) =>
      !args.poll &&
      times < 1 &&
      problem.status !== 503 &&
      (problem.kind === 'offline' || problem.status > 500),
    refetchInterval: ({ state }) => whenBack(state.error),
    networkMode: 'always',
    // After a break of the connection the data on the screen may be old.
    refetchOnReconnect: 'always',
  })
}

/** Refetches the visible queries of these endpoints, whatever their parameters, and marks the others as stale. */
export async function invalidate(queries: QueryClient, ...endpoints: Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => queries.invalidateQueries({ queryKey: [nameOf(endpoint)] })))
}
