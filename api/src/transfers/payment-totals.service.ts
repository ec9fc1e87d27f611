import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'

/** What the totals say: payments that arrived, and their whole francs. */
export type PaymentTotals = { payments: number; amount: number }

/** Counts the payments by CAP, cohort and month again. Payments are settled after it, so that none is missed (decision 120). */
export async function rebuildPaymentTotals(db: Db): Promise<PaymentTotals> {
  await sql`select recount_payments()`.execute(db)
  const { rows } = await sql<PaymentTotals>`
    select coalesce(sum(payments), 0)::bigint as payments, coalesce(sum(amount), 0)::bigint as amount from payment_totals
  `.execute(db)
  return rows[0] ?? { payments: 0, amount: 0 }
}
