import { randomBytes } from 'node:crypto'
import type { Referral, ReferralCreate } from '@portal/contracts/cases'
import { fill } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { endLetters, sendMail } from '../home/mail.service.ts'
import { giveNotice, withdrawNotices } from '../home/notices.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import type { AcceptedFile } from '../kit/files/document-file.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import { type Actor, portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { sha256 } from '../kit/secrets/seal.ts'
import { addEvent, lockCase } from './case-acts.service.ts'
import { addDocument, documentObject } from './case-documents.service.ts'
import { ends, say } from './messages.ts'
import { casePage } from './pages.ts'

type NewReferral = Omit<ReferralCreate, 'file'> & { file?: AcceptedFile | undefined }

/** SQL: whether a consultation waits for its expert. */
export const isOpen = sql`coalesce(resolved_at, rejected_at, revoked_at, expired_at) is null`

/** Returns the consultations of a case, newest first, each with the shared documents and the consultant's notes. */
export function caseReferrals(db: Db, caseId: number): Promise<Referral[]> {
  return rows(
    db,
    sql<Referral>`
      select r.id, r.number, r.comment, r.salutation, r.first_name, r.last_name, r.email, r.profession,
        jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as user,
        r.created_at, r.expires_at, r.resolved_at, r.rejected_at, r.revoked_at, r.expired_at, r.undelivered,
        jsonb_build_object('id', c.id, 'number', c.number, 'title', c.title, 'created_at', c.created_at) as complain,
        (select ${documentObject} from case_documents d join files f on f.id = d.file_id
          join referral_documents rd on rd.document_id = d.id where rd.referral_id = r.id order by d.id limit 1) as document,
        coalesce((select jsonb_agg(${documentObject} order by d.id) from case_documents d join files f on f.id = d.file_id
          where d.from_referral_id = r.id or d.id in (select document_id from referral_documents where referral_id = r.id)), '[]') as documents,
        coalesce((select jsonb_agg(jsonb_build_object('note', n.note, 'created_at', n.created_at, 'document',
            (select ${documentObject} from case_documents d join files f on f.id = d.file_id where d.id = n.document_id)) order by n.id)
          from referral_notes n where n.referral_id = r.id), '[]') as notes
      from referrals r join users u on u.id = r.user_id join cases c on c.id = r.case_id where r.case_id = ${caseId} order by r.id desc`,
  )
}

/**
 * Asks an outside expert. The expert gets an e-mail with the invite link, whose 256 random bits are stored hashed
 * (Cases 4.1).
 */
export function referCase(context: Context, actor: Actor, body: NewReferral): Promise<void> {
  return transaction(context.db, async (tx) => {
    const locked = await lockCase(tx, actor, body.complain_id)
    if (locked.status === 'in_progress') throw conflict(say.oneAtATime)
    const shared = [...new Set(body.document_ids)]
    const { rows: known } = await sql<{ n: number }>`
      select count(*) as n from case_documents where case_id = ${locked.id} and id = any(${shared}::bigint[])
    `.execute(tx)
    if (known[0]?.n !== shared.length) throw invalid({ document_ids: 'choose' })
    const invite = randomBytes(32).toString('base64url')
    const { comment, salutation, first_name, last_name, email, profession } = body
    const { rows: made } = await sql<{ id: number; number: string; expires_at: string }>`
      insert into referrals (case_id, number, comment, salutation, first_name, last_name, email, profession, user_id, invite_hash)
      select ${locked.id}, ${locked.number} || '-' || (count(*) + 1), ${comment}, ${salutation}, ${first_name}, ${last_name}, ${email},
        ${profession}, ${actor.id}, ${sha256(invite)} from referrals where case_id = ${locked.id}
      returning id, number, expires_at`.execute(tx)
    const referral = made[0]
    if (!referral) throw new Error('The referral was not written')
    if (body.file)
      shared.push(
        await addDocument(tx, body.file, {
          case_id: locked.id,
          description: body.file.name,
          user_id: actor.id,
        }),
      )
    await sql`
      insert into referral_documents (referral_id, document_id) select ${referral.id}, unnest(${shared}::bigint[])
    `.execute(tx)
    await sql`update cases set status = 'in_progress' where id = ${locked.id}`.execute(tx)
    await addEvent(tx, locked.id, 'referred', 'in_progress', { user_id: actor.id, note: comment })
    const seen = {
      referral: referral.number,
      salutation,
      first_name,
      last_name,
      email,
      profession,
      documents: shared,
    }
    await audit(tx, actor, 'referred', 'case', locked.id, {
      old: { status: locked.status },
      new: { status: 'in_progress', ...seen },
    })
    await sendInvite(tx, context, { ...referral, email }, invite)
  })
}

/** Sends the invitation in both languages, because the language of the expert is not known. */
async function sendInvite(
  tx: Tx,
  { settings }: Context,
  { id, email, number, expires_at }: { id: number; email: string; number: string; expires_at: string },
  invite: string,
): Promise<void> {
  const link = `${settings.publicUrl}/external/cases/${invite}`
  const body = `${fill(say.inviteBody, 'fr', link)}\n\n----\n\n${fill(say.inviteBody, 'en', link)}\n`
  const subject = `${fill(say.inviteSubject, 'fr', number)} / ${fill(say.inviteSubject, 'en', number)}`
  await sendMail(tx, settings, { recipient: email, subject, body, expires_at, referral_id: id })
}

/** Revokes an open consultation. Its link then gets the same answer as an invalid link, and a letter with it does not leave any more. */
export function revokeReferral(context: Context, actor: Actor, id: number): Promise<void> {
  return transaction(context.db, async (tx) => {
    const { rows: found } = await sql<{ case_id: number }>`
      select case_id from referrals where id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    const locked = await lockCase(tx, actor, found[0].case_id)
    const { numAffectedRows } = await sql`
      update referrals set revoked_at = now() where id = ${id} and ${isOpen}`.execute(tx)
    if (!numAffectedRows) throw conflict(say.notOpen)
    await endLetters(tx, 'referral_id', [{ id }])
    await reopenCase(tx, locked.id, id)
    await addEvent(tx, locked.id, 'revoked', 'open', { user_id: actor.id })
    await audit(tx, actor, 'referral revoked', 'case', locked.id, {
      old: { status: locked.status },
      new: { status: 'open' },
    })
  })
}

/** What tells a notice that the letter of a consultation was not delivered from that of its end. */
export const undeliveredOccasion = (referralId: number) => `undelivered ${referralId}`

/** Opens the case again when its consultation has ended (Cases 1.1). That its letter was not delivered asks for nothing more. */
export async function reopenCase(tx: Tx, caseId: number, referralId: number): Promise<void> {
  await withdrawNotices(tx, 'expert-answered', undeliveredOccasion(referralId), caseId)
  await sql`update cases set status = 'open' where id = ${caseId} and status = 'in_progress'`.execute(tx)
}

/** Ends consultations whose thirty days are over. A worker runs it periodically. */
export async function expireReferrals(context: Context): Promise<void> {
  const { rows: over } = await sql<{ id: number; case_id: number }>`
    select id, case_id from referrals where ${isOpen} and expires_at <= now() order by id limit 100
  `.execute(context.db)
  for (const { id, case_id } of over) {
    await transaction(context.db, async (tx) => {
      const { rows: locked } = await sql<{ number: string }>`
        select number from cases where id = ${case_id} for update`.execute(tx)
      const { numAffectedRows } = await sql`
        update referrals set expired_at = now() where id = ${id} and ${isOpen} and expires_at <= now()
      `.execute(tx)
      if (!numAffectedRows || !locked[0]) return
      await reopenCase(tx, case_id, id)
      await addEvent(tx, case_id, 'expired', 'open', { user_id: null })
      await audit(tx, portal, 'referral expired', 'case', case_id, {
        old: { status: 'in_progress' },
        new: { status: 'open' },
      })
      await giveNotice(tx, 'expert-answered', {
        subject: case_id,
        link: casePage(case_id),
        occasion: String(id),
        parts: [locked[0].number, ends.expired],
        by: null,
      })
    })
  }
}
