import type { Text } from '@portal/contracts/sentences'
import type { PaymentAct } from '@portal/contracts/transfers/payrolls'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'
import { notFound, Refusal } from '../../kit/http/refusals.ts'
import { type ActedOn, refusalOf } from './payment-acts.ts'

/** A payment that a person acts on, locked until the transaction ends. */
export type FailedPayment = ActedOn & {
  id: number
  payroll_group_id: number
  cohort_id: number
  /** Name and number, because two recipients of a list may have the same name. */
  receiver: string
  amount: number
  failure_reason: string | null
}

/** Which payments somebody wants to act on; of those that failed for a reason, which part. */
export type Wanted = { payroll_ids: number[] } | { cohort_id: number; reason: string; among: number[] }

/**
 * SQL: whether payment `p` is in doubt: it has an open exception, a statement that is not signed yet has it as paid, or a
 * hold found a payment with its reference that does not agree with its attempts, and nobody has decided about that. The money
 * may have moved after all.
 */
export const isDoubted = (payment: RawBuilder<unknown>) => sql`(
  exists (select from payment_exceptions x where x.payroll_id = ${payment} and not x.resolved)
  or stated_as_paid(${payment})
  or held_otherwise(${payment}))`

/** SQL: whether a correction of the recipient `entry` of a list waits for a second person. */
export const isCorrecting = (entry: RawBuilder<unknown>) => sql`
  exists (select from recipient_corrections r where r.master_list_id = ${entry} and r.state = 'proposed')`

/**
 * SQL: who refused the latest correction of the recipient `entry`, and with which comment; null where it was approved. One that its
 * proposer withdrew was refused by nobody.
 */
export const refusalOfCorrection = (entry: RawBuilder<unknown>) => sql`
  (select case when r.state = 'refused' then jsonb_build_object('by', u.first_name || ' ' || u.last_name, 'comment', r.comment) end
    from recipient_corrections r join users u on u.id = r.decided_by
    where r.master_list_id = ${entry} and r.decided_by <> r.user_id order by r.id desc limit 1)`

/** SQL: whether a person decided that the money of a failed payment moved after all. */
export const isPaidAfterAll = (payment: RawBuilder<unknown>) => sql`
  exists (select from payment_exceptions x where x.payroll_id = ${payment} and x.decision = 'money_moved')`

/** SQL: whether the agency has payment `p`, which is being sent, for longer than it may take. */
export const isOverdue = (payment: RawBuilder<unknown>) => sql`
  exists (select from payment_attempts o where o.payroll_id = ${payment} and o.state = 'sending' and attempt_is_overdue(o.id))`

/** SQL: whether a settlement of payment `p` waits for a second person. */
export const isSettling = (payment: RawBuilder<unknown>) => sql`
  exists (select from payment_settlements n join payment_attempts o on o.id = n.attempt_id
    where o.payroll_id = ${payment} and n.state = 'proposed')`

/** SQL: whether the girl of row `entry` of a list is on hold. */
export const isHeld = (entry: RawBuilder<unknown>) => sql`payee_is_held(payee_of(${entry}))`

/**
 * Locks the cohorts of the requested payments until the transaction ends, and returns their ids. Raising a hold locks
 * the mark too. So either the hold sees what is done here, or this transaction sees the hold.
 */
export async function lockCohorts(tx: Tx, wanted: Wanted): Promise<number[]> {
  await sql`select from sending_marks for share`.execute(tx)
  const which =
    'payroll_ids' in wanted
      ? sql`id in (select g.cohort_id from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
          where p.id = any(${wanted.payroll_ids}::bigint[]))`
      : sql`id = ${wanted.cohort_id}`
  const { rows } = await sql<{ id: number }>`
    select id from transfer_cohorts where ${which} order by id for update`.execute(tx)
  if (rows.length === 0) throw notFound()
  return rows.map(({ id }) => id)
}

/**
 * Locks and returns the payments. They are read by a second statement: the first one may have waited for somebody who noted
 * an answer about one of them, and would not see it.
 */
export async function lockPayments(tx: Tx, wanted: Wanted): Promise<FailedPayment[]> {
  const which: RawBuilder<unknown> =
    'payroll_ids' in wanted
      ? sql`p.id = any(${wanted.payroll_ids}::bigint[])`
      : sql`g.cohort_id = ${wanted.cohort_id} and p.status = 'failed' and p.failure_reason = ${wanted.reason}
          and p.written_off_at is null and p.id = any(${wanted.among}::bigint[])`
  await sql`
    select from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where ${which} order by p.id for no key update of p`.execute(tx)
  const { rows } = await sql<FailedPayment>`
    select p.id, p.payroll_group_id, g.cohort_id, concat_ws(', ',
        p.receiver_first_name || ' ' || p.receiver_last_name, p.receiver_phone_number, p.receiver_account) as receiver, p.amount, p.status,
      p.failure_reason, p.written_off_at is not null as written_off, ${isDoubted(sql`p.id`)} as doubted,
      ${isPaidAfterAll(sql`p.id`)} as paid_after_all,
      ${isCorrecting(sql`p.master_list_id`)} as correcting, ${isHeld(sql`p.master_list_id`)} as held,
      p.withheld_at is not null as withheld, ${isOverdue(sql`p.id`)} as overdue, ${isSettling(sql`p.id`)} as settling
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where ${which} order by p.id`.execute(tx)
  return rows
}

/**
 * Throws if the act is refused for one of the selected payments, so that it is done for none. The errors have the
 * reason of each, by payment id. `general` is filled with the numbers of refused and of selected payments.
 */
export function expectAll(
  act: PaymentAct,
  payments: readonly FailedPayment[],
  chosen: number,
  general: Text,
): void {
  if (payments.length < chosen) throw notFound()
  const errors: Record<string, Text[]> = {}
  for (const payment of payments) {
    const why = refusalOf(act, payment)
    if (why) errors[`payroll_ids.${payment.id}`] = [named(payment.receiver, why)]
  }
  const refused = Object.keys(errors).length
  if (refused > 0) throw new Refusal(409, general, { parts: [refused, chosen], errors })
}

const named = (name: string, { en, fr }: Text): Text => ({ en: `${name}: ${en}`, fr: `${name} : ${fr}` })

export const sumOf = (payments: readonly { amount: number }[]): number =>
  payments.reduce((sum, { amount }) => sum + amount, 0)
