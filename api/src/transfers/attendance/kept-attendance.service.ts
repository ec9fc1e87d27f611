import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { type Counted, countAttendance } from './list-attendance.service.ts'

/** Lists with more recipients are counted by a worker, others by each call (decision 193). */
const large = 20_000

/**
 * SQL: whether the kept attendance `k` of cohort `c` is not older than `minutes` while a decision is waited for, and not older than the
 * decision afterwards.
 */
const isOf = (minutes: RawBuilder<unknown>) => sql`k.counted_at > coalesce(c.decided_at, now() - ${minutes})`

/** Whoever opens a list finds figures of the last ten minutes. If no worker has counted for an hour, the call counts itself. */
const [countAgainAfter, outdatedAfter] = [sql`interval '10 minutes'`, sql`interval '1 hour'`]

/** Reports of the days before a decision arrive until weeks after it. */
const missesReports = sql`c.decided_at > now() - interval '30 days' and k.counted_at < now() - interval '1 day'`

/** SQL: the lists of more than so many recipients whose attendance has to be counted. A rejected list keeps none. */
const due = (recipients: number) => sql<{ id: number }>`
  select c.id from transfer_cohorts c left join kept_attendance k on k.cohort_id = c.id
  where c.imported_at is not null and c.master_list_count > ${recipients} and c.status <> 'rejected'
    and (k.cohort_id is null or not ${isOf(countAgainAfter)} or ${missesReports})`

/** Counts the attendance of large lists again, one after the other, and keeps it. */
export async function keepAttendance(db: Db, recipients = large): Promise<void> {
  const { rows: lists } = await sql<{ id: number }>`${due(recipients)} order by c.id`.execute(db)
  for (const { id } of lists) await transaction(db, (tx) => countOnce(tx, id, recipients))
}

/**
 * Counts a list, unless another worker is counting it or has just done so. The lock ends with the transaction, also that of a worker
 * which was killed. The cohort itself is not locked, because a decision would wait for the counting.
 */
async function countOnce(tx: Tx, id: number, recipients: number): Promise<void> {
  const { rows: lock } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('kept-attendance'), ${id}::int) as mine`.execute(tx)
  if (!lock[0]?.mine) return
  const { rows: still } = await sql`${due(recipients)} and c.id = ${id}`.execute(tx)
  if (still.length === 0) return
  const { period, groups } = await countAttendance(tx, id)
  await sql`
    insert into kept_attendance (cohort_id, counted_at, attendance)
    values (${id}, now(), ${JSON.stringify({ period, groups })}::jsonb)
    on conflict (cohort_id) do update set counted_at = excluded.counted_at, attendance = excluded.attendance`.execute(
    tx,
  )
}

/** The attendance that a worker keeps of a list, with its moment; undefined if there is none, or only an old one. */
export async function keptAttendance(db: Db, cohortId: number): Promise<Counted | undefined> {
  const [kept] = await rows(
    db,
    sql<{ name: string; counted_at: string; attendance: Omit<Counted, 'counted_at'> }>`
    select c.name, k.counted_at, k.attendance from kept_attendance k join transfer_cohorts c on c.id = k.cohort_id
    where c.id = ${cohortId} and c.imported_at is not null and ${isOf(outdatedAfter)}`,
  )
  if (!kept) return undefined
  const { name, counted_at, attendance } = kept
  return { groups: attendance.groups, period: { ...attendance.period, name }, counted_at }
}
