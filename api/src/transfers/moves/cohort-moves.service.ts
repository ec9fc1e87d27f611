import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { CohortMove, ProposedMove } from '@portal/contracts/transfers/cohort-moves'
import { sql } from 'kysely'
import { giveNotice, withdrawNotices } from '../../home/notices.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, constraintFault, forbidden, invalid, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { aboutKind } from '../../modules/module-links.service.ts'
import { decisionBar } from '../decisions/cohort-check.service.ts'
import { mayNotDecide } from '../decisions/may-not-decide.service.ts'
import { endCheck } from '../names/name-checks.service.ts'
import { say } from './cohort-move.messages.ts'
import { moveRefusal, type Obstacle, obstacleLines, proposalObstacles } from './cohort-moves.ts'

constraintFault('transfer_cohorts_same_upload', 'transfer_agency_id', say.sameList)

/** The notice to whoever may approve. It is withdrawn with the decision. */
const waits = 'cohort-to-move'

type Proposal = {
  id: number
  cohort_id: number
  state: string
  from_agency_id: number
  to_agency_id: number
  reason: string
  user_id: number
}

/** Reads what moves of a cohort, what stays, and what keeps it from moving to the wanted agency. */
export async function readMove(
  call: { db: Db; actor: Actor; locale: Locale; fourEyes: boolean },
  cohortId: number,
  wanted: number | null,
): Promise<CohortMove> {
  const { db, locale } = call
  const [found] = await rows(
    db,
    sql<Omit<CohortMove, 'wanted' | 'proposal' | 'agencies'>>`
    select jsonb_build_object('id', a.id, 'name', a.name) as agency,
      jsonb_build_object('count', g.pending, 'amount', w.amount) as pending,
      jsonb_build_object('count', g.failed, 'amount', g.failed_amount) as failed,
      jsonb_build_object('count', g.unknown, 'amount', g.unknown_amount) as unknown, g.sending,
      (select count(*) from transfer_rounds r where r.cohort_id = c.id and r.state = 'scheduled') as rounds_left
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id cross join lateral (
      select coalesce(sum(pending), 0)::int as pending,
        coalesce(sum(failed - written_off), 0)::int as failed, coalesce(sum(failed_amount), 0)::bigint as failed_amount,
        coalesce(sum(unknown), 0)::int as unknown, coalesce(sum(unknown_amount), 0)::bigint as unknown_amount,
        coalesce(sum(sending), 0)::int as sending
      from transfer_payroll_groups where cohort_id = c.id) g cross join lateral (
      select coalesce(sum(p.amount), 0)::bigint as amount from transfer_payroll_groups o
        join transfer_payrolls p on p.payroll_group_id = o.id and p.status = 'pending' where o.cohort_id = c.id and o.pending > 0) w
    where c.id = ${cohortId}`,
  )
  if (!found) throw notFound()
  const proposal = await readProposal(call, cohortId)
  const about = proposal?.agency.id ?? wanted
  return {
    ...found,
    agencies: await readAgencies(db, cohortId),
    proposal,
    wanted: about === null ? null : await readWanted(db, locale, cohortId, about, proposal !== null),
  }
}

const readAgencies = (db: Db, cohortId: number): Promise<CohortMove['agencies']> =>
  rows(
    db,
    sql`select a.id, a.name, a.type from transfer_agencies a join transfer_cohorts c on c.id = ${cohortId}
      join transfer_agencies o on o.id = c.transfer_agency_id
      where a.id <> o.id and a.status = 'active' and a.country = o.country order by a.name`,
  )

async function readWanted(
  db: Db,
  locale: Locale,
  cohortId: number,
  agencyId: number,
  proposed: boolean,
): Promise<NonNullable<CohortMove['wanted']>> {
  const found = await readObstacles(db, cohortId, agencyId)
  const [count] = await rows(
    db,
    sql<{ n: number }>`
    select count(*) as n from transfer_agencies a join transfer_master_list m on m.cohort_id = ${cohortId}
      cross join lateral recipient_of(m.id) r
    where a.id = ${agencyId} and a.type = 'mobile_money' and r.phone is not null
      and jsonb_typeof(a.details->'number_prefixes') = 'array' and not exists (
        select from jsonb_array_elements_text(a.details->'number_prefixes') x where starts_with(substr(r.phone, 5), x))`,
  )
  return {
    obstacles: obstacleLines(proposed ? found : proposalObstacles(found), locale),
    other_operator: count?.n ?? 0,
  }
}

async function readProposal(
  { db, actor, locale, fourEyes }: { db: Db; actor: Actor; locale: Locale; fourEyes: boolean },
  cohortId: number,
): Promise<ProposedMove | null> {
  const [found] = await rows(
    db,
    sql<Omit<ProposedMove, 'barred' | 'own'> & Proposal>`
    select m.id, m.cohort_id, m.state, m.from_agency_id, m.to_agency_id, m.reason, m.user_id, m.created_at,
      jsonb_build_object('id', a.id, 'name', a.name) as agency,
      jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user"
    from cohort_moves m join transfer_agencies a on a.id = m.to_agency_id join users u on u.id = m.user_id
    where m.cohort_id = ${cohortId} and m.state = 'proposed'`,
  )
  if (!found) return null
  const { id, agency, reason, user, created_at } = found
  const bar = await personBar(db, actor, fourEyes, found)
  const own = found.user_id === actor.id
  return { id, agency, reason, user, created_at, own, barred: bar && fill(bar, locale) }
}

/** Proposes to pay a cohort through another agency (Money 5.16). Nothing changes until a second person approves it. */
export function proposeMove(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  cohortId: number,
  { transfer_agency_id: agencyId, reason }: { transfer_agency_id: number; reason: string },
): Promise<void> {
  return transaction(db, async (tx) => {
    await lockMove(tx, cohortId, agencyId)
    const { rows: cohorts } = await sql<{ name: string; transfer_agency_id: number }>`
      select name, transfer_agency_id from transfer_cohorts where id = ${cohortId}`.execute(tx)
    const cohort = cohorts[0]
    if (!cohort) throw notFound()
    const { rows: agencies } = await sql<{ name: string }>`
      select name from transfer_agencies where id = ${agencyId}`.execute(tx)
    if (!agencies[0]) throw invalid({ transfer_agency_id: 'choose' })
    const { rows: open } = await sql`
      select from cohort_moves where cohort_id = ${cohortId} and state = 'proposed'`.execute(tx)
    if (open.length > 0) throw conflict(say.waits)
    const bar = moveRefusal(proposalObstacles(await readObstacles(tx, cohortId, agencyId)))
    if (bar) throw conflict(bar)
    const { rows: made } = await sql<{ id: number }>`
      insert into cohort_moves (cohort_id, from_agency_id, to_agency_id, reason, user_id, two_people)
      values (${cohortId}, ${cohort.transfer_agency_id}, ${agencyId}, ${reason}, ${actor.id}, ${fourEyes})
      returning id`.execute(tx)
    const id = made[0]?.id ?? 0
    await audit(tx, actor, 'move proposed', 'cohort', cohortId, {
      old: { transfer_agency_id: cohort.transfer_agency_id },
      new: { transfer_agency_id: agencyId, move: id, reason },
    })
    await giveNotice(tx, waits, {
      subject: cohortId,
      link: aboutKind('record.cohort', cohortId),
      occasion: String(id),
      parts: [cohort.name, agencies[0].name],
      by: actor.id,
      except: await mayNotDecide(tx, { what: 'move', id, cohort_id: cohortId }, fourEyes),
    })
  })
}

/** Approves or refuses a move. A trigger then moves the cohort and what is pending of it. */
export function decideMove(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  action: 'approved' | 'refused',
): Promise<Text> {
  return transaction(db, async (tx) => {
    const found = await readMoveRow(tx, id)
    await lockMove(tx, found.cohort_id, found.to_agency_id)
    const move = await readMoveRow(tx, id)
    if (move.state !== 'proposed') throw conflict(say.decided)
    if (action === 'approved') {
      const person = await personBar(tx, actor, fourEyes, move)
      if (person) throw forbidden(person)
      const bar = moveRefusal(await readObstacles(tx, move.cohort_id, move.to_agency_id))
      if (bar) throw conflict(bar)
    }
    const { rows: decided } = await sql<{ payments: number | null; amount: number | null; status: string }>`
      update cohort_moves m set state = ${action}, decided_by = ${actor.id}, decided_at = now(),
        two_people = two_people and ${fourEyes}
      from transfer_cohorts c where m.id = ${id} and c.id = m.cohort_id returning m.payments, m.amount, c.status`.execute(
      tx,
    )
    const { payments = null, amount = null, status } = decided[0] ?? {}
    const to = { transfer_agency_id: move.to_agency_id, move: id }
    await audit(tx, actor, `move ${action}`, 'cohort', move.cohort_id, {
      old: { transfer_agency_id: move.from_agency_id },
      new: action === 'approved' ? { ...to, payments, amount } : to,
    })
    await withdrawNotices(tx, waits, String(id))
    // The agency of before does not pay these people any more, so it is not asked about their names.
    if (action === 'approved') await endCheck(tx, actor, move.cohort_id)
    if (action === 'refused') return say.refused
    return status === 'error' ? say.approvedInError : say.approved
  })
}

/** Takes a move back before it is decided. Its row says that its own proposer refused it. */
export function withdrawMove(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const found = await readMoveRow(tx, id)
    if (found.user_id !== actor.id) throw forbidden(say.notOwn)
    await lockMove(tx, found.cohort_id, found.to_agency_id)
    const { rows: withdrawn } = await sql`
      update cohort_moves set state = 'refused', decided_by = ${actor.id}, decided_at = now()
      where id = ${id} and state = 'proposed' returning id`.execute(tx)
    if (withdrawn.length === 0) throw conflict(say.decided)
    await audit(tx, actor, 'move withdrawn', 'cohort', found.cohort_id, {
      old: { transfer_agency_id: found.from_agency_id },
      new: { transfer_agency_id: found.to_agency_id, move: id },
    })
    await withdrawNotices(tx, waits, String(id))
  })
}

/** Locks as the triggers of a move do, before its rows are read. The same order everywhere prevents deadlocks. */
const lockMove = (tx: Tx, cohortId: number, agencyId: number) =>
  sql<{ locked: unknown }>`select cohort_move_locks(${cohortId}, ${agencyId}) as locked`.execute(tx)

async function readMoveRow(tx: Tx, id: number): Promise<Proposal> {
  const { rows: found } = await sql<Proposal>`
    select id, cohort_id, state, from_agency_id, to_agency_id, reason, user_id from cohort_moves where id = ${id}`.execute(
    tx,
  )
  if (!found[0]) throw notFound()
  return found[0]
}

async function readObstacles(db: Reader, cohortId: number, agencyId: number): Promise<Obstacle[]> {
  const { rows: found } = await sql<Obstacle>`
    select kind, count from cohort_move_obstacles(${cohortId}, ${agencyId})`.execute(db)
  return found
}

/** Why this person cannot approve a move, or null. */
async function personBar(
  db: Reader,
  actor: Actor,
  fourEyes: boolean,
  move: Pick<Proposal, 'cohort_id' | 'to_agency_id' | 'user_id'>,
): Promise<Text | null> {
  if (move.user_id === actor.id) return say.own
  const bar = await decisionBar(db, actor, move.cohort_id, fourEyes)
  if (bar || !fourEyes) return bar
  const { rows: made } = await sql`
    select from agency_touched_by(${move.to_agency_id}) where user_id = ${actor.id}`.execute(db)
  return made.length > 0 ? say.otherAgency : null
}
