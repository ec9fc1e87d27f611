import { sql } from 'kysely'
import type { Db, Reader } from '../../kit/database/db.ts'
import { verifyEvents } from './ledger-events.service.ts'

/** The result of the ledger check: the numbers of lists, payments and events that it read, and a sentence for each fault. */
export type LedgerFindings = { lists: number; payments: number; events: number; faults: string[] }

type Found = { cohort_id: number; name: string; n: number }

const decided = sql`transfer_cohorts c where c.status in ('approved', 'error')`

/** The payments that arrived, by the CAP in which their girls go to school now, by cohort and by month. */
const countedPayments = sql`
  select c.cap_id, m.cohort_id, utc_month(coalesce(a.settled_at, a.created_at)) as month, count(*) as payments, sum(p.amount) as amount
  from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id and a.state = 'success'
    join transfer_master_list m on m.id = p.master_list_id
    join students s on s.id = m.student_id join schools c on c.id = s.school_id
  where p.status = 'success' group by 1, 2, 3`

const moneyGroups = (day: string) => sql.raw(`payroll_group_id, agency_id, kind, status, ${day}`)

/** Each query finds the cohorts that break one rule. `n` is the number in the sentence, if the sentence has one. */
const checks = [
  {
    find: sql`select c.id as cohort_id, c.name, 1 as n from ${decided}
      and transfer_list_hash_due(c.id) is distinct from transfer_list_hash(c.id)`,
    tell: () => 'its list is not the one that was approved',
  },
  {
    // Erasures lead from the approved hash to the present one, each from the end of the one before.
    find: sql`select c.id as cohort_id, c.name, 1 as n from transfer_cohorts c
      join (select cohort_id, hash_before, lag(hash_after) over (partition by cohort_id order by id) as hash_due
        from transfer_list_erasures) e on e.cohort_id = c.id
      where e.hash_before is distinct from coalesce(e.hash_due, c.list_hash) group by c.id, c.name`,
    tell: () => 'its erasures do not start from the list that was approved',
  },
  {
    find: sql`select c.id as cohort_id, c.name, 1 as n from transfer_cohorts c
      join (select cohort_id, count(*) as n, sum(amount) as amount, sum(fees) as fees from transfer_master_list group by cohort_id) m
        on m.cohort_id = c.id
      where exists (select from transfer_list_erasures e where e.cohort_id = c.id) and (c.master_list_count, c.list_amount, c.list_fees) is distinct from (m.n, m.amount, m.fees)`,
    tell: () => 'the amounts of its list are not those that were approved',
  },
  {
    find: sql`select c.id as cohort_id, c.name, 1 as n from ${decided} and exists (
      select from audits a join audit_values v on v.audit_id = a.id
      where a.auditable_type = 'cohort' and a.auditable_id = c.id and a.event = 'approved'
        and v.new_values ? 'list_hash' and v.new_values->>'list_hash' <> c.list_hash)`,
    tell: () => 'its hash is not the one that the audit log holds of its approval',
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      join transfer_master_list m on m.id = p.master_list_id
      left join recipient_corrections r on r.id = p.correction_id and r.master_list_id = m.id and r.state = 'approved'
      where m.cohort_id <> g.cohort_id or p.correction_id is distinct from r.id
        or (p.receiver_phone_number, p.receiver_account, p.receiver_bank, p.amount, p.fees) is distinct from (
          case when r.id is null then m.receiver_phone_number else r.new_values->>'receiver_phone_number' end,
          case when r.id is null then m.receiver_account else r.new_values->>'receiver_account' end,
          case when r.id is null then m.receiver_bank else r.new_values->>'receiver_bank' end, m.amount, m.fees)
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments differ from their row of the list`,
  },
  {
    find: sql`select g.cohort_id, c.name, g.n
      from transfer_payroll_groups g
      join transfer_cohorts c on c.id = g.cohort_id
      join (select payroll_group_id, count(*) as total, sum(amount) as expected,
          coalesce(sum(amount) filter (where status = 'success'), 0) as success,
          coalesce(sum(amount) filter (where status = 'failed' and written_off_at is null), 0) as failed,
          count(*) filter (where status = 'failed') as failed_count,
          coalesce(sum(amount) filter (where written_off_at is not null), 0) as written_off,
          count(*) filter (where written_off_at is not null) as written_off_count,
          count(*) filter (where withheld_at is not null and written_off_at is null) as withheld_count,
          coalesce(sum(amount) filter (where withheld_at is not null and written_off_at is null), 0) as withheld
        from transfer_payrolls group by payroll_group_id) p on p.payroll_group_id = g.id
      where (g.total, g.failed, g.expected_amount, g.success_amount, g.failed_amount, g.written_off_amount, g.written_off, g.withheld,
          g.withheld_amount)
        is distinct from (p.total, p.failed_count, p.expected, p.success, p.failed, p.written_off, p.written_off_count, p.withheld_count, p.withheld)`,
    tell: (n: number) => `the figures of round ${n} are not the sums of its payments`,
  },
  {
    find: sql`select c.id as cohort_id, c.name, count(*)::int as n
      from (
        select coalesce(k.cohort_id, p.cohort_id) as cohort_id
        from (select cap_id, cohort_id, month, sum(payments) as payments, sum(amount) as amount from payment_totals group by 1, 2, 3) k
        full join (${countedPayments}) p using (cap_id, cohort_id, month)
        where coalesce(k.payments, 0) <> coalesce(p.payments, 0) or coalesce(k.amount, 0) <> coalesce(p.amount, 0)
      ) wrong join transfer_cohorts c on c.id = wrong.cohort_id group by c.id, c.name`,
    tell: (n: number) =>
      `${n} totals by CAP and month are not the sums of its payments (npm run totals:rebuild counts them again)`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from (
        select coalesce(k.payroll_group_id, p.payroll_group_id) as payroll_group_id
        from (select ${moneyGroups('day')}, sum(events) as events, sum(amount) as amount, sum(fees) as fees
          from money_totals group by 1, 2, 3, 4, 5) k
        full join (select ${moneyGroups("(created_at at time zone 'utc')::date as day")}, count(*) as events, sum(amount) as amount,
          sum(fees) as fees from money_events group by 1, 2, 3, 4, 5) p using (${moneyGroups('day')})
        where (k.events, k.amount, k.fees) is distinct from (p.events, p.amount, p.fees)
      ) wrong join transfer_payroll_groups g on g.id = wrong.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
      group by g.cohort_id, c.name`,
    tell: (n: number) =>
      `${n} totals of days are not the sums of its money events (npm run totals:rebuild counts them again)`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from (
        select coalesce(o.payroll_group_id, p.payroll_group_id) as payroll_group_id
        from owed_payments o full join (
          select p.id as payroll_id, m.student_id, p.payroll_group_id, p.amount, p.failure_reason as reason
          from transfer_payrolls p join transfer_master_list m on m.id = p.master_list_id
          where p.status = 'failed' and p.written_off_at is null) p using (payroll_id)
        where (o.student_id, o.payroll_group_id, o.amount, o.reason) is distinct from (p.student_id, p.payroll_group_id, p.amount, p.reason)
      ) wrong join transfer_payroll_groups g on g.id = wrong.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
      group by g.cohort_id, c.name`,
    tell: (n: number) =>
      `${n} payments are wrongly among those that are owed, or not among them (npm run totals:rebuild counts them again)`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where p.status = 'success' and not exists (
        select from payment_attempts a where a.payroll_id = p.id and a.state = 'success')
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments count as made without an attempt that succeeded`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      left join payment_write_offs w on w.payroll_id = p.id
      where (p.written_off_at, p.amount) is distinct from (w.created_at, w.amount)
        and (p.written_off_at is not null or w.payroll_id is not null)
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments are not written off as a person decided`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from payment_write_offs w
      join transfer_payrolls p on p.id = w.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where not exists (select from audits a where a.auditable_type = 'payment' and a.auditable_id = w.payroll_id
        and a.event = 'written off' and a.user_id = w.user_id)
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments are written off without an entry in the audit log`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from payment_settlements s
      join payment_attempts t on t.id = s.attempt_id
      join transfer_payrolls p on p.id = t.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where s.state = 'approved' and (t.state <> case s.outcome when 'paid' then 'success' else 'failed' end
        or s.decided_by = s.user_id or (
          select count(*) from audits a join audit_values v on v.audit_id = a.id
          where a.event in ('settlement proposed', 'settlement approved') and a.auditable_type = 'payment'
            and a.auditable_id = p.id and v.new_values->>'settlement' = s.id::text
            and a.user_id = case a.event when 'settlement proposed' then s.user_id else s.decided_by end) < 2)
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments are settled otherwise than two people agreed in the audit log`,
  },
  {
    find: sql`select m.cohort_id, c.name, count(*)::int as n
      from recipient_corrections r
      join transfer_master_list m on m.id = r.master_list_id
      join transfer_cohorts c on c.id = m.cohort_id
      where r.state = 'approved' and (r.decided_by = r.user_id or (
        select count(*) from audits a join audit_values v on v.audit_id = a.id
        where a.event in ('correction proposed', 'correction approved') and a.auditable_type = 'cohort'
          and a.auditable_id = m.cohort_id and v.new_values->>'correction' = r.id::text
          and a.user_id = case a.event when 'correction proposed' then r.user_id else r.decided_by end) < 2)
      group by m.cohort_id, c.name`,
    tell: (n: number) => `${n} recipients are corrected without two people in the audit log`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from payment_attempts a
      join transfer_payrolls p on p.id = a.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where a.state <> 'failed' and a.correction_id is distinct from p.correction_id
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments went to another recipient than the approved one`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where p.status = 'pending' and payee_is_held(payee_of(p.master_list_id))
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments wait to be sent although their payee is on hold`,
  },
  {
    find: sql`select g.cohort_id, c.name, count(*)::int as n
      from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id
      where p.withheld_at is not null and exists (
        select from payment_attempts a where a.payroll_id = p.id and a.state not in ('pending', 'failed'))
      group by g.cohort_id, c.name`,
    tell: (n: number) => `${n} payments count as withheld although they were sent`,
  },
  {
    find: sql`select m.cohort_id, c.name, count(distinct h.id)::int as n
      from payee_holds h
      join transfer_master_list m on m.student_id = h.student_id
      join transfer_cohorts c on c.id = m.cohort_id
      where not exists (select from audits a join audit_values v on v.audit_id = a.id
        where a.auditable_type = 'student' and a.auditable_id = h.student_id and a.event = 'payee held'
          and v.new_values->>'hold' = h.id::text and a.user_id = h.user_id)
      group by m.cohort_id, c.name`,
    tell: (n: number) => `${n} payees are on hold without an entry in the audit log`,
  },
]

/**
 * Compares every approved list with its hash, the audit log, its payments, and what the events of money say of them. It
 * reads one state of the database, and changes nothing.
 */
export function verifyLedger(db: Db): Promise<LedgerFindings> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(verify)
}

async function verify(db: Reader): Promise<LedgerFindings> {
  const { rows: counts } = await sql<{ lists: number; payments: number }>`
    select (select count(*) from ${decided})::int as lists, (select count(*) from transfer_payrolls)::int as payments
  `.execute(db)
  const faults: string[] = []
  for (const { find, tell } of checks) {
    const { rows } = await sql<Found>`${find} order by cohort_id, n`.execute(db)
    for (const { cohort_id, name, n } of rows) faults.push(`cohort ${cohort_id} "${name}": ${tell(n)}`)
  }
  const { events, faults: ofEvents } = await verifyEvents(db)
  return {
    lists: counts[0]?.lists ?? 0,
    payments: counts[0]?.payments ?? 0,
    events,
    faults: [...faults, ...ofEvents],
  }
}
