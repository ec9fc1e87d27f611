import { sql } from 'kysely'
import { endLetters, sendMail } from '../home/mail.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import type { Actor, Author } from '../kit/http/session.ts'
import { enqueue, work } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { open, randomToken, seal, sha256 } from '../kit/secrets/seal.ts'
import { letters, writeLetter } from './letters.ts'

export const resetJob = 'password-reset'
const hours = { invitation: 7 * 24, reset: 1 }
const endOf = (purpose: Purpose) => sql<string>`now() + make_interval(hours => ${hours[purpose]})`
/** Reset letters to one account in 15 minutes, so that nobody can flood a mailbox. */
const lettersAtMost = 5

type Purpose = keyof typeof hours

/** Makes a link. Its number goes with the letter, which ends with the link. */
async function makeLink(tx: Tx, settings: Settings, userId: number, purpose: Purpose) {
  const token = randomToken()
  const { id } = await tx
    .insertInto('password_tokens')
    .values({
      user_id: userId,
      token_hash: sha256(token),
      purpose,
      expires_at: endOf(purpose),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, address: `${settings.publicUrl}/password/reset/${token}` }
}

/** Invalidates every open link of a person, so that letters with them do not leave any more. */
export async function dropLinks(tx: Tx, userId: number) {
  const { rows: dropped } = await sql<{ id: number }>`
    update password_tokens set used_at = now() where user_id = ${userId} and used_at is null returning id`.execute(
    tx,
  )
  await endLetters(tx, 'password_token_id', dropped)
}

/** Sends an invitation to set a password, valid for 7 days. Earlier links of the person become invalid. */
export async function sendInvitation(tx: Tx, settings: Settings, actor: Actor, userId: number) {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  if (!user?.email) return
  await dropLinks(tx, userId)
  const link = await makeLink(tx, settings, userId, 'invitation')
  const name = `${user.first_name} ${user.last_name}`
  const by = `${actor.first_name} ${actor.last_name}`
  await sendMail(tx, settings, {
    recipient: user.email,
    ...writeLetter(letters.invitation, user.locale, name, link.address, by),
    expires_at: endOf('invitation'),
    password_token_id: link.id,
  })
  await audit(tx, actor, 'invited', 'user', userId, { new: { email: user.email } })
}

type Asked = { email: string; author: Author }

/**
 * Queues a password reset. The call does the same for every e-mail, so that neither its answer nor its timing reveals
 * an account. The worker checks whether there is one.
 */
export async function askReset(
  { db, settings }: { db: Db; settings: Settings },
  author: Author,
  email: string,
) {
  const job: Asked = { email: seal(settings.secret, email).toString('base64'), author }
  await transaction(db, (tx) => enqueue(tx, resetJob, job))
}

/** Registers the job that sends reset links to whoever has an account. */
export function workPasswordResets({ db, settings }: Context) {
  work<Asked>(resetJob, async ({ email, author }) => {
    const address = open(settings.secret, Buffer.from(email, 'base64'))
    await transaction(db, async (tx) => {
      const user = await tx
        .selectFrom('users')
        .selectAll()
        .where('email', '=', address)
        .forUpdate()
        .executeTakeFirst()
      if (!user?.email || !user.account || user.deactivated_at) return
      const sent = await sql`
        select from password_tokens
        where user_id = ${user.id} and purpose = 'reset' and created_at > now() - interval '15 minutes'`.execute(
        tx,
      )
      if (sent.rows.length >= lettersAtMost) return
      const link = await makeLink(tx, settings, user.id, 'reset')
      const name = `${user.first_name} ${user.last_name}`
      await sendMail(tx, settings, {
        recipient: user.email,
        ...writeLetter(letters.reset, user.locale, name, link.address),
        expires_at: endOf('reset'),
        password_token_id: link.id,
      })
      await audit(tx, author, 'password reset asked', 'user', user.id)
    })
  })
}
