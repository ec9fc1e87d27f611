import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'

/** What the totals say: payments that arrived, and their whole francs. */
export type PaymentTotals = { payments: number; amount: number }

/**
 * Counts the payments by CAP, cohort and month again, the events of money by day, and what is owed. Payments are settled after it, so
 * that none is missed (decisions 120, 160 and 172).
 */
export async function rebuildPaymentTotals(db: Db): Promise<PaymentTotals> {
  await sql`select recount_payments()`.execute(db)
  await sql`select recount_money_events()`.execute(db)
  await sql`select recount_owed()`.execute(db)
  const { rows } = await sql<PaymentTotals>`
    select coalesce(sum(payments), 0)::bigint as payments, coalesce(sum(amount), 0)::bigint as amount from payment_totals
  `.execute(db)
  return rows[0] ?? { payments: 0, amount: 0 }
}

/** Adds up the differences of each sum of money events, in one statement, so that a reader sees the rows before or after it. */
export async function foldMoneyTotals(db: Db): Promise<void> {
  await sql`
    with many as (select payroll_group_id, agency_id, kind, status, day from money_totals group by 1, 2, 3, 4, 5 having count(*) > 1),
      gone as (delete from money_totals t using many m
        where (t.payroll_group_id, t.agency_id, t.kind, t.status, t.day) = (m.payroll_group_id, m.agency_id, m.kind, m.status, m.day)
        returning t.*)
    insert into money_totals (payroll_group_id, agency_id, kind, status, day, events, amount, fees)
    select payroll_group_id, agency_id, kind, status, day, sum(events), sum(amount), sum(fees) from gone group by 1, 2, 3, 4, 5`.execute(
    db,
  )
}
