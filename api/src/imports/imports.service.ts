import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type { imports as endpoints, Import, ImportKind } from '@portal/contracts/imports'
import { readHeadings } from '@portal/contracts/imports/headings'
import { type ChosenHeadings, plainHeading } from '@portal/contracts/imports/sheet'
import { sensitiveFields } from '@portal/contracts/registers/students.fields'
import { fill, type Locale, say, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { checkHeadings } from '../excel/read.ts'
import { audit } from '../kit/audit/audit.ts'
import { rows, type Tx, transaction } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { type KeptUpload, keepUpload, recordUpload, type StoredUpload } from '../kit/files/files.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { enqueue } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import { allow, importDomain, isAllowed, linkTo } from './import-domains.service.ts'
import type { TaskRow } from './import-kind.ts'

export type {
  CheckedRow,
  Fault,
  ImportDomain,
  LikelyPairs,
  OpenImport,
  Opening,
  RowToCheck,
  Stored,
  TaskRow,
} from './import-kind.ts'

import { clearStage, nothingWritten } from './import-stage.service.ts'
import { text } from './messages.ts'

/** Name of the job that runs imports. */
export const importJob = 'import'
/** Name of the job that imports records of modules. The release before knows neither them nor this queue. */
export const recordsImportJob = 'import-records'
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
  await queueImport(tx, kind, id)
  return id
}

/** Queues the job of an import. */
export const queueImport = (tx: Tx, kind: ImportKind, id: number) =>
  enqueue(tx, importDomain(kind).job ?? importJob, { id })

/**
 * Starts the import of a register. Container, sheet and headings are checked before the call answers; a job checks the
 * rows.
 */
export async function takeImport({ db, storage }: Context, actor: Actor, start: ImportStart) {
  const chosen = readHeadings(start.headings ?? '{}')
  const { sheet: sheetOf, auditDetails } = importDomain(start.kind)
  const sheet = await sheetOf(db, start.params ?? {}, null)
  const checked = await checkHeadings(start.file.path, { ...sheet, chosen })
  if ('problem' in checked) throw invalid({ [sheet.field]: checked.problem })
  const file = await keepUpload(storage, start.file)
  const id = await transaction(db, async (tx) => {
    const made = await startImport(tx, actor, { ...start, file })
    const { kind, review = false } = start
    await audit(tx, actor, 'uploaded', 'import', made, {
      old: null,
      new: { kind, ...auditDetails?.(start.params ?? {}), file: file.name, review, ...namedHeadings(chosen) },
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
export async function rememberedHeadings(
  context: Reading,
  actor: Actor,
  asked: QueryOf<typeof endpoints.headings>,
): Promise<ChosenHeadings> {
  await allow(context, actor, { kind: asked.kind, params: asked })
  const found = await rows(
    context.db,
    sql<{ headings: ChosenHeadings }>`
    select i.params->'headings' as headings from imports i left join partners p on p.user_id = i.user_id
    where ${ofKind(asked)} and i.params->'headings' <> '{}'
      and p.id is not distinct from (select id from partners where user_id = ${actor.id})
    order by i.id desc limit 20`,
  )
  const latest = found.reverse().flatMap(({ headings }) => Object.entries(headings))
  return Object.fromEntries(new Map(latest.map((entry) => [plainHeading(entry[0]), entry])).values())
}

type Reading = Pick<Context, 'db' | 'registry'>

/** SQL: imports of a kind, and of a collection where records of a module are meant. */
const ofKind = ({ kind, module, collection }: QueryOf<typeof endpoints.headings>) =>
  kind === 'module-records'
    ? sql`i.kind = ${kind} and i.params->>'module' = ${module} and i.params->>'collection' = ${collection}`
    : sql`i.kind = ${kind}`

const columns = sql`i.id, i.kind, i.state, i.file_name, i.rows_read, i.rows_new, i.rows_changed, i.rows_unchanged,
  i.rows_duplicate, i.rows_rejected, i.rows_new + i.rows_changed + i.rows_unchanged as rows_imported, i.problem, i.created_at, i.finished_at,
  coalesce(i.params->'headings', '{}') as headings,
  (select c.id from transfer_cohorts c where c.import_id = i.id) as cohort_id,
  (select jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) from users u where u.id = i.user_id) as "user"`

type Row = Omit<Import, 'problem' | 'errors'> & { problem: Text | null; params: TaskRow['params'] }

/** One import with its first hundred errors, in the reader's language. */
export async function readImport(
  context: Reading,
  actor: Actor,
  locale: Locale,
  id: number,
): Promise<Import> {
  const { db } = context
  const [found] = await rows(db, sql<Row>`select ${columns}, i.params from imports i where i.id = ${id}`)
  if (!found) throw notFound()
  await allow(context, actor, found)
  const { params: _, ...row } = found
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
  context: Reading,
  actor: Actor,
  locale: Locale,
  query: QueryOf<typeof endpoints.list>,
): Promise<Page<Import>> {
  await allow(context, actor, { kind: query.kind, params: query })
  const page = await paged<Omit<Row, 'params'>>(context.db, query, {
    columns,
    from: sql`imports i`,
    where: [ofKind(query)],
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

type WaitingImport = Pick<TaskRow, 'id' | 'kind' | 'params'> & { file_name: string; rows_rejected: number }

/** The actor's own lists that wait in review, of the kinds that they may import. */
export async function waitingImports(context: Reading, actor: Actor) {
  const found = await rows(
    context.db,
    sql<WaitingImport>`select i.id, i.kind, i.params, i.file_name, i.rows_rejected
      from imports i where i.user_id = ${actor.id} and i.state = 'review' order by i.id`,
  )
  const may = await Promise.all(found.map((each) => isAllowed(context, actor, each)))
  const waiting = found.filter((_, at) => may[at])
  const [oldest = null] = waiting
  return {
    count: waiting.length,
    rows_rejected: waiting.reduce((sum, each) => sum + each.rows_rejected, 0),
    oldest: oldest && { file_name: oldest.file_name, link: linkTo(oldest) },
  }
}

/** An import's parameters for this reader: sensitive columns only with their permission. */
export const seenBy = (actor: Actor, { params }: Pick<TaskRow, 'params'>) => ({
  ...params,
  sensitive: params.sensitive === true && actor.can('students.sensitive'),
})

type ImportFile = TaskRow & { state: string; file_key: string; file_name: string; dropped: boolean }

const hiddenColumns = (actor: Actor): readonly string[] =>
  actor.can('students.sensitive') ? [] : sensitiveFields

/** SQL: the columns that this person may not see, no matter who uploaded them (Imports 3.6). */
export const hiddenFrom = (actor: Actor) => sql`${[...hiddenColumns(actor)]}::text[]`

/** Whether this person may not see this column, and so neither look for rows by it nor correct it. */
export const isHidden = (actor: Actor, column: string) => hiddenColumns(actor).includes(column)

/** The row of the import, for calls that need its file or its staged rows. Checks the permission. */
export async function readTask(context: Reading, actor: Actor, id: number): Promise<ImportFile> {
  const [task] = await rows(
    context.db,
    sql<ImportFile>`
    select i.id, i.kind, i.params, i.user_id, i.review, i.fence, i.state, i.file_name, f.key as file_key,
      f.dropped_at is not null as dropped
    from imports i join files f on f.id = i.file_id where i.id = ${id}`,
  )
  if (!task) throw notFound()
  await allow(context, actor, task)
  return task
}

/** Cancels an import that has not committed its rows. Its errors stay. */
export function cancelImport(context: Reading, actor: Actor, id: number): Promise<void> {
  return transaction(context.db, async (tx) => {
    const { rows: found } = await sql<Pick<TaskRow, 'kind' | 'params'> & { state: string }>`
      select kind, params, state from imports where id = ${id} for update`.execute(tx)
    const task = found[0]
    if (!task) throw notFound()
    await allow(context, actor, task)
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
