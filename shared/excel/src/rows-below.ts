import type { FoundSheet } from './find-sheet.ts'
import type { Grid, GridRow } from './grid.ts'
import { limits, WorkbookProblem } from './limits.ts'

/** The rows below the headings in batches, only the columns of the list, and no more of them than are allowed. */
export async function* rowsBelow(grid: Grid, found: FoundSheet): AsyncGenerator<GridRow[]> {
  const columns = new Set(Object.values(found.columns).filter((index) => index !== undefined))
  let count = 0
  for await (const rows of grid.rows(columns)) {
    const below = rows.filter(({ row }) => row > found.heading_row)
    count += below.length
    if (count > limits.rows) throw new WorkbookProblem('workbook_rows', limits.rows)
    yield below
  }
}
