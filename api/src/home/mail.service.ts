import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Context } from '../kit/context.ts'
import { rows, type Tx } from '../kit/db.ts'
import { enqueue, work } from '../kit/jobs.ts'
import { open, seal } from '../kit/seal.ts'
import type { Settings } from '../kit/settings.ts'
import { noticeLetter } from './notice-letters.ts'

export const mailJob = 'mail'
type Letter = { recipient: string; subject: string; body: string }

/** Queues a mail in the caller's transaction, so that it is sent if and only if the transaction commits. */
export async function sendMail(tx: Tx, settings: Settings, letter: Letter) {
  const { recipient, subject, body } = letter
  const { id } = await tx
    .insertInto('mails')
    .values({ recipient, subject, body: seal(settings.secret, body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, mailJob, { id })
}

/** Registers the job that sends mails. Without a mail server it writes them to the outbox folder. */
export function workMails(context: Context) {
  const { db, settings } = context
  const transport = settings.smtpUrl ? createTransport(settings.smtpUrl) : undefined
  work<{ id: number }>(mailJob, async ({ id }) => {
    const mail = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
    if (!mail || mail.state === 'sent') return
    const body = mail.body ? open(settings.secret, mail.body) : await noticeBody(context, id)
    if (body === null) return
    const letter = { recipient: mail.recipient, subject: mail.subject, body }
    try {
      if (transport) {
        const { recipient: to, subject, body: text } = letter
        await transport.sendMail({
          from: settings.mailFrom,
          to,
          subject,
          text,
          messageId: `<mail-${id}@portal>`,
        })
      } else await writeLetter(settings, letter)
      await db
        .updateTable('mails')
        .set({ state: 'sent', sent_at: sql`now()`, body: null, error: null })
        .where('id', '=', id)
        .execute()
    } catch (error) {
      await db
        .updateTable('mails')
        .set({ state: 'failed', error: String(error) })
        .where('id', '=', id)
        .execute()
      throw error
    }
  })
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

/**
 * Writes one `.eml` file that only its owner can read. The text is not folded, because a folded link cannot be clicked
 * (Messages 4.2).
 */
async function writeLetter(settings: Settings, { recipient, subject, body }: Letter) {
  const folder = join(settings.dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lines = [
    `From: ${settings.mailFrom}`,
    `To: ${recipient}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@portal>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    body,
  ]
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`
  const unfinished = join(folder, `.${name}`)
  await writeFile(unfinished, lines.join('\r\n'), { mode: 0o600 })
  await rename(unfinished, join(folder, name))
}
