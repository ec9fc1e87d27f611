import type { Correction, Corrections, ImportKind } from '@portal/contracts/imports'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import type { Tx } from '../kit/database/db.ts'
import { invalid } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { importDomain } from './import-domains.service.ts'
import type { Opening, TaskRow } from './import-kind.ts'
import { marksOf, type ReviewRow, sortAgain, stagedRows } from './import-sort-again.service.ts'

const atMost = 5000

/** Makes the changes of a review, keeps who made them, and sorts the rows again with all rows of their keys. */
export async function correct(
  context: Omit<Opening, 'db'>,
  tx: Tx,
  actor: Actor,
  task: TaskRow,
  changes: Corrections,
) {
  const left = await leavingRows(tx, task.id, changes)
  const replaced = await replacedCells(tx, task.id, changes)
  const right = await confirmedRows(tx, task.id, changes)
  const byRow = Map.groupBy([...replaced, ...changes.corrections], ({ row }) => row)
  const numbers = [...new Set([...byRow.keys(), ...left.keys(), ...right.keys()])]
  if (numbers.length === 0) return
  const open = await importDomain(task.kind).open({ ...context, db: tx }, task)
  const found = await stagedRows(tx, task, numbers, [])
  const corrected = found.map((row) => {
    const cells = { ...row.cells }
    for (const { column, value } of byRow.get(row.row) ?? [])
      if (column in open.sheet.columns) cells[column] = value
    return {
      ...row,
      cells,
      left_out: left.get(row.row) ?? row.left_out,
      confirmed: confirmedOf(row, right.get(row.row)),
    }
  })
  await keepCorrections(tx, actor, task, changedCells(task.kind, found, corrected))
  await sortAgain(tx, open, task, corrected)
}

/** What is confirmed of a row once somebody has said whether it is right; undefined where nobody said anything. */
function confirmedOf({ doubt, confirmed }: ReviewRow, right: boolean | undefined): string | null {
  if (right === undefined) return confirmed
  return right ? (doubt ?? confirmed) : null
}

/** The rows that are left out or taken back. Keeping a row leaves out every other row of its key. */
async function leavingRows(
  tx: Tx,
  importId: number,
  { leave_out, take_back, keep }: Corrections,
): Promise<Map<number, boolean>> {
  const { rows: twins } = await sql<{ row: number }>`
    select twin."row" from import_rows kept
    join import_rows twin on twin.import_id = kept.import_id and twin.key = kept.key and twin."row" <> kept."row"
    where kept.import_id = ${importId} and kept."row" = any(${keep}::int[])`.execute(tx)
  const out = [...twins.map(({ row }) => row), ...leave_out]
  return new Map([
    ...out.map((row) => [row, true] as const),
    ...[...take_back, ...keep].map((row) => [row, false] as const),
  ])
}

/** The rows that somebody confirms, or confirms no longer. */
async function confirmedRows(
  tx: Tx,
  importId: number,
  { confirm, unconfirm, confirm_all }: Corrections,
): Promise<Map<number, boolean>> {
  const { rows: all } = await sql<{ row: number }>`
    select "row" from import_errors
    where import_id = ${importId} and split_part(message, '|', 1) = any(${confirm_all}::text[])
    order by "row" limit ${atMost + 1}`.execute(tx)
  if (all.length > atMost) throw invalid({ confirm_all: 'too_many_corrections' })
  return new Map([
    ...[...all.map(({ row }) => row), ...confirm].map((row) => [row, true] as const),
    ...unconfirm.map((row) => [row, false] as const),
  ])
}

/** The cells of rejected rows that a replacement changes. */
async function replacedCells(tx: Tx, importId: number, { replacements }: Corrections): Promise<Correction[]> {
  const cells: Correction[] = []
  for (const { column, old_value, value } of replacements) {
    const { rows: found } = await sql<{ row: number }>`
      select r."row" from import_rows r where r.import_id = ${importId} and r.kind = 'rejected' and exists (
        select from import_errors e where e.import_id = r.import_id and e."row" = r."row" and e."column" = ${column}
          and (e.value = ${old_value} or r.cells->>${column} = ${old_value}))
      order by r."row" limit ${atMost + 1}`.execute(tx)
    cells.push(...found.map(({ row }) => ({ row, column, value })))
    if (cells.length > atMost) throw invalid({ replacements: 'too_many_corrections' })
  }
  return cells
}

type ChangedCell = { row: number; column: string; old_value: string | null; new_value: string | null }

function changedCells(kind: ImportKind, before: ReviewRow[], after: ReviewRow[]): ChangedCell[] {
  const { leftOut, confirmedAs } = marksOf(kind)
  return after.flatMap(({ row, cells, left_out, confirmed }, n) => {
    const changed = Object.keys(cells).map((column) => ({
      row,
      column,
      old_value: before[n]?.cells[column] || null,
      new_value: cells[column] || null,
    }))
    const yes = (left: boolean | undefined) => (left ? 'yes' : null)
    const leaving = { row, column: leftOut, old_value: yes(before[n]?.left_out), new_value: yes(left_out) }
    const old_value = before[n]?.confirmed ?? null
    const confirming = { row, column: confirmedAs, old_value, new_value: confirmed }
    return [...changed, leaving, confirming].filter(({ old_value, new_value }) => old_value !== new_value)
  })
}

/**
 * Stores who changed which cell or left which row out, because correctors may not approve the cohort (Money 6.1). Audits
 * the old and new values.
 */
async function keepCorrections(tx: Tx, actor: Actor, task: TaskRow, cells: ChangedCell[]) {
  if (cells.length === 0) return
  const { confirmedAs } = marksOf(task.kind)
  const list = (key: keyof ChangedCell) => cells.map((cell) => cell[key])
  await sql`
    insert into import_corrections (import_id, "row", "column", old_value, new_value, user_id)
    select ${task.id}, c.*, ${actor.id} from unnest(${list('row')}::int[], ${list('column')}::text[],
      ${list('old_value')}::text[], ${list('new_value')}::text[]) c`.execute(tx)
  const side = (key: 'old_value' | 'new_value') => {
    const rows: Record<string, Record<string, string | null>> = {}
    for (const cell of cells) {
      const row = `row ${cell.row}`
      const value = cell.column === confirmedAs && cell[key] ? 'yes' : cell[key]
      rows[row] = { ...rows[row], [cell.column]: value }
    }
    return rows
  }
  await audit(tx, actor, 'corrected', 'import', task.id, { old: side('old_value'), new: side('new_value') })
}

/** The opposite of what was changed last in a review; undefined where nothing was. */
export async function lastChanges(
  tx: Tx,
  { id, kind }: Pick<TaskRow, 'id' | 'kind'>,
): Promise<Corrections | undefined> {
  const { leftOut, confirmedAs } = marksOf(kind)
  const { rows: cells } = await sql<ChangedCell>`
    select "row", "column", old_value, new_value from import_corrections
    where import_id = ${id} and created_at = (
      select created_at from import_corrections where import_id = ${id} order by id desc limit 1)
    order by id`.execute(tx)
  if (cells.length === 0) return undefined
  const values = cells.filter(({ column }) => column !== leftOut && column !== confirmedAs)
  const numbers = (of: string, set: boolean) =>
    cells
      .filter(({ column, new_value }) => column === of && (new_value !== null) === set)
      .map(({ row }) => row)
  return {
    corrections: values.map(({ row, column, old_value }) => ({ row, column, value: old_value })),
    replacements: [],
    take_back: numbers(leftOut, true),
    leave_out: numbers(leftOut, false),
    keep: [],
    unconfirm: numbers(confirmedAs, true),
    confirm: numbers(confirmedAs, false),
    confirm_all: [],
  }
}
