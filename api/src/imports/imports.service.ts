import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { readHeadings } from '@portal/contracts/headings'
import {
  type imports as endpoints,
  type Import,
  type ImportKind,
  importKinds,
} from '@portal/contracts/imports'
import { fill, type Locale, say, type Text } from '@portal/contracts/sentences'
import { type ChosenHeadings, plainHeading } from '@portal/contracts/sheet'
import { sensitiveFields } from '@portal/contracts/students.fields'
import { sql } from 'kysely'
import { checkHeadings } from '../excel/read.ts'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, rows, type Tx, transaction } from '../kit/db.ts'
import { type KeptUpload, keepUpload, recordUpload, type StoredUpload } from '../kit/files.ts'
import { enqueue } from '../kit/jobs.ts'
import { paged } from '../kit/paging.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import type { ImportDomain, TaskRow } from './import-kind.ts'

export type {
  CheckedRow,
  Fault,
  ImportDomain,
  LikelyPairs,
  OpenImport,
  Stored,
  TaskRow,
} from './import-kind.ts'

import { clearStage, nothingWritten } from './import-stage.service.ts'
import { text } from './messages.ts'

/** Name of the job that runs imports. */
export const importJob = 'import'
const domains = new Map<ImportKind, ImportDomain>()

/** Registers a kind of import. */
export function registerImport(domain: ImportDomain) {
  domains.set(domain.kind, domain)
}

/** The domain of a kind. A missing one is a bug, so the call answers with 500. */
export function importDomain(kind: ImportKind): ImportDomain {
  const domain = domains.get(kind)
  if (!domain) throw new Error(`Nobody imports ${kind}`)
  return domain
}

/** The parameters of a new import. With `review` it stops before anything is written. */
export type ImportStart = {
  kind: ImportKind
  file: StoredUpload
  review?: boolean
  /** Headings that the uploader named, as JSON. */
  headings?: string
  params?: Record<string, unknown>
}

/** Records the kept file and queues the job of its import in the caller's transaction. Returns the import's id. */
export async function startImport(
  tx: Tx,
  actor: Actor,
  { kind, file, review = false, headings = '{}', params = {} }: ImportStart & { file: KeptUpload },
): Promise<number> {
  const file_id = await recordUpload(tx, file, actor.id)
  const file_hash = file.sha256.toString('hex')
  const { id } = await tx
    .insertInto('imports')
    .values({
      kind,
      review,
      params: JSON.stringify({ ...params, headings: readHeadings(headings) }),
      file_id,
      file_name: file.name,
      file_hash,
      user_id: actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, importJob, { id })
  return id
}

/**
 * Starts the import of a register. Container, sheet and headings are checked before the call answers; a job checks the
 * rows.
 */
export async function takeImport({ db, storage }: Context, actor: Actor, start: ImportStart) {
  const chosen = readHeadings(start.headings ?? '{}')
  const sheet = await importDomain(start.kind).sheet(db, start.params ?? {}, null)
  const checked = await checkHeadings(start.file.path, { ...sheet, chosen })
  if ('problem' in checked) throw invalid({ [sheet.field]: checked.problem })
  const file = await keepUpload(storage, start.file)
  const id = await transaction(db, async (tx) => {
    const made = await startImport(tx, actor, { ...start, file })
    const { kind, review = false } = start
    await audit(tx, actor, 'uploaded', 'import', made, {
      old: null,
      new: { kind, file: file.name, review, ...namedHeadings(chosen) },
    })
    return made
  })
  return { message: text.started, import: { id } }
}

/** For the audit row of an upload: the headings that its uploader named, where there are any. */
export const namedHeadings = (headings: ChosenHeadings = {}) =>
  Object.keys(headings).length > 0 ? { headings } : {}

/**
 * What this person, or somebody of the same partner, named headings of earlier files of a kind; the latest counts. Staff
 * who are of no partner share what they named (Imports 1.4).
 */
export async function rememberedHeadings(db: Db, actor: Actor, kind: ImportKind): Promise<ChosenHeadings> {
  allow(actor, kind)
  const found = await rows(
    db,
    sql<{ headings: ChosenHeadings }>`
    select i.params->'headings' as headings from imports i left join partners p on p.user_id = i.user_id
    where i.kind = ${kind} and i.params->'headings' <> '{}'
      and p.id is not distinct from (select id from partners where user_id = ${actor.id})
    order by i.id desc limit 20`,
  )
  const latest = found.reverse().flatMap(({ headings }) => Object.entries(headings))
  return Object.fromEntries(new Map(latest.map((entry) => [plainHeading(entry[0]), entry])).values())
}

const columns = sql`i.id, i.kind, i.state, i.file_name, i.rows_read, i.rows_new, i.rows_changed, i.rows_unchanged,
  i.rows_duplicate, i.rows_rejected, i.rows_new + i.rows_changed + i.rows_unchanged as rows_imported, i.problem, i.created_at, i.finished_at,
  coalesce(i.params->'headings', '{}') as headings,
  (select c.id from transfer_cohorts c where c.import_id = i.id) as cohort_id,
  (select jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) from users u where u.id = i.user_id) as "user"`

type Row = Omit<Import, 'problem' | 'errors'> & { problem: Text | null }

/** One import with its first hundred errors, in the reader's language. */
export async function readImport(db: Db, actor: Actor, locale: Locale, id: number): Promise<Import> {
  const [row] = await rows(db, sql<Row>`select ${columns} from imports i where i.id = ${id}`)
  if (!row) throw notFound()
  allow(actor, row.kind)
  const errors = await rows(
    db,
    sql<Import['errors'][number]>`
    select "row", "column", value, message from import_errors
    where import_id = ${id} and "column" <> all(${hiddenFrom(actor)}) order by "row", id limit 100`,
  )
  return {
    ...row,
    problem: row.problem ? fill(row.problem, locale) : null,
    errors: errors.map((error) => ({ ...error, message: say(error.message, locale) })),
  }
}

/** The history of imports of a kind, newest first. */
export async function listImports(
  db: Db,
  actor: Actor,
  locale: Locale,
  query: QueryOf<typeof endpoints.list>,
): Promise<Page<Import>> {
  allow(actor, query.kind)
  const page = await paged<Row>(db, query, {
    columns,
    from: sql`imports i`,
    where: [sql`i.kind = ${query.kind}`],
    sort: { created_at: sql`i.created_at` },
    order: '-created_at',
    key: sql`i.id`,
  })
  return {
    ...page,
    data: page.data.map((row) => ({
      ...row,
      problem: row.problem ? fill(row.problem, locale) : null,
      errors: [],
    })),
  }
}

type WaitingList = { id: number; kind: ImportKind; file_name: string }

/** The actor's own lists that wait in review, of the kinds that they may import. */
export async function waitingImports(db: Db, actor: Actor) {
  const kinds = importKinds.filter((kind) => actor.can(importDomain(kind).permission))
  const [found] = await rows(
    db,
    sql<{ count: number; rows_rejected: number; oldest: WaitingList | null }>`
      select count(*) as count, coalesce(sum(i.rows_rejected), 0)::bigint as rows_rejected,
        (array_agg(jsonb_build_object('id', i.id, 'kind', i.kind, 'file_name', i.file_name) order by i.id))[1] as oldest
      from imports i where i.user_id = ${actor.id} and i.state = 'review' and i.kind = any(${kinds})`,
  )
  return found ?? { count: 0, rows_rejected: 0, oldest: null }
}

/** An import's parameters for this reader: sensitive columns only with their permission. */
export const seenBy = (actor: Actor, { params }: Pick<TaskRow, 'params'>) => ({
  ...params,
  sensitive: params.sensitive === true && actor.can('students.sensitive'),
})

type ImportFile = TaskRow & { state: string; file_key: string; file_name: string; dropped: boolean }

/** Columns that this person may not see, no matter who uploaded them (Imports 3.6). */
export const hiddenFrom = (actor: Actor) =>
  sql`${actor.can('students.sensitive') ? [] : [...sensitiveFields]}::text[]`

/** The row of the import, for calls that need its file or its staged rows. Checks the permission. */
export async function readTask(db: Db, actor: Actor, id: number): Promise<ImportFile> {
  const [task] = await rows(
    db,
    sql<ImportFile>`
    select i.id, i.kind, i.params, i.user_id, i.review, i.fence, i.state, i.file_name, f.key as file_key,
      f.dropped_at is not null as dropped
    from imports i join files f on f.id = i.file_id where i.id = ${id}`,
  )
  if (!task) throw notFound()
  allow(actor, task.kind)
  return task
}

/** Cancels an import that has not committed its rows. Its errors stay. */
export function cancelImport(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ kind: ImportKind; state: string }>`
      select kind, state from imports where id = ${id} for update`.execute(tx)
    const task = found[0]
    if (!task) throw notFound()
    allow(actor, task.kind)
    if (['imported', 'failed', 'cancelled'].includes(task.state)) throw conflict(text.over)
    await sql`
      update imports set state = 'cancelled', ${nothingWritten}, finished_at = now(), fence = fence + 1 where id = ${id}
    `.execute(tx)
    // In the state `importing` the worker's open transaction locks the rows that `undo` would remove. The worker
    // notices the cancellation, rolls back and cleans up itself.
    if (task.state !== 'importing') {
      await clearStage(tx, id, false)
      await importDomain(task.kind).undo?.(tx, id)
    }
    await audit(tx, actor, 'cancelled', 'import', id, {
      old: { state: task.state },
      new: { state: 'cancelled' },
    })
  })
}

/** Throws 403 unless this person may import this kind. */
export function allow(actor: Actor, kind: ImportKind) {
  if (!actor.can(importDomain(kind).permission)) throw forbidden()
}
