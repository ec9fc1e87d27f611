import { type Cell, cellText, type HeadingMatch, matchHeadings, type Sheet } from '@portal/contracts/sheet'
import type { Grid } from './grid.ts'
import { limits, WorkbookProblem } from './limits.ts'

/** Where a list stands in a workbook, and in which columns. */
export type FoundSheet<Key extends string = string> = {
  sheet_name: string
  heading_row: number
  columns: Partial<Record<Key, number>>
  /** Headings that are not of this list; their columns are left alone. */
  extra: string[]
}

type Candidate<Key extends string> = {
  grid: Grid
  row: number
  match: HeadingMatch<Key>
  wide: boolean
  below: boolean
}

/** The first visible sheet whose headings match, or the sentence about the one that comes nearest. */
export async function findSheet<Key extends string>(
  grids: Grid[],
  sheet: Sheet<Key>,
): Promise<{ grid: Grid; found: FoundSheet<Key> }> {
  let best: Candidate<Key> | undefined
  for (const grid of grids) {
    const candidate = await bestHeadings(grid, sheet)
    if (!candidate) continue
    if (candidate.wide && score(candidate) > 0) throw new WorkbookProblem('workbook_columns', limits.columns)
    if (candidate.match.missing.length === 0 && candidate.match.doubled.length === 0 && candidate.below) {
      const { columns, extra } = candidate.match
      return { grid, found: { sheet_name: grid.name, heading_row: candidate.row, columns, extra } }
    }
    if (!best || score(candidate) > score(best)) best = candidate
  }
  if (!best) throw new WorkbookProblem('workbook_no_cells')
  throw problemOf(best.match, sheet)
}

/** The row of the first ten that names most columns; null for a blank sheet. */
async function bestHeadings<Key extends string>(
  grid: Grid,
  sheet: Sheet<Key>,
): Promise<Candidate<Key> | null> {
  let best: Candidate<Key> | undefined
  for await (const rows of grid.rows()) {
    for (const { row, cells } of rows) {
      if (best && complete(best)) return { ...best, below: true }
      if (row > limits.headingRows) return best ? { ...best, below: true } : noHeadings(grid, sheet)
      const headings = Array.from(cells, (cell: Cell | undefined) => cellText(cell))
      const wide = cells.length > limits.columns
      const candidate = { grid, row, match: matchHeadings(sheet, headings), wide, below: false }
      if (!best || score(candidate) > score(best)) best = candidate
      else best.below = true
    }
  }
  return best ?? null
}

/** A sheet whose first cell stands far below: it has cells, but no headings. */
const noHeadings = <Key extends string>(grid: Grid, sheet: Sheet<Key>): Candidate<Key> => ({
  grid,
  row: 0,
  match: matchHeadings(sheet, []),
  wide: false,
  below: true,
})

const complete = ({ match }: Candidate<string>) => match.missing.length === 0 && match.doubled.length === 0
const score = ({ match }: Candidate<string>) => Object.keys(match.columns).length + match.doubled.length

function problemOf<Key extends string>(
  { columns, missing, doubled }: HeadingMatch<Key>,
  sheet: Sheet<Key>,
): WorkbookProblem {
  const labels = (keys: Key[], locale: 'en' | 'fr') =>
    keys.map((key) => sheet.columns[key].label[locale]).join(', ')
  const said = (key: 'headings_none' | 'headings_missing' | 'headings_doubled', keys: Key[]) =>
    new WorkbookProblem(key, labels(keys, 'en'), labels(keys, 'fr'))
  if (doubled.length > 0) return said('headings_doubled', doubled)
  if (missing.length === 0) return new WorkbookProblem('workbook_no_rows')
  return said(Object.keys(columns).length === 0 ? 'headings_none' : 'headings_missing', missing)
}
