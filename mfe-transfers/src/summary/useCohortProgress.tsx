import { invalidate } from '@portal/client/query'
import type { Progress } from '@portal/contracts/cohorts'
import { transfers } from '@portal/contracts/transfers'
import { isFinal } from '@portal/screens/isFinal'
import { usePoll } from '@portal/screens/usePoll'
import { useQueryClient } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'
import { paceOf, type Sample, withSample } from './pace.ts'

/** Nothing more happens by itself: the poll may end (Money 3.4). */
const isSettled = ({ import: { state }, round }: Progress) => isFinal(state) && (round?.pending ?? 0) === 0

/** What changes the rest of the page, and not only the counts. */
const stageOf = (now: Progress) =>
  [now.status, now.stopped, now.import.state, now.round?.id, isSettled(now)].join()

/** Import and disbursement of a cohort, asked about every second; each new stage fetches the summary again. */
export function useCohortProgress(id: number) {
  const queries = useQueryClient()
  const poll = usePoll(transfers.progress, { every: 1000, until: isSettled }, { params: { id } })
  const now = poll.data
  const round = now?.round
  const stage = now && `${id} ${stageOf(now)}`
  const before = useRef(stage)
  useEffect(() => {
    if (!stage) return
    if (before.current && before.current !== stage) void invalidate(queries, transfers.summary)
    before.current = stage
  }, [stage, queries])

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
    pace: round && now?.status === 'approved' && !now.stopped ? paceOf(samples, round.pending) : null,
    /** Payments are on their way at this moment. */
    sending: Boolean(round && round.pending > 0 && now?.status === 'approved' && !now.stopped),
  }
}

export type Pace = ReturnType<typeof useCohortProgress>['pace']
