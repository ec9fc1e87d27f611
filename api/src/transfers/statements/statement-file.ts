import { open } from 'node:fs/promises'
import type { Country } from '@portal/contracts/fields'
import type { ChosenHeadings } from '@portal/contracts/imports/sheet'
import { statementSheet } from '@portal/contracts/transfers/statement.sheet'
import type { StatementFormat } from '@portal/contracts/transfers/statements'
import { findSheet } from '@portal/excel/find-sheet'
import { limits, WorkbookProblem } from '@portal/excel/limits'
import { rowsBelow } from '@portal/excel/rows-below'
import { openCsv } from '../../excel/csv.ts'
import { type LookedAt, lookAt } from '../../excel/look.ts'
import { lookAtWorkbook, readRows } from '../../excel/read.ts'
import { readCamt } from '../iso20022/camt.ts'
import { type Line, readLine } from '../iso20022/statement-line.ts'

/** What a file is, by its content. Throws a WorkbookProblem for what is no statement. */
export async function formatOf(path: string): Promise<StatementFormat> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw new WorkbookProblem('workbook_empty_file')
    if (size > limits.fileBytes) throw new WorkbookProblem('workbook_too_large')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    const head = buffer.subarray(0, bytesRead)
    if (head.subarray(0, 2).toString('latin1') === 'PK' || head[0] === 0xd0) return 'xlsx'
    const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
    const isPage = /^\s*<(?:!doctype\s+)?html/i.test(text)
    if (isPage || text.startsWith('%PDF') || text.includes('\0'))
      throw new WorkbookProblem('statement_format')
    return /^\s*</.test(text) ? 'camt' : 'csv'
  } finally {
    await file.close()
  }
}

const sheetWith = (chosen: ChosenHeadings | undefined) => ({ ...statementSheet, ...(chosen && { chosen }) })

/** The headings and first rows of a file, with the columns as they would be read. */
export async function lookAtStatement(
  path: string,
  format: StatementFormat,
  chosen: ChosenHeadings | undefined,
): Promise<LookedAt> {
  if (format === 'camt') {
    // A camt file has no columns to choose. Its beginning is read only to see whether it is one.
    for await (const _ of readCamt(path, 'ml', new AbortController().signal)) break
    return { headings: [], columns: {}, rows: [], problem: null }
  }
  const sheet = sheetWith(chosen)
  return format === 'csv' ? lookAt([await openCsv(path)], sheet) : lookAtWorkbook(path, sheet)
}

/** Reads the lines of a file in batches, as a stream. */
export async function* readStatement(
  path: string,
  format: StatementFormat,
  chosen: ChosenHeadings | undefined,
  country: Country,
  signal: AbortSignal,
): AsyncGenerator<Line[]> {
  const sheet = sheetWith(chosen)
  if (format === 'camt') yield* readCamt(path, country, signal)
  else if (format === 'csv') yield* csvLines(path, sheet, country, signal)
  else
    for await (const batch of readRows(path, sheet, { signal }))
      yield batch.map(({ row, cells }) => readLine(row, cells, country))
}

async function* csvLines(
  path: string,
  sheet: typeof statementSheet,
  country: Country,
  signal: AbortSignal,
): AsyncGenerator<Line[]> {
  const { grid, found } = await findSheet([await openCsv(path)], sheet)
  const columns = Object.entries(found.columns)
  for await (const batch of rowsBelow(grid, found)) {
    signal.throwIfAborted()
    yield batch.map(({ row, cells }) => {
      const named = Object.fromEntries(columns.map(([column, index]) => [column, cells[index] ?? null]))
      return readLine(row, named, country)
    })
  }
}
