import { randomBytes } from 'node:crypto'
import type { Locale, Text } from '@portal/contracts/sentences'
import { type Selectable, sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withoutSearch } from '../audit/reads.ts'
import type { DB } from '../database/database.types.ts'
import { type Tx, transaction } from '../database/db.ts'
import { FileAnswer, xlsxType, zipType } from '../files/files.ts'
import type { Storage } from '../files/storage.ts'
import { say } from '../http/messages.ts'
import { conflict, forbidden, notFound, Refusal } from '../http/refusals.ts'
import { accepted } from '../http/respond.ts'
import type { Actor } from '../http/session.ts'
import type { Context } from '../process/context.ts'
import { enqueue, isUnderWay, work } from './jobs.ts'

/**
 * The input of a writer: the parameters of the call, its person and language, the path to write, and a progress
 * callback.
 */
export type ExportTask<Params> = {
  params: Params
  user_id: number
  locale: Locale
  path: string
  /** Reports the progress. It may be called often; a few times a second it is stored. */
  progress: (done: number, total: number) => Promise<void>
}
/** Where somebody asks for a file. */
type Asking = Pick<Context, 'db' | 'registry'>

/** A kind of export. */
type Kind<Params> = {
  /** Whether this person may have the file. It is asked again at every download, because rights are taken away. */
  allowed: (actor: Actor, params: Params, context: Asking) => boolean | Promise<boolean>
  /** What the audit log says of it: its type and id, and with which filters it was made. The text of a `search` is left out. */
  subject: (params: Params) => { type: string; id: number | null; filters: object }
  /** The event of the audit log; 'exported' for rows of a list. */
  event?: string
  /** An archive of several files. Without it a workbook. */
  archive?: boolean
  /** Writes the file. Returns how many rows and which columns it has. */
  write: (context: Context, task: ExportTask<Params>) => Promise<{ rows: number; columns: Text[] }>
}

const kinds = new Map<string, Kind<never>>()
/** Name of the job that writes an export. */
export const exportJob = 'export'

/** Registers a kind of export. */
export function registerExport<Params>(kind: string, definition: Kind<Params>) {
  kinds.set(kind, definition as Kind<never>)
}

/**
 * Stores an export and queues its job in the caller's transaction. `base` is the readable beginning of the file name
 * (`schools`); the rest is random, so that it cannot be guessed. Returns the answer of the call.
 */
export async function startExport(
  tx: Tx,
  actor: Actor,
  locale: Locale,
  kind: string,
  params: object,
  base: string,
) {
  const day = new Date().toISOString().slice(0, 10)
  const file_name = `${base}-${day}-${randomBytes(6).toString('hex')}.${kinds.get(kind)?.archive ? 'zip' : 'xlsx'}`
  const { id } = await tx
    .insertInto('exports')
    .values({
      user_id: actor.id,
      kind,
      params: JSON.stringify(params),
      locale,
      file_name,
      ip_address: actor.ip,
      user_agent: actor.user_agent,
      request_id: actor.request_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // A person waits for it, so it fails after half a minute.
  await enqueue(tx, exportJob, { id }, { retries: 5 })
  return accepted({ message: say.exportStarted, file_name })
}

/**
 * The progress of an export, or its file. Only the person who requested it can read it, for 24 hours and as long as they
 * have the right to it (Imports 5.2).
 */
export async function readExport(
  { db, registry, storage }: Asking & { storage: Storage },
  actor: Actor,
  fileName: string,
) {
  const row = await db
    .selectFrom('exports')
    .selectAll()
    .where('file_name', '=', fileName)
    .where('user_id', '=', actor.id)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  if (!row) throw notFound()
  const kind = kinds.get(row.kind)
  if (!kind || !(await kind.allowed(actor, row.params as never, { db, registry })))
    throw forbidden(say.rightGone)
  if (row.state === 'failed') throw conflict(say.exportFailed)
  if (row.state !== 'ready' || !row.file_key)
    return accepted({ rows_done: row.rows_done, rows_total: row.rows_total })
  return new FileAnswer(await storage.read(row.file_key), row.file_name, kind.archive ? zipType : xlsxType)
}

/** Registers the job that writes exports. */
export function workExports(context: Context) {
  work<{ id: number }>(exportJob, ({ id }, _, last) => writeExport(context, id, last), 2)
}

async function writeExport(context: Context, exportId: number, last: boolean) {
  const { db, storage } = context
  const row = await db
    .updateTable('exports')
    .set({ state: 'writing' })
    .where('id', '=', exportId)
    // The job may be repeated although its file was kept: the worker was killed before the job had ended.
    .where('file_key', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const kind = kinds.get(row.kind)
  const path = await storage.temp()
  try {
    if (!kind) throw new Error(`Nobody writes exports of ${row.kind}`)
    const { user_id } = row
    const [params, locale] = [row.params as never, row.locale as Locale]
    const task = { params, user_id, locale, path, progress: progressOf(db, exportId) }
    const written = await kind.write(context, task)
    const file_key = await storage.keep(path)
    // Another worker that had taken over the job was faster.
    if (!(await publish(db, row, kind, { ...written, file_key }))) await storage.remove(file_key)
  } catch (error) {
    await storage.drop(path)
    // Before its last try it still counts as being written, so nobody is told to start it again. What is refused is not tried again.
    const refused = error instanceof Refusal && error.status < 500
    if (last || refused) await failExport(db, exportId)
    if (!refused) throw error
  }
}

/** Stores how far an export is, a few times a second at the most. */
function progressOf(db: Context['db'], exportId: number): ExportTask<never>['progress'] {
  let reportedAt = 0
  return async (done, total) => {
    if (Date.now() - reportedAt < 300 && done < total) return
    reportedAt = Date.now()
    await db
      .updateTable('exports')
      .set({ rows_done: done, rows_total: total })
      .where('id', '=', exportId)
      .execute()
  }
}

type Written = { rows: number; columns: Text[]; file_key: string }

/**
 * Gives an export its file, in one transaction with the audit row: nobody can fetch the file before the log says who exported it.
 * False if the export has one already.
 */
function publish(db: Context['db'], row: Selectable<DB['exports']>, kind: Kind<never>, written: Written) {
  const { type, id, filters } = kind.subject(row.params as never)
  const by = { id: row.user_id, ip: row.ip_address, user_agent: row.user_agent, request_id: row.request_id }
  return transaction(db, async (tx) => {
    const ready = await tx
      .updateTable('exports')
      .set({ state: 'ready', file_key: written.file_key })
      .where('id', '=', row.id)
      .where('file_key', 'is', null)
      .executeTakeFirst()
    if (!ready.numUpdatedRows) return false
    const values = { row_count: written.rows, ...withoutSearch(filters), columns: written.columns }
    await audit(tx, by, kind.event ?? 'exported', type, id, { new: values })
    return true
  })
}

/** Notes that an export failed, unless another worker that had taken over its job has written it. */
const failExport = (db: Context['db'], exportId: number) =>
  db
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('id', '=', exportId)
    .where('file_key', 'is', null)
    .execute()

/** Notes that exports failed whose worker was killed on the last try, because nobody writes them again. */
export async function failLostExports({ db }: Context) {
  await sql`
    update exports e set state = 'failed' where e.state in ('queued', 'writing') and e.file_key is null
      and not ${isUnderWay([exportJob], sql`e.id`)}`.execute(db)
}

/** Deletes expired exports. A row goes after its file, so that no file is left without one. */
export async function dropOldExports({ db, storage }: Context) {
  const gone = await db
    .selectFrom('exports')
    .select(['id', 'file_key'])
    .where('expires_at', '<', sql<string>`now()`)
    .execute()
  for (const { file_key } of gone) if (file_key) await storage.remove(file_key)
  const ids = gone.map(({ id }) => id)
  await sql`delete from exports where id = any(${ids}::bigint[])`.execute(db)
}
