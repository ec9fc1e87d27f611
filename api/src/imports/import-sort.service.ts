import { sentence } from '@portal/contracts/import-sentences'
import { readCell } from '@portal/contracts/read-cell'
import { type Cell, type Column, cellText, type Sheet, type SheetRow } from '@portal/contracts/sheet'
import { KeyedRows } from '../excel/rows.ts'
import type { Reader } from '../kit/db.ts'
import type { CheckedRow, Fault, OpenImport, Stored } from './import-kind.ts'

/** A cell that is not what is stored. */
export type Change = { column: string; old_value: string | null; new_value: string | null }
/** A row in its pile. */
export type SortedRow = CheckedRow & {
  pile: 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected'
  subject_id: number | null
  changes: Change[]
  same_as: number | null
}
/** An earlier row that a later one of the same key throws out. */
export type TakenBack = Fault & { row: number }

/** Reads a row's cells by their columns; `key` and what it refers to are its kind's to find. */
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
  return { row, cells, key: undefined, keyColumn, values, more: {}, errors }
}

/** What a cell shows, as it is kept: null for a blank one, without what the database cannot hold. */
export const textOf = (cell: Cell | undefined): string | null =>
  cellText(cell).replaceAll('\u0000', '').slice(0, 2000).toWellFormed() || null

/** Sorts the rows of one file into piles, batch by batch: holds one key per row. */
export class RowSorter {
  readonly #open: OpenImport
  readonly #keys = new KeyedRows()

  constructor(open: OpenImport) {
    this.#open = open
  }

  /** The batch sorted, and the rows of earlier batches that turn out to be in conflict with it. */
  async sort(db: Reader, rows: SheetRow[]): Promise<{ sorted: SortedRow[]; takenBack: TakenBack[] }> {
    const checked = await this.#open.check(db, rows)
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

  /** Holds a row against the earlier ones of its key; answers the fault of the one it throws out. */
  #againstTwins(row: SortedRow): TakenBack | undefined {
    if (row.key === undefined) return undefined
    // A row that is wrong by itself still stands against another one of its key: neither may be guessed right.
    const wrong = row.errors.length > 0
    const verdict = this.#keys.add(
      row.key,
      row.row,
      wrong ? ['refused', ...Object.values(row.cells).map(cellText)] : Object.values(row.values),
    )
    if (verdict.kind === 'first') return undefined
    if (verdict.kind === 'duplicate') {
      Object.assign(row, { pile: 'duplicate', same_as: verdict.row, changes: [], errors: [] })
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
  Object.assign(row, { pile: 'rejected', changes: [] })
}

/** Puts one row beside what is stored: rejected, new, changed cell by cell, or unchanged. */
export function compare(open: OpenImport, row: CheckedRow, stored: Stored | undefined): SortedRow {
  const errors = [...row.errors]
  if (!stored) {
    for (const [name, column] of Object.entries<Column>(open.sheet.columns))
      if (column.required && row.values[name] === null && !errors.some((error) => error.column === name))
        errors.push({ column: name, value: null, message: 'required' })
  }
  const subject_id = stored?.id ?? null
  const base = { ...row, errors, subject_id, same_as: null }
  if (errors.length > 0) return { ...base, pile: 'rejected', changes: [] }
  if (!stored) return { ...base, pile: 'new', changes: [] }
  const changes = difference(open.settle?.(row.values, stored) ?? row.values, stored.values)
  return { ...base, pile: changes.length > 0 ? 'changed' : 'unchanged', changes }
}

function difference(values: CheckedRow['values'], stored: Stored['values']): Change[] {
  return Object.entries(values).flatMap(([column, value]) => {
    const old_value = stored[column] ?? null
    // A blank cell keeps what is stored (Imports 2.2).
    if (value === null || (value || null) === old_value) return []
    return { column, old_value, new_value: value || null }
  })
}
