import type { CaseDocument } from '@portal/contracts/cases'
import { type RawBuilder, sql } from 'kysely'
import { takeAttempt } from '../access/rate-limiter.service.ts'
import { auditRead } from '../kit/audit/reads.ts'
import { type Db, rows, type Tx } from '../kit/database/db.ts'
import type { AcceptedFile } from '../kit/files/document-file.ts'
import { FileAnswer, recordUpload } from '../kit/files/files.ts'
import type { Storage } from '../kit/files/storage.ts'
import { fileDropped, notFound } from '../kit/http/refusals.ts'
import type { Actor, Author } from '../kit/http/session.ts'
import { sha256 } from '../kit/secrets/seal.ts'
import { msg } from '../messages.ts'
import { isOwnCase } from './case-readers.service.ts'

/** SQL: a document `d` with its file `f`, as the reviewer's responses contain it. */
export const documentObject: RawBuilder<unknown> = sql`jsonb_build_object('id', d.id, 'description', d.description, 'file_name', f.name,
  'file_type', f.type, 'size', f.size, 'download_url', '/storage/documents/' || d.id,
  'external', d.from_referral_id is not null, 'created_at', d.created_at)`

/**
 * SQL: whether an invite is valid for referral `r`: its hash matches, and the referral is neither revoked nor expired.
 */
export const openInvite = (invite: string): RawBuilder<unknown> =>
  sql`r.invite_hash = ${sha256(invite)} and r.revoked_at is null and r.expired_at is null and r.expires_at > now()`

/** The documents of a case, newest first. */
export async function caseDocuments(db: Db, caseId: number): Promise<CaseDocument[]> {
  const found = await rows(
    db,
    sql<{ document: CaseDocument }>`
      select ${documentObject} as document from case_documents d join files f on f.id = d.file_id
      where d.case_id = ${caseId} order by d.id desc`,
  )
  return found.map(({ document }) => document)
}

type NewDocument = {
  case_id: number
  description: string
  /** The account that adds it, or null if the consultant of `from_referral_id` does. */
  user_id: number | null
  from_referral_id?: number
}

/** Adds a kept file to a case. Returns the document's id. */
export async function addDocument(tx: Tx, upload: AcceptedFile, to: NewDocument): Promise<number> {
  const file_id = await recordUpload(tx, upload, to.user_id)
  const { rows: made } = await sql<{ id: number }>`
    insert into case_documents (case_id, file_id, description, user_id, from_referral_id)
    values (${to.case_id}, ${file_id}, ${to.description}, ${to.user_id}, ${to.from_referral_id ?? null}) returning id
  `.execute(tx)
  return made[0]?.id as number
}

type Found = { case_id: number; key: string; name: string; type: string; dropped: boolean }

/**
 * Returns a document to whoever may see its case, or to the consultant with whom it was shared. Everybody else gets
 * 404, so that the answer does not reveal whether it exists (Cases 3.2).
 */
export async function readDocument(
  db: Db,
  storage: Storage,
  reader: { actor: Actor | null; author: Author; invite: string | undefined; address: string },
  id: number,
): Promise<FileAnswer> {
  const { actor, invite } = reader
  const succeed = invite
    ? await takeAttempt(db, { kind: 'invite', subject: invite, address: reader.address })
    : null
  const mine = actor?.can('cases.view') ? sql`true` : actor ? isOwnCase(actor.id) : sql`false`
  const shared = invite
    ? sql`exists (select from referrals r where ${openInvite(invite)} and coalesce(r.resolved_at, r.rejected_at) is null
        and (d.from_referral_id = r.id or exists (select from referral_documents s where s.referral_id = r.id and s.document_id = d.id)))`
    : sql`false`
  const [found] = await rows(
    db,
    sql<Found>`
      select d.case_id, f.key, f.name, f.type, f.dropped_at is not null as dropped from case_documents d join files f on f.id = d.file_id join cases c on c.id = d.case_id
      where d.id = ${id} and (${mine} or ${shared})`,
  )
  if (!found) throw notFound(invite && !actor ? msg.inviteUnknown : undefined)
  await succeed?.()
  if (found.dropped) throw fileDropped()
  await auditRead(db, reader.author, 'downloaded', 'case', found.case_id, { document: id })
  return new FileAnswer(await storage.read(found.key), found.name, found.type)
}
