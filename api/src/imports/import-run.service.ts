import type { ImportKind } from '@portal/contracts/imports'
import type { ChosenHeadings } from '@portal/contracts/imports/sheet'
import { say, type Text } from '@portal/contracts/sentences'
import { WorkbookProblem } from '@portal/excel/limits'
import { sql } from 'kysely'
import { readRows } from '../excel/read.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { isConflict, isLost } from '../kit/http/refusals.ts'
import { isUnderWay } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import { importDomain } from './import-domains.service.ts'
import type { OpenImport, TaskRow } from './import-kind.ts'
import { notifyOfEnd } from './import-notice.service.ts'
import { RowSorter, type SortedRow, type TakenBack } from './import-sort.service.ts'
import { sortShownRight } from './import-sort-again.service.ts'
import {
  clearStage,
  countCategories,
  countsSet,
  nothingWritten,
  stageRows,
  takeBack,
} from './import-stage.service.ts'
import { ImportEnded, StaleReview, writeImport, writingLock } from './import-write.service.ts'
import { importJob, recordsImportJob } from './imports.service.ts'
import { text } from './messages.ts'

type Claimed = TaskRow & { state: 'reading' | 'importing'; file_key: string }

/**
 * Runs an import: stages the rows of its file by category, stops if a review was requested, and otherwise writes them.
 * After a crash the job runs again. It starts over unless all rows were staged; then it only writes, in one
 * transaction.
 */
export async function runImport(
  context: Context,
  id: number,
  signal: AbortSignal,
  last: boolean,
): Promise<void> {
  const { db } = context
  const { rows } = await sql<Claimed>`
    update imports i set state = case state when 'importing' then 'importing' else 'reading' end, fence = fence + 1
    from files f
    where i.id = ${id} and f.id = i.file_id and state in ('queued', 'reading', 'importing')
    returning i.id, i.kind, i.params, i.user_id, i.review, i.fence, i.state, f.key as file_key`.execute(db)
  const task = rows[0]
  if (!task) return clearEnded(db, id)
  try {
    const open = await importDomain(task.kind).open(context, task)
    const read = (path: string) => readFile(db, path, open, task, signal)
    if (task.state === 'reading' && !(await context.storage.withFile(task.file_key, read))) return
    signal.throwIfAborted()
    await writeImport(db, open, task)
  } catch (error) {
    if (error instanceof ImportEnded) return clearEnded(db, id)
    if (error instanceof StaleReview) return backToReview(db, task, error)
    // A fault of the file ends the import, and so does its loss. Other errors are retried by the job queue.
    if (error instanceof WorkbookProblem)
      return failImport(db, task, { en: say(error.problem, 'en'), fr: say(error.problem, 'fr') })
    // A rule of its kind that was broken meanwhile.
    if (isLost(error) || isConflict(error)) return failImport(db, task, error.text)
    if (last) await failImport(db, task, text.broken)
    throw error
  }
}

/** Rows staged per transaction: with fewer there are more commits, with more the reading loop waits. */
const stagedAtOnce = 1000

/** Stages the whole file by category. Returns true if the rows are to be written without a review. */
async function readFile(
  db: Db,
  path: string,
  open: OpenImport,
  task: Claimed,
  signal: AbortSignal,
): Promise<boolean> {
  const sorter = new RowSorter(open)
  await transaction(db, async (tx) => {
    await stillOurs(
      tx,
      task,
      sql`rows_read = 0, rows_new = 0, rows_changed = 0, rows_unchanged = 0, rows_duplicate = 0, rows_rejected = 0, problem = null`,
    )
    await clearStage(tx, task.id, true)
  })
  let pending: SortedRow[] = []
  let takenBack: TakenBack[] = []
  const counted = { read: 0, rejected: 0, duplicate: 0 }
  let keeping: Promise<unknown> = Promise.resolve()
  // One batch is staged while the next one is checked. At most one staging transaction is open at a time.
  const flush = async () => {
    await keeping
    const [rows, faults] = [pending, takenBack]
    pending = []
    takenBack = []
    keeping = transaction(db, async (tx) => {
      // Staged rows that are lost in a crash of the database are read again, so commits need not wait for the disk. The
      // commit that ends the reading does wait, and flushes all earlier ones.
      await sql`set local synchronous_commit = off`.execute(tx)
      await stillOurs(
        tx,
        task,
        sql`rows_read = ${counted.read}, rows_rejected = ${counted.rejected}, rows_duplicate = ${counted.duplicate}`,
      )
      await stageRows(tx, task.id, rows, { lean: !task.review })
      await takeBack(tx, task.id, faults)
    })
    // The next `await keeping` throws the error; this handler only prevents an unhandled rejection until then.
    keeping.catch(() => {})
  }
  const sheet = { ...open.sheet, chosen: task.params.headings as ChosenHeadings | undefined }
  for await (const batch of readRows(path, sheet, { signal })) {
    const batched = await sorter.sort(db, batch)
    pending.push(...batched.sorted)
    takenBack.push(...batched.takenBack)
    counted.read += batch.length
    counted.rejected +=
      batched.sorted.filter(({ category }) => category === 'rejected').length + batched.takenBack.length
    counted.duplicate += batched.sorted.filter(({ category }) => category === 'duplicate').length
    if (pending.length >= stagedAtOnce) await flush()
  }
  await flush()
  await keeping
  return transaction(db, async (tx) => {
    await sortShownRight(tx, open, task)
    const counts = await countCategories(tx, task.id)
    const none = counts.new + counts.changed + counts.unchanged === 0
    if (none && (!task.review || counts.read === 0)) {
      await stillOurs(tx, task, countsSet({ ...counts, new: 0, changed: 0, unchanged: 0 }))
      await endImport(tx, task, counts.read === 0 ? text.fileEmpty : (open.nothing ?? text.noRowAccepted))
      return false
    }
    await stillOurs(tx, task, sql`${countsSet(counts)}, state = ${task.review ? 'review' : 'importing'}`)
    return !task.review
  })
}

/** Updates the import under its fencing token. Throws if it was cancelled or if another worker has taken it over. */
async function stillOurs(tx: Tx, task: TaskRow, set: ReturnType<typeof sql>) {
  const { numAffectedRows } = await sql`
    update imports set ${set} where id = ${task.id} and fence = ${task.fence} and state = 'reading'
  `.execute(tx)
  if (!numAffectedRows) throw new ImportEnded(`import ${task.id} has ended`)
}

/**
 * Sends an import back to review, because rows would now be written otherwise than was shown. They are staged again;
 * nothing was written to the register.
 */
function backToReview(db: Db, task: TaskRow, { stale, text }: StaleReview): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql`
      select from imports where id = ${task.id} and fence = ${task.fence} and state = 'importing' for update
    `.execute(tx)
    if (rows.length === 0) return
    await stageRows(tx, task.id, stale, { replace: true })
    const counts = await countCategories(tx, task.id)
    await sql`
      update imports set ${countsSet(counts)}, state = 'review', problem = ${JSON.stringify(text)}::jsonb where id = ${task.id}
    `.execute(tx)
  })
}

/** Cleans up an import that was cancelled while it was being written, after its transaction was rolled back. */
function clearEnded(db: Db, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ kind: ImportKind }>`
      select kind from imports where id = ${id} and state in ('cancelled', 'failed') for update`.execute(tx)
    if (!rows[0]) return
    await clearStage(tx, id, false)
    await importDomain(rows[0].kind).undo?.(tx, id)
  })
}

/**
 * Ends an import with the reason. The import and its errors stay; rows of other tables that belong to it are removed.
 */
function failImport(db: Db, task: TaskRow, problem: Text): Promise<void> {
  return transaction(db, (tx) => endImport(tx, task, problem))
}

async function endImport(tx: Tx, task: TaskRow, problem: Text) {
  const { numAffectedRows } = await sql`
    update imports set state = 'failed', ${nothingWritten}, problem = ${JSON.stringify(problem)}::jsonb, finished_at = now()
    where id = ${task.id} and fence = ${task.fence} and state in ('queued', 'reading', 'importing')`.execute(
    tx,
  )
  // It was cancelled, or another worker has taken it over.
  if (!numAffectedRows) return
  await clearStage(tx, task.id, false)
  await importDomain(task.kind).undo?.(tx, task.id)
  await notifyOfEnd(tx, task, null)
}

/** Ends the imports whose worker was killed on the last try, because nobody runs them again. */
export async function endLostImports(db: Db): Promise<void> {
  const { rows } = await sql<Pick<TaskRow, 'id' | 'kind'>>`
    select id, kind from imports i where ${isLostNow}`.execute(db)
  const faults: unknown[] = []
  // One that cannot be ended keeps none behind it.
  for (const { id, kind } of rows) await endIfLost(db, id, kind).catch((fault) => faults.push(fault))
  if (faults.length > 0) throw faults[0]
}

function endIfLost(db: Db, id: number, kind: ImportKind): Promise<void> {
  return transaction(db, async (tx) => {
    // A worker that is only slow may still write. It holds the rows that are removed here, and waits for this one.
    const { rows: lock } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${writingLock(kind)}) as free`.execute(tx)
    if (!lock[0]?.free) return
    const { rows: lost } = await sql<TaskRow>`
      update imports set fence = fence + 1
      where id in (select i.id from imports i where i.id = ${id} and ${isLostNow} for update skip locked)
      returning id, kind, params, user_id, review, fence`.execute(tx)
    if (lost[0]) await endImport(tx, lost[0], text.broken)
  })
}

/** SQL: an import `i` is in work, and no job of it is left. */
const isLostNow = sql`i.state in ('queued', 'reading', 'importing')
  and not ${isUnderWay([importJob, recordsImportJob], sql`i.id`)}`
