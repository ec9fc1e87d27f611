import type { Rest } from '@portal/client/client'
import type { Problem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import { useHost, useQuery } from '@portal/sdk'
import { useRef } from 'react'

const longest = 30_000
const final = new Set(['signed-out', 'forbidden', 'missing'])

type State<Answer> = {
  data: Answer | undefined
  error: Problem | null
  dataUpdateCount: number
  errorUpdateCount: number
}

/**
 * How long until the next call of a timer, in ms, or false to stop: at a final state, at 401, 403 or 404. Errors in a
 * row double the wait up to 30 s. Hidden tabs and pages that were left are the query library's.
 */
export function useInterval<Answer>(every: number | undefined, until?: (answer: Answer) => boolean) {
  const seen = useRef({ data: -1, errors: 0 })
  return ({ state }: { state: State<Answer> }): number | false => {
    if (!every) return false
    if (seen.current.data !== state.dataUpdateCount) {
      seen.current = { data: state.dataUpdateCount, errors: state.errorUpdateCount }
    }
    if (state.error && final.has(state.error.kind)) return false
    if (state.data !== undefined && until?.(state.data)) return false
    const wait = every * 2 ** Math.min(state.errorUpdateCount - seen.current.errors, 10)
    // What is rarely asked for is asked for no oftener because of an error.
    return Math.max(every, Math.min(wait, longest))
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
