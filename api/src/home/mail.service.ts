import type { Undelivered } from '@portal/contracts/cases'
import type { Locale } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import { enqueue, work } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { open, seal } from '../kit/secrets/seal.ts'
import { noticeLetter } from './notice-letters.ts'

export const mailJob = 'mail'
type Letter = { recipient: string; subject: string; body: string }

/** Which link a letter carries, and when it ends by itself. */
type Link = {
  expires_at?: string | RawBuilder<string>
  referral_id?: number
  password_token_id?: number
}

/**
 * Queues a mail in the caller's transaction, so that it is sent if and only if the transaction commits.
 */
export async function sendMail(tx: Tx, settings: Settings, letter: Letter & Link) {
  const { body, ...columns } = letter
  const { id } = await tx
    .insertInto('mails')
    .values({ ...columns, body: seal(settings.secret, body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, mailJob, { id })
}

/** Ends the letters with links that somebody has ended, so that none of them leaves any more (Messages 4.10). */
export async function endLetters(
  tx: Tx,
  link: 'referral_id' | 'password_token_id',
  links: readonly { id: number }[],
): Promise<void> {
  const ids = links.map(({ id }) => id)
  await sql`
    update mails set expires_at = now()
    where ${sql.ref(link)} = any(${ids}::bigint[]) and coalesce(expires_at > now(), true)`.execute(tx)
}

/**
 * Is told what becomes of the letter of a consultation, in the transaction that stores it and before the letter is locked. This
 * domain knows no cases.
 */
export type InviteNews = {
  delivered(tx: Tx, referralId: number): Promise<void>
  undelivered(tx: Tx, referralId: number, why: Undelivered): Promise<void>
}

/** Registers the job that sends mails. Without a mail server it writes them to the outbox. */
export function workMails(context: Context, news: InviteNews) {
  const { db, settings, storage } = context
  const transport = settings.smtpUrl ? createTransport(settings.smtpUrl) : undefined
  work<{ id: number }>(mailJob, async ({ id }, _signal, last) => {
    const mail = await db
      .selectFrom('mails')
      .selectAll()
      .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('expired'))
      .where('id', '=', id)
      .executeTakeFirst()
    if (!mail || mail.state === 'sent') return
    if (mail.expired) return storeFailed(db, mail, 'The links of the letter have ended.')
    const name = outboxName(mail)
    if (await isDeactivated(db, mail.recipient)) {
      await db.deleteFrom('mails').where('id', '=', id).execute()
      if (mail.outbox) await storage.outbox.remove(mail.outbox)
      return
    }
    try {
      const body = await bodyOf(context, mail)
      if (body === null) return
      const letter = {
        recipient: mail.recipient,
        subject: mail.subject,
        body,
        messageId: `<mail-${id}@portal>`,
      }
      if (transport) {
        const { recipient: to, body: text, ...rest } = letter
        await transport.sendMail({ from: settings.mailFrom, to, text, ...rest })
      } else await storage.outbox.write(name, letterText(settings, letter))
      await storeSent(db, mail, transport ? { news, outbox: null } : { outbox: name })
    } catch (error) {
      const why = isRefused(error) ? 'refused' : last && 'not_taken'
      await storeFailed(db, mail, String(error), why ? { news, why } : undefined)
      if (why === 'refused') return
      throw error
    }
    // Only now, because a crash before would lose it.
    if (transport && mail.outbox) await storage.outbox.remove(mail.outbox)
  })
}

type Stored = { id: number; referral_id: number | null }

/** Stores that a letter was sent, or that it waits in the outbox, where it has not reached anybody yet. */
const storeSent = (
  db: Db,
  { id, referral_id }: Stored,
  { news, outbox }: { news?: InviteNews; outbox: string | null },
) =>
  transaction(db, async (tx) => {
    if (news && referral_id) await news.delivered(tx, referral_id)
    await tx
      .updateTable('mails')
      .set({ state: 'sent', sent_at: sql`now()`, body: null, error: null, outbox })
      .where('id', '=', id)
      .execute()
  })

/** Stores why a letter was not taken, and whether it is given up. */
const storeFailed = (
  db: Db,
  { id, referral_id }: Stored,
  error: string,
  givenUp?: { news: InviteNews; why: Undelivered },
) =>
  transaction(db, async (tx) => {
    if (givenUp && referral_id) await givenUp.news.undelivered(tx, referral_id, givenUp.why)
    await tx.updateTable('mails').set({ state: 'failed', error }).where('id', '=', id).execute()
  })

/**
 * Whether the mail server takes no letter to this address, today or later (Messages 4.10). A refusal with 5.7 is about the sender, such as
 * a server that does not relay for the portal: whoever operates it can mend that, so the letter is tried again.
 */
function isRefused(error: unknown): boolean {
  const { command, permanent, response } = error as {
    command?: string
    permanent?: boolean
    response?: string
  }
  return command === 'RCPT TO' && permanent === true && !/^\d{3}[ -]5\.7\./.test(response ?? '')
}

/**
 * Whether a letter is to nobody any more, because the account was deactivated after it was queued. Experts have no account: theirs
 * leave, also to an address that an account had.
 */
async function isDeactivated(db: Db, recipient: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from users u where u.email = lower(${recipient}) and u.account and u.deactivated_at is not null
      and not exists (select from referrals r where lower(r.email) = u.email)`,
  )
  return found.length > 0
}

export type MailRow = { id: number; created_at: string; body: Buffer | null; outbox: string | null }

/** The name of a letter in the outbox. It is the same for every try, so that a letter is there once. */
export const outboxName = ({ id, created_at, outbox }: MailRow) =>
  outbox ?? `${created_at.replace(/[:.]/g, '-')}-${id}.eml`

/** The text of a mail: sealed in its row, in the outbox if it waits there, or made from its notice; null if there is none any more. */
export async function bodyOf(context: Context, { id, body, outbox }: MailRow): Promise<string | null> {
  if (body) return open(context.settings.secret, body)
  if (!outbox) return noticeBody(context, id)
  const letter = await context.storage.outbox.read(outbox)
  return letter.slice(letter.indexOf('\r\n\r\n') + 4)
}

/** The text of a mail about a notice, which has no secret and so is not stored with the mail; null for another mail. */
async function noticeBody({ db, settings }: Context, mailId: number): Promise<string | null> {
  const [notice] = await rows(
    db,
    sql<{ text: string; link: string; locale: Locale }>`
      select m.subject as text, n.link, coalesce(u.locale, 'fr') as locale
      from mails m join notifications n on n.id = m.notification_id join users u on u.id = n.user_id where m.id = ${mailId}`,
  )
  return notice ? noticeLetter(notice, settings.publicUrl, notice.locale) : null
}

/** The text of an `.eml` file. It is not folded, because a folded link cannot be clicked (Messages 4.2). */
function letterText(
  settings: Settings,
  { recipient, subject, body, messageId }: Letter & { messageId: string },
) {
  const lines = [
    `From: ${settings.mailFrom}`,
    `To: ${recipient}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    body,
  ]
  return lines.join('\r\n')
}
