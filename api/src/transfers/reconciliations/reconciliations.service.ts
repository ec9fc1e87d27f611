import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { CohortStats, Confirmed } from '@portal/contracts/transfers/cohorts'
import type {
  Reconciliation,
  ReconciliationTotals,
  reconciliations,
} from '@portal/contracts/transfers/reconciliations'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { shownCohortStatus } from '../cohorts/cohorts.service.ts'

/** What the list and its export are filtered by. */
export type ReconciliationFilters = Pick<
  QueryOf<typeof reconciliations.list>,
  'search' | 'status' | 'transfer_agency_id' | 'cap' | 'confirmed' | 'from' | 'to'
>
type Period = Pick<ReconciliationFilters, 'from' | 'to'>

const names = [
  'total_amount_expected',
  'total_amount_disbursed',
  'total_amount_arrears',
  'total_amount_pending',
  'total_amount_unknown',
  'total_amount_written_off',
  'total_amount_fees',
  'payments_disbursed',
  'payments_confirmed',
  'total_amount_confirmed',
] as const satisfies (keyof (CohortStats & Confirmed))[]

/** Rounds that are due in the period. */
const dueIn = ({ from, to }: Period) =>
  sql`g.due_on between coalesce(${from ?? null}::date, '-infinity') and coalesce(${to ?? null}::date, 'infinity')`

/** The sums of each cohort's rounds, from the counters of the rounds. */
const ofRounds = (period: Period) => sql`
  select g.cohort_id, count(*) as rounds, sum(g.expected_amount)::bigint as total_amount_expected,
    sum(g.success_amount)::bigint as total_amount_disbursed, sum(g.failed_amount)::bigint as total_amount_arrears,
    sum(g.pending_amount)::bigint as total_amount_pending, sum(g.unknown_amount)::bigint as total_amount_unknown,
    sum(g.written_off_amount)::bigint as total_amount_written_off, sum(g.success_fees)::bigint as total_amount_fees,
    sum(g.success) as payments_disbursed, coalesce(sum(k.count), 0)::bigint as payments_confirmed,
    coalesce(sum(k.amount), 0)::bigint as total_amount_confirmed
  from transfer_payroll_groups g left join round_confirmations k on k.payroll_group_id = g.id where ${dueIn(period)} group by g.cohort_id`

const amountOf = (...states: string[]) =>
  sql`coalesce(sum(p.amount) filter (where p.state = any(${sql.val(states)}::text[])), 0)::bigint`

/**
 * The same sums of the payments for students of a CAP, which no counter has, for each cohort that has one of them. The rows of the lists are
 * found from the schools on, and their payments in an index, by round and state (decision 193). A payment has the amount and the fees of its
 * row, and both stay.
 */
const ofCap = (cap: number, period: Period) => sql`
  with listed as materialized (
    select m.id, m.cohort_id, m.amount, m.fees
    from schools s join students st on st.school_id = s.id join transfer_master_list m on m.student_id = st.id where s.cap_id = ${cap}),
  paid as materialized (
    select l.cohort_id, e.payroll_group_id, case when e.status = 'failed' and exists (
        select from payment_write_offs w where w.payroll_id = e.id) then 'written_off' else e.status end as state,
      count(*) as payments, sum(l.amount) as amount, sum(l.fees) as fees, count(k.payroll_id) as confirmed, sum(k.amount) as confirmed_amount
    from listed l join transfer_payrolls e on e.master_list_id = l.id left join payment_confirmations k on k.payroll_id = e.id
    group by 1, 2, 3)
  select c.cohort_id, count(distinct p.payroll_group_id) as rounds, sum(p.amount)::bigint as total_amount_expected,
    ${amountOf('success')} as total_amount_disbursed,
    ${amountOf('failed')} as total_amount_arrears,
    ${amountOf('pending', 'sending')} as total_amount_pending,
    ${amountOf('unknown')} as total_amount_unknown,
    ${amountOf('written_off')} as total_amount_written_off,
    coalesce(sum(p.fees) filter (where p.state = 'success'), 0)::bigint as total_amount_fees,
    coalesce(sum(p.payments) filter (where p.state = 'success'), 0)::bigint as payments_disbursed,
    coalesce(sum(p.confirmed), 0)::bigint as payments_confirmed,
    coalesce(sum(p.confirmed_amount), 0)::bigint as total_amount_confirmed
  from (select distinct cohort_id from listed) c left join (
    select paid.* from paid join transfer_payroll_groups g on g.id = paid.payroll_group_id where ${dueIn(period)}) p on p.cohort_id = c.cohort_id
  group by c.cohort_id`

type CapSums = { cohort_id: number; rounds: number } & Record<(typeof names)[number], number>

/** SQL: sums that were read before, as rows. */
const rowsOf = (sums: readonly CapSums[]) => sql`
  select * from json_to_recordset(${JSON.stringify(sums)}::json) r (cohort_id bigint, rounds bigint,
    ${sql.join(names.map((name) => sql`${sql.ref(name)} bigint`))})`

/** The cohorts with their sums. The export uses them too. `sums` are those of the CAP, if they were read before. */
export const reconciliationTables = (
  { cap, from, to }: ReconciliationFilters,
  sums?: readonly CapSums[],
) => sql`
  transfer_cohorts c
  join transfer_agencies a on a.id = c.transfer_agency_id
  ${cap ? sql`join (${sums ? rowsOf(sums) : ofCap(cap, { from, to })})` : sql`left join (${ofRounds({ from, to })})`} f on f.cohort_id = c.id`

const confirmedIs = {
  full: sql`f.payments_disbursed > 0 and f.payments_confirmed = f.payments_disbursed`,
  part: sql`f.payments_confirmed > 0 and f.payments_confirmed < f.payments_disbursed`,
  none: sql`f.payments_disbursed > 0 and f.payments_confirmed = 0`,
}

/** The conditions of the list and of its export. They use the tables of `reconciliationTables`. */
export const reconciliationFilter = (query: ReconciliationFilters) => [
  sql`c.imported_at is not null`,
  matches(sql`portal_search(c.name || ' ' || c.description)`, query.search),
  query.status && sql`${shownCohortStatus} = ${query.status}`,
  query.transfer_agency_id && sql`c.transfer_agency_id = ${query.transfer_agency_id}`,
  query.from && sql`c."to" >= ${query.from}::date`,
  query.to && sql`c."from" <= ${query.to}::date`,
  query.confirmed && sql`(${confirmedIs[query.confirmed]})`,
]

const amount = (name: (typeof names)[number]) => sql`coalesce(f.${sql.ref(name)}, 0)`

export const reconciliationColumns = sql`
  c.id, c.name, c."from", c."to", c.status, c.stopped_at is not null as stopped,
  exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
  jsonb_build_object('name', a.name) as transfer_agency, coalesce(f.rounds, 0) as rounds,
  ${sql.join(names.map((name) => sql`${amount(name)} as ${sql.ref(name)}`))}`

/** Lists cohorts with what was expected, paid and owed, newest first by default, and the sums over all that are left. */
export async function listReconciliations(
  db: Db,
  query: QueryOf<typeof reconciliations.list>,
): Promise<AnswerOf<typeof reconciliations.list>> {
  // Reading the payments of a CAP takes nearly all the time, so totals and page have one reading in common.
  const { cap } = query
  const sums = cap ? await rows(db, sql<CapSums>`${ofCap(cap, query)}`) : undefined
  const from = reconciliationTables(query, sums)
  const where = reconciliationFilter(query)
  const { count, ...totals } = await sumUp(db, from, where)
  const list = await paged<Reconciliation>(db, query, {
    columns: reconciliationColumns,
    from,
    where,
    sort: {
      created_at: sql`c.created_at`,
      name: sql`c.name collate "fr-x-icu"`,
      status: shownCohortStatus,
      total_amount_expected: amount('total_amount_expected'),
      total_amount_disbursed: amount('total_amount_disbursed'),
      total_amount_arrears: amount('total_amount_arrears'),
      // What screens call pending includes what is unknown.
      total_amount_pending: sql`${amount('total_amount_pending')} + ${amount('total_amount_unknown')}`,
      total_amount_fees: amount('total_amount_fees'),
      total_amount_confirmed: amount('total_amount_confirmed'),
    },
    order: '-created_at',
    key: sql`c.id`,
    count: sql`${count}::bigint`,
  })
  return { reconciliations: list, totals }
}

async function sumUp(
  db: Db,
  from: RawBuilder<unknown>,
  where: ReturnType<typeof reconciliationFilter>,
): Promise<ReconciliationTotals & { count: number }> {
  const conditions = where.filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  const [sums] = await rows(
    db,
    sql<ReconciliationTotals & { count: number }>`
    select count(*) as count, ${sql.join(names.map((name) => sql`coalesce(sum(${amount(name)}), 0)::bigint as ${sql.ref(name)}`))}
    from ${from} where ${sql.join(conditions, sql` and `)}`,
  )
  if (!sums) throw new Error('The sums of the cohorts could not be read')
  return sums
}
