import { open } from 'node:fs/promises'
import type { ChosenHeadings, SheetRow } from '@portal/contracts/sheet'
import { statementSheet } from '@portal/contracts/statement.sheet'
import type { StatementColumn, StatementFormat } from '@portal/contracts/statements'
import { findSheet } from '@portal/excel/find-sheet'
import { limits, WorkbookProblem } from '@portal/excel/limits'
import { rowsBelow } from '@portal/excel/rows-below'
import { openCsv } from '../excel/csv.ts'
import { type LookedAt, lookAt } from '../excel/look.ts'
import { lookAtWorkbook, readRows } from '../excel/read.ts'

export type StatementRows = AsyncIterable<SheetRow<StatementColumn>[]>

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
    if (/^\s*</.test(text) || text.startsWith('%PDF') || text.includes('\0'))
      throw new WorkbookProblem('statement_format')
    return 'csv'
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
  const sheet = sheetWith(chosen)
  return format === 'csv' ? lookAt([await openCsv(path)], sheet) : lookAtWorkbook(path, sheet)
}

/** Reads the rows of a file in batches, as a stream. */
export async function* readStatement(
  path: string,
  format: StatementFormat,
  chosen: ChosenHeadings | undefined,
  signal: AbortSignal,
): StatementRows {
  const sheet = sheetWith(chosen)
  if (format !== 'csv') {
    yield* readRows(path, sheet, { signal })
    return
  }
  const { grid, found } = await findSheet([await openCsv(path)], sheet)
  for await (const batch of rowsBelow(grid, found)) {
    signal.throwIfAborted()
    yield batch.map(({ row, cells }) => ({
      row,
      cells: Object.fromEntries(
        Object.entries(found.columns).map(([column, index]) => [column, cells[index] ?? null]),
      ),
    }))
  }
}
