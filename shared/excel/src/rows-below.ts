import type { FoundSheet } from './find-sheet.ts'
import type { Grid, GridRow, MergedCells } from './grid.ts'
import { limits, WorkbookProblem } from './limits.ts'

/**
 * The rows below the headings in batches, only the columns of the list, and no more of them than are allowed. Ends with a
 * WorkbookProblem where cells of several of these rows are merged: all but the first would be read as blank.
 */
export async function* rowsBelow(grid: Grid, found: FoundSheet): AsyncGenerator<GridRow[]> {
  const columns = new Set(Object.values(found.columns).filter((index) => index !== undefined))
  const merged: MergedCells[] = []
  const keep = (cells: MergedCells) => {
    const { bottom, left, right } = cells
    const ofList = [...columns].some((index) => index >= left && index <= right)
    if (ofList && bottom > found.heading_row) merged.push(cells)
  }
  const read = new Set<number>()
  let count = 0
  for await (const rows of grid.rows(columns, keep)) {
    const below = rows.filter(({ row }) => row > found.heading_row)
    count += below.length
    for (const { row } of below) read.add(row)
    if (count > limits.rows) throw new WorkbookProblem('workbook_rows', limits.rows)
    yield below
  }
  const lost = merged.find(({ top, bottom }) => hasRow(read, top + 1, bottom))
  if (lost) throw new WorkbookProblem('workbook_merged', rangeOf(lost))
}

function hasRow(rows: ReadonlySet<number>, from: number, to: number): boolean {
  for (let row = from; row <= to; row++) if (rows.has(row)) return true
  return false
}

/** `C4:C7`, as spreadsheets show it. */
const rangeOf = ({ top, bottom, left, right }: MergedCells) =>
  `${columnName(left)}${top}:${columnName(right)}${bottom}`

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}
