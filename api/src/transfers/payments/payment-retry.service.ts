import { fillText, type Text } from '@portal/contracts/sentences'
import type { PaymentRetry } from '@portal/contracts/transfers/payrolls'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { decisionBar } from '../decisions/cohort-check.service.ts'
import { say as transfersSay } from '../messages.ts'
import { say } from '../retry.messages.ts'
import { expectApprovedList, keepTrace } from '../rounds/rounds.service.ts'
import { expectAll, type FailedPayment, lockCohorts, lockPayments, sumOf } from './failed-payments.service.ts'
import { refusalOf } from './payment-acts.ts'

type Figures = { retried: number; amount: number; left_out: number }
/** `left`: payments of the reason that were not looked at any more, because the call had its time. */
type Retried = Figures & { message: Text; left: number }
type ByReason = Extract<PaymentRetry, { reason: string }>

/** How many payments one transaction makes again, and after how long the call leaves the rest to the next one. */
type Pace = { size: number; forMs: number }
const usualPace: Pace = { size: 2_000, forMs: 4_000 }

/**
 * Makes failed payments pending again, each with a new attempt (Money 4.11). The number of the attempt gives it a new
 * idempotency key. The cohorts are locked, so that the second of two concurrent requests sees what the first one did.
 */
export function retryPayments(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  wanted: PaymentRetry,
  pace = usualPace,
): Promise<Retried> {
  if ('reason' in wanted) return retryAll(db, actor, fourEyes, wanted, pace)
  return transaction(db, async (tx) => {
    for (const cohortId of await lockCohorts(tx, wanted)) await expectRetryable(tx, actor, cohortId, fourEyes)
    const found = await lockPayments(tx, wanted)
    expectAll('retry', found, wanted.payroll_ids.length, say.noneRetried)
    await tryAgain(tx, actor, found)
    for (const payment of found) await auditPayment(tx, actor, payment)
    return resultOf({ retried: found.length, amount: sumOf(found), left_out: 0 }, 0)
  })
}

/**
 * Makes all payments again that failed for a reason, in parts (Money 4.11). Each part is a transaction with its audit
 * row, so that a call that is interrupted leaves whole parts, and the next call goes on with those that failed longest ago.
 */
async function retryAll(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  wanted: ByReason,
  pace: Pace,
): Promise<Retried> {
  const began = performance.now()
  const failed = await findFailed(db, wanted)
  // The person has seen `at_most` payments. Those that failed since then need another confirmation.
  const shown = failed.slice(0, wanted.at_most)
  let done: Figures = { retried: 0, amount: 0, left_out: 0 }
  let looked = 0
  do {
    const among = shown.slice(looked, looked + pace.size)
    try {
      const part = await transaction(db, (tx) =>
        retryPart(tx, actor, fourEyes, { ...wanted, among }, looked === 0),
      )
      done = {
        retried: done.retried + part.retried,
        amount: done.amount + part.amount,
        left_out: done.left_out + part.left_out,
      }
    } catch (error) {
      // Somebody stopped the cohort meanwhile, or the database is busy. The parts before this one are done, which a refusal
      // of the call would deny: so they are told, and the next call says what is wrong.
      if (done.retried > 0) break
      throw error
    }
    looked += among.length
  } while (looked < shown.length && performance.now() - began < pace.forMs)
  if (done.retried === 0 && looked === shown.length) throw conflict(say.nothingFailedSo)
  return resultOf(done, failed.length - looked)
}

/** The payments that failed for a reason, those first that failed longest ago. */
async function findFailed(db: Db, { cohort_id, reason }: ByReason): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
    where g.cohort_id = ${cohort_id} and p.status = 'failed' and p.failure_reason = ${reason} and p.written_off_at is null
    order by p.updated_at, p.id`.execute(db)
  return rows.map(({ id }) => id)
}

async function retryPart(
  tx: Tx,
  actor: Actor,
  fourEyes: boolean,
  wanted: ByReason & { among: number[] },
  first: boolean,
): Promise<Figures> {
  await lockCohorts(tx, wanted)
  await expectUnbarred(tx, actor, wanted.cohort_id, fourEyes)
  // A list is frozen, so that it is compared once in a call.
  if (first) await expectApprovedList(tx, wanted.cohort_id)
  const found = await lockPayments(tx, wanted)
  const payments = found.filter((payment) => refusalOf('retry', payment) === null)
  const figures = {
    retried: payments.length,
    amount: sumOf(payments),
    left_out: found.length - payments.length,
  }
  if (payments.length === 0) return figures
  await tryAgain(tx, actor, payments)
  await audit(tx, actor, 'retried', 'cohort', wanted.cohort_id, {
    old: null,
    new: { reason: wanted.reason, ...figures },
  })
  return figures
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
    closed: boolean
    agency_status: string
    held: boolean
  }>`
    select c.status, c.stopped_at is not null as stopped,
      exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
      a.status as agency_status, exists (select from sending_holds where released_at is null) as held
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = ${cohortId}
  `.execute(db)
  const cohort = rows[0]
  if (!cohort) throw notFound()
  const state = (text: Text) => ({ text, kind: 'state' as const })
  if (cohort.closed) return state(transfersSay.isClosed)
  if (cohort.status === 'error') return state(say.cohortInError)
  if (cohort.status !== 'approved') return state(transfersSay.notRunning)
  if (cohort.held) return state(say.sendingIsHeld)
  if (cohort.stopped) return state(say.cohortStopped)
  if (cohort.agency_status !== 'active') return state(transfersSay.agencyInactive)
  return null
}

async function expectRetryable(tx: Tx, actor: Actor, cohortId: number, fourEyes: boolean): Promise<void> {
  await expectUnbarred(tx, actor, cohortId, fourEyes)
  await expectApprovedList(tx, cohortId)
}

async function expectUnbarred(tx: Tx, actor: Actor, cohortId: number, fourEyes: boolean): Promise<void> {
  const bar = await retryBar(tx, actor, cohortId, fourEyes)
  if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
}

async function tryAgain(tx: Tx, actor: Actor, payments: readonly FailedPayment[]): Promise<void> {
  // A payment that was withheld may have no attempt yet, or one that the agency certainly did not execute; it keeps its key.
  const ids = sql`${payments.map(({ id }) => id)}::bigint[]`
  await sql`
    insert into payment_attempts (payroll_id, n, state, user_id)
    select p.id, coalesce(max(a.n), 0) + 1, 'pending', ${actor.id}
    from transfer_payrolls p left join payment_attempts a on a.payroll_id = p.id where p.id = any(${ids})
    group by p.id having count(a.id) filter (where a.state <> 'failed') = 0 order by p.id`.execute(tx)
  await sql`
    update transfer_payrolls set status = 'pending', failure_reason = null, external_trx_id = null, withheld_at = null,
      updated_at = now()
    where id = any(${ids})`.execute(tx)
  // If all payments of a round are retried, the round counts as not begun. `called_at` keeps it from being missed.
  const groups = [...new Set(payments.map(({ payroll_group_id }) => payroll_group_id))]
  await sql`
    update transfer_payroll_groups set called_at = now() where id = any(${groups}::bigint[])
  `.execute(tx)
  await keepTrace(tx, groups)
}

const auditPayment = (tx: Tx, actor: Actor, { id, failure_reason }: FailedPayment) =>
  audit(tx, actor, 'retried', 'payment', id, {
    old: { status: 'failed', failure_reason },
    new: { status: 'pending', failure_reason: null },
  })

function resultOf(figures: Figures, left: number): Retried {
  const { retried, left_out } = figures
  if (left > 0) return { ...figures, left, message: fillText(say.retriedInPart, retried, left) }
  const message =
    left_out > 0 ? fillText(say.retriedButSome, retried, left_out) : fillText(say.retried, retried)
  return { ...figures, left, message }
}
