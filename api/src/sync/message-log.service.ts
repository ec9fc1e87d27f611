import type { LoggedMessage, messages } from '@portal/contracts/attendance/messages'
import type { QueryOf } from '@portal/contracts/endpoint'
import { plainCode } from '@portal/contracts/registers/register-fields'
import type { Locale, Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { conflict, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { enqueue } from '../kit/jobs/jobs.ts'
import { messagesJob } from './incoming.service.ts'
import { text } from './messages.ts'
import { type Reader, redacted, redactedText, wordsOf } from './redaction.ts'

type Row = Omit<LoggedMessage, 'error'> & { error: Text | null }

/** Lists the messages that are not processed yet, newest first, redacted for the actor. */
export async function listMessages(
  db: Db,
  actor: Actor,
  locale: Locale,
  query: QueryOf<typeof messages.list>,
) {
  const state = { waiting: sql`m.error is null`, failed: sql`m.error is not null` }
  const [list, counts] = await Promise.all([
    paged<Row>(db, query, {
      columns: sql`m.id, m.entity_type, m.received_at, m.created_at, m.action, m.data, m.error`,
      from: sql`synced_messages m`,
      where: [sql`m.processed_at is null`, query.state && state[query.state]],
      sort: { id: sql`m.id` },
      order: '-id',
      key: sql`m.id`,
    }),
    rows(
      db,
      sql<{ waiting: number; failed: number }>`
        select count(*) filter (where error is null) as waiting, count(error) as failed
        from synced_messages where processed_at is null`,
    ),
  ])
  const reader = await readerOf(db, actor, list.data)
  const data = list.data.map((row) => ({
    ...row,
    data: redacted(row.data, reader) as LoggedMessage['data'],
    error: row.error && redactedText(row.error[locale], reader),
  }))
  return { messages: { ...list, data }, waiting: counts[0]?.waiting ?? 0, failed: counts[0]?.failed ?? 0 }
}

const mostWords = 20_000

/** Looks up which words are student codes, so that they are hidden in whatever field a form has them. */
async function readerOf(db: Db, actor: Actor, list: readonly Row[]): Promise<Reader> {
  if (actor.can('students.view')) return { codes: true, isCode: () => false }
  const words = new Set(list.flatMap(({ data, error }) => wordsOf([data, error])).map(plainCode))
  // With too many words all of them are hidden, so that no poll of the log causes a huge query.
  if (words.size > mostWords) return { codes: false, isCode: () => true }
  const found = await rows(
    db,
    sql<{ student_code: string }>`
      select student_code from students where student_code = any(${[...words]}::text[])`,
  )
  const codes = new Set(found.map(({ student_code }) => student_code))
  return { codes: false, isCode: (word) => codes.has(plainCode(word)) }
}

/** Queues a failed message again, after a person has corrected what made it fail. */
export async function retryMessage(db: Db, actor: Actor, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows: found } = await sql<{ error: Text | null }>`
      select error from synced_messages where id = ${id} for update`.execute(tx)
    if (!found[0]) throw notFound()
    if (!found[0].error) throw conflict(text.notFailed)
    await sql`update synced_messages set error = null where id = ${id}`.execute(tx)
    await enqueue(tx, messagesJob, {})
    await audit(tx, actor, 'retried', 'message', id)
  })
}
