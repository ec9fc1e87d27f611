import {
  type Cell,
  cellText,
  type HeadingMatch,
  matchHeadings,
  type Sheet,
} from '@portal/contracts/imports/sheet'
import type { Locale } from '@portal/contracts/sentences'
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
  headings: string[]
  match: HeadingMatch<Key>
  wide: boolean
  below: boolean
}

/** The sheet that comes nearest to a list, and why it cannot be taken, if it cannot. */
export type NearestSheet<Key extends string = string> = {
  grid: Grid
  found: FoundSheet<Key>
  /** What stands in the row of headings, by column. */
  headings: string[]
  problem: WorkbookProblem | null
}

/** The first visible sheet whose headings match, else the one that comes nearest with the sentence about it. */
export async function nearestSheet<Key extends string>(
  grids: Grid[],
  sheet: Sheet<Key>,
): Promise<NearestSheet<Key>> {
  let best: Candidate<Key> | undefined
  for (const grid of grids) {
    const candidate = await bestHeadings(grid, sheet)
    if (!candidate) continue
    if (candidate.wide && score(candidate) > 0) throw new WorkbookProblem('workbook_columns', limits.columns)
    if (complete(candidate) && candidate.below) return { ...described(candidate), problem: null }
    if (!best || score(candidate) > score(best)) best = candidate
  }
  if (!best) throw new WorkbookProblem('workbook_no_cells')
  return { ...described(best), problem: problemOf(best.match, sheet) }
}

/** The first visible sheet whose headings match, or the sentence about the one that comes nearest. */
export async function findSheet<Key extends string>(
  grids: Grid[],
  sheet: Sheet<Key>,
): Promise<{ grid: Grid; found: FoundSheet<Key> }> {
  const { grid, found, problem } = await nearestSheet(grids, sheet)
  if (problem) throw problem
  return { grid, found }
}

function described<Key extends string>({ grid, row, headings, match }: Candidate<Key>) {
  const { columns, extra } = match
  return { grid, headings, found: { sheet_name: grid.name, heading_row: row, columns, extra } }
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
      const candidate = { grid, row, headings, match: matchHeadings(sheet, headings), wide, below: false }
      if (!best || nearer(candidate, best)) best = candidate
      else best.below = true
    }
  }
  return best ?? null
}

/** A sheet whose first cell stands far below: it has cells, but no headings. */
const noHeadings = <Key extends string>(grid: Grid, sheet: Sheet<Key>): Candidate<Key> => ({
  grid,
  row: 0,
  headings: [],
  match: matchHeadings(sheet, []),
  wide: false,
  below: true,
})

/** Where no row has a known heading, the one with most cells is taken for the headings, and not a title above them. */
function nearer<Key extends string>(one: Candidate<Key>, other: Candidate<Key>): boolean {
  const filled = ({ headings }: Candidate<Key>) => headings.filter(Boolean).length
  const [more, less] = [score(one), score(other)]
  return more > less || (more === 0 && less === 0 && filled(one) > filled(other))
}

const complete = <Key extends string>({ match }: Candidate<Key>) =>
  match.missing.length === 0 && match.doubled.length === 0
const score = <Key extends string>({ match }: Candidate<Key>) =>
  Object.keys(match.columns).length + match.doubled.length

function problemOf<Key extends string>(
  { columns, missing, doubled }: HeadingMatch<Key>,
  sheet: Sheet<Key>,
): WorkbookProblem {
  const labels = (keys: Key[], locale: Locale) =>
    keys.map((key) => sheet.columns[key].label[locale]).join(', ')
  const refusal = (key: 'headings_none' | 'headings_missing' | 'headings_doubled', keys: Key[]) =>
    new WorkbookProblem(key, labels(keys, 'en'), labels(keys, 'fr'))
  if (doubled.length > 0) return refusal('headings_doubled', doubled)
  if (missing.length === 0) return new WorkbookProblem('workbook_no_rows')
  return refusal(Object.keys(columns).length === 0 ? 'headings_none' : 'headings_missing', missing)
}
