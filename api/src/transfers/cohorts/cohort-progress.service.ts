import type { Progress } from '@portal/contracts/transfers/cohorts'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import { cohortStats, confirmedSums, importColumns, latestRound } from './cohort-columns.ts'

type ProgressRow = Omit<Progress, 'round'> & {
  round: Omit<NonNullable<Progress['round']>, 'percent'> | null
}

/**
 * Reads the progress that pages poll. It reads counters, so its cost does not depend on the size of the cohort
 * (Money 3.4).
 */
export async function readProgress(db: Db, id: number): Promise<Progress> {
  const [row] = await rows(
    db,
    sql<ProgressRow>`
    select c.status, c.stopped_at is not null as stopped, ${cohortStats} as transfer_cohort_stats, confirmed.*, ${importColumns} as import,
      case when l.stalled_at is not null and c.status = 'approved' and g.pending + g.sending + case when r.found_paid then 0 else g.unknown end > 0
        then to_char(greatest(l.open_since, coalesce(l.settled_at, l.open_since)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as not_progressing_since,
      (select agency_takes_files(a.protocol) from transfer_agencies a where a.id = c.transfer_agency_id) as takes_files,
      case when g.id is not null then jsonb_build_object('id', g.id, 'n', g.n, 'due_on', g.due_on, 'total', g.total,
        'pending', g.pending + g.sending, 'sending', g.sending, 'success', g.success, 'failed', g.failed - g.written_off - g.withheld, 'withheld', g.withheld, 'written_off', g.written_off,
        'unknown', g.unknown, 'executed_at', to_char(g.executed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as round
    from transfer_cohorts c join imports i on i.id = c.import_id join agency_leases l on l.agency_id = c.transfer_agency_id
    cross join lateral ${confirmedSums} confirmed
    left join lateral ${latestRound} g on true
    left join transfer_rounds r on r.cohort_id = c.id and r.n = g.n
    where c.id = ${id}`,
  )
  if (!row) throw notFound()
  const { round } = row
  return {
    ...row,
    round: round && {
      ...round,
      percent: percentOf(round.total - round.pending - round.unknown, round.total),
    },
  }
}

/**
 * Returns round(100 × settled / total), but at most 99 while a payment is open or its outcome is unknown (Money 2.8).
 */
function percentOf(settled: number, total: number): number {
  return settled >= total ? 100 : Math.min(99, Math.round((100 * settled) / total))
}
