import type { Rest } from '@portal/client/client'
import type { Problem } from '@portal/client/problem'
import { queryOf, whenBack } from '@portal/client/query'
import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import { useHost, useQuery } from '@portal/sdk'
import { useRef } from 'react'

const longest = 60_000
const final = new Set(['signed-out', 'forbidden', 'missing'])

type State<Answer> = {
  data: Answer | undefined
  error: Problem | null
  dataUpdateCount: number
  errorUpdateCount: number
}

/**
 * How long until the next call of a timer, in ms, or false to stop: at a final state, at 401, 403 or 404. Without a timer
 * only a read that found the server away is made again. Errors in a
 * row double the wait up to a minute, with random jitter, so that clients do not all come back at once. The query library
 * stops polling on hidden tabs and on pages that were left.
 */
export function useInterval<Answer>(every: number | undefined, until?: (answer: Answer) => boolean) {
  const seen = useRef({ data: -1, before: 0, errors: 0, spread: 1 })
  return ({ state }: { state: State<Answer> }): number | false => {
    const { data, error, dataUpdateCount, errorUpdateCount } = state
    const back = whenBack(error)
    // A read without data is tried again by the call itself.
    if (data === undefined && back) return false
    if (!every) return back
    const { current } = seen
    if (current.data !== dataUpdateCount)
      Object.assign(current, { data: dataUpdateCount, before: errorUpdateCount })
    // The jitter is chosen once for each failure: another value at each render would restart the wait.
    if (current.errors !== errorUpdateCount)
      Object.assign(current, { errors: errorUpdateCount, spread: 1 + Math.random() * 0.4 })
    if (error && final.has(error.kind)) return false
    if (data !== undefined && until?.(data)) return false
    const failures = errorUpdateCount - current.before
    if (failures === 0) return every
    return Math.min(every * 2 ** Math.min(failures, 10) * current.spread, longest)
  }
}

/** A call repeated every `every` ms until `until` says that its answer is final. */
export function usePoll<E extends Endpoint>(
  endpoint: E,
  timing: { every: number; until?: (answer: AnswerOf<E>) => boolean; enabled?: boolean },
  ...[args]: Rest<E>
) {
  const { client } = useHost()
  const interval = useInterval<AnswerOf<E>>(timing.every, timing.until)
  const options = queryOf(client, endpoint, ...([{ ...args, poll: true }] as unknown as Rest<E>))
  return useQuery({ ...options, refetchInterval: interval, enabled: timing.enabled ?? true })
}
