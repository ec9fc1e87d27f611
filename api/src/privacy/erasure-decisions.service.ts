import type { PersonKind } from '@portal/contracts/access/person-data'
import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { giveNotice, withdrawNotices } from '../home/notices.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { expectVersion, type SentVersion, versionMark } from '../kit/database/versions.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { barsToEnd, casesNaming, roundsToCome, undecided } from './erasable.service.ts'
import { onPage, say } from './messages.ts'
import { findCases, findPerson, isRequestOn, type Person } from './person.service.ts'
import { type NamedRecord, personAt, shownCases } from './person-data.service.ts'

/** The notice to whoever may decide. It is withdrawn with the decision. */
const waits = 'erasure-to-decide'

type Asked = { reason: string; stop_paying: boolean; cases: string[]; other_cases: string[] }
type Decision = { action: 'approved' | 'refused'; reason: string; version?: SentVersion }
type Request = {
  kind: PersonKind
  record_id: number
  subject_type: string
  subject_id: number
  state: string
  user_id: number
  version: number
} & Asked

/** Asks that a person be erased (Access 7.7). Nothing changes until a second person approves it. */
export async function askErasure(db: Db, actor: Actor, named: NamedRecord, asked: Asked): Promise<void> {
  const shown = asked.cases.length > 0 ? await shownCases(db, named) : []
  const { kind, id, person } = await personAt(db, named, asked.cases, actor, shown)
  await expectErasable(db, person, asked)
  const { subject } = person
  const { reason, stop_paying, cases, other_cases } = asked
  await transaction(db, async (tx) => {
    // Of two people who ask at once the second one waits, and reads that the first one has.
    await sql`select pg_advisory_xact_lock(hashtext(${`erasure of ${subject.type} ${subject.id}`}))`.execute(
      tx,
    )
    const { rows: open } = await sql`
      select from erasure_requests where ${isRequestOn(person)} and state in ('asked', 'approved')`.execute(
      tx,
    )
    if (open.length > 0) throw conflict(say.isOpen)
    const { rows: made } = await sql<{ id: number }>`
      insert into erasure_requests (kind, record_id, subject_type, subject_id, cases, other_cases, stop_paying, reason, user_id)
      values (${kind}, ${id}, ${subject.type}, ${subject.id}, ${cases}::text[], ${other_cases}::text[], ${stop_paying}, ${reason},
        ${actor.id}) returning id`.execute(tx)
    const request = made[0]?.id ?? 0
    await audit(tx, actor, 'erasure asked', subject.type, subject.id, {
      new: { request, reason, stop_paying, cases, other_cases },
    })
    await giveNotice(tx, waits, {
      subject: 0,
      link: `/admin/users/people/${kind}/${id}`,
      occasion: String(request),
      // No name of the person: the notice stays when she is erased.
      parts: [`${actor.first_name} ${actor.last_name}`],
      by: actor.id,
    })
  })
}

/** Approves or refuses a request. Whoever asked can do neither. */
export async function decideErasure(
  db: Db,
  actor: Actor,
  id: number,
  { action, reason, version }: Decision,
): Promise<Text> {
  if (action === 'approved') await expectStillErasable(db, id)
  await transaction(db, async (tx) => {
    const request = await lockOpen(tx, id, version)
    if (request.user_id === actor.id) throw forbidden(say.own)
    await sql`update erasure_requests set state = ${action}, decided_by = ${actor.id}, decided_at = now(), decision = ${reason}
      where id = ${id}`.execute(tx)
    await withdrawNotices(tx, waits, String(id))
    await note(tx, actor, `erasure ${action}`, id, request, { reason, ...versionMark(version) })
  })
  return action === 'approved' ? say.approved : say.refused
}

/** Takes a request back. */
export function withdrawErasure(db: Db, actor: Actor, id: number, version: SentVersion): Promise<void> {
  return transaction(db, async (tx) => {
    const request = await lockOpen(tx, id, version)
    if (request.user_id !== actor.id) throw forbidden(say.notOwn)
    await sql`update erasure_requests set state = 'withdrawn', decided_by = ${actor.id}, decided_at = now() where id = ${id}`.execute(
      tx,
    )
    await withdrawNotices(tx, waits, String(id))
    await note(tx, actor, 'erasure withdrawn', id, request, versionMark(version))
  })
}

async function lockOpen(tx: Tx, id: number, version: SentVersion): Promise<Request> {
  const { rows } = await sql<Request>`select * from erasure_requests where id = ${id} for update`.execute(tx)
  const request = rows[0]
  if (!request) throw notFound()
  expectVersion(request.version, version)
  if (request.state !== 'asked') throw conflict(say.decided)
  return request
}

const note = (tx: Tx, actor: Actor, event: string, id: number, request: Request, values: object) =>
  audit(tx, actor, event, request.subject_type, request.subject_id, { new: { request: id, ...values } })

/** Asks again what may have changed since the request. It reads much, so it is not part of the transaction. */
async function expectStillErasable(db: Db, id: number) {
  const { rows } =
    await sql<Request>`select * from erasure_requests where id = ${id} and state = 'asked'`.execute(db)
  const request = rows[0]
  if (!request) return
  const { ids } = await findCases(db, request.cases)
  const person = await findPerson(db, { by: request.kind, id: request.record_id }, ids)
  if (!person) throw notFound()
  const decided = { stopPaying: request.stop_paying, otherCases: request.other_cases }
  // Only a new request can contain these decisions. Whoever approves cannot add them.
  expectNone([...(await barsToEnd(db, person)), ...(await undecided(db, person, decided, onPage))])
}

function expectNone(bars: Text[]) {
  if (bars.length > 0)
    throw conflict({
      en: bars.map(({ en }) => en).join('\n'),
      fr: bars.map(({ fr }) => fr).join('\n'),
    })
}

/** Throws with what has to end first, or at the fields of the form with what was not said of cases and rounds. */
async function expectErasable(db: Db, person: Person, { stop_paying, other_cases }: Asked): Promise<void> {
  expectNone(await barsToEnd(db, person))
  const missing = (await casesNaming(db, person)).filter((number) => !other_cases.includes(number))
  if (missing.length > 0) throw invalid({ cases: fillText(say.sayWhose, missing.join(', ')) })
  if (!stop_paying && (await roundsToCome(db, person)).length > 0)
    throw invalid({ stop_paying: say.stopPaying })
}
