import type { Consultation } from '@portal/contracts/external'
import { sql } from 'drizzle-orm'
import { takeGuess } from '../access/guesses.service.ts'
import { type Db, rows } from '../kit/db.ts'
import { notFound } from '../kit/refusals.ts'
import { sha256 } from '../kit/seal.ts'
import { msg } from '../messages.ts'

/**
 * What a consultant may see of a referral (decisions 5.7): the reviewer masked, of the case its number and date.
 * Once answered or declined the request itself is no longer shown.
 */
export async function readReferral(db: Db, invite: string, address: string): Promise<Consultation> {
  const succeed = await takeGuess(db, 'invite', invite, address)
  const [found] = await rows<Consultation>(
    db,
    sql`select r.id, r.number, r.salutation, r.first_name, r.last_name, r.created_at, r.expires_at, r.resolved_at, r.rejected_at,
        null as document,
        case when coalesce(r.resolved_at, r.rejected_at) is null then r.comment end as comment,
        jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) as user,
        jsonb_build_object('id', c.id, 'number', c.number, 'created_at', c.created_at) as complain,
        coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'description', d.description, 'file_name', f.name,
            'file_type', f.type, 'size', f.size, 'download_url', '/storage/documents/' || d.id, 'created_at', d.created_at) order by d.id)
          from case_documents d join files f on f.id = d.file_id
          where coalesce(r.resolved_at, r.rejected_at) is null and (d.from_referral_id = r.id
            or d.id in (select document_id from referral_documents rd where rd.referral_id = r.id))), '[]') as documents
      from referrals r join cases c on c.id = r.case_id join users u on u.id = r.user_id
      where r.invite_hash = ${sha256(invite)} and r.revoked_at is null and r.expired_at is null and r.expires_at > now()`,
  )
  if (!found) throw notFound(msg.inviteUnknown)
  await succeed()
  const { user } = found
  return {
    ...found,
    user: { ...user, first_name: masked(user.first_name), last_name: masked(user.last_name) },
  }
}

/** First letter and four dots, whatever the length. */
const masked = (name: string) => `${[...name][0] ?? ''}••••`
