import type { BodyOf } from '@portal/contracts/endpoint'
import { fillText, type Text } from '@portal/contracts/sentences'
import type { transfers } from '@portal/contracts/transfers'
import type { RoundStart } from '@portal/contracts/transfers/cohorts'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'
import { sql } from 'kysely'
import { giveNotice, withdrawNotices, withdrawRequests } from '../../home/notices.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, databaseFault, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { keepBudgets, recordSpent } from '../budgets/parameter-budgets.service.ts'
import { expectWithinLimit } from '../decisions/approval-limit.service.ts'
import { decisionBar, overlaps } from '../decisions/cohort-check.service.ts'
import { say } from '../messages.ts'
import { cohortPage } from '../pages.ts'
import {
  expectAgencyAsked,
  expectApprovedList,
  makeRound,
  missPassedRounds,
  unsettledPayments,
} from '../rounds/rounds.service.ts'
import { readPayable } from './cohorts.service.ts'

type Decision = BodyOf<typeof transfers.decide>
type Locked = {
  id: number
  name: string
  user_id: number
  status: 'pending' | 'approved' | 'rejected' | 'error'
  from: string
  to: string
  frequency: number
  transfer_parameter_id: number
  agency_status: string
  parameter_status: string
  import_state: string
  master_list_count: number
  list_hash: string | null
  list_cost: number
  stopped: boolean
  closed: boolean
  today: string
}

/**
 * Locks the cohort until the transaction ends, so that the second of two concurrent decisions sees the first one. It is read by a
 * second statement: one that waits for the lock would not see that the cohort was closed or moved meanwhile.
 */
async function lockCohort(tx: Tx, id: number): Promise<Locked> {
  await sql`select from transfer_cohorts where id = ${id} for update`.execute(tx)
  const { rows } = await sql<Locked>`
    select c.id, c.name, c.user_id, c.transfer_parameter_id, c.status, c."from", c."to", p.frequency, a.status as agency_status, p.status as parameter_status,
      i.state as import_state, c.master_list_count, c.list_hash, c.list_amount + c.list_fees as list_cost, c.stopped_at is not null as stopped,
      exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
      (now() at time zone 'utc')::date as today
    from transfer_cohorts c
    join transfer_agencies a on a.id = c.transfer_agency_id
    join transfer_parameters p on p.id = c.transfer_parameter_id
    join imports i on i.id = c.import_id
    where c.id = ${id}`.execute(tx)
  const cohort = rows[0]
  if (!cohort) throw notFound()
  return cohort
}

/** Throws if four eyes bar the actor (Money 6.1). The cohort must be locked. */
async function expectOtherEyes(tx: Tx, actor: Actor, id: number, fourEyes: boolean): Promise<void> {
  const bar = await decisionBar(tx, actor, id, fourEyes)
  if (bar) throw forbidden(bar)
}

/**
 * The result of a decision. An approval has its first round with its number of payments and their day; `ahead` if that day is in
 * the future, `paid_before` if nothing of it is sent because its agency has paid it.
 */
export type Approval =
  | { kind: 'approved'; n: number; payments: number; due_on: string; ahead: boolean; paid_before?: boolean }
  | { kind: 'retried' }
  | { kind: 'rejected' }

/**
 * Approves or rejects a cohort, or retries it after a payment error (Money 5.1). If two people decide at once, the
 * second gets 409.
 */
export function decideCohort(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  decision: Decision,
): Promise<Approval> {
  return transaction(db, async (tx) => {
    const cohort = await lockCohort(tx, id)
    if (decision.action === 'rejected') return reject(tx, actor, cohort, decision)
    await expectOtherEyes(tx, actor, id, fourEyes)
    if (cohort.status === 'error') return retry(tx, actor, cohort, decision)
    const overlapping = await checkApprovable(tx, cohort, decision)
    return keepBudgets(tx, cohort.transfer_parameter_id, () =>
      approve(tx, actor, cohort, fourEyes, decision, overlapping),
    )
  })
}

/** Throws unless the list can be approved now. Returns the ids of the cohorts that it overlaps with, all confirmed. */
async function checkApprovable(tx: Tx, cohort: Locked, decision: Decision): Promise<number[]> {
  if (cohort.import_state !== 'imported') throw conflict(say.notImported)
  if (cohort.status !== 'pending') throw conflict(say.alreadyDecided)
  if (cohort.master_list_count === 0) throw conflict(say.emptyList)
  if (cohort.agency_status !== 'active') throw conflict(say.agencyInactive)
  if (cohort.parameter_status !== 'active') throw conflict(say.parameterInactive)
  expectSameList(cohort, decision)
  // An advisory lock makes approvals run one after the other, so that two overlapping cohorts cannot miss each other.
  await sql`select pg_advisory_xact_lock(hashtext('cohort-approval'))`.execute(tx)
  const confirmed = new Set(decision.confirmed_overlaps?.map(Number))
  const overlapping = await overlaps(tx, cohort.id)
  const open = overlapping.find((group) => !confirmed.has(group.cohort_id))
  if (open) throw conflict(say.overlap, open.students, open.cohort_name)
  return overlapping.map((group) => group.cohort_id)
}

/** Throws if the person looked at another list than the one that is decided on (Money 5.3). */
function expectSameList(cohort: Locked, { list_hash }: Decision): void {
  if (list_hash !== undefined && list_hash !== cohort.list_hash) throw conflict(say.listChanged)
}

async function approve(
  tx: Tx,
  actor: Actor,
  cohort: Locked,
  fourEyes: boolean,
  { comment, paid_before }: Decision,
  overlapping: number[],
): Promise<Approval> {
  const plan = planRounds(cohort.from, cohort.to, cohort.frequency)
  const first = roundAtApproval(plan, cohort.today)
  await expectWithinLimit(tx, actor, fourEyes, cohort.id, cohort.list_cost * (plan.length - first + 1))
  for (const round of plan) {
    const state = round.n < first ? 'missed' : 'scheduled'
    await sql`insert into transfer_rounds (cohort_id, n, due_on, state)
      values (${cohort.id}, ${round.n}, ${round.due_on}, ${state})`.execute(tx)
  }
  const answer = await expectAgencyAsked(tx, actor, cohort.id, first, paid_before)
  await makeRound(tx, cohort.id, first).catch(refuseUnmade)
  await setStatus(tx, actor, cohort, 'approved', comment, {
    // Girls whom these cohorts pay, too, as the approver confirmed (Money 5.7).
    ...(overlapping.length > 0 && { confirmed_overlaps: overlapping }),
    ...answer,
  })
  const due_on = plan[first - 1]?.due_on ?? cohort.from
  const ahead = due_on > cohort.today
  return { kind: 'approved', n: first, payments: cohort.master_list_count, due_on, ahead, ...answer }
}

/**
 * The database compares the list with its hash when a round is made of it. Reading 150,000 rows once is enough. Sending may have been
 * held since it was read whether the round may have been paid.
 */
function refuseUnmade(error: unknown): never {
  const constraint = databaseFault(error)?.constraint
  if (constraint === 'transfer_payroll_groups_of_list') throw conflict(say.listForged)
  if (constraint === 'transfer_payroll_groups_not_paid_before') throw conflict()
  throw error
}

async function retry(tx: Tx, actor: Actor, cohort: Locked, decision: Decision): Promise<Approval> {
  if (cohort.agency_status !== 'active') throw conflict(say.agencyInactive)
  expectSameList(cohort, decision)
  await expectApprovedList(tx, cohort.id)
  await missPassedRounds(tx, cohort.id)
  await setStatus(tx, actor, cohort, 'approved', decision.comment)
  return { kind: 'retried' }
}

async function reject(tx: Tx, actor: Actor, cohort: Locked, decision: Decision): Promise<Approval> {
  if (cohort.import_state !== 'imported') throw conflict(say.notImported)
  if (cohort.status !== 'pending') throw conflict(say.alreadyDecided)
  expectSameList(cohort, decision)
  await setStatus(tx, actor, cohort, 'rejected', decision.comment)
  await giveNotice(tx, 'cohort-refused', {
    subject: cohort.id,
    link: cohortPage(cohort.id),
    occasion: 'rejected',
    parts: [cohort.name],
    by: actor.id,
  })
  return { kind: 'rejected' }
}

async function setStatus(
  tx: Tx,
  actor: Actor,
  cohort: Locked,
  status: Locked['status'],
  comment: string | undefined,
  confirmed: { confirmed_overlaps?: number[]; paid_before?: boolean } = {},
) {
  await sql`
    update transfer_cohorts set status = ${status}, error_reason = null, comment = coalesce(${comment || null}, comment),
      decided_by = ${actor.id}, decided_at = now()
    where id = ${cohort.id}`.execute(tx)
  if (cohort.status === 'pending') await withdrawNotices(tx, 'cohort-to-approve', 'imported', cohort.id)
  if (cohort.status === 'error') await withdrawRequests(tx, ['cohort-in-error'], cohort.id)
  await audit(tx, actor, status === 'rejected' ? 'rejected' : 'approved', 'cohort', cohort.id, {
    old: { status: cohort.status },
    // The hash in the log lets `npm run ledger:verify` find a list that was changed together with its hash.
    new: {
      status,
      ...(status === 'approved' && { list_hash: cohort.list_hash }),
      ...(comment && { comment }),
      ...confirmed,
    },
  })
}

/** Stops sending. Payments that were sent are still settled (Money 5.6). */
export function stopCohort(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const cohort = await lockCohort(tx, id)
    if (cohort.closed) throw conflict(say.isClosed)
    if (cohort.status !== 'approved' || cohort.stopped) throw conflict(say.notRunning)
    await sql`update transfer_cohorts set stopped_at = now() where id = ${id}`.execute(tx)
    await audit(tx, actor, 'stopped', 'cohort', id, { old: { stopped: false }, new: { stopped: true } })
  })
}

/** Resumes a stopped cohort. Scheduled rounds whose day has passed become missed. */
export function resumeCohort(db: Db, actor: Actor, fourEyes: boolean, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const cohort = await lockCohort(tx, id)
    await expectOtherEyes(tx, actor, id, fourEyes)
    if (cohort.closed) throw conflict(say.isClosed)
    if (cohort.status !== 'approved' || !cohort.stopped) throw conflict(say.notStopped)
    await expectApprovedList(tx, id)
    await missPassedRounds(tx, id)
    await sql`update transfer_cohorts set stopped_at = null where id = ${id}`.execute(tx)
    await audit(tx, actor, 'resumed', 'cohort', id, { old: { stopped: true }, new: { stopped: false } })
  })
}

function expectDecided({ status }: Locked): void {
  if (status !== 'approved' && status !== 'error') throw conflict(say.notRunning)
}

/** Throws unless the payments of a round that is started now would be sent. */
function expectSending({ status, stopped, agency_status }: Locked): void {
  if (status !== 'approved' || stopped) throw conflict(say.notRunning)
  // Otherwise the round would be made, and the cohort would stop with a payment error at once.
  if (agency_status !== 'active') throw conflict(say.agencyInactive)
}

/**
 * Starts a missed or due round by hand (Money 2.5). It is refused while payments of another round are pending or being
 * sent. One that its agency has paid before is made at any time, without sending anything (Money 8.4). Returns what the person
 * reads.
 */
export function startMissedRound(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  { id, n }: { id: number; n: number },
  { paid_before, ...seen }: RoundStart,
): Promise<Text> {
  return transaction(db, async (tx) => {
    const cohort = await lockCohort(tx, id)
    await expectOtherEyes(tx, actor, id, fourEyes)
    if (cohort.closed) throw conflict(say.isClosed)
    // Nothing of a round that was paid already is sent. So it can be recorded while sending is stopped.
    if (paid_before) expectDecided(cohort)
    else expectSending(cohort)
    const { rows } = await sql<{ state: string; due: boolean }>`
      select state, due_on <= ${cohort.today} as due from transfer_rounds where cohort_id = ${id} and n = ${n}::bigint
    `.execute(tx)
    if (!rows[0]) throw notFound()
    if (rows[0].state !== 'missed' && !(rows[0].state === 'scheduled' && rows[0].due))
      throw conflict(say.roundNotMissed, n)
    // Unknown payments of another round do not block a manual start: the approver decides to go on without them
    // (Money 2.6).
    if (!paid_before && (await unsettledPayments(tx, id)).running > 0) throw conflict(say.roundRunning)
    await expectApprovedList(tx, id)
    const answer = await expectAgencyAsked(tx, actor, id, n, paid_before)
    const { count, amount, fees } = await readPayable(tx, id)
    const isSeen = [
      [seen.payments, count],
      [seen.amount, amount],
      [seen.fees, fees],
    ].every(([saw, now]) => saw === undefined || saw === now)
    if (!isSeen) throw conflict(say.sumsChanged)
    const make = async () => {
      await expectWithinLimit(tx, actor, fourEyes, id, amount + fees)
      await makeRound(tx, id, n).catch(refuseUnmade)
    }
    await (paid_before ? recordSpent : keepBudgets)(tx, cohort.transfer_parameter_id, make)
    await audit(tx, actor, 'round started', 'cohort', id, { old: null, new: { round: n, ...answer } })
    return fillText(paid_before ? say.roundPaidBefore : say.roundStarted, n)
  })
}
