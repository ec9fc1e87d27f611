import type { Cohort, CohortSummary, ListStatus, Payable, Progress } from '@portal/contracts/cohorts'
import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { planRounds, roundAtApproval } from '@portal/contracts/rounds'
import { fill, type Locale } from '@portal/contracts/sentences'
import type { transfers } from '@portal/contracts/transfers'
import { sql } from 'kysely'
import { type Db, type Reader, rows } from '../../kit/db.ts'
import { matches, paged } from '../../kit/paging.ts'
import { notFound } from '../../kit/refusals.ts'
import type { Actor } from '../../kit/session.ts'
import { decisionBar, overlaps, reviewOf } from '../decisions/cohort-check.service.ts'
import { type HaltReason, haltReasons } from '../messages.ts'
import { isPerhapsPaid } from '../rounds/rounds.service.ts'
import { differingNames, pageOfList, sharedNumbers } from './master-list.service.ts'
import { listGroups } from './payroll-groups.service.ts'

const stats = sql`
  (select jsonb_build_object(
    'total_amount_expected', coalesce(sum(expected_amount), 0), 'total_amount_disbursed', coalesce(sum(success_amount), 0),
    'total_amount_arrears', coalesce(sum(failed_amount), 0), 'total_amount_pending', coalesce(sum(pending_amount), 0),
    'total_amount_unknown', coalesce(sum(unknown_amount), 0), 'total_amount_written_off', coalesce(sum(written_off_amount), 0),
    'total_amount_fees', coalesce(sum(success_fees), 0))
   from transfer_payroll_groups where cohort_id = c.id)`

const confirmedSums = sql`
  (select coalesce(sum(r.success), 0)::bigint as payments_disbursed, coalesce(sum(k.count), 0)::bigint as payments_confirmed,
    coalesce(sum(k.amount), 0)::bigint as total_amount_confirmed
  from transfer_payroll_groups r left join round_confirmations k on k.payroll_group_id = r.id where r.cohort_id = c.id)`

const cohortColumns = sql`
  c.id, c.name, c.description, c."from", c."to", c.status, c.stopped_at is not null as stopped,
  exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
  c.transfer_agency_id, c.transfer_parameter_id,
  jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user",
  c.created_at, c.master_list_count, c.list_amount, c.list_fees, c.rounds_total, ${stats} as transfer_cohort_stats`

const cohortTables = sql`
  transfer_cohorts c
  join transfer_agencies a on a.id = c.transfer_agency_id
  join transfer_parameters p on p.id = c.transfer_parameter_id
  join users u on u.id = c.user_id`

const listColumns = sql`${cohortColumns},
  jsonb_build_object('name', a.name) as transfer_agency,
  jsonb_build_object('name', p.name, 'commission', p.commission_hundredths / 100.0) as transfer_parameter`

/**
 * SQL: the actor uploaded the cohort and has to act on it: it is in payment error, or it was rejected, its period is not
 * over, and no list of the same title and period was uploaded since (Money 5.12).
 */
const waitsFor = (
  actor: Actor,
) => sql`(c.user_id = ${actor.id} and c.imported_at is not null and (c.status = 'error'
  or c.status = 'rejected' and c."to" >= (now() at time zone 'utc')::date and not exists (
    select from transfer_cohorts n where n.id > c.id and n.status <> 'rejected' and n."from" = c."from" and n."to" = c."to"
      and portal_search(n.name) = portal_search(c.name))))`

/** SQL: the status that a cohort is filtered and sorted by. One that was closed for good keeps its own beneath that. */
export const shownCohortStatus = sql`case when exists (select from cohort_closings k where k.cohort_id = c.id) then 'closed' else c.status end`

/** Counts the own cohorts that wait for whoever may upload lists. Others have none. */
export async function waitingCohorts(db: Db, actor: Actor): Promise<{ rejected: number; error: number }> {
  if (!actor.can('cohorts.create') || !actor.can('transfers.view')) return { rejected: 0, error: 0 }
  const [counts] = await rows(
    db,
    sql<{ rejected: number; error: number }>`
      select count(*) filter (where c.status = 'rejected') as rejected, count(*) filter (where c.status = 'error') as error
      from transfer_cohorts c where ${waitsFor(actor)}`,
  )
  return counts ?? { rejected: 0, error: 0 }
}

/** Lists the cohorts whose list is imported. The default order is newest first. */
export function listCohorts(
  db: Db,
  actor: Actor,
  query: QueryOf<typeof transfers.cohorts>,
): Promise<Page<Cohort>> {
  return paged<Cohort>(db, query, {
    columns: listColumns,
    from: cohortTables,
    where: [
      sql`c.imported_at is not null`,
      matches(sql`portal_search(c.name || ' ' || c.description)`, query.search),
      query.status && sql`${shownCohortStatus} = ${query.status}`,
      query.waits && sql`(c.status = ${query.waits} and ${waitsFor(actor)})`,
      query.transfer_agency_id && sql`c.transfer_agency_id = ${query.transfer_agency_id}`,
    ],
    sort: {
      created_at: sql`c.created_at`,
      name: sql`c.name collate "fr-x-icu"`,
      status: shownCohortStatus,
      from: sql`c."from"`,
    },
    order: '-created_at',
    key: sql`c.id`,
  })
}

/** Returns the newest cohorts for the settings page. */
export function lastCohorts(db: Db, count: number): Promise<Cohort[]> {
  return rows(
    db,
    sql`
    select ${listColumns} from ${cohortTables}
    where c.imported_at is not null order by c.created_at desc, c.id desc limit ${count}`,
  )
}

/**
 * Returns a cohort with the columns of the list, or throws 404. It also finds a cohort whose import is running, because
 * its page waits for the import.
 */
export async function readCohort(db: Db, id: number): Promise<Cohort> {
  const [cohort] = await rows(db, sql<Cohort>`select ${listColumns} from ${cohortTables} where c.id = ${id}`)
  if (!cohort) throw notFound()
  return cohort
}

/** The plan of a cohort's rounds; empty before approval. */
export function readRounds(db: Db, cohortId: number): Promise<CohortSummary['rounds']> {
  return rows(
    db,
    sql`
    select r.n, r.due_on, r.state, g.id as payroll_group_id, ${isPerhapsPaid} as perhaps_paid from transfer_rounds r
    left join transfer_payroll_groups g on g.cohort_id = r.cohort_id and g.n = r.n
    where r.cohort_id = ${cohortId} order by r.n`,
  )
}

/** Reads what a round that is made now has: the rows of the list whose recipient was not erased. */
export async function readPayable(db: Reader, cohortId: number): Promise<Payable> {
  const [payable] = await rows(
    db,
    sql<Payable>`select count, amount, fees from payable_of_list(${cohortId}::bigint)`,
  )
  if (!payable) throw notFound()
  return payable
}

const importColumns = sql`jsonb_build_object('id', i.id, 'state', i.state, 'rows_read', i.rows_read,
  'rows_imported', i.rows_new + i.rows_changed + i.rows_unchanged, 'rows_rejected', i.rows_rejected, 'rows_duplicate', i.rows_duplicate)`

/** Reads the summary page: the cohort, one page of its list and the payment statuses of its latest round. */
export async function readSummary(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
  id: number,
  query: QueryOf<typeof transfers.summary>,
): Promise<AnswerOf<typeof transfers.summary>['cohort']> {
  type Head = Omit<
    CohortSummary,
    'transfer_master_list' | 'names_differ' | 'rounds' | 'check' | 'master_list_statuses' | 'payable'
  > & {
    group_id: number | null
    today: string
    statuses: Omit<Record<ListStatus, number>, 'rejected' | 'erased'> | null
  }
  const [[head], payable] = await Promise.all([
    rows(
      db,
      sql<Head>`
    select ${cohortColumns}, c.list_hash, c.comment, c.decided_at, c.error_reason,
      jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type, 'country', a.country, 'fees', a.fees) as transfer_agency,
      jsonb_build_object('id', p.id, 'name', p.name, 'commission', p.commission_hundredths / 100.0, 'amount', p.amount,
        'frequency', p.frequency) as transfer_parameter,
      case when d.id is not null then jsonb_build_object('first_name', d.first_name, 'last_name', d.last_name) end as decided_by,
      case when z.cohort_id is not null then jsonb_build_object('by', jsonb_build_object('first_name', zu.first_name, 'last_name', zu.last_name),
        'at', to_char(z.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', z.reason) end as closing,
      exists (select from cohort_moves w where w.cohort_id = c.id and w.state = 'proposed') as moving,
      ${importColumns} as import, confirmed.*, coalesce(g.total, 0) as payrolls_count, g.id as group_id,
      (now() at time zone 'utc')::date as today,
      case when g.id is not null then jsonb_build_object('pending', g.pending, 'sending', g.sending, 'success', g.success,
        'failed', g.failed - g.written_off - g.withheld, 'withheld', g.withheld, 'unknown', g.unknown, 'written_off', g.written_off) end as statuses
    from ${cohortTables}
    join imports i on i.id = c.import_id
    left join users d on d.id = c.decided_by
    left join cohort_closings z on z.cohort_id = c.id left join users zu on zu.id = z.user_id
    left join lateral (select * from transfer_payroll_groups r where cohort_id = c.id and not round_is_missed(c.id, r.n) order by id desc limit 1) g on true
    cross join lateral ${confirmedSums} confirmed
    where c.id = ${id}`,
    ),
    readPayable(db, id),
  ])
  if (!head) throw notFound()
  const { group_id, statuses, today, ...cohort } = head
  const rejected = head.status === 'rejected' ? head.master_list_count : 0
  const unsent = {
    pending: rejected ? 0 : payable.count,
    sending: 0,
    success: 0,
    failed: 0,
    unknown: 0,
    withheld: 0,
    written_off: 0,
  }
  // Rows without a payment in the latest round are those that were erased before it was made.
  const erased = rejected ? 0 : head.master_list_count - (statuses ? head.payrolls_count : payable.count)
  const counts = { ...(statuses ?? unsent), rejected, erased }
  const [list, groups, rounds, overlapping, shared, perhaps_paid, review, bar, names_differ] =
    await Promise.all([
      pageOfList(db, id, group_id, query, query.status ? counts[query.status] : head.master_list_count),
      listGroups(db, id, { page: 1, per_page: 15, search: '' }),
      readRounds(db, id),
      head.status === 'pending' ? overlaps(db, id) : [],
      head.status === 'pending' ? sharedNumbers(db, id) : { shared_numbers: 0, shared_rows: 0 },
      head.status === 'pending' && perhapsPaidAtApproval(db, head, today),
      reviewOf(db, id),
      decisionBar(db, actor, id, fourEyes),
      differingNames(db, id),
    ])
  return {
    ...cohort,
    error_reason: head.error_reason ? fill(haltReasons[head.error_reason as HaltReason], locale) : null,
    transfer_master_list: list,
    names_differ,
    transfer_payroll_groups: groups,
    master_list_statuses: counts,
    payable,
    rounds,
    check: { overlaps: overlapping, ...shared, perhaps_paid, review, barred: bar ? fill(bar, locale) : null },
  }
}

/** Whether the round that an approval on this day makes may have been paid by a lost database (Money 8.4). */
async function perhapsPaidAtApproval(
  db: Db,
  cohort: Pick<CohortSummary, 'id' | 'from' | 'to' | 'transfer_parameter'>,
  today: string,
): Promise<boolean> {
  const plan = planRounds(cohort.from, cohort.to, cohort.transfer_parameter.frequency)
  const first = plan[roundAtApproval(plan, today) - 1]?.due_on
  const [found] = await rows(
    db,
    sql<{ paid: boolean }>`select round_is_perhaps_paid(${cohort.id}, ${first}::date, null) as paid`,
  )
  return found?.paid ?? false
}

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
    select c.status, c.stopped_at is not null as stopped, ${stats} as transfer_cohort_stats, confirmed.*, ${importColumns} as import,
      case when l.stalled_at is not null and c.status = 'approved' and g.pending + g.sending + case when r.found_paid then 0 else g.unknown end > 0
        then to_char(greatest(l.open_since, coalesce(l.settled_at, l.open_since)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as not_progressing_since,
      (select agency_takes_files(a.protocol) from transfer_agencies a where a.id = c.transfer_agency_id) as takes_files,
      case when g.id is not null then jsonb_build_object('id', g.id, 'n', g.n, 'due_on', g.due_on, 'total', g.total,
        'pending', g.pending + g.sending, 'sending', g.sending, 'success', g.success, 'failed', g.failed - g.written_off - g.withheld, 'withheld', g.withheld, 'written_off', g.written_off,
        'unknown', g.unknown, 'executed_at', to_char(g.executed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as round
    from transfer_cohorts c join imports i on i.id = c.import_id join agency_leases l on l.agency_id = c.transfer_agency_id
    cross join lateral ${confirmedSums} confirmed
    left join lateral (select * from transfer_payroll_groups r where cohort_id = c.id and not round_is_missed(c.id, r.n) order by id desc limit 1) g on true
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
