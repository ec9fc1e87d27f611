import { cellText } from '@portal/contracts/imports/sheet'
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/database/db.ts'
import type { Counts } from './import-kind.ts'
import { type Change, type SortedRow, type TakenBack, textOf } from './import-sort.service.ts'

type Staged = { row: number; kind: SortedRow['category'] }

type Staging = {
  /** Rows with the same numbers are staged already and are replaced. */
  replace?: boolean
  /** Without a review nobody sees the cells of rows to write, so only the values are stored. */
  lean?: boolean
}

/** Stores checked rows in the staging tables until the import is written. */
export async function stageRows(
  tx: Tx,
  importId: number,
  rows: readonly SortedRow[],
  { replace = false, lean = false }: Staging = {},
) {
  if (replace) {
    const numbers = rows.map(({ row }) => row)
    for (const table of ['import_rows', 'import_errors', 'import_changes'])
      await sql`
        delete from ${sql.id(table)} where import_id = ${importId} and "row" = any(${numbers}::int[])
      `.execute(tx)
  }
  const staged = rows.map(({ row, category, key, subject_id, same_as, cells, values, rest }) => {
    const accepted = category === 'new' || category === 'changed'
    return {
      row,
      kind: category,
      key: key ?? null,
      subject_id,
      same_as,
      cells: accepted && lean ? {} : textsOf(cells),
      // Duplicate and rejected rows are never written, so they need no entry.
      entry: accepted ? { ...values, ...rest } : null,
    }
  })
  // One JSON parameter is cheaper than array parameters of JSON, here and in PostgreSQL.
  await sql`
    insert into import_rows (import_id, "row", kind, key, subject_id, same_as, cells, entry)
    select ${importId}, r.* from json_to_recordset(${storable(staged)}::json)
      as r ("row" int, kind text, key text, subject_id bigint, same_as int, cells jsonb, entry jsonb)
  `.execute(tx)
  await writeRefused(
    tx,
    importId,
    rows.flatMap(({ row, errors }) => errors.map((error) => ({ row, ...error }))),
  )
  await writeChanges(tx, importId, rows)
}

/** The most characters of a cell in Excel. Cells are staged whole, so that a review checks the row of the file. */
const longestCell = 32_767

const textsOf = (cells: SortedRow['cells']) =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) =>
      cellText(cell) === '' ? [] : [[name, textOf(cell, longestCell)]],
    ),
  )
/** Removes lone surrogates and NUL, which damaged files contain and PostgreSQL refuses. */
function storable(rows: object[]): string {
  const json = JSON.stringify(rows)
  // Hardly any file contains them, and visiting every value takes ten times as long as this search.
  if (!json.includes('\\u')) return json
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value,
  )
}

async function writeChanges(tx: Tx, importId: number, rows: readonly SortedRow[]) {
  const cells = rows.flatMap(({ row, subject_id, changes }) =>
    changes.map((change) => ({ row, subject_id, ...change })),
  )
  const list = (key: keyof (typeof cells)[number]) => cells.map((cell) => cell[key])
  if (cells.length === 0) return
  await sql`
    insert into import_changes (import_id, "row", subject_id, "column", old_value, new_value)
    select ${importId}, * from unnest(${list('row')}::int[], ${list('subject_id')}::bigint[], ${list('column')}::text[],
      ${list('old_value')}::text[], ${list('new_value')}::text[])`.execute(tx)
}

/** Stores the errors, one row per rejected cell. */
async function writeRefused(tx: Tx, importId: number, cells: readonly TakenBack[]): Promise<void> {
  if (cells.length === 0) return
  await sql`
    insert into import_errors (import_id, "row", "column", value, message)
    select ${importId}, * from unnest(${cells.map((cell) => cell.row)}::int[], ${cells.map((cell) => cell.column)}::text[],
      ${cells.map((cell) => kept(cell.value))}::text[], ${cells.map((cell) => kept(cell.message))}::text[])
  `.execute(tx)
}

/** Rejects rows that were staged as accepted, because a later row of the file has the same key. */
export async function takeBack(tx: Tx, importId: number, faults: readonly TakenBack[]) {
  if (faults.length === 0) return
  const numbers = faults.map(({ row }) => row)
  await sql`
    update import_rows set kind = 'rejected', cells = coalesce(nullif(cells, '{}'), entry), entry = null where import_id = ${importId} and "row" = any(${numbers}::int[])
  `.execute(tx)
  await sql`
    delete from import_changes where import_id = ${importId} and "row" = any(${numbers}::int[])`.execute(tx)
  await writeRefused(tx, importId, faults)
}

/** Removes NUL, which PostgreSQL refuses. */
const kept = (text: string | null | undefined) => text?.replaceAll('\u0000', '') ?? null

/** The number of staged rows in each category. */
export async function countCategories(db: Reader, importId: number): Promise<Counts> {
  const { rows } = await sql<{ kind: Staged['kind']; n: number }>`
    select kind, count(*)::int as n from import_rows where import_id = ${importId} group by kind`.execute(db)
  const counts: Counts = { read: 0, new: 0, changed: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const { kind, n } of rows) {
    counts[kind] = n
    counts.read += n
  }
  return counts
}

/** The assignments for an import whose rows are all staged. */
export const countsSet = (counts: Counts) => sql`rows_read = ${counts.read}, rows_new = ${counts.new},
  rows_changed = ${counts.changed}, rows_unchanged = ${counts.unchanged}, rows_duplicate = ${counts.duplicate},
  rows_rejected = ${counts.rejected}`

/** The assignments for an import that ends without writing: no row was added, changed or found unchanged. */
export const nothingWritten = sql`rows_new = 0, rows_changed = 0, rows_unchanged = 0`

/** Deletes staged rows. Without `all`, duplicate and rejected rows stay with their errors, for the file to correct. */
export async function clearStage(tx: Tx, importId: number, all: boolean) {
  await sql`delete from import_changes where import_id = ${importId}`.execute(tx)
  await sql`
    delete from import_rows where import_id = ${importId} and (${all} or kind in ('new', 'changed', 'unchanged'))
  `.execute(tx)
  if (all) await sql`delete from import_errors where import_id = ${importId}`.execute(tx)
}

/** The changes of a row as one text, to detect that they differ from the reviewed ones. */
export const changesText = (changes: readonly Change[]) =>
  JSON.stringify(
    [...changes]
      .sort((a, b) => (a.column < b.column ? -1 : 1))
      .map(({ column, old_value, new_value }) => [column, old_value, new_value]),
  )
