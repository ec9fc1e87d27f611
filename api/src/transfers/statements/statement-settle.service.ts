import { sql } from 'kysely'
import type { Tx } from '../../kit/db.ts'
import { takeAgency } from '../engine/take-agency.ts'

/**
 * Settles payments that are in a file of the bank and that a line of its statement shows: a booked payment with the name
 * of the payment in that file, with its amount and, if the line has one, its account (Money 7.10). It settles on the day of
 * the line, so that the comparison that follows finds it. Of two such lines the first settles, and the second is a
 * difference.
 */
export async function settleByLines(tx: Tx, agencyId: number, statementId: number): Promise<void> {
  const { rows } = await sql`
    select from transfer_agencies where id = ${agencyId} and agency_takes_files(protocol)`.execute(tx)
  if (rows.length === 0) return
  await takeAgency(tx, agencyId)
  await sql`
    with shown as materialized (
      select distinct on (a.id) a.id, a.payroll_id, l.transaction_id, l.fee, (l.day + time '12:00') at time zone 'utc' as at
      from statement_lines l join bank_file_payments b on b.end_to_end_id = l.reference
        join payment_attempts a on a.id = b.attempt_id and a.agency_id = ${agencyId} and a.state in ('sending', 'unknown')
        join transfer_payrolls p on p.id = a.payroll_id
      where l.statement_id = ${statementId} and l.problem is null and l.amount = p.amount
        and (l.number is null or l.number in (p.receiver_account, p.receiver_phone_number))
        -- A transaction pays one payment.
        and not exists (select from payment_attempts o
          where o.agency_id = a.agency_id and o.external_trx_id = l.transaction_id and o.id <> a.id)
        and not exists (select from statement_lines m where m.statement_id = l.statement_id
          and m.transaction_id = l.transaction_id and m.reference is distinct from l.reference)
      order by a.id, l."row"
    ), a as (
      update payment_attempts a set state = 'success', external_trx_id = coalesce(a.external_trx_id, s.transaction_id), reason = null,
        ask_at = null, settled_at = least(now(), s.at)
      from shown s where a.id = s.id returning a.id, a.payroll_id, a.external_trx_id, s.fee
    ), answered as (
      update payment_settlements n set state = 'answered', decided_at = now()
      from a where n.attempt_id = a.id and n.state = 'proposed'
    ), settled as (
      update agency_leases set settled_at = now(), stalled_at = null where agency_id = ${agencyId} and exists (select from a)
    )
    update transfer_payrolls p set status = 'success', external_trx_id = a.external_trx_id, failure_reason = null,
      agency_fees = coalesce(a.fee, p.agency_fees), updated_at = now()
    from a where p.id = a.payroll_id`.execute(tx)
}
