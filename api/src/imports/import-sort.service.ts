import { isDoubt } from '@portal/contracts/imports'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { readCell } from '@portal/contracts/imports/read-cell'
import { type Cell, type Column, cellText, type Sheet, type SheetRow } from '@portal/contracts/imports/sheet'
import { KeyedRows } from '../excel/rows.ts'
import type { Reader } from '../kit/database/db.ts'
import type { CheckedRow, Fault, OpenImport, Stored } from './import-kind.ts'

/** A cell that differs from the stored value. */
export type Change = { column: string; old_value: string | null; new_value: string | null }
/** A row with its category. */
export type SortedRow = CheckedRow & {
  category: 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected'
  subject_id: number | null
  changes: Change[]
  same_as: number | null
}
/** An earlier row that is rejected because a later row has the same key. */
export type TakenBack = Fault & { row: number }

/** A row of the file, with the doubt about it that somebody has confirmed. */
type ConfirmedRow = SheetRow & { confirmed?: string | null }

/** Reads the cells of a row by column. Its kind of import finds the key and the references. */
export function readRow(sheet: Sheet, { row, cells }: SheetRow, keyColumn: string): CheckedRow {
  const values: CheckedRow['values'] = {}
  const errors: Fault[] = []
  for (const [name, column] of Object.entries<Column>(sheet.columns)) {
    const cell = cells[name]
    const read = readCell(column, cell)
    values[name] = 'value' in read ? read.value : null
    if ('problem' in read) errors.push({ column: name, value: textOf(cell), message: read.problem })
    else if (column.key && read.value === null)
      errors.push({ column: name, value: null, message: 'required' })
  }
  return { row, cells, key: undefined, keyColumn, values, rest: {}, errors }
}

/**
 * The text of a cell for storage: null if it is blank, without characters that the database refuses. For a report its
 * beginning is enough.
 */
export const textOf = (cell: Cell | undefined, longest = 2000): string | null =>
  cellText(cell).replaceAll('\u0000', '').slice(0, longest).toWellFormed() || null

/** Assigns the rows of a file to categories, batch by batch. It keeps one key per row in memory. */
export class RowSorter {
  readonly #open: OpenImport
  readonly #keys = new KeyedRows()

  constructor(open: OpenImport) {
    this.#open = open
  }

  /** Sorts a batch. Also returns rows of earlier batches that conflict with it. */
  async sort(db: Reader, rows: ConfirmedRow[]): Promise<{ sorted: SortedRow[]; takenBack: TakenBack[] }> {
    const checked = await this.#open.check(db, rows)
    const confirmed = new Map(rows.map((row) => [row.row, row.confirmed]))
    for (const row of checked) if (confirmed.get(row.row)) row.rest.confirmed = confirmed.get(row.row)
    const keys = checked.flatMap(({ key }) => key ?? [])
    const stored =
      (keys.length > 0 && (await this.#open.stored?.(db, keys, false))) || new Map<string, Stored>()
    const sorted = checked.map((row) => compare(this.#open, row, stored.get(row.key ?? '')))
    const byRow = new Map(sorted.map((row) => [row.row, row]))
    const takenBack: TakenBack[] = []
    for (const row of sorted) {
      const fault = this.#againstTwins(row)
      if (!fault) continue
      const earlier = byRow.get(fault.row)
      if (earlier) reject(earlier, fault)
      else takenBack.push(fault)
    }
    return { sorted, takenBack }
  }

  /** Compares a row with earlier rows of the same key. Returns the error of an earlier row that it rejects. */
  #againstTwins(row: SortedRow): TakenBack | undefined {
    if (row.key === undefined) return undefined
    // Invalid rows still count as duplicate keys, because nobody can know which of the rows is right.
    const wrong = row.errors.some(({ message }) => !isDoubt(message))
    const verdict = this.#keys.add(
      row.key,
      row.row,
      wrong ? ['refused', ...Object.values(row.cells).map(cellText)] : Object.values(row.values),
    )
    if (verdict.kind === 'first') return undefined
    if (verdict.kind === 'duplicate') {
      Object.assign(row, { category: 'duplicate', same_as: verdict.row, changes: [], errors: [] })
      return undefined
    }
    const label = this.#open.sheet.columns[row.keyColumn]?.label ?? { en: row.keyColumn, fr: row.keyColumn }
    const clash = (other: number): Fault => ({
      column: row.keyColumn,
      value: row.values[row.keyColumn] ?? row.key ?? null,
      message: sentence('row_conflict', other, label.en, label.fr),
    })
    reject(row, clash(verdict.row))
    return verdict.takeBack ? { row: verdict.row, ...clash(row.row) } : undefined
  }
}

function reject(row: SortedRow, { column, value, message }: Fault) {
  row.errors.push({ column, value, message })
  Object.assign(row, { category: 'rejected', changes: [] })
}

/** A row that somebody left out in the review. It counts for no key. */
export const leftOutRow = (row: CheckedRow): SortedRow => ({
  ...row,
  errors: [{ column: '', value: null, message: sentence('left_out') }],
  category: 'rejected',
  subject_id: null,
  changes: [],
  same_as: null,
})

/** Compares a row with the stored one. It is rejected, new, changed in some cells, or unchanged. */
export function compare(open: OpenImport, row: CheckedRow, stored: Stored | undefined): SortedRow {
  const errors = [...row.errors]
  if (!stored) {
    for (const [name, column] of Object.entries<Column>(open.sheet.columns))
      if (column.required && row.values[name] === null && !errors.some((error) => error.column === name))
        errors.push({ column: name, value: null, message: 'required' })
  }
  // A row that is wrong anyway is asked about once it is put right.
  const doubt = errors.length === 0 && open.doubt?.(row.values, stored)
  // What was confirmed holds for the values that its sentence names. Nobody confirms a fault that is none of the doubts.
  if (doubt && !(isDoubt(doubt.message) && doubt.message === row.rest.confirmed)) errors.push(doubt)
  const subject_id = stored?.id ?? null
  const base = { ...row, errors, subject_id, same_as: null }
  if (errors.length > 0) return { ...base, category: 'rejected', changes: [] }
  if (!stored) return { ...base, category: 'new', changes: [] }
  const changes = difference(open.settle?.(row.values, stored) ?? row.values, stored.values)
  return { ...base, category: changes.length > 0 ? 'changed' : 'unchanged', changes }
}

function difference(values: CheckedRow['values'], stored: Stored['values']): Change[] {
  return Object.entries(values).flatMap(([column, value]) => {
    const old_value = stored[column] ?? null
    // A blank cell keeps what is stored (Imports 2.2).
    if (value === null || (value || null) === old_value) return []
    return { column, old_value, new_value: value || null }
  })
}
