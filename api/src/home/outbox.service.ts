import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import { enqueue } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import { bodyOf, type MailRow, mailJob, outboxName } from './mail.service.ts'

/** `ended`: its links have expired, so it is listed and not sent any more. `error`: why the mail server refused a letter that was given up. */
export type WaitingLetter = MailRow & {
  name: string
  recipient: string
  subject: string
  ended: boolean
  error: string | null
}

/** SQL: whether a job will try to send the letter `m` again. */
const isTried = sql`m.id::text in (
  select data->>'id' from pgboss.job where name = ${mailJob} and state in ('created', 'retry', 'active'))`

/** SQL: whether the letter `m` was given up in the last week. Links of older ones have ended, and their news is old. */
const isGivenUp = sql`m.state = 'failed' and m.created_at > now() - interval '7 days' and not (${isTried})`
/** SQL: whether the letter `m` waits for somebody to have it sent: it is in the outbox, or was given up. */
const isWaiting = sql`((m.state = 'sent' and m.outbox is not null) or (${isGivenUp}))`
const hasEnded = sql`coalesce(m.expires_at <= now(), false)`

/** The letters that wait in the outbox or were given up, oldest first. */
export async function waitingLetters(db: Db): Promise<WaitingLetter[]> {
  const letters = await rows(
    db,
    sql<Omit<WaitingLetter, 'name'>>`
      select m.id, m.created_at, m.body, m.outbox, m.recipient, m.subject, m.error, ${hasEnded} as ended
      from mails m where ${isWaiting} order by m.id`,
  )
  return letters.map((letter) => ({ ...letter, name: outboxName(letter) }))
}

/** A letter as it will be sent: the file of the outbox, or the text of one that was given up. */
export const readLetter = (context: Context, letter: WaitingLetter): Promise<string | null> =>
  letter.outbox ? context.storage.outbox.read(letter.outbox) : bodyOf(context, letter)

/**
 * Queues letters that wait, for whichever worker has a mail server. A letter that is queued already is left out, so that two
 * people who ask for it at once send it once. Returns how many are queued.
 */
export const sendWaiting = ({ db }: Context, ids: number[]): Promise<number> =>
  transaction(db, async (tx) => {
    const { rows: queued } = await sql<{ id: number }>`
      update mails m set state = 'queued' where m.id = any(${ids}::bigint[]) and ${isWaiting} and not ${hasEnded} returning m.id`.execute(
      tx,
    )
    for (const { id } of queued) await enqueue(tx, mailJob, { id })
    if (queued.length > 0)
      await audit(tx, portal, 'letters sent from the outbox', 'installation', null, {
        new: { letters: queued.length },
      })
    return queued.length
  })

/** Letters that a mail server did not take: those that are tried again, and those of a week that were given up. */
export async function countLetters(db: Db): Promise<{ waiting: number; failed: number }> {
  const [counts] = await rows(
    db,
    sql<{ waiting: number; failed: number }>`
      select count(*) filter (where ${isTried})::int as waiting,
        count(*) filter (where ${isGivenUp})::int as failed
      from mails m where m.state = 'failed'`,
  )
  return counts ?? { waiting: 0, failed: 0 }
}
