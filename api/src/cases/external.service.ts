import type { Consultation, ConsultationAnswer } from '@portal/contracts/cases/external'
import { sql } from 'kysely'
import { takeAttempt } from '../access/rate-limiter.service.ts'
import { giveNotice } from '../home/notices.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import type { AcceptedFile } from '../kit/files/document-file.ts'
import { conflict, notFound } from '../kit/http/refusals.ts'
import type { Author } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { msg } from '../messages.ts'
import { addEvent } from './case-acts.service.ts'
import { addDocument, openInvite } from './case-documents.service.ts'
import { ends, say } from './messages.ts'
import { casePage } from './pages.ts'
import { reopenCase } from './referrals.service.ts'

const sharedDocument = sql`jsonb_build_object('id', d.id, 'description', d.description, 'file_name', f.name, 'file_type', f.type,
  'size', f.size, 'download_url', '/storage/documents/' || d.id, 'created_at', d.created_at)`

/**
 * Returns what a consultant may see of a referral (Cases 4.2). The name of the reviewer is masked, and of the case only
 * number and date are included. Once the request is answered or declined it is no longer included. Every invalid link
 * gets the same 404 (Cases 4.4).
 */
export async function readConsultation(db: Db, invite: string, address: string): Promise<Consultation> {
  const succeed = await takeAttempt(db, { kind: 'invite', subject: invite, address })
  const found = await consultation(db, invite)
  await succeed()
  return found
}

async function consultation(db: Reader, invite: string): Promise<Consultation> {
  const [found] = await rows(
    db,
    sql<Consultation>`
      select r.id, r.number, r.salutation, r.first_name, r.last_name, r.created_at, r.expires_at, r.resolved_at, r.rejected_at,
        case when coalesce(r.resolved_at, r.rejected_at) is null then r.comment end as comment,
        jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) as user,
        jsonb_build_object('id', c.id, 'number', c.number, 'created_at', c.created_at) as complain,
        coalesce((select jsonb_agg(${sharedDocument} order by d.id) from case_documents d join files f on f.id = d.file_id
          where coalesce(r.resolved_at, r.rejected_at) is null and (d.from_referral_id = r.id
            or d.id in (select document_id from referral_documents rd where rd.referral_id = r.id))), '[]') as documents
      from referrals r join cases c on c.id = r.case_id join users u on u.id = c.assigned_id
      where ${openInvite(invite)}`,
  )
  if (!found) throw notFound(msg.inviteUnknown)
  const { user } = found
  return {
    ...found,
    document: found.documents[0] ?? null,
    user: { ...user, first_name: masked(user.first_name), last_name: masked(user.last_name) },
  }
}

/** Returns the first letter and four dots, so that the length of the name is hidden too. */
const masked = (name: string) => `${[...name][0] ?? ''}••••`

type LockedReferral = { id: number; case_id: number; number: string; assigned_id: number }

/** Locks the referral of an invite and its case, so that the second of two concurrent answers finds the first. */
async function lockReferral(tx: Tx, invite: string): Promise<LockedReferral> {
  const { rows: cases } = await sql<{ case_id: number; number: string; assigned_id: number }>`
    select c.id as case_id, c.number, c.assigned_id from cases c
    where c.id = (select r.case_id from referrals r where ${openInvite(invite)}) for update`.execute(tx)
  const { rows: referrals } = await sql<{ id: number; ended: boolean }>`
    select r.id, coalesce(r.resolved_at, r.rejected_at) is not null as ended from referrals r where ${openInvite(invite)} for update
  `.execute(tx)
  const [locked, referral] = [cases[0], referrals[0]]
  if (!locked || !referral) throw notFound(msg.inviteUnknown)
  if (referral.ended) throw conflict(say.notOpen)
  return { ...locked, id: referral.id }
}

/**
 * Throws 404 unless an invite is valid, before the body of its call is read. It counts as an attempt, so that nobody can
 * guess invites with it.
 */
export async function expectInvite(db: Db, invite: string, address: string): Promise<void> {
  const succeed = await takeAttempt(db, { kind: 'invite', subject: invite, address })
  const [found] = await rows(db, sql`select from referrals r where ${openInvite(invite)}`)
  if (!found) throw notFound(msg.inviteUnknown)
  await succeed()
}

type Visit = { context: Context; invite: string; author: Author }

/** Documents that a consultant may add to a request, because whoever has the link needs no account (Cases 3.3). */
const documentsAtMost = 20

/** Adds a document that the consultant sends. It is answered before the reviewer can withdraw the request. */
export async function addConsultantFile(
  visit: Visit,
  body: { description: string; file: AcceptedFile },
): Promise<Consultation> {
  const { context, invite, author } = visit
  return transaction(context.db, async (tx) => {
    const locked = await lockReferral(tx, invite)
    const { rows: sent } = await sql<{ n: number }>`
      select count(*) as n from case_documents where from_referral_id = ${locked.id}`.execute(tx)
    if ((sent[0]?.n ?? 0) >= documentsAtMost) throw conflict(say.documentsFull, documentsAtMost)
    const { description, file } = body
    const to = { case_id: locked.case_id, description, user_id: null, from_referral_id: locked.id }
    const document = await addDocument(tx, file, to)
    await addEvent(tx, locked.case_id, 'document', 'in_progress', { user_id: null, note: description })
    await audit(tx, author, 'document added', 'referral', locked.id, {
      old: null,
      new: { document, description, file: file.name },
    })
    return consultation(tx, invite)
  })
}

/**
 * Records the consultant's answer or refusal. A second one gets 409. The case is open again and its reviewer is
 * notified.
 */
export async function answerConsultation(
  visit: Visit,
  body: Omit<ConsultationAnswer, 'file'> & { file?: AcceptedFile | undefined },
): Promise<Consultation> {
  const { context, invite, author } = visit
  return transaction(context.db, async (tx) => {
    const locked = await lockReferral(tx, invite)
    const act = body.reject ? 'declined' : 'answered'
    const to = {
      case_id: locked.case_id,
      description: body.file?.name ?? '',
      user_id: null,
      from_referral_id: locked.id,
    }
    const document = body.file ? await addDocument(tx, body.file, to) : null
    if (body.comment || document) {
      await sql`
        insert into referral_notes (referral_id, note, document_id) values (${locked.id}, ${body.comment}, ${document})
      `.execute(tx)
    }
    const ended = sql.id(body.reject ? 'rejected_at' : 'resolved_at')
    await sql`update referrals set ${ended} = now() where id = ${locked.id}`.execute(tx)
    await reopenCase(tx, locked.case_id, locked.id)
    await addEvent(tx, locked.case_id, act, 'open', { user_id: null, note: body.comment || null })
    await audit(tx, author, act, 'referral', locked.id, {
      old: { status: 'in_progress' },
      new: { comment: body.comment, document, status: 'open' },
    })
    await giveNotice(tx, 'expert-answered', {
      subject: locked.case_id,
      link: casePage(locked.case_id),
      occasion: String(locked.id),
      parts: [locked.number, ends[act]],
      by: null,
    })
    return consultation(tx, invite)
  })
}
