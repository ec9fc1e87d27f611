import { sentence } from '@portal/contracts/imports/import-sentences'
import { sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'
import { takeAgency } from '../engine/take-agency.ts'

/**
 * Settles payments that a line of their agency's statement shows, of two kinds: those in a file of the bank, by their name in that
 * file (Money 7.10), and those of a round that the agency had paid before sending was held, by their reference (8.4). The line is a
 * booked payment of the same amount and, if it has one, to the same account. It settles on the day of the line, so that the
 * comparison that follows finds it. Of two such lines of a file the first settles, and the second is a difference; but if one of
 * them is a return, neither settles.
 */
export async function settleByLines(tx: Tx, agencyId: number, statementId: number): Promise<void> {
  const named = namedOrders(agencyId, statementId)
  const { rows } = await sql`select from (${named}) n limit 1`.execute(tx)
  if (rows.length === 0) return
  await takeAgency(tx, agencyId)
  await sql`
    with named as materialized (${named}), shown as materialized (
      select distinct on (a.id) a.id, a.payroll_id, l.transaction_id, l.fee, (l.day + time '12:00') at time zone 'utc' as at
      from named b join statement_lines l on l.id = b.line_id
        join payment_attempts a on a.id = b.attempt_id join transfer_payrolls p on p.id = a.payroll_id
      where l.problem is null and l.amount = p.amount
        and (l.number is null or l.number = p.receiver_phone_number or account_form(l.number) = account_form(p.receiver_account))
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

/**
 * Money that came in with the name of a payment is its return, also where the bank does not call it one (decision 219). A file that is
 * no XML does not say what a line is: if amounts of it have a minus, those without one are money that came in.
 */
export async function markReturned(tx: Tx, statementId: number): Promise<void> {
  await sql`
    update statement_lines l set problem = ${returned}
    where l.statement_id = ${statementId} and l.problem = ${sentence('statement_incoming')} and (
      exists (select from bank_file_payments b where b.end_to_end_id = l.reference)
      or exists (select from transfer_payrolls p where p.reference = l.reference)
      or exists (select from payment_attempts a where a.agency_id = l.agency_id and a.external_trx_id = l.transaction_id))`.execute(
    tx,
  )
  await sql`
    update statement_lines l set problem = ${returned}
    where l.statement_id = ${statementId} and not l.minus and l.amount > 0 and l.problem is null
      and exists (select from statement_lines m where m.statement_id = ${statementId} and m.minus)
      and exists (select from bank_file_payments b where b.end_to_end_id = l.reference)`.execute(tx)
}

/** The problem of a line that says that a payment came back. */
const returned = sentence('statement_returned')

/**
 * SQL: the open orders of the agency that lines of the statement name. Of a round that was paid before a second person vouches: whoever
 * recorded it settles nothing with a statement of her own. Two lines with one reference may be a payment and its reversal.
 */
const namedOrders = (agencyId: number, statementId: number) => sql`
  select l.id as line_id, a.id as attempt_id
  from statement_lines l join bank_file_payments b on b.end_to_end_id = l.reference
    join payment_attempts a on a.id = b.attempt_id and a.agency_id = ${agencyId} and a.state in ('sending', 'unknown')
    join transfer_agencies o on o.id = a.agency_id and agency_takes_files(o.protocol)
  where l.statement_id = ${statementId} and not exists (select from statement_lines m
    where m.statement_id = l.statement_id and m.reference = l.reference and m.problem = ${returned})
  union
  select l.id, a.id
  from agency_statements s join statement_lines l on l.statement_id = s.id join transfer_payrolls p on p.reference = l.reference
    join transfer_payroll_groups g on g.id = p.payroll_group_id
    join transfer_rounds r on r.cohort_id = g.cohort_id and r.n = g.n and r.found_paid and r.confirmed_by <> s.user_id
    join payment_attempts a on a.payroll_id = p.id and a.n = 1 and a.agency_id = ${agencyId} and a.state in ('sending', 'unknown')
  where s.id = ${statementId} and (select exists (select from transfer_rounds where found_paid))
    and not exists (
      select from statement_lines m where m.statement_id = s.id and m.reference = l.reference and m.id <> l.id)`
