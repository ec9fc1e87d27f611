import type { PaymentStatus } from '@portal/contracts/cohorts'
import type { PaymentRetry } from '@portal/contracts/payrolls'
import { fillText, type Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import { conflict, forbidden, notFound, Refusal } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { decisionBar } from './cohort-check.service.ts'
import { say as transfersSay } from './messages.ts'
import { type RetryRefusal, retryRefusals, say } from './retry.messages.ts'
import { expectApprovedList } from './rounds.service.ts'

type Payment = {
  id: number
  payroll_group_id: number
  cohort_id: number
  /** Name and number, because two recipients of a list may have the same name. */
  receiver: string
  amount: number
  status: PaymentStatus
  failure_reason: string | null
  written_off: boolean
  /** Whether an answer of the agency contradicts the database, so that the money may have moved. */
  doubted: boolean
}
type Retried = { message: Text; retried: number; amount: number; left_out: number }

/**
 * Makes failed payments pending again, each with a new attempt (Money 4.11). The number of the attempt gives it a new
 * idempotency key. The cohorts are locked, so that the second of two concurrent requests sees what the first one did.
 */
export function retryPayments(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  wanted: PaymentRetry,
): Promise<Retried> {
  return transaction(db, async (tx) => {
    // Raising a hold locks this row too. So either the hold sees these payments as pending, or the check below sees the
    // hold.
    await sql`select from sending_marks for share`.execute(tx)
    for (const cohortId of await lockCohorts(tx, wanted)) await expectRetryable(tx, actor, cohortId, fourEyes)
    const found = await lockPayments(tx, wanted)
    if ('payroll_ids' in wanted) {
      expectAll(found, wanted.payroll_ids.length)
      await tryAgain(tx, actor, found)
      for (const payment of found) await auditPayment(tx, actor, payment)
      return summaryOf(found, 0)
    }
    const payments = found.filter((payment) => refusalOf(payment) === null)
    if (payments.length === 0) throw conflict(say.nothingFailedSo)
    await tryAgain(tx, actor, payments)
    const { message: _, ...figures } = summaryOf(payments, found.length - payments.length)
    await audit(tx, actor, 'retried', 'cohort', wanted.cohort_id, {
      old: null,
      new: { reason: wanted.reason, ...figures },
    })
    return summaryOf(payments, figures.left_out)
  })
}

/**
 * Returns why failed payments of a cohort cannot be retried now, by this person (`person`) or by anybody (`state`), or
 * null.
 */
export async function retryBar(
  db: Reader,
  actor: Actor,
  cohortId: number,
  fourEyes: boolean,
): Promise<{ text: Text; kind: 'person' | 'state' } | null> {
  const person = await decisionBar(db, actor, cohortId, fourEyes)
  if (person) return { text: person, kind: 'person' }
  const { rows } = await sql<{
    status: string
    stopped: boolean
    over: boolean
    agency_status: string
    held: boolean
  }>`
    
    select c.status, c.stopped_at is not null as stopped, c."to" < (now() at time zone 'utc')::date as over,
      a.status as agency_status, exists (select from sending_holds where released_at is null) as held
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = ${cohortId}
  `.execute(db)
  const cohort = rows[0]
  if (!cohort) throw notFound()
  const state = (text: Text) => ({ text, kind: 'state' as const })
  if (cohort.status === 'error') return state(say.cohortInError)
  if (cohort.status !== 'approved') return state(transfersSay.notRunning)
  if (cohort.over) return state(say.periodOver)
  if (cohort.held) return state(say.sendingIsHeld)
  if (cohort.stopped) return state(say.cohortStopped)
  if (cohort.agency_status !== 'active') return state(transfersSay.agencyInactive)
  return null
}

async function expectRetryable(tx: Tx, actor: Actor, cohortId: number, fourEyes: boolean): Promise<void> {
  const bar = await retryBar(tx, actor, cohortId, fourEyes)
  if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
  await expectApprovedList(tx, cohortId)
}

/** Locks the cohorts of the requested payments until the transaction ends. Returns their ids. */
async function lockCohorts(tx: Tx, wanted: PaymentRetry): Promise<number[]> {
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
 * Locks and returns the payments. A payment is in doubt while it has an open exception, or if a hold found a payment
 * with its reference that does not agree with its attempts: the money may have moved after all.
 */
async function lockPayments(tx: Tx, wanted: PaymentRetry): Promise<Payment[]> {
  const which: RawBuilder<unknown> =
    'payroll_ids' in wanted
      ? sql`p.id = any(${wanted.payroll_ids}::bigint[])`
      : sql`g.cohort_id = ${wanted.cohort_id} and p.status = 'failed' and p.failure_reason = ${wanted.reason}
          and p.written_off_at is null`
  const { rows } = await sql<Payment>`
    select p.id, p.payroll_group_id, g.cohort_id, concat_ws(', ',
        p.receiver_first_name || ' ' || p.receiver_last_name, p.receiver_phone_number, p.receiver_account) as receiver, p.amount, p.status,
      p.failure_reason, p.written_off_at is not null as written_off,
      exists (select from payment_exceptions e where e.payroll_id = p.id and not e.resolved)
        or exists (select from sending_hold_differences d where d.payroll_id = p.id and d.kind = 'differs') as doubted
    from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where ${which} order by p.id for update of p`.execute(tx)
  return rows
}

/** Returns why a payment cannot be retried, or null. Only a definite refusal of the agency allows a retry. */
function refusalOf({ status, written_off, doubted }: Payment): RetryRefusal | null {
  if (status !== 'failed') return status
  if (written_off) return 'written_off'
  return doubted ? 'answer' : null
}

/**
 * Throws if one of the selected payments cannot be retried, so that none is. The errors have the reason of each, by
 * payment id.
 */
function expectAll(payments: readonly Payment[], chosen: number): void {
  if (payments.length < chosen) throw notFound()
  const errors: Record<string, Text[]> = {}
  for (const payment of payments) {
    const why = refusalOf(payment)
    if (why) errors[`payroll_ids.${payment.id}`] = [named(payment.receiver, retryRefusals[why])]
  }
  const refused = Object.keys(errors).length
  if (refused > 0) throw new Refusal(409, say.noneRetried, { parts: [refused, chosen], errors })
}

const named = (name: string, { en, fr }: Text): Text => ({ en: `${name}: ${en}`, fr: `${name} : ${fr}` })

async function tryAgain(tx: Tx, actor: Actor, payments: readonly Payment[]): Promise<void> {
  const ids = sql`${payments.map(({ id }) => id)}::bigint[]`
  await sql`
    insert into payment_attempts (payroll_id, n, state, user_id)
    select payroll_id, max(n) + 1, 'pending', ${actor.id} from payment_attempts where payroll_id = any(${ids})
    group by payroll_id order by payroll_id`.execute(tx)
  await sql`
    update transfer_payrolls set status = 'pending', failure_reason = null, external_trx_id = null, updated_at = now()
    where id = any(${ids})`.execute(tx)
  // If all payments of a round are retried, the round counts as not begun. `called_at` keeps it from being missed.
  const groups = [...new Set(payments.map(({ payroll_group_id }) => payroll_group_id))]
  await sql`
    update transfer_payroll_groups set called_at = now() where id = any(${groups}::bigint[])
  `.execute(tx)
}

const auditPayment = (tx: Tx, actor: Actor, { id, failure_reason }: Payment) =>
  audit(tx, actor, 'retried', 'payment', id, {
    old: { status: 'failed', failure_reason },
    new: { status: 'pending', failure_reason: null },
  })

function summaryOf(payments: readonly Payment[], leftOut: number): Retried {
  const retried = payments.length
  const message =
    leftOut > 0 ? fillText(say.retriedButSome, retried, leftOut) : fillText(say.retried, retried)
  return {
    message,
    retried,
    amount: payments.reduce((sum, { amount }) => sum + amount, 0),
    left_out: leftOut,
  }
}
