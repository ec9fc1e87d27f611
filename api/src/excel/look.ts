import { cellText, type Sheet } from '@portal/contracts/imports/sheet'
import { type FoundSheet, nearestSheet } from '@portal/excel/find-sheet'
import type { Grid } from '@portal/excel/grid'

/** Headings and first rows of the sheet that comes nearest to a list. */
export type LookedAt = {
  headings: string[]
  columns: FoundSheet['columns']
  rows: string[][]
  /** Why its rows cannot be read as they are. */
  problem: string | null
}

const rowsLookedAt = 3

/** Reads the headings of the nearest sheet and its first rows, also if columns are missing. */
export async function lookAt(grids: Grid[], sheet: Sheet): Promise<LookedAt> {
  const { grid, found, headings, problem } = await nearestSheet(grids, sheet)
  const rows: string[][] = []
  for await (const batch of grid.rows()) {
    for (const { row, cells } of batch)
      if (row > found.heading_row && rows.length < rowsLookedAt)
        rows.push(Array.from(headings, (_, index) => cellText(cells[index])))
    if (rows.length === rowsLookedAt) break
  }
  return { headings, columns: found.columns, rows, problem: problem?.problem ?? null }
}
