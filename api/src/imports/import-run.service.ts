import type { ImportKind } from '@portal/contracts/imports'
import { say, type Text } from '@portal/contracts/sentences'
import { WorkbookProblem } from '@portal/excel/limits'
import { sql } from 'kysely'
import { readRows } from '../excel/read.ts'
import type { Context } from '../kit/context.ts'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import type { OpenImport, TaskRow } from './import-kind.ts'
import { RowSorter, type SortedRow, type TakenBack } from './import-sort.service.ts'
import {
  clearStage,
  countPiles,
  countsSet,
  nothingWritten,
  stageRows,
  takeBack,
} from './import-stage.service.ts'
import { tellEnd } from './import-told.service.ts'
import { ImportEnded, StaleReview, writeImport } from './import-write.service.ts'
import { importDomain } from './imports.service.ts'
import { text } from './messages.ts'

type Claimed = TaskRow & { state: 'reading' | 'importing'; file_key: string }

/**
 * Runs an import: reads its file into piles, stops there when a review was asked for, and writes. Called again after a
 * crash it reads again from the start; once the piles stand it only writes, in one transaction.
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
    if (task.state === 'reading' && !(await readFile(context, open, task, signal))) return
    signal.throwIfAborted()
    await writeImport(db, open, task)
  } catch (error) {
    if (error instanceof ImportEnded) return clearEnded(db, id)
    if (error instanceof StaleReview) return backToReview(db, task, error)
    // What the file itself is to blame for ends the import; what we are to blame for is tried again.
    if (error instanceof WorkbookProblem)
      return failImport(db, task, { en: say(error.problem, 'en'), fr: say(error.problem, 'fr') })
    if (last) await failImport(db, task, text.broken)
    throw error
  }
}

/** Rows kept by one transaction: fewer make more commits, more keep the loop waiting. */
const stagedAtOnce = 1000

/** Sorts the whole file into piles; true when they are to be written now. */
async function readFile(
  { db, storage }: Context,
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
  const told = { read: 0, rejected: 0, duplicate: 0 }
  let keeping: Promise<unknown> = Promise.resolve()
  // What is kept and what is sorted next are worked on at once; only one such transaction is ever under way.
  const flush = async () => {
    await keeping
    const [rows, faults] = [pending, takenBack]
    pending = []
    takenBack = []
    keeping = transaction(db, async (tx) => {
      // What a crash of the database takes of these rows is read again; whatever builds on them waits for the disk.
      await sql`set local synchronous_commit = off`.execute(tx)
      await stillOurs(
        tx,
        task,
        sql`rows_read = ${told.read}, rows_rejected = ${told.rejected}, rows_duplicate = ${told.duplicate}`,
      )
      await stageRows(tx, task.id, rows, { lean: !task.review })
      await takeBack(tx, task.id, faults)
    })
    // Its failure is met where it is awaited, which may be a while later.
    keeping.catch(() => {})
  }
  for await (const batch of readRows(await storage.path(task.file_key), open.sheet, { signal })) {
    const batched = await sorter.sort(db, batch)
    pending.push(...batched.sorted)
    takenBack.push(...batched.takenBack)
    told.read += batch.length
    told.rejected +=
      batched.sorted.filter(({ pile }) => pile === 'rejected').length + batched.takenBack.length
    told.duplicate += batched.sorted.filter(({ pile }) => pile === 'duplicate').length
    if (pending.length >= stagedAtOnce) await flush()
  }
  await flush()
  await keeping
  return transaction(db, async (tx) => {
    const counts = await countPiles(tx, task.id)
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

/** Sets what is known of an import that this worker reads; throws once it was cancelled or another worker has it. */
async function stillOurs(tx: Tx, task: TaskRow, set: ReturnType<typeof sql>) {
  const { numAffectedRows } = await sql`
    update imports set ${set} where id = ${task.id} and fence = ${task.fence} and state = 'reading'
  `.execute(tx)
  if (!numAffectedRows) throw new ImportEnded(`import ${task.id} has ended`)
}

/** Somebody else changed what was reviewed: the piles are made anew of what is stored now, and nothing was written. */
function backToReview(db: Db, task: TaskRow, { stale }: StaleReview): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql`
      select from imports where id = ${task.id} and fence = ${task.fence} and state = 'importing' for update
    `.execute(tx)
    if (rows.length === 0) return
    await stageRows(tx, task.id, stale, { replace: true })
    const counts = await countPiles(tx, task.id)
    await sql`
      update imports set ${countsSet(counts)}, state = 'review', problem = ${JSON.stringify(text.stale)}::jsonb where id = ${task.id}
    `.execute(tx)
  })
}

/** An import cancelled while it was writing clears up here, after what it wrote was rolled back. */
function clearEnded(db: Db, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ kind: ImportKind }>`
      select kind from imports where id = ${id} and state in ('cancelled', 'failed') for update`.execute(tx)
    if (!rows[0]) return
    await clearStage(tx, id, false)
    await importDomain(rows[0].kind).undo?.(tx, id)
  })
}

/** Ends an import with a sentence; what was made beside it goes, the import and its errors stay. */
function failImport(db: Db, task: TaskRow, problem: Text): Promise<void> {
  return transaction(db, (tx) => endImport(tx, task, problem))
}

async function endImport(tx: Tx, task: TaskRow, problem: Text) {
  const { numAffectedRows } = await sql`
    update imports set state = 'failed', ${nothingWritten}, problem = ${JSON.stringify(problem)}::jsonb, finished_at = now()
    where id = ${task.id} and state in ('queued', 'reading', 'importing')`.execute(tx)
  if (!numAffectedRows) return
  await clearStage(tx, task.id, false)
  await importDomain(task.kind).undo?.(tx, task.id)
  await tellEnd(tx, task, null)
}
