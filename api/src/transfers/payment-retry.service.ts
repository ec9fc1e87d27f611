import type { PaymentRetry } from '@portal/contracts/payrolls'
import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import { conflict, forbidden, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { decisionBar } from './cohort-check.service.ts'
import { expectAll, type FailedPayment, lockCohorts, lockPayments, sumOf } from './failed-payments.service.ts'
import { say as transfersSay } from './messages.ts'
import { refusalOf } from './payment-acts.ts'
import { say } from './retry.messages.ts'
import { expectApprovedList } from './rounds.service.ts'

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
    for (const cohortId of await lockCohorts(tx, wanted)) await expectRetryable(tx, actor, cohortId, fourEyes)
    const found = await lockPayments(tx, wanted)
    if ('payroll_ids' in wanted) {
      expectAll('retry', found, wanted.payroll_ids.length, say.noneRetried)
      await tryAgain(tx, actor, found)
      for (const payment of found) await auditPayment(tx, actor, payment)
      return summaryOf(found, 0)
    }
    const payments = found.filter((payment) => refusalOf('retry', payment) === null)
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
    closed: boolean
    over: boolean
    agency_status: string
    held: boolean
  }>`
    
    select c.status, c.stopped_at is not null as stopped,
      exists (select from cohort_closings k where k.cohort_id = c.id) as closed, c."to" < (now() at time zone 'utc')::date as over,
      a.status as agency_status, exists (select from sending_holds where released_at is null) as held
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = ${cohortId}
  `.execute(db)
  const cohort = rows[0]
  if (!cohort) throw notFound()
  const state = (text: Text) => ({ text, kind: 'state' as const })
  if (cohort.closed) return state(transfersSay.isClosed)
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
}

const auditPayment = (tx: Tx, actor: Actor, { id, failure_reason }: FailedPayment) =>
  audit(tx, actor, 'retried', 'payment', id, {
    old: { status: 'failed', failure_reason },
    new: { status: 'pending', failure_reason: null },
  })

function summaryOf(payments: readonly FailedPayment[], leftOut: number): Retried {
  const retried = payments.length
  const message =
    leftOut > 0 ? fillText(say.retriedButSome, retried, leftOut) : fillText(say.retried, retried)
  return {
    message,
    retried,
    amount: sumOf(payments),
    left_out: leftOut,
  }
}
