import { SyncMessage } from '@portal/contracts/attendance/messages'
import { fill, type Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { inputFaults } from '../kit/http/input.ts'
import { invalid, Refusal } from '../kit/http/refusals.ts'
import { readAgainst } from '../kit/http/serve.ts'
import { enqueue } from '../kit/jobs/jobs.ts'
import { type Adapter, objectOf } from './adapters/adapter.ts'
import { commcare } from './adapters/commcare.ts'
import { kobotoolbox } from './adapters/kobotoolbox.ts'
import { native } from './adapters/native.ts'
import { rapidpro } from './adapters/rapidpro.ts'
import { text } from './messages.ts'

/** Name of the job that processes messages. */
export const messagesJob = 'messages'

const adapters: readonly Adapter[] = [native, rapidpro, commcare, kobotoolbox]
const mostMessages = 1000
const largestData = 64 * 1024

type Rejected = { id: string; errors: Record<string, string[]> }
/** A message to store. `token` is null if it comes from a workbook. */
export type Arrival = SyncMessage & { token: number | null }

/**
 * Receives the messages of a machine and stores each id once. A message with an invalid envelope is rejected with its
 * errors and does not block the others. `data` is checked when the message is processed.
 */
export async function receiveMessages(db: Db, token: number, body: unknown, locale: Locale) {
  const raw = nativeMessages(body)
  const rejected: Rejected[] = []
  const kept = new Map<string, Arrival>()
  let doubled = 0
  for (const [at, one] of raw.entries()) {
    const read = readMessage(one, locale)
    if ('errors' in read) rejected.push({ id: idOf(one, at), errors: read.errors })
    else if (kept.has(read.message.id)) doubled++
    else kept.set(read.message.id, { ...read.message, token })
  }
  const accepted = await transaction(db, (tx) => keepMessages(tx, [...kept.values()]))
  return { accepted, duplicates: doubled + kept.size - accepted, rejected }
}

/**
 * Stores messages that are new, in one statement, and queues their processing in the same transaction. Returns how many
 * were new. A device whose clock is far ahead reports now; what is imported has its moment from the server.
 */
export async function keepMessages(tx: Tx, messages: readonly Arrival[]): Promise<number> {
  if (messages.length === 0) return 0
  // Sorted, because two calls with the same messages in different orders would deadlock.
  const ordered = messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { numAffectedRows } = await sql`
    insert into synced_messages (message_id, sync_token_id, entity_type, action, data, created_at)
    select id, token, entity_type, action, data,
      case when token is not null and created_at > now() + interval '10 minutes' then now() else created_at end
    from json_to_recordset(${JSON.stringify(ordered)}::json)
      as m (id text, token bigint, entity_type text, action text, data json, created_at timestamptz)
    on conflict (message_id) do nothing`.execute(tx)
  if (numAffectedRows) await enqueue(tx, messagesJob, {})
  return Number(numAffectedRows)
}

function nativeMessages(body: unknown): readonly unknown[] {
  const given = objectOf(body)
  const adapter = adapters.find((one) => one.fits(given))
  if (!adapter) throw invalid({ messages: text.shape }, text.shape)
  const messages = adapter.messages(given, new Date().toISOString())
  if (messages.length > mostMessages) throw invalid({ messages: text.many }, text.many)
  return messages
}

function readMessage(raw: unknown, locale: Locale): { message: SyncMessage } | Pick<Rejected, 'errors'> {
  try {
    const message = readAgainst(SyncMessage, identified(raw))
    if (inputFaults([message.id, message.data]).length > 0) throw invalid({ data: text.strange })
    if (JSON.stringify(message.data).length > largestData) throw invalid({ data: text.large })
    return { message }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { errors: error.body(locale).errors ?? { message: [fill(error.text, locale)] } }
  }
}

/** A form without an id gets a clearer sentence than "a field is missing". */
function identified(raw: unknown): unknown {
  const { id, data } = objectOf(raw)
  if (id === undefined && objectOf(data).channel !== undefined && 'entity_type' in objectOf(raw))
    throw invalid({ id: text.dedupe })
  return raw
}

/** Returns the id of a message, or its position in the call. */
function idOf(raw: unknown, at: number): string {
  const { id } = objectOf(raw)
  return typeof id === 'string' && id !== '' ? id.slice(0, 200) : `#${at + 1}`
}
