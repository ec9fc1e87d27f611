import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fillText, type Text } from '@portal/contracts/sentences'
import type { PayeeHold, PayeeHoldCreate, payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { type List, matches, paged } from '../../kit/database/paging.ts'
import { conflict, invalid, notFound } from '../../kit/http/refusals.ts'
import { type Actor, portal } from '../../kit/http/session.ts'
import { say } from './payee-hold.messages.ts'

const payee = sql`s.id as student_id, u.first_name, u.last_name, s.student_code, sc.name as school_name`
const payeeTables = sql`students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id`

/** SQL: the payments of girl `s` that were withheld and are neither made since nor written off. */
const withheldOf = sql`(select count(*) as n, coalesce(sum(p.amount), 0)::bigint as amount
  from transfer_master_list m join transfer_payrolls p on p.master_list_id = m.id
  where m.student_id = s.id and p.withheld_at is not null and p.written_off_at is null)`

/**
 * Puts a girl on hold (Money 4.16). Triggers withhold her payments that wait to be sent, and those of the rounds that
 * follow. What is at an agency is brought to its end.
 */
export function holdPayee(
  db: Db,
  actor: Actor,
  { student_id, reason, case_number, ends_on }: PayeeHoldCreate,
): Promise<{ message: Text; withheld: number }> {
  return transaction(db, async (tx) => {
    await lockPayee(tx, student_id)
    await endPassed(tx, student_id)
    const { rows: found } = await sql<{ held: boolean; past: boolean; case_id: number | null }>`
      select exists (select from payee_holds where student_id = ${student_id} and released_at is null) as held,
        ${ends_on || null}::date < (now() at time zone 'utc')::date as past,
        (select id from cases where number = ${case_number ?? ''}) as case_id`.execute(tx)
    const { held, past, case_id = null } = found[0] ?? {}
    if (held) throw conflict(say.heldAlready)
    if (past) throw invalid({ ends_on: say.pastDay })
    if (case_number && case_id === null) throw invalid({ case_number: say.noCase })
    const before = await withheldNow(tx, student_id)
    const { rows: made } = await sql<{ id: number }>`
      insert into payee_holds (student_id, reason, case_id, ends_on, user_id)
      values (${student_id}, ${reason}, ${case_id}, ${ends_on || null}, ${actor.id}) returning id`.execute(tx)
    const withheld = (await withheldNow(tx, student_id)) - before
    // The reason is in the row of the hold only, where it is erased with the person (Access 7).
    await audit(tx, actor, 'payee held', 'student', student_id, {
      new: { hold: made[0]?.id, ends_on: ends_on || null, case: case_number || null, withheld },
    })
    return { message: fillText(say.held, withheld), withheld }
  })
}

/** Releases a girl. The rounds that follow pay her; her withheld payments are made again by a person. */
export function releasePayee(db: Db, actor: Actor, id: number): Promise<Text> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ student_id: number; open: boolean }>`
      select student_id, released_at is null as open from payee_holds where id = ${id} for update`.execute(tx)
    const hold = found[0]
    if (!hold) throw notFound()
    if (!hold.open) throw conflict(say.endedAlready)
    await sql`update payee_holds set released_at = now(), released_by = ${actor.id} where id = ${id}`.execute(
      tx,
    )
    const withheld = await withheldNow(tx, hold.student_id)
    await audit(tx, actor, 'payee released', 'student', hold.student_id, { new: { hold: id, withheld } })
    return fillText(say.released, withheld)
  })
}

/** Ends holds whose last day has passed. They stop to count on that day by themselves; this records it. */
export const endPassedHolds = (db: Db): Promise<void> => transaction(db, (tx) => endPassed(tx, null))

async function endPassed(tx: Tx, studentId: number | null): Promise<void> {
  const { rows: ended } = await sql<{ id: number; student_id: number }>`
    update payee_holds set released_at = now() where released_at is null
      and ends_on < (now() at time zone 'utc')::date and (${studentId}::bigint is null or student_id = ${studentId})
    returning id, student_id`.execute(tx)
  for (const { id, student_id } of ended)
    await audit(tx, portal, 'payee hold ended', 'student', student_id, { new: { hold: id } })
}

/** Locks a girl, so that of two holds at once the second one is refused with its sentence. */
async function lockPayee(tx: Tx, studentId: number): Promise<void> {
  const { rows: found } = await sql`
    select from students where id = ${studentId} for no key update`.execute(tx)
  if (found.length === 0) throw notFound()
}

async function withheldNow(tx: Tx, studentId: number): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    select w.n from students s, lateral ${withheldOf} w where s.id = ${studentId}`.execute(tx)
  return found[0]?.n ?? 0
}

/** Lists the holds, the newest first. */
export const listPayeeHolds = (db: Db, query: QueryOf<typeof payeeHolds.list>): Promise<Page<PayeeHold>> =>
  paged<PayeeHold>(db, query, payeeHoldsOf(query))

/** The holds, for the list and its export. */
export function payeeHoldsOf(query: QueryOf<typeof payeeHolds.list>): List {
  const over = sql`(h.released_at is not null or coalesce(h.ends_on < (now() at time zone 'utc')::date, false))`
  return {
    columns: sql`h.id, ${payee}, h.reason, k.number as case_number, h.ends_on,
      jsonb_build_object('first_name', b.first_name, 'last_name', b.last_name) as "user", h.created_at,
      case when ${over} then coalesce(h.released_at, (h.ends_on + 1)::timestamp at time zone 'utc') end as released_at,
      case when r.id is not null then jsonb_build_object('first_name', r.first_name, 'last_name', r.last_name) end as released_by,
      w.n as withheld, w.amount as withheld_amount`,
    from: sql`payee_holds h join ${payeeTables} on s.id = h.student_id join users b on b.id = h.user_id
      left join cases k on k.id = h.case_id left join users r on r.id = h.released_by cross join lateral ${withheldOf} w`,
    narrow: sql`payee_holds h join ${payeeTables} on s.id = h.student_id`,
    where: [
      matches(sql`portal_search(s.person || ' ' || s.student_code || ' ' || sc.name)`, query.search),
      query.state && (query.state === 'open' ? sql`not ${over}` : over),
      query.cap && sql`sc.cap_id = ${query.cap}`,
      query.school && sql`s.school_id = ${query.school}`,
      query.student_id && sql`h.student_id = ${query.student_id}`,
      query.since && sql`h.created_at >= ${query.since}::date::timestamp at time zone 'utc'`,
    ],
    sort: { created_at: sql`h.created_at`, last_name: sql`s.person collate "fr-x-icu"` },
    order: '-created_at',
    key: sql`h.id`,
  }
}

/** Reads a girl for the dialog that puts her on hold. */
export async function readPayee(db: Db, id: number): Promise<AnswerOf<typeof payeeHolds.payee>['payee']> {
  const [found] = await rows(
    db,
    sql<AnswerOf<typeof payeeHolds.payee>['payee']>`
    select ${payee}, payee_is_held(s.id) as held,
      coalesce(p.waiting, 0) as waiting, coalesce(p.sent, 0) as sent
    from ${payeeTables}, lateral (
      select count(*) filter (where p.status = 'pending') as waiting,
        count(*) filter (where p.status in ('sending', 'unknown')) as sent
      from transfer_master_list m join transfer_payrolls p on p.master_list_id = m.id where m.student_id = s.id) p
    where s.id = ${id}`,
  )
  if (!found) throw notFound()
  return found
}
