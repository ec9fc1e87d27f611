import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Locale } from '@portal/contracts/sentences'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { type Db, type Tx, transaction } from './db.ts'
import { fileExports } from './exports.tables.ts'
import { FileAnswer, xlsxType } from './files.ts'
import { enqueue, work } from './jobs.ts'
import { say } from './messages.ts'
import { conflict, notFound } from './refusals.ts'
import { accepted } from './respond.ts'
import type { Actor } from './session.ts'
import type { Storage } from './storage.ts'

/** What a writer gets: the call's parameters, who asked and in which language, the path to write and a counter to feed. */
export type ExportTask<Params> = {
  params: Params
  user_id: number
  locale: Locale
  path: string
  /** Reports the progress; it may be called often and is stored a few times a second. */
  progress: (done: number, total: number) => Promise<void>
}
type Writer<Params> = (context: Context, task: ExportTask<Params>) => Promise<void>

const writers = new Map<string, Writer<never>>()
export const exportJob = 'export'

/** Registers who writes exports of a kind. */
export function registerExport<Params>(kind: string, writer: Writer<Params>) {
  writers.set(kind, writer as Writer<never>)
}

/**
 * Notes an export and queues its writing, in the caller's transaction. `base` is the file's readable beginning
 * (`schools`); what follows cannot be guessed. What comes back is the answer of the call.
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
  const file_name = `${base}-${day}-${randomBytes(6).toString('hex')}.xlsx`
  const [row] = await tx
    .insert(fileExports)
    .values({ user_id: actor.id, kind, params, locale, file_name })
    .returning({ id: fileExports.id })
  await enqueue(tx, exportJob, { id: row?.id })
  return accepted({ message: say.exportStarted, file_name })
}

/** The progress of an export, or its file; only for whoever asked, and for 24 hours. */
export async function readExport(db: Db, storage: Storage, actor: Actor, fileName: string) {
  const [row] = await db
    .select()
    .from(fileExports)
    .where(
      and(
        eq(fileExports.file_name, fileName),
        eq(fileExports.user_id, actor.id),
        sql`${fileExports.expires_at} > now()`,
      ),
    )
  if (!row) throw notFound()
  if (row.state === 'failed') throw conflict(say.exportFailed)
  if (row.state !== 'ready' || !row.file_key)
    return accepted({ rows_done: row.rows_done, rows_total: row.rows_total })
  return new FileAnswer(storage.read(row.file_key), row.file_name, xlsxType)
}

/** Registers the job that writes exports. */
export function workExports(context: Context) {
  work<{ id: number }>(exportJob, (data) => writeExport(context, data.id), 2)
}

async function writeExport(context: Context, exportId: number) {
  const { db, storage } = context
  const [row] = await db
    .update(fileExports)
    .set({ state: 'writing' })
    .where(eq(fileExports.id, exportId))
    .returning()
  const writer = row && writers.get(row.kind)
  if (!row || row.file_key) return
  const path = await storage.temp()
  let reportedAt = 0
  const progress = async (done: number, total: number) => {
    if (Date.now() - reportedAt < 300 && done < total) return
    reportedAt = Date.now()
    await db
      .update(fileExports)
      .set({ rows_done: done, rows_total: total })
      .where(eq(fileExports.id, exportId))
  }
  try {
    if (!writer) throw new Error(`Nobody writes exports of ${row.kind}`)
    const task = {
      params: row.params as never,
      user_id: row.user_id,
      locale: row.locale as Locale,
      path,
      progress,
    }
    await writer(context, task)
    const file_key = await storage.keep(path)
    await db.update(fileExports).set({ state: 'ready', file_key }).where(eq(fileExports.id, exportId))
  } catch (error) {
    await rm(path, { force: true })
    await db.update(fileExports).set({ state: 'failed' }).where(eq(fileExports.id, exportId))
    throw error
  }
}

/** Deletes expired exports with their files. */
export async function dropOldExports({ db, storage }: Context) {
  await transaction(db, async (tx) => {
    const gone = await tx
      .delete(fileExports)
      .where(lt(fileExports.expires_at, sql`now()`))
      .returning({ key: fileExports.file_key })
    for (const { key } of gone) if (key) await storage.remove(key)
  })
}
