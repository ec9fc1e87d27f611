import type { Cell } from '@portal/contracts/sheet'

/** A row as it stands in the sheet: its number there, its cells by column index; blank cells are left out. */
export type GridRow = { row: number; cells: Cell[] }

/** A visible sheet of a workbook, whatever the format. */
export type Grid = {
  name: string
  /** More rows than this it cannot hold. */
  mayHold: number
  /** Rows that are not blank, in batches, as they are read; only the named columns where any are named. */
  rows(only?: ReadonlySet<number>): AsyncIterable<GridRow[]>
}
