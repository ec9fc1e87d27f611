import { invalidate } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import type { Progress } from '@portal/contracts/transfers/cohorts'
import { isFinal } from '@portal/screens/isFinal'
import { usePoll } from '@portal/screens/usePoll'
import { useQueryClient } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'
import { paceOf, type Sample, withSample } from './pace.ts'

/** Nothing more happens by itself: the poll may end (Money 3.4). */
const isSettled = ({ import: { state }, round }: Progress) => isFinal(state) && (round?.pending ?? 0) === 0

/** Payments are on their way at this moment. */
const isSending = ({ status, stopped, round }: Progress) =>
  status === 'approved' && !stopped && (round?.pending ?? 0) > 0

/** What changes the rest of the page. While payments are on their way the list is polled too, so counts do not count. */
function stageOf(now: Progress): string {
  const { success = 0, failed = 0, unknown = 0 } = now.round ?? {}
  const counts = isSending(now) ? [] : [success, failed, unknown]
  return [now.status, now.stopped, now.import.state, now.round?.id, isSettled(now), ...counts].join()
}

/**
 * Import and disbursement of a cohort, asked about every second. Each new stage fetches the summary again, and the end
 * of the poll both of them.
 */
export function useCohortProgress(id: number) {
  const queries = useQueryClient()
  const poll = usePoll(transfers.progress, { every: 1000, until: isSettled }, { params: { id } })
  const now = poll.data
  const round = now?.round
  const stage = now && `${id} ${stageOf(now)}`
  const ended = now !== undefined && isSettled(now)
  const before = useRef({ stage, ended })
  useEffect(() => {
    if (!stage) return
    const { current } = before
    const polled = current.stage !== undefined && !current.ended
    if (current.stage && current.stage !== stage)
      void invalidate(queries, transfers.summary, ...(ended && polled ? [transfers.progress] : []))
    before.current = { stage, ended }
  }, [stage, ended, queries])

  const [samples, setSamples] = useState<Sample[]>([])
  const { id: of, total, pending } = round ?? {}
  const at = poll.dataUpdatedAt
  useEffect(() => {
    if (of === undefined || total === undefined || pending === undefined) return
    setSamples((kept) => withSample(kept, { round: of, at, done: total - pending }))
  }, [of, total, pending, at])

  return {
    progress: now,
    problem: poll.error,
    pace: round && now && isSending(now) ? paceOf(samples, round.pending) : null,
    sending: now !== undefined && isSending(now),
  }
}

export type Pace = ReturnType<typeof useCohortProgress>['pace']
