import { cellText } from '@portal/contracts/sheet'
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { Counts } from './import-kind.ts'
import { type Change, type SortedRow, type TakenBack, textOf } from './import-sort.service.ts'

type Staged = { row: number; kind: SortedRow['pile'] }

type Staging = {
  /** Rows of the same numbers are there already, and go. */
  replace?: boolean
  /** Nobody looks at them before they are written: what an accepted row becomes is enough. */
  lean?: boolean
}

/** Keeps sorted rows until they are written. */
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
  const staged = rows.map(({ row, pile, key, subject_id, same_as, cells, values, more }) => {
    const accepted = pile === 'new' || pile === 'changed'
    return {
      row,
      kind: pile,
      key: key ?? null,
      subject_id,
      same_as,
      cells: (accepted || pile === 'unchanged') && lean ? {} : textsOf(cells),
      // Of a row that was duplicate or rejected its cells are enough.
      entry: accepted ? { ...values, ...more } : null,
    }
  })
  // One document is cheaper than arrays of documents, on both sides.
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

const textsOf = (cells: SortedRow['cells']) =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) => (cellText(cell) === '' ? [] : [[name, textOf(cell)]])),
  )
/** Half a character and the zero sign, as damaged files have them, are nothing that the database keeps. */
function storable(rows: object[]): string {
  const json = JSON.stringify(rows)
  // Looked for in the whole text first: hardly any file has them, and asking value by value takes ten times as long.
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

/** Keeps what was refused, cell by cell. */
async function writeRefused(tx: Tx, importId: number, cells: readonly TakenBack[]): Promise<void> {
  if (cells.length === 0) return
  await sql`
    insert into import_errors (import_id, "row", "column", value, message)
    select ${importId}, * from unnest(${cells.map((cell) => cell.row)}::int[], ${cells.map((cell) => cell.column)}::text[],
      ${cells.map((cell) => kept(cell.value))}::text[], ${cells.map((cell) => kept(cell.message))}::text[])
  `.execute(tx)
}

/** Rows staged before that a later one threw out. */
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

/** Text without the one sign that the database does not take. */
const kept = (text: string | null | undefined) => text?.replaceAll('\u0000', '') ?? null

/** How many rows stand in each pile. */
export async function countPiles(db: Reader, importId: number): Promise<Counts> {
  const { rows } = await sql<{ kind: Staged['kind']; n: number }>`
    select kind, count(*)::int as n from import_rows where import_id = ${importId} group by kind`.execute(db)
  const counts: Counts = { read: 0, new: 0, changed: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  for (const { kind, n } of rows) {
    counts[kind] = n
    counts.read += n
  }
  return counts
}

/** What of an import is to be set when its piles are known. */
export const countsSet = (counts: Counts) => sql`rows_read = ${counts.read}, rows_new = ${counts.new},
  rows_changed = ${counts.changed}, rows_unchanged = ${counts.unchanged}, rows_duplicate = ${counts.duplicate},
  rows_rejected = ${counts.rejected}`

/** What of an import is to be set when it ends without having written anything, however far it had counted. */
export const nothingWritten = sql`rows_new = 0, rows_changed = 0, rows_unchanged = 0`

/** Forgets what was staged; `all` also what was refused. */
export async function clearStage(tx: Tx, importId: number, all: boolean) {
  await sql`delete from import_changes where import_id = ${importId}`.execute(tx)
  await sql`
    delete from import_rows where import_id = ${importId} and (${all} or kind in ('new', 'changed', 'unchanged'))
  `.execute(tx)
  if (all) await sql`delete from import_errors where import_id = ${importId}`.execute(tx)
}

/** The changes of rows as one text each, to see whether they are still those that were reviewed. */
export const changesText = (changes: readonly Change[]) =>
  JSON.stringify(
    [...changes]
      .sort((a, b) => (a.column < b.column ? -1 : 1))
      .map(({ column, old_value, new_value }) => [column, old_value, new_value]),
  )
