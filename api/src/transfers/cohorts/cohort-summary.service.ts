import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { fill, type Locale } from '@portal/contracts/sentences'
import type { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, ListStatus, Payable } from '@portal/contracts/transfers/cohorts'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { decisionBar, overlaps, reviewOf } from '../decisions/cohort-check.service.ts'
import { type HaltReason, haltReasons } from '../messages.ts'
import { cohortColumns, cohortTables, confirmedSums, importColumns, latestRound } from './cohort-columns.ts'
import { readPayable, readRounds } from './cohorts.service.ts'
import { differingNames, pageOfList, sharedNumbers } from './master-list.service.ts'
import { listGroups } from './payroll-groups.service.ts'

/** Reads the summary page: the cohort, one page of its list and the payment statuses of its latest round. */
export async function readSummary(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
  id: number,
  query: QueryOf<typeof transfers.summary>,
): Promise<AnswerOf<typeof transfers.summary>['cohort']> {
  const [head, payable] = await Promise.all([readHead(db, id), readPayable(db, id)])
  const { group_id, statuses, today, ...cohort } = head
  const counts = countStatuses(head, payable)
  const [list, groups, rounds, check, names_differ] = await Promise.all([
    pageOfList(db, id, group_id, query, query.status ? counts[query.status] : head.master_list_count),
    listGroups(db, id, { page: 1, per_page: 15 }),
    readRounds(db, id),
    readCheck(db, actor, locale, fourEyes, head),
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
    check,
  }
}

/** What one statement reads of the cohort. `statuses` are those of its latest round; null before the first. */
type Head = Omit<
  CohortSummary,
  'transfer_master_list' | 'names_differ' | 'rounds' | 'check' | 'master_list_statuses' | 'payable'
> & {
  group_id: number | null
  today: string
  statuses: Omit<Record<ListStatus, number>, 'rejected' | 'erased'> | null
}

async function readHead(db: Db, id: number): Promise<Head> {
  const [head] = await rows(
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
    left join lateral ${latestRound} g on true
    cross join lateral ${confirmedSums} confirmed
    where c.id = ${id}`,
  )
  if (!head) throw notFound()
  return head
}

/** Counts the rows of the list by where their payment stands in the latest round; before the first, by where it will stand. */
function countStatuses(
  { status, statuses, master_list_count, payrolls_count }: Head,
  payable: Payable,
): Record<ListStatus, number> {
  const isRejected = status === 'rejected'
  const unsent = {
    pending: isRejected ? 0 : payable.count,
    sending: 0,
    success: 0,
    failed: 0,
    unknown: 0,
    withheld: 0,
    written_off: 0,
  }
  return {
    ...(statuses ?? unsent),
    rejected: isRejected ? master_list_count : 0,
    // Rows without a payment in the latest round are those that were erased before it was made.
    erased: isRejected ? 0 : master_list_count - (statuses ? payrolls_count : payable.count),
  }
}

/** Reads what whoever decides on the cohort has to know. What only a decision needs is read while there is one to make. */
async function readCheck(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
  head: Head,
): Promise<CohortSummary['check']> {
  const { id } = head
  const isPending = head.status === 'pending'
  const [overlapping, shared, perhaps_paid, review, bar] = await Promise.all([
    isPending ? overlaps(db, id) : [],
    isPending ? sharedNumbers(db, id) : { shared_numbers: 0, shared_rows: 0 },
    isPending && perhapsPaidAtApproval(db, head),
    reviewOf(db, id),
    decisionBar(db, actor, id, fourEyes),
  ])
  return { overlaps: overlapping, ...shared, perhaps_paid, review, barred: bar ? fill(bar, locale) : null }
}

/** Whether the round that an approval on this day makes may have been paid by a lost database (Money 8.4). */
async function perhapsPaidAtApproval(
  db: Db,
  cohort: Pick<Head, 'id' | 'from' | 'to' | 'transfer_parameter' | 'today'>,
): Promise<boolean> {
  const plan = planRounds(cohort.from, cohort.to, cohort.transfer_parameter.frequency)
  const first = plan[roundAtApproval(plan, cohort.today) - 1]?.due_on
  const [found] = await rows(
    db,
    sql<{ paid: boolean }>`select round_is_perhaps_paid(${cohort.id}, ${first}::date, null) as paid`,
  )
  return found?.paid ?? false
}
