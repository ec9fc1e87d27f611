import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { rows, type Tx, transaction } from '../kit/database/db.ts'
import type { Context } from '../kit/process/context.ts'
import { sendMail } from './mail.service.ts'
import { digestLetter, type Line } from './notice-letters.ts'

/** The hour (UTC, the time of Mali and Senegal) from which the mail of a day is written. */
const hour = sql`interval '6 hours'`
/** SQL: the day whose mail is due by the database's clock, and the moment up to which its lines count. */
const day = sql`(now() at time zone 'utc' - ${hour})::date`
const until = sql`((${day} + ${hour}) at time zone 'utc')`
/** SQL: whether notice `n` waits for a day's mail. */
const waits = sql`n.mail = 'digest' and n.digest_id is null and n.created_at < ${until}`
/** SQL: whether person `u` can get mail: an active account that has signed in by its own password. */
const reachable = sql`u.account and u.deactivated_at is null and u.password_hash is not null and u.email is not null`

/**
 * Writes the mails of the day: one for each person with lines that wait. A worker runs it periodically. The unique index
 * on person and day keeps several workers from writing two (Messages 4.4).
 */
export async function sendDigests(context: Context): Promise<void> {
  const people = await rows(
    context.db,
    sql<{ id: number }>`
      select u.id from users u where ${reachable} and exists (select from notifications n where n.user_id = u.id and ${waits})
        and not exists (select from notice_digests d where d.user_id = u.id and d.day = ${day})
      order by u.id`,
  )
  for (const { id } of people) await transaction(context.db, (tx) => sendDigest(context, tx, id))
}

async function sendDigest({ settings }: Context, tx: Tx, userId: number): Promise<void> {
  // Another worker's row of this day makes the statement wait for its end, and then return nothing.
  const { rows: made } = await sql<{ id: number; email: string; locale: Locale }>`
    with made as (
      insert into notice_digests (user_id, day) select u.id, ${day} from users u where u.id = ${userId} and ${reachable}
      on conflict do nothing returning id, user_id)
    select made.id, u.email, coalesce(u.locale, 'fr') as locale from made join users u on u.id = made.user_id`.execute(
    tx,
  )
  const digest = made[0]
  if (!digest) return
  const { rows: lines } = await sql<Line>`
    with taken as (
      update notifications n set digest_id = ${digest.id} where n.user_id = ${userId} and ${waits}
      returning n.id, n.kind, n.mail_text->>${digest.locale} as text, n.link)
    select kind, text, link from taken order by id`.execute(tx)
  // A person who has switched the mails off meanwhile has no lines left. Then the digest of the day is deleted, so that another one can follow.
  if (lines.length === 0) await sql`delete from notice_digests where id = ${digest.id}`.execute(tx)
  else
    await sendMail(tx, settings, {
      recipient: digest.email,
      ...digestLetter(lines, settings.publicUrl, digest.locale),
    })
}
