import { fillText, type Text } from '@portal/contracts/sentences'
import type { StatementResolution } from '@portal/contracts/transfers/statements'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { tellOfDecision, withdrawDecision } from '../decisions/decision-reminders.service.ts'
import { say } from './statement.messages.ts'

type Locked = { state: string; version: number; agency_name: string; user_id: number | null }
type Bar = { kind: 'person' | 'state'; text: Text; parts: number[] }

/** Locks a statement until the transaction ends. */
export async function lockStatement(tx: Tx, id: number): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select s.state, s.version, s.user_id, a.name as agency_name from agency_statements s join transfer_agencies a on a.id = s.agency_id
    where s.id = ${id} for update of s`.execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

async function lockOpen(tx: Tx, id: number): Promise<Locked> {
  const statement = await lockStatement(tx, id)
  if (statement.state !== 'open') throw conflict(say.notOpen)
  return statement
}

/**
 * Gives chosen differences a reason, or all open ones of a category. A reason can be replaced until the statement is
 * signed; the earlier one stays with who gave it.
 */
export function resolveFindings(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  { finding_ids, category, reason }: StatementResolution,
): Promise<{ message: Text; resolved: number }> {
  return transaction(db, async (tx) => {
    const { agency_name: name, user_id: by } = await lockOpen(tx, id)
    const { rows: made } = await sql<{ id: number }>`
      insert into statement_resolutions (statement_id, reason, user_id) values (${id}, ${reason}, ${actor.id}) returning id
    `.execute(tx)
    const wanted = finding_ids
      ? sql`f.id = any(${finding_ids}::bigint[])`
      : sql`f.category = ${category ?? null} and f.resolution_id is null`
    const { numAffectedRows } = await sql`
      update statement_findings f set resolution_id = ${made[0]?.id ?? null}
      where f.statement_id = ${id} and f.category <> 'matched' and ${wanted}`.execute(tx)
    const resolved = Number(numAffectedRows ?? 0)
    // All of the chosen ones or none: a row that is missing was seen on another page.
    if (resolved === 0 || (finding_ids && resolved !== new Set(finding_ids).size))
      throw conflict(say.nothingToResolve)
    await sql`update agency_statements set version = version + 1 where id = ${id}`.execute(tx)
    await audit(tx, actor, 'differences resolved', 'statement', id, {
      new: { reason, count: resolved, ...(finding_ids ? { ids: finding_ids } : { category }) },
    })
    if ((await openDifferences(tx, id)) === 0)
      await tellOfDecision(tx, { what: 'statement', id, name, by, page: id }, fourEyes)
    return { message: fillText(say.resolved, resolved), resolved }
  })
}

/** Signs a statement as the person has seen it, which closes it. Its matched payments are confirmed from then on. */
export function signStatement(db: Db, actor: Actor, fourEyes: boolean, id: number, version: number) {
  return transaction(db, async (tx) => {
    const statement = await lockOpen(tx, id)
    if (statement.version !== version) throw conflict(say.changed)
    const bar = await signBar(tx, actor, fourEyes, id)
    if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text, ...bar.parts)
    await sql`
      update agency_statements set state = 'closed', ended_by = ${actor.id}, ended_at = now(),
        two_people = two_people and ${fourEyes}, version = version + 1
      where id = ${id}`.execute(tx)
    const { rows } = await sql<{ count: number; their_amount: number }>`
      select coalesce(sum(count), 0)::bigint as count, coalesce(sum(their_amount), 0)::bigint as their_amount
      from statement_totals where statement_id = ${id}`.execute(tx)
    await audit(tx, actor, 'statement signed', 'statement', id, { new: { ...rows[0], version } })
    await withdrawDecision(tx, 'statement', id)
  })
}

/** Returns why a person cannot sign an open statement now, or null. */
export async function signBar(
  db: Reader,
  actor: { id: number },
  fourEyes: boolean,
  id: number,
): Promise<Bar | null> {
  const { rows } = await sql`
    select from agency_statements s where s.id = ${id} and (s.user_id = ${actor.id} or exists (
      select from statement_resolutions r where r.statement_id = s.id and r.user_id = ${actor.id}))`.execute(
    db,
  )
  if (fourEyes && rows.length > 0) return { kind: 'person', text: say.own, parts: [] }
  const open = await openDifferences(db, id)
  return open > 0 ? { kind: 'state', text: say.differencesOpen, parts: [open] } : null
}

async function openDifferences(db: Reader, id: number): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(count - resolved), 0)::bigint as open from statement_totals
    where statement_id = ${id} and category <> 'matched'`.execute(db)
  return rows[0]?.open ?? 0
}
