import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CallArgs, Client, Rest } from './client.ts'
import type { Problem } from './problem.ts'

/** First part of every query key of an endpoint: what `invalidate` matches. */
export const nameOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

type Args = { params?: unknown; query?: unknown; poll?: boolean }

const away = new Set([0, 502, 503, 504])

const isAway = (problem: unknown): boolean => away.has((problem as Problem).status)

const pause = 5_000

/** How long until a read is tried again by itself, in ms: only if the server was away or busy. */
export const whenBack = (problem: Problem | null): number | false =>
  problem && isAway(problem) ? pause : false

/** Reads without data that wait for a server. */
const waiting = new WeakSet<Query>()

/**
 * Tries a read that has no data yet again, while somebody looks at it, until the server is back. It is not fetched meanwhile:
 * a fetch without data forgets the error, so the page would fall back to its skeleton at each try.
 */
async function comeBack(queries: QueryClient, query: Query, read: () => Promise<unknown>): Promise<void> {
  if (waiting.has(query)) return
  waiting.add(query)
  for (;;) {
    // With jitter, so that clients do not all come back at once.
    await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random() * 0.4)))
    if (!query.isActive() || query.state.data !== undefined) break
    if (document.hidden || query.state.fetchStatus !== 'idle') continue
    const problem = await read().then(
      (data) => void queries.setQueryData(query.queryKey, data),
      (thrown: unknown) => thrown,
    )
    if (problem && isAway(problem)) continue
    // Fetched by the query, so that the page shows the refusal.
    if (problem) query.fetch().catch(() => undefined)
    break
  }
  waiting.delete(query)
}

/** Query options of a call; the key is the endpoint with its parameters and query, nothing else. */
export function queryOf<E extends Endpoint>(client: Pick<Client, 'call'>, endpoint: E, ...rest: Rest<E>) {
  const args = (rest[0] ?? {}) as CallArgs<E> & Args
  return queryOptions<AnswerOf<E>, Problem>({
    queryKey: [nameOf(endpoint), { params: args.params ?? {}, query: args.query ?? {} }],
    queryFn: async ({ signal, client: queries, queryKey }) => {
      // The person makes the first call by opening the page; the timer makes the later ones.
      const poll = args.poll && queries.getQueryData(queryKey) !== undefined
      const read = (how: object) =>
        client.call(endpoint, ...([{ ...args, poll, ...how }] as unknown as Rest<E>))
      try {
        return await read({ signal })
      } catch (problem) {
        const query = queries.getQueryCache().find({ queryKey })
        if (query && query.state.data === undefined && isAway(problem))
          void comeBack(queries, query, () => read({ poll: true }))
        throw problem
      }
    },
    // A refusal is not retried, a network failure is, once. A poll repeats by itself. A 503 has waited already, and is
    // said before the next try.
    retry: (times, problem) =>
      !args.poll &&
      times < 1 &&
      problem.status !== 503 &&
      (problem.kind === 'offline' || problem.status > 500),
    refetchInterval: ({ state }) => state.data !== undefined && whenBack(state.error),
    networkMode: 'always',
    // After a break of the connection the data on the screen may be old.
    refetchOnReconnect: 'always',
  })
}

/** Refetches the visible queries of these endpoints, whatever their parameters, and marks the others as stale. */
export async function invalidate(queries: QueryClient, ...endpoints: Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => queries.invalidateQueries({ queryKey: [nameOf(endpoint)] })))
}
