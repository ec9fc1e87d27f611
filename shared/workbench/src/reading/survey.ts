import type { Country } from '@portal/contracts/fields'
import { type Cell, type Column, cellText, type Sheet } from '@portal/contracts/imports/sheet'
import { nearestSheet } from '@portal/excel/find-sheet'
import type { Grid, GridRow } from '@portal/excel/grid'
import { WorkbookProblem } from '@portal/excel/limits'
import { rowsBelow } from '@portal/excel/rows-below'
import { cellProblem } from './cell-problem.ts'

/** A row as it stands in the file; `problems` are sentences for `say`, by column. */
export type SurveyedRow = { row: number; cells: Record<string, string>; problems: Record<string, string> }

/** Cells of one column with one kind of fault: how many, and the first of them. */
export type Fault = {
  column: string
  problem: string
  count: number
  samples: { row: number; value: string }[]
}

/** What a file holds, as far as it can be told without the server. */
export type Survey = {
  sheet_name: string
  /** What stands above each column of the file, which of the list's columns it is, and its first values. */
  headings: { text: string; column: string | null; samples: string[] }[]
  /** A sentence for `say`: with it the file cannot be imported. */
  problem: string | null
  /** Rows below the headings; with a problem they are counted only. */
  rows: number
  /** Rows that are hidden in the file. They are read like all others. */
  hidden: number
  /** The first rows, good or not. */
  first: SurveyedRow[]
  /** Rows with a fault, and the first of them. */
  faulty: number
  firstFaulty: SurveyedRow[]
  faults: Fault[]
}

const shown = 8
const sampled = 5
const faultsKept = 200
const exampleRows = 3

/** Reads a workbook to its end and says what is in it; `tell` hears how many rows were read so far. */
export async function surveyWorkbook(
  grids: Grid[],
  sheet: Sheet,
  tell: (rows: number) => void,
  country?: Country,
): Promise<Survey> {
  const { grid, found, headings, problem } = await nearestSheet(grids, sheet)
  const keyAt = new Map(Object.entries(found.columns).map(([key, index]) => [index, key]))
  const samples = await firstValues(grid, found.heading_row)
  const survey: Survey = {
    sheet_name: found.sheet_name,
    headings: headings.flatMap((text, index) =>
      text ? [{ text, column: keyAt.get(index) ?? null, samples: samples(index) }] : [],
    ),
    problem: problem?.problem ?? null,
    rows: 0,
    hidden: 0,
    first: [],
    faulty: 0,
    firstFaulty: [],
    faults: [],
  }
  if (problem) {
    survey.rows = await countRows(grid, found.heading_row, tell)
    return survey
  }
  try {
    await surveyRows(rowsBelow(grid, found), survey, placesOf(sheet, found.columns), { sheet, tell, country })
  } catch (refusal) {
    if (!(refusal instanceof WorkbookProblem)) throw refusal
    // Its headings are shown beside the reason.
    survey.problem = refusal.problem
  }
  return survey
}

const placesOf = (sheet: Sheet, columns: Partial<Record<string, number>>): Place[] =>
  Object.entries<Column>(sheet.columns).map(([key, column]) => [key, column, columns[key]])

type Around = { sheet: Sheet; tell: (rows: number) => void; country: Country | undefined }

async function surveyRows(
  batches: AsyncIterable<GridRow[]>,
  survey: Survey,
  columns: Place[],
  { sheet, tell, country }: Around,
): Promise<void> {
  const faults = new Map<string, Fault>()
  for await (const batch of batches) {
    for (const { row, cells, hidden } of batch) {
      const read = surveyRow(sheet, row, cells, columns, country)
      survey.rows++
      if (hidden) survey.hidden++
      if (survey.first.length < shown) survey.first.push(read)
      const problems = Object.entries(read.problems)
      if (problems.length === 0) continue
      survey.faulty++
      if (survey.firstFaulty.length < shown) survey.firstFaulty.push(read)
      for (const [column, text] of problems) note(faults, column, text, read)
    }
    tell(survey.rows)
  }
  survey.faults = [...faults.values()].sort((a, b) => b.count - a.count)
}

/** The values of the first rows below the headings, by column, so that a person can tell what a column is. */
async function firstValues(grid: Grid, headingRow: number): Promise<(index: number) => string[]> {
  const rows: (readonly Cell[])[] = []
  for await (const batch of grid.rows()) {
    rows.push(...batch.filter(({ row }) => row > headingRow).map(({ cells }) => cells))
    if (rows.length >= exampleRows) break
  }
  return (index) =>
    rows
      .slice(0, exampleRows)
      .map((cells) => cellText(cells[index]))
      .filter(Boolean)
}

/** How many rows stand below the headings, whatever they hold. */
async function countRows(grid: Grid, headingRow: number, tell: (rows: number) => void): Promise<number> {
  let count = 0
  for await (const batch of grid.rows()) {
    count += batch.filter(({ row }) => row > headingRow).length
    tell(count)
  }
  return count
}

type Place = readonly [key: string, column: Column, index: number | undefined]

function surveyRow(
  sheet: Sheet,
  row: number,
  cells: readonly Cell[],
  columns: readonly Place[],
  country: Country | undefined,
): SurveyedRow {
  const read: SurveyedRow = { row, cells: {}, problems: {} }
  for (const [key, column, index] of columns) {
    const cell = (index === undefined ? null : cells[index]) ?? null
    const text = cellText(cell)
    if (text) read.cells[key] = text
    const problem = cellProblem(sheet, column, cell, country)
    if (problem) read.problems[key] = problem
  }
  return read
}

/** A sentence that fits several cells: what is each cell's own is left out. */
const general = (problem: string) =>
  problem
    .split('|')
    .map((part, at) => (at === 0 ? part : '…'))
    .join('|')

/** One reason is one fault, also where its sentence names each cell's own value. */
function note(faults: Map<string, Fault>, column: string, problem: string, { row, cells }: SurveyedRow) {
  const [reason = ''] = problem.split('|')
  const key = `${column} ${reason}`
  let fault = faults.get(key)
  if (!fault) {
    if (faults.size === faultsKept) return
    fault = { column, problem, count: 0, samples: [] }
    faults.set(key, fault)
  }
  fault.count++
  if (fault.problem !== problem) fault.problem = general(problem)
  if (fault.samples.length < sampled) fault.samples.push({ row, value: cells[column] ?? '' })
}
