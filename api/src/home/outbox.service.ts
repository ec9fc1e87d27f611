import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, rows, transaction } from '../kit/db.ts'
import { enqueue } from '../kit/jobs.ts'
import { portal } from '../kit/session.ts'
import { mailJob } from './mail.service.ts'

export type WaitingLetter = { outbox: string; recipient: string; subject: string }

/** The letters that wait in the outbox, oldest first. */
export const waitingLetters = (db: Db): Promise<WaitingLetter[]> =>
  rows(
    db,
    sql`select outbox, recipient, subject from mails where outbox is not null and state = 'sent' order by id`,
  )

/**
 * Queues letters of the outbox, for whichever worker has a mail server. A letter that is queued already is left out, so that two
 * people who ask for it at once send it once. Returns how many are queued.
 */
export const sendWaiting = ({ db }: Context, names: string[]): Promise<number> =>
  transaction(db, async (tx) => {
    const { rows: queued } = await sql<{ id: number }>`
      update mails set state = 'queued' where outbox = any(${names}::text[]) and state = 'sent' returning id`.execute(
      tx,
    )
    for (const { id } of queued) await enqueue(tx, mailJob, { id })
    if (queued.length > 0)
      await audit(tx, portal, 'letters sent from the outbox', 'installation', null, {
        new: { letters: queued.length },
      })
    return queued.length
  })
