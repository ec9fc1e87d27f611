import type { Locale } from '@portal/contracts/sentences'
import type { ReportFilters } from '@portal/contracts/transfers/donor-report'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kit/database/db.ts'

/** Girls who were paid, of one place and class level. */
export type Group = {
  place: number
  place_name: string
  level: string | null
  level_name: string | null
  level_order: number | null
  girls: number
  payments: number
  amount: number
  commission: number
  stated: number
  stated_payments: number
  tariff: number
}
/** What a report adds up. */
export type Sums = {
  groups: Group[]
  recipients: number
  refused: number
  arrears: { amount: number; payments: number; girls: number }
}

/** SQL: what each girl was paid at each number or account, from payments of `paidIn`. */
const byGirl = (paid: RawBuilder<unknown>) => sql`
  select student_id, recipient, count(*) as payments, sum(amount)::bigint as amount, sum(commission)::bigint as commission,
    coalesce(sum(stated), 0)::bigint as stated, count(stated) as stated_payments,
    coalesce(sum(tariff) filter (where stated is null), 0)::bigint as tariff
  from (${paid}) paid group by 1, 2`

/**
 * Adds up what a report tells (Money 3.9). One statement, so that all figures are of one moment. `parts` is what each girl was paid, if that was
 * read before in the same transaction.
 */
export async function readSums(
  db: Reader,
  locale: Locale,
  filters: ReportFilters,
  parts = byGirl(paidIn(filters)),
): Promise<Sums> {
  const { rows } = await sql<Sums>`
    with parts as materialized (${parts}),
    girls as (
      select student_id, sum(payments) as payments, sum(amount) as amount, sum(commission) as commission, sum(stated) as stated,
        sum(stated_payments) as stated_payments, sum(tariff) as tariff
      from parts group by student_id),
    groups as (
      select ${placeOf(filters)}.id as place, ${placeOf(filters)}.name as place_name, s.current_class_level as level,
        case ${locale} when 'fr' then l.fr else l.en end as level_name, l.position as level_order, count(*) as girls,
        sum(g.payments) as payments, sum(g.amount) as amount, sum(g.commission) as commission, sum(g.stated) as stated,
        sum(g.stated_payments) as stated_payments, sum(g.tariff) as tariff
      from girls g join students s on s.id = g.student_id join schools c on c.id = s.school_id join caps p on p.id = c.cap_id
        left join reference_values l on l.list = 'class_level' and l.code = s.current_class_level
      group by 1, 2, 3, 4, 5)
    select coalesce((select jsonb_agg(to_jsonb(groups) order by place_name collate "fr-x-icu", place) from groups), '[]') as groups,
      (select count(*) from (select distinct recipient from parts) r) as recipients,
      (${refusedIn(filters)}) as refused,
      (${owedAtEnd(filters)}) as arrears`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('The report could not be read')
  return sums
}

/** Payments of one cohort that succeeded in the period. */
type OfCohort = { id: number; payments: number }

/**
 * Adds up the same for any number of payments: one cohort after the other, in a table that is gone with the transaction. Its snapshot
 * makes all figures those of one moment. `progress` gets about how many payments are read.
 */
export async function countSums(
  tx: Reader,
  locale: Locale,
  filters: ReportFilters,
  progress: (done: number) => Promise<void>,
): Promise<Sums> {
  const { rows: cohorts } = await sql<OfCohort>`
    select cohort_id as id, sum(payments)::bigint as payments from payment_totals t where ${monthsOf(filters)}
    group by 1 having sum(payments) > 0 order by 1`.execute(tx)
  await sql`
    create temporary table report_parts (student_id bigint, recipient text, payments bigint, amount bigint, commission bigint,
      stated bigint, stated_payments bigint, tariff bigint) on commit drop`.execute(tx)
  let done = 0
  for (const { id, payments } of cohorts) {
    const { rows: rounds } = await sql<{ id: number }>`
      select id from transfer_payroll_groups where cohort_id = ${id}`.execute(tx)
    const ofCohort = sql`e.payroll_group_id = any(${rounds.map((round) => round.id)}::bigint[])`
    await sql`insert into report_parts ${byGirl(paidIn(filters, ofCohort))}`.execute(tx)
    done += payments
    await progress(done)
  }
  await sql`analyze report_parts`.execute(tx)
  return readSums(tx, locale, filters, sql`select * from ${sql.table('report_parts')}`)
}

/** SQL: the kept totals (decision 120) that have payments of the period, and others of its first and last month. */
const monthsOf = ({ from, to, cap }: ReportFilters) => sql`
  t.month between date_trunc('month', ${from}::date)::date and ${to}::date ${cap ? sql`and t.cap_id = ${cap}` : sql``}`

/** A payment that is found by its girl takes as long as ten that are read in the order of their time. */
const byGirlFactor = 10
/** A call reads so many payments in about two seconds. 15,000 girls are paid as often in twenty months. */
const readAtOnce = 300_000

/**
 * About how many payments of the period there are, of all agencies, because totals have none; and whether a call has the time to
 * read them. A report of a CAP reads all payments of its girls, and each one reads all that ever failed.
 */
export async function effortOf(
  db: Reader,
  filters: ReportFilters,
): Promise<{ payments: number; atOnce: boolean }> {
  const { cap } = filters
  const { rows } = await sql<{ payments: number; failed: number; of_cap: number }>`
    select coalesce(sum(payments) filter (where ${monthsOf(filters)}), 0)::bigint as payments,
      coalesce(sum(payments) filter (where cap_id = ${cap ?? null}::bigint), 0)::bigint as of_cap,
      (select coalesce(sum(failed), 0)::bigint from transfer_payroll_groups) as failed
    from payment_totals t`.execute(db)
  const { payments = 0, failed = 0, of_cap = 0 } = rows[0] ?? {}
  return { payments, atOnce: failed + (cap ? byGirlFactor * of_cap : payments) <= readAtOnce }
}

const placeOf = ({ cap }: ReportFilters) => (cap ? sql.ref('c') : sql.ref('p'))

/** SQL: the moments at which the period begins, and at which it is over. */
const begins = ({ from }: ReportFilters) => sql`${from}::date::timestamp at time zone 'utc'`
const isOver = ({ to }: ReportFilters) => sql`(${to}::date + 1)::timestamp at time zone 'utc'`

/** SQL: whether a row of a list is of a girl who goes to school in the CAP now, as on the home page. */
const inCap = ({ cap }: ReportFilters) =>
  cap
    ? sql`m.student_id = any(array(select st.id from students st join schools k on k.id = st.school_id where k.cap_id = ${cap}))`
    : sql`true`

/** SQL: agencies whose attempts count. The index of settled attempts begins with the agency. */
const agencies = ({ transfer_agency_id }: ReportFilters) =>
  transfer_agency_id
    ? sql`array[${transfer_agency_id}]::bigint[]`
    : sql`array(select id from transfer_agencies)`

/** SQL: payments that succeeded in the period, each with what its agency charged by a signed statement, and by its tariff. */
const paidIn = (filters: ReportFilters, condition = sql`true`) => sql`
  select m.student_id, e.amount, e.fees as commission, f.their_fee as stated,
    (e.amount * round(y.fees * 100)::bigint + 5000) / 10000 as tariff,
    coalesce(case y.type when 'bank' then e.receiver_account else e.receiver_phone_number end, 'girl ' || m.student_id) as recipient
  from payment_attempts a join transfer_agencies y on y.id = a.agency_id
    join transfer_payrolls e on e.id = a.payroll_id join transfer_master_list m on m.id = e.master_list_id
    left join payment_confirmations k on k.payroll_id = e.id
    left join statement_findings f on f.statement_id = k.statement_id and f.payroll_id = k.payroll_id
      and f.category in ('matched', 'fee')
  where a.state = 'success' and a.agency_id = any(${agencies(filters)})
    and a.settled_at >= ${begins(filters)} and a.settled_at < ${isOver(filters)} and ${inCap(filters)} and ${condition}`

/**
 * SQL: how many payments were refused in the period and were not paid before its end. An attempt that was written off before it was sent
 * was refused by nobody.
 */
const refusedIn = (filters: ReportFilters) => sql`
  select count(distinct a.payroll_id) from payment_attempts a join transfer_payrolls e on e.id = a.payroll_id
    join transfer_master_list m on m.id = e.master_list_id
  where a.state = 'failed' and a.reason is distinct from 'cancelled' and a.agency_id = any(${agencies(filters)})
    and a.settled_at >= ${begins(filters)} and a.settled_at < ${isOver(filters)} and ${inCap(filters)}
    and not exists (select from payment_attempts b where b.payroll_id = a.payroll_id and b.state = 'success'
      and b.settled_at < ${isOver(filters)})`

/**
 * SQL: what was owed when the period was over: payments whose latest attempt until then had failed, and those that were withheld,
 * without those that were written off by then. A refusal is of the agency of its attempt. What is withheld waits, and is of the agency
 * that its cohort had then, because it goes along when the cohort moves. It is found twice if its attempt ended with a correction.
 */
const owedAtEnd = (filters: ReportFilters) => sql`
  select jsonb_build_object('amount', coalesce(sum(e.amount), 0), 'payments', count(*), 'girls', count(distinct m.student_id))
  from (
    select payroll_id, case when bool_and(agency_id is not null) then max(agency_id) end as agency_id
    from (${refusedAtEnd(filters)} union all ${withheldAtEnd(filters)}) found group by payroll_id
  ) o join transfer_payrolls e on e.id = o.payroll_id join transfer_master_list m on m.id = e.master_list_id
  where (e.written_off_at is null or e.written_off_at >= ${isOver(filters)})
    and ${ofAgency(filters)} and ${inCap(filters)}`

const refusedAtEnd = (filters: ReportFilters) => sql`
  select a.payroll_id, a.agency_id from payment_attempts a where a.state = 'failed' and a.settled_at < ${isOver(filters)}
    and not exists (select from payment_attempts b where b.payroll_id = a.payroll_id and b.n > a.n and b.created_at < ${isOver(filters)})`

/**
 * SQL: payments whose latest change until the end of the period was that they were withheld. A payment that was made again no
 * longer shows it. Events have no index by their kind, so only those of girls are read who were on hold, or who were erased
 * with their holds.
 */
const withheldAtEnd = (filters: ReportFilters) => sql`
  select w.id as payroll_id, null::bigint as agency_id
  from transfer_master_list m join transfer_payrolls w on w.master_list_id = m.id
    cross join lateral (
      select v.reason from money_events v
      where v.payroll_id = w.id and v.created_at < ${isOver(filters)} and v.status is distinct from v.status_before
      order by v.id desc limit 1) x
  where (m.student_id = any(array(select student_id from payee_holds where created_at < ${isOver(filters)})) or m.erased_at is not null)
    and ${inCap(filters)} and w.created_at < ${isOver(filters)} and x.reason = 'withheld'`

/** SQL: whether a payment that was owed is of the agency of the report. */
const ofAgency = (filters: ReportFilters) =>
  filters.transfer_agency_id
    ? sql`coalesce(o.agency_id, (
        select coalesce((select v.from_agency_id from cohort_moves v where v.cohort_id = c.id and v.state = 'approved'
            and v.decided_at >= ${isOver(filters)} order by v.id limit 1), c.transfer_agency_id)
        from transfer_cohorts c where c.id = m.cohort_id)) = ${filters.transfer_agency_id}`
    : sql`true`
