import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict } from '../../kit/http/refusals.ts'
import { type Actor, portal } from '../../kit/http/session.ts'
import { traced, traceparent } from '../../kit/process/telemetry.ts'
import { calledOn, missedAfterDays } from '../engine/agency-lease.service.ts'
import { haltReasons, say } from '../messages.ts'
import { haltIn } from './cohort-halt.service.ts'

const today = sql`(now() at time zone 'utc')::date`
/** SQL: the oldest day on which a round may have been due and still starts automatically. */
const oldest = sql`${today} - ${sql.raw(`${missedAfterDays}`)}`

/**
 * Whether every row of the list is as it was imported, by its hash. Rows may have lost their recipient by an erasure,
 * which keeps its own hash. The database's triggers check the same.
 */
async function listHolds(tx: Tx, cohortId: number): Promise<boolean> {
  const { rows } = await sql`
    select from transfer_cohorts where id = ${cohortId} and transfer_list_hash_due(id) = transfer_list_hash(id)`.execute(
    tx,
  )
  return rows.length > 0
}

/** Throws if the list is not the one that was approved. */
export async function expectApprovedList(tx: Tx, cohortId: number): Promise<void> {
  if (!(await listHolds(tx, cohortId))) throw conflict(haltReasons.list)
}

/**
 * SQL: whether a lost database may have had round `r` paid, so that a person asks its agency before it is made (Money 8.4). A hold
 * asks about the rounds that were made, also if they are missed since.
 */
export const isPerhapsPaid = sql`(round_is_perhaps_paid(r.cohort_id, r.due_on, r.confirmed_at)
  and not exists (select from transfer_payroll_groups made where made.cohort_id = r.cohort_id and made.n = r.n))`

/**
 * Throws if the round may have been paid and the person has not said what its agency answered. The answer is kept with the round.
 * The database refuses such a round without one. Of another round nobody may say that it was paid. Returns what the log says.
 */
export async function expectAgencyAsked(
  tx: Tx,
  actor: Actor,
  cohortId: number,
  n: number,
  paid?: boolean,
): Promise<{ paid_before?: boolean }> {
  const { rows } = await sql<{ agency_name: string; comparing: boolean }>`
    select a.name as agency_name, exists (select from agency_statements s where s.agency_id = a.id and s.state in ('queued', 'reading')) as comparing
    from transfer_rounds r join transfer_cohorts c on c.id = r.cohort_id
      join transfer_agencies a on a.id = c.transfer_agency_id
    where r.cohort_id = ${cohortId} and r.n = ${n} and ${isPerhapsPaid}`.execute(tx)
  if (!rows[0] && paid) throw conflict(say.notPerhapsPaid)
  if (!rows[0]) return {}
  const { agency_name, comparing } = rows[0]
  if (paid === undefined) throw conflict(say.perhapsPaid, agency_name)
  if (!paid && comparing) throw conflict(say.statementCompared, agency_name)
  // Until its release it is not known which agencies the portal can ask itself, and an answer stands.
  if (paid && (await isHeld(tx))) throw conflict(say.perhapsPaidHeld)
  const stated = paid ? 0 : await statedOf(tx, cohortId, n)
  if (stated > 0) throw conflict(say.statedAsPaid, agency_name, stated)
  await sql`
    update transfer_rounds set confirmed_by = ${actor.id}, confirmed_at = clock_timestamp(), found_paid = ${paid}
    where cohort_id = ${cohortId} and n = ${n}`.execute(tx)
  return { paid_before: paid }
}

const isHeld = async (tx: Tx) =>
  (await sql`select from sending_holds where released_at is null`.execute(tx)).rows.length > 0

/** How many payments of a round that is not made the statements of agencies have as paid, by their references. */
async function statedOf(tx: Tx, cohortId: number, n: number): Promise<number> {
  const { rows } = await sql<{ stated: number }>`
    select count(distinct l.reference)::int as stated
    from transfer_cohorts c cross join installation_identity i
      join transfer_master_list m on m.cohort_id = c.id and m.erased_at is null
      join statement_lines l on l.problem is null
        and l.reference = reference_from(i.inner_pad, i.outer_pad, c.public_id, c.list_hash, ${n}::integer, m.student_code)
      join agency_statements s on s.id = l.statement_id and s.state in ('open', 'closed')
    where c.id = ${cohortId}`.execute(tx)
  return rows[0]?.stated ?? 0
}

/** Keeps the call that asks for rounds with them, because their payments are sent by a worker that nobody calls. Nothing is written without traces. */
export async function keepTrace(tx: Tx, groups: readonly number[]): Promise<void> {
  const { traceparent: trace } = traceparent()
  if (trace)
    await sql`update transfer_payroll_groups set trace = ${trace} where id = any(${groups}::bigint[])`.execute(
      tx,
    )
}

/**
 * Makes round `n` of a cohort with one pending payment per row of its master list, as corrected since (Money 4.14) and
 * without those that were erased. The caller must have locked the cohort, and a unique index on cohort and `n` prevents
 * a second one. A round that was made ahead of its day and then missed is reopened instead. Of a round that its agency
 * has paid before, nothing is sent. Returns the id of the payroll group.
 */
export async function makeRound(tx: Tx, cohortId: number, n: number): Promise<number> {
  const again = await sql<{ id: number }>`
    update transfer_payroll_groups g set called_at = now() from transfer_rounds r
    where g.cohort_id = ${cohortId} and g.n = ${n} and r.cohort_id = g.cohort_id and r.n = g.n and r.state = 'missed'
    returning g.id`.execute(tx)
  if (again.rows[0]) {
    await sql`
      update transfer_rounds set state = 'made' where cohort_id = ${cohortId} and n = ${n}`.execute(tx)
    await keepTrace(tx, [again.rows[0].id])
    return again.rows[0].id
  }
  const made = await sql<{ id: number }>`
    insert into transfer_payroll_groups (cohort_id, n, due_on)
    select cohort_id, n, due_on from transfer_rounds where cohort_id = ${cohortId} and n = ${n} and state <> 'made'
    returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (!id) throw new Error(`round ${n} of cohort ${cohortId} is not in its plan or was made before`)
  for (let after: number | null = 0; after !== null; ) after = await makePayments(tx, id, cohortId, after)
  const { rows } = await sql<{ found_paid: boolean }>`
    update transfer_rounds set state = 'made' where cohort_id = ${cohortId} and n = ${n} returning found_paid`.execute(
    tx,
  )
  if (rows[0]?.found_paid) await leaveToEvidence(tx, id)
  await keepTrace(tx, [id])
  return id
}

/** Payments made per statement. Each statement stays far below the time that a call may wait for one (decision 73). */
const madeAtOnce = 5000

/** Makes the payments of the rows of the list after the row `after`. Returns the last of these rows, or null if there is none. */
async function makePayments(
  tx: Tx,
  groupId: number,
  cohortId: number,
  after: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with part as materialized (
      select id, student_code, amount, fees from transfer_master_list
      where cohort_id = ${cohortId} and id > ${after} and erased_at is null order by id limit ${madeAtOnce}
    ), made as (
      insert into transfer_payrolls (payroll_group_id, master_list_id, correction_id, receiver_first_name, receiver_last_name,
        receiver_phone_number, receiver_account, receiver_bank, amount, fees, reference)
      select g.id, m.id, r.correction_id, r.first_name, r.last_name, r.phone, r.account, r.bank, m.amount, m.fees,
        reference_from(i.inner_pad, i.outer_pad, c.public_id, c.list_hash, g.n, m.student_code)
      from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
        cross join installation_identity i cross join part m cross join lateral recipient_of(m.id) r
      where g.id = ${groupId} order by m.id
    )
    select max(id) as last from part`.execute(tx)
  return rows[0]?.last ?? null
}

/**
 * Leaves the payments of a round that its agency has paid before to evidence: they are unknown, the agency is not queried, and
 * nothing is sent (Money 8.4).
 */
async function leaveToEvidence(tx: Tx, groupId: number): Promise<void> {
  for (let left = madeAtOnce; left === madeAtOnce; ) {
    const { rows } = await sql`
      with part as materialized (
        select id from transfer_payrolls where payroll_group_id = ${groupId} and status = 'pending' order by id limit ${madeAtOnce}
      ), ordered as (
        insert into payment_attempts (payroll_id, state, first_asked, reason) select id, 'unknown', 'held', 'paid_before' from part
      )
      update transfer_payrolls p set status = 'sending', updated_at = now() from part where p.id = part.id returning p.id`.execute(
      tx,
    )
    left = rows.length
    await sql`
      update transfer_payrolls set status = 'unknown', failure_reason = 'paid_before', updated_at = now()
      where payroll_group_id = ${groupId} and status = 'sending'`.execute(tx)
  }
}

/** Marks scheduled rounds whose day has passed as missed. They are never paid automatically (Money 2.5). */
export async function missPassedRounds(tx: Tx, cohortId: number): Promise<void> {
  await sql`
    update transfer_rounds set state = 'missed'
    where cohort_id = ${cohortId} and state = 'scheduled' and due_on < ${today}`.execute(tx)
}

/**
 * Counts the payments of the cohort that are not settled, without those of missed rounds. The next round waits for
 * them, but a person may start it despite unknown ones (Money 2.6).
 */
export async function unsettledPayments(
  tx: Tx,
  cohortId: number,
): Promise<{ running: number; unknown: number }> {
  const { rows } = await sql<{ running: number; unknown: number }>`
    select coalesce(sum(g.pending + g.sending), 0)::int as running, coalesce(sum(g.unknown), 0)::int as unknown
    from transfer_payroll_groups g join transfer_rounds r on r.cohort_id = g.cohort_id and r.n = g.n and r.state = 'made'
    where g.cohort_id = ${cohortId}`.execute(tx)
  return rows[0] ?? { running: 0, unknown: 0 }
}

/**
 * SQL: whether round `r` counts as missed after a hold. Its day has passed (a round that was made must be due since `since`) and nothing
 * of it was sent, or it may have been paid, so that only a person starts it.
 */
const missedInHold = (since: string) => sql`
  exists (select from transfer_cohorts c where c.id = r.cohort_id and c.status = 'approved') and (
    r.state = 'scheduled' and (r.due_on < ${today} or ${isPerhapsPaid})
    or r.state = 'made' and r.due_on < ${today} and r.due_on >= (${since}::timestamptz at time zone 'utc')::date and exists (
      select from transfer_payroll_groups g where g.cohort_id = r.cohort_id and g.n = r.n
        and g.pending > 0 and g.pending + g.withheld + cancelled_payments(g.id, g.written_off) = g.total))`

/** Counts the rounds that `missRoundsOfHold` would mark now. */
export async function roundsToMiss(db: Reader, since: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from transfer_rounds r where ${missedInHold(since)}`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Marks the rounds of all cohorts that became due during a hold as missed, also rounds that were made ahead of their
 * day.
 */
export async function missRoundsOfHold(tx: Tx, since: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update transfer_rounds r set state = 'missed' where ${missedInHold(since)}`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Marks rounds that no worker began in time as missed, so that nothing is paid automatically after a long absence of
 * the workers (Money 2.5). A round that was made ahead and has not begun is missed too; a person may start it by hand.
 */
export async function missOldRounds(db: Db): Promise<void> {
  await transaction(db, async (tx) => {
    // During a hold the clock may be wrong. The rounds that the hold makes missed are marked at its release.
    if ((await sql`select where sending_allowed()`.execute(tx)).rows.length === 0) return
    const { rows } = await sql<{ cohort_id: number; n: number }>`
      update transfer_rounds r set state = 'missed' from transfer_cohorts c
      where c.id = r.cohort_id and c.status = 'approved' and c.stopped_at is null
        and r.due_on < ${oldest}
        and (r.state = 'scheduled' or r.state = 'made' and not exists (
          -- Of a bank that takes files nothing starts automatically: the round waits for the person who makes its file.
          select from transfer_agencies a where a.id = c.transfer_agency_id and agency_takes_files(a.protocol)) and exists (
          select 1 from transfer_payroll_groups g where g.cohort_id = r.cohort_id and g.n = r.n and g.pending > 0 and g.pending + g.withheld + cancelled_payments(g.id, g.written_off) = g.total
            and ${sql.raw(calledOn)} < ${oldest}))
      returning r.cohort_id, r.n`.execute(tx)
    for (const { cohort_id, n } of rows)
      await audit(tx, portal, 'round missed', 'cohort', cohort_id, { old: null, new: { round: n } })
  })
}

/**
 * Makes the next due round of one cohort, or leaves it to a person if it may have been paid. Returns false if no cohort has one.
 * Several workers may call it at once, because the cohort's row is locked and the round is unique.
 */
export function makeDueRound(db: Db): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ cohort_id: number; n: number }>`
      select c.id as cohort_id, r.n
      from transfer_cohorts c
      join lateral (
        select n from transfer_rounds
        where cohort_id = c.id and state = 'scheduled' and due_on between ${oldest} and ${today} order by n limit 1
      ) r on true
      where c.status = 'approved' and c.stopped_at is null and (select sending_allowed())
        and not exists (
          select 1 from transfer_payroll_groups g
          join transfer_rounds made on made.cohort_id = g.cohort_id and made.n = g.n and made.state = 'made'
          where g.cohort_id = c.id and g.pending + g.sending + g.unknown > 0)
      order by c.id limit 1 for update of c skip locked`.execute(tx)
    const due = rows[0]
    if (!due) return false
    // The payments are counted again under the lock, because another worker may have changed them meanwhile.
    const { running, unknown } = await unsettledPayments(tx, due.cohort_id)
    if (running + unknown > 0) return true
    const { rows: left } = await sql`
      update transfer_rounds r set state = 'missed' where r.cohort_id = ${due.cohort_id} and r.n = ${due.n} and ${isPerhapsPaid}
      returning r.n`.execute(tx)
    if (left.length > 0) {
      await audit(tx, portal, 'round missed', 'cohort', due.cohort_id, { old: null, new: { round: due.n } })
      return true
    }
    if (!(await listHolds(tx, due.cohort_id))) {
      await haltIn(tx, due.cohort_id, 'list')
      return true
    }
    await traced('due round', 'internal', {}, () => makeRound(tx, due.cohort_id, due.n))
    await audit(tx, portal, 'round started', 'cohort', due.cohort_id, { old: null, new: { round: due.n } })
    return true
  })
}
