import type { CaseAct, CaseCreate, CaseStatus, cases as calls } from '@portal/contracts/cases'
import type { BodyOf } from '@portal/contracts/endpoint'
import { fill } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { endLetters, sendMail } from '../home/mail.service.ts'
import { giveNotice, withdrawRequests } from '../home/notices.service.ts'
import { notify } from '../home/notifications.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { expectVersion, type SentVersion, versionMark } from '../kit/database/versions.ts'
import type { AcceptedFile } from '../kit/files/document-file.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import { sendOnce } from '../kit/http/sent-forms.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { addDocument } from './case-documents.service.ts'
import { say } from './messages.ts'
import { casePage } from './pages.ts'

/** A case whose row is locked until the end of the transaction. */
export type LockedCase = {
  id: number
  number: string
  title: string
  status: CaseStatus
  assigned_id: number
  user_id: number
}

/**
 * SQL: the version of case `c` for the optimistic lock: the latest assignment or act of somebody else than the reviewer, whose own
 * acts must not refuse the reviewer's form. It only grows, also when another reviewer's acts begin to be her own.
 */
export const caseVersion = sql`(select coalesce(max(e.id), 0) from case_events e
  where e.case_id = c.id and (e.act = 'assigned' or e.user_id is distinct from c.assigned_id))`

type NewCase = Omit<CaseCreate, 'file'> & { file?: AcceptedFile | undefined }

/** Files a case: number, tags, document, event and the reviewer's notification in one transaction. */
export function fileCase(
  context: Context,
  actor: Actor,
  body: NewCase,
): Promise<{ id: number; number: string }> {
  return transaction(context.db, async (tx) => {
    await sendOnce(tx, actor)
    await checkChoices(tx, body)
    const number = await nextCaseNumber(tx)
    const { rows } = await sql<{ id: number }>`
      insert into cases (number, title, description, priority, type_id, channel_id, assigned_id, user_id, plaintiff)
      values (${number}, ${body.title}, ${body.description}, ${body.priority}, ${body.type}, ${body.channel}, ${body.reviewer},
        ${actor.id}, ${body.plaintiff || null}) returning id`.execute(tx)
    const id = rows[0]?.id as number
    const tags = [...new Set(body.tags)]
    await sql`
      insert into case_tags (case_id, tag_id) select ${id}, unnest(${tags}::bigint[])`.execute(tx)
    const event = await addEvent(tx, id, 'filed', 'new', { user_id: actor.id, channel_id: body.channel })
    const { file, ...filed } = body
    const document =
      file && (await addDocument(tx, file, { case_id: id, description: file.name, user_id: actor.id }))
    await audit(tx, actor, 'created', 'case', id, {
      old: null,
      new: { number, ...filed, ...(file && { document, file: file.name }) },
    })
    await tellReviewer(tx, actor, { id, number, title: body.title }, event)
    return { id, number }
  })
}

/** Case numbers are gapless per year: the year's row stays locked until the case is committed. */
export async function nextCaseNumber(tx: Tx, at = new Date().toISOString()): Promise<string> {
  const { rows } = await sql<{ year: number; last: number }>`
    insert into case_numbers as n (year, last)
    select y, coalesce((select max(substring(number from '\\d+$')::int) from cases where number like 'CAS-' || y || '-%'), 0) + 1
    from (select extract(year from ${at}::timestamptz at time zone 'utc')::int as y) today
    on conflict (year) do update set last = n.last + 1 returning year, last`.execute(tx)
  const taken = rows[0]
  if (!taken) throw new Error('No case number was given out')
  return `CAS-${taken.year}-${String(taken.last).padStart(4, '0')}`
}

async function checkChoices(tx: Tx, body: NewCase): Promise<void> {
  const { rows } = await sql<{ type: boolean; channel: boolean; tags: number; reviewer: boolean }>`
    select exists (select from reference_values where id = ${body.type} and list = 'case_type' and active) as type,
      exists (select from reference_values where id = ${body.channel} and list = 'case_channel' and active) as channel,
      (select count(*) from reference_values where id = any(${[...new Set(body.tags)]}::bigint[]) and list = 'case_tag' and active) as tags,
      ${isReviewer(body.reviewer)} as reviewer`.execute(tx)
  const found = rows[0]
  const faults: Record<string, string> = {}
  if (!found?.type) faults.type = 'choose'
  if (!found?.channel) faults.channel = 'choose'
  if (!found?.reviewer) faults.reviewer = 'choose'
  if (found?.tags !== new Set(body.tags).size) faults.tags = 'choose'
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** SQL: whether a user is a reviewer: an active account with `cases.manage` that is a partner's person (Cases 2.2). */
export const isReviewer = (userId: number) => sql`exists (
  select from partners p join users u on u.id = p.user_id
    join user_roles ur on ur.user_id = u.id join role_permissions rp on rp.role_id = ur.role_id
    join permissions q on q.id = rp.permission_id
  where u.id = ${userId} and u.account and u.deactivated_at is null and q.name = 'cases.manage')`

/**
 * Locks the case for its reviewer. Throws 404 for whoever may not see it, 403 for others who are not its reviewer, and
 * 409 once it is decided.
 */
export async function lockCase(tx: Tx, actor: Actor, id: number): Promise<LockedCase> {
  const { rows } = await sql<LockedCase>`
    select id, number, title, status, assigned_id, user_id from cases where id = ${id} for update`.execute(tx)
  const locked = rows[0]
  const sees =
    locked && (actor.can('cases.view') || actor.id === locked.user_id || actor.id === locked.assigned_id)
  if (!sees) throw notFound()
  if (actor.id !== locked.assigned_id) throw forbidden(say.reviewerOnly)
  if (locked.status === 'resolved' || locked.status === 'rejected') throw conflict(say.decided)
  return locked
}

/** Reads the version after locking the case, so that changes made while waiting for the lock count too. */
export async function expectCaseVersion(tx: Tx, id: number, sent: SentVersion): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select ${caseVersion} as version from cases c where c.id = ${id}`.execute(tx)
  expectVersion(rows[0]?.version ?? 0, sent)
}

/** The reviewer's first act opens a new case (Cases 1.1). Returns the status from then on. */
export async function openCase(tx: Tx, locked: LockedCase): Promise<CaseStatus> {
  if (locked.status !== 'new') return locked.status
  await sql`update cases set status = 'open' where id = ${locked.id}`.execute(tx)
  return 'open'
}

/** The old and the new status for the log, if this act opened the case. */
const openedBy = ({ status: before }: LockedCase, status: CaseStatus) =>
  before === status ? ([null, {}] as const) : ([{ status: before }, { status }] as const)

/** Adds a line to the case's history. Returns its id. */
export async function addEvent(
  tx: Tx,
  caseId: number,
  act: CaseAct,
  status: CaseStatus,
  by: { user_id: number | null; note?: string | null; channel_id?: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into case_events (case_id, act, status, user_id, note, channel_id)
    values (${caseId}, ${act}, ${status}, ${by.user_id}, ${by.note ?? null}, ${by.channel_id ?? null})
    returning id`.execute(tx)
  return rows[0]?.id as number
}

/** Adds a supporting document. */
export function addCaseFile(
  context: Context,
  actor: Actor,
  body: { complain_id: number; description: string; file: AcceptedFile },
): Promise<void> {
  return transaction(context.db, async (tx) => {
    await sendOnce(tx, actor)
    const locked = await lockCase(tx, actor, body.complain_id)
    const status = await openCase(tx, locked)
    const { complain_id: case_id, description, file } = body
    const document = await addDocument(tx, file, { case_id, description, user_id: actor.id })
    await addEvent(tx, locked.id, 'document', status, { user_id: actor.id, note: description })
    const [before, opened] = openedBy(locked, status)
    await audit(tx, actor, 'document added', 'case', locked.id, {
      old: before,
      new: { document, description, file: file.name, ...opened },
    })
  })
}

/** Records what was done about the case. */
export function addActivity(
  context: Context,
  actor: Actor,
  body: NonNullable<BodyOf<typeof calls.addActivity>>,
): Promise<void> {
  return transaction(context.db, async (tx) => {
    await sendOnce(tx, actor)
    const locked = await lockCase(tx, actor, Number(body.complain_id))
    const { rows: channel } = await sql`
      select from reference_values where id = ${body.channel_id} and list = 'case_channel' and active
    `.execute(tx)
    if (channel.length === 0) throw invalid({ channel_id: 'choose' })
    const status = await openCase(tx, locked)
    const { note } = body
    const channel_id = Number(body.channel_id)
    await addEvent(tx, locked.id, 'activity', status, { user_id: actor.id, note, channel_id })
    const [before, opened] = openedBy(locked, status)
    await audit(tx, actor, 'activity recorded', 'case', locked.id, {
      old: before,
      new: { note, channel: channel_id, ...opened },
    })
  })
}

/** Resolves or rejects a case and revokes its open consultation. The filer is notified (Cases 1.2). */
export function decideCase(
  context: Context,
  actor: Actor,
  body: {
    complain_id: number
    action: 'resolve' | 'reject'
    verdict?: string | undefined
    version?: SentVersion
  },
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const locked = await lockCase(tx, actor, body.complain_id)
    await expectCaseVersion(tx, locked.id, body.version)
    const status = body.action === 'resolve' ? 'resolved' : 'rejected'
    const verdict = body.verdict || null
    await sql`
      update cases set status = ${status}, verdict = ${verdict}, decided_at = now() where id = ${locked.id}
    `.execute(tx)
    const { rows: revoked } = await sql<{ id: number; number: string }>`
      update referrals set revoked_at = now()
      where case_id = ${locked.id} and coalesce(resolved_at, rejected_at, revoked_at, expired_at) is null
      returning id, number`.execute(tx)
    await endLetters(tx, 'referral_id', revoked)
    for (const { number: referral } of revoked)
      await audit(tx, actor, 'referral revoked', 'case', locked.id, { new: { referral } })
    await addEvent(tx, locked.id, status, status, { user_id: actor.id, note: verdict })
    await audit(tx, actor, status, 'case', locked.id, {
      old: { status: locked.status },
      new: { status, verdict, ...versionMark(body.version) },
    })
    await withdrawRequests(tx, requests, locked.id)
    // Whoever decides on a case that she filed herself knows (Messages 4.3).
    if (locked.user_id !== actor.id) await tellFiler(context, tx, locked, status)
  })
}

/** What asks a reviewer to act on a case (Messages 4.3). */
export const requests = ['case-assigned', 'case-due', 'expert-answered'] as const

/** Tells the reviewer of a case that it is theirs now, by the event that assigned it. */
export const tellReviewer = (
  tx: Tx,
  actor: Actor,
  { id, number, title }: Pick<LockedCase, 'id' | 'number' | 'title'>,
  event: number,
) =>
  giveNotice(tx, 'case-assigned', {
    subject: id,
    link: casePage(id),
    occasion: String(event),
    parts: [number, title],
    by: actor.id,
  })

/** Tells the filer how their case was decided. The mail has the number only: titles name girls (Messages 4.6). */
async function tellFiler(
  { settings }: Context,
  tx: Tx,
  { id, number, title, user_id }: LockedCase,
  status: 'resolved' | 'rejected',
): Promise<void> {
  const path = casePage(id)
  const text = status === 'resolved' ? say.yourCaseResolved : say.yourCaseRejected
  await notify(tx, [user_id], text, [number, title], path)
  const { rows } = await sql<{ email: string | null; locale: 'en' | 'fr' | null }>`
    select email, locale from users where id = ${user_id} and account and deactivated_at is null`.execute(tx)
  const person = rows[0]
  if (!person?.email) return
  const mail = status === 'resolved' ? say.resolvedMail : say.rejectedMail
  const subject = fill(mail, person.locale ?? 'fr', number)
  await sendMail(tx, settings, {
    recipient: person.email,
    subject,
    body: `${subject}\n\n${settings.publicUrl}${path}\n`,
  })
}
