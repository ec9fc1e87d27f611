import type { ImportKind } from '@portal/contracts/imports'
import { say, type Text } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import { WorkbookProblem } from '@portal/excel/limits'
import type { Context } from '../kit/context.ts'
import { type Db, transaction, type Tx } from '../kit/db.ts'
import { importDomain, type TaskRow } from './imports.service.ts'

/** One refused cell on its way into the database; `message` a sentence for `say`. */
export type RefusedCell = { row: number; column: string; value: string | null; message: string }

/** Runs an import; called again after a crash it starts over: nothing was written. */
export async function runImport(context: Context, id: number, signal: AbortSignal): Promise<void> {
  const { rows } = await context.db.execute<TaskRow>(sql`
    update imports set state = 'reading', fence = fence + 1, rows_read = 0, rows_new = 0, rows_rejected = 0, rows_duplicate = 0
    where id = ${id} and state in ('queued', 'reading', 'importing') returning id, kind, params, user_id`)
  const task = rows[0]
  if (!task) return clearEnded(context.db, id)
  try {
    await importDomain(task.kind).run(context, task, signal)
  } catch (error) {
    if (error instanceof ImportEnded) return clearEnded(context.db, id)
    // What the file itself is to blame for ends the import; what we are to blame for is tried again.
    if (!(error instanceof WorkbookProblem)) throw error
    await failImport(context.db, task, { en: say(error.problem, 'en'), fr: say(error.problem, 'fr') })
  }
}

/** An import cancelled while it was writing clears up here, after what it wrote was rolled back. */
function clearEnded(db: Db, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ kind: ImportKind }>(
      sql`select kind from imports where id = ${id} and state in ('cancelled', 'failed') for update`,
    )
    if (rows[0]) await importDomain(rows[0].kind).undo?.(tx, id)
  })
}

/** Ends an import with a sentence; what was made beside it goes, the import and its errors stay. */
export function failImport(db: Db, task: TaskRow, problem: Text): Promise<void> {
  return transaction(db, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update imports set state = 'failed', problem = ${JSON.stringify(problem)}::jsonb, finished_at = now()
      where id = ${task.id} and state in ('queued', 'reading', 'importing')`)
    if (rowCount) await importDomain(task.kind).undo?.(tx, task.id)
  })
}

/** Thrown where an import finds that it was cancelled, or that another worker has it. */
export class ImportEnded extends Error {}

/** Tells the page how far it is, at most a few times a second; throws once the import was cancelled. */
export function progressOf(db: Db, id: number) {
  let told = 0
  return async (
    counts: { rows_read: number; rows_rejected: number; rows_duplicate: number },
    now = false,
  ) => {
    if (!now && Date.now() - told < 250) return
    told = Date.now()
    const { rowCount } = await db.execute(sql`
      update imports set rows_read = ${counts.rows_read}, rows_rejected = ${counts.rows_rejected}, rows_duplicate = ${counts.rows_duplicate}
      where id = ${id} and state in ('reading', 'importing')`)
    if (!rowCount) throw new ImportEnded(`import ${id} has ended`)
  }
}

// A cell may hold a zero byte, which no text of PostgreSQL can.
const storable = (text: string) => text.replaceAll('\0', '\uFFFD')

/** Keeps what was refused, cell by cell. */
export async function writeRefused(tx: Tx, importId: number, cells: readonly RefusedCell[]): Promise<void> {
  for (let from = 0; from < cells.length; from += 5000) {
    const part = cells.slice(from, from + 5000)
    await tx.execute(sql`
      insert into import_errors (import_id, "row", "column", value, message)
      select ${importId}, * from unnest(${sql.param(part.map((cell) => cell.row))}::int[], ${sql.param(part.map((cell) => cell.column))}::text[],
        ${sql.param(part.map(({ value }) => value && storable(value)))}::text[], ${sql.param(part.map((cell) => storable(cell.message)))}::text[])`)
  }
}
