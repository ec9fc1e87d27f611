import type { Cell } from '@portal/contracts/imports/sheet'

/**
 * A row as it stands in the sheet: its number there, its cells by column index; blank cells are left out. `hidden` rows are those that
 * a person has hidden, or a filter.
 */
export type GridRow = { row: number; cells: Cell[]; hidden?: true }

/** Cells that are merged into one: rows as in `GridRow`, columns by index, both ends included. Only the first has a value. */
export type MergedCells = { top: number; bottom: number; left: number; right: number }

/** A visible sheet of a workbook, whatever the format. */
export type Grid = {
  name: string
  /** More rows than this it cannot hold. */
  mayHold: number
  /**
   * Rows that are not blank, in batches, as they are read; only the named columns where any are named. `merged` is
   * called for each range of merged cells, at the latest when the rows end.
   */
  rows(only?: ReadonlySet<number>, merged?: (cells: MergedCells) => void): AsyncIterable<GridRow[]>
}
