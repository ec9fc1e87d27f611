import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { sentence } from '@portal/contracts/imports/import-sentences'
import type { Cell } from '@portal/contracts/imports/sheet'
import { formulaCell } from '@portal/contracts/imports/unreadable'
import { excelDay, showsDay } from './dates.ts'
import type { Grid, GridRow, MergedCells } from './grid.ts'
import { damaged, WorkbookProblem } from './limits.ts'
import { textCell } from './sheet-rows.ts'

/**
 * The visible sheets of a legacy .xls. The library reads the whole file at once: call this only in a process of its
 * own with a limit of memory. At most 65,536 rows can come of it.
 */
export function openXls(bytes: Uint8Array): Grid[] {
  const book = parse(bytes)
  // For a stream that is no workbook the library returns one without sheets.
  if (book.SheetNames.length === 0) throw damaged()
  const since1904 = book.Workbook?.WBProps?.date1904 === true
  return book.SheetNames.flatMap((name, index) => {
    const sheet = book.Sheets[name]
    if (!sheet || (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0) return []
    const rows = sheet['!data'] ?? []
    return {
      name,
      mayHold: rows.length,
      rows: (only?: ReadonlySet<number>, merged?: (cells: MergedCells) => void) => {
        for (const { s: from, e: to } of sheet['!merges'] ?? [])
          merged?.({ top: from.r + 1, bottom: to.r + 1, left: from.c, right: to.c })
        return gridRows(sheet, since1904, only)
      },
    }
  })
}

function parse(bytes: Uint8Array) {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellFormula: true,
      cellHTML: false,
      cellText: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new WorkbookProblem('workbook_password')
    throw damaged()
  }
}

async function* gridRows(
  sheet: WorkSheet,
  since1904: boolean,
  only?: ReadonlySet<number>,
): AsyncGenerator<GridRow[]> {
  let batch: GridRow[] = []
  for (const [index, row] of (sheet['!data'] ?? []).entries()) {
    const cells: Cell[] = []
    for (const [column, object] of (row ?? []).entries()) {
      if (!object || (only && !only.has(column))) continue
      const cell = readCell(object, since1904)
      if (cell !== null) cells[column] = cell
    }
    const hidden = sheet['!rows']?.[index]?.hidden && ({ hidden: true } as const)
    if (cells.length > 0) batch.push({ row: index + 1, cells, ...hidden })
    if (batch.length === 500) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

function readCell(cell: CellObject, since1904: boolean): Cell {
  // The library returns 0 for string formulas of .xls files, so results of formulas are refused there.
  if (cell.f !== undefined || cell.F !== undefined) return formulaCell
  if (cell.t === 'e')
    return { text: String(cell.w ?? '#N/A'), problem: sentence('cell_error', cell.w ?? '#N/A') }
  if (cell.t === 'b') return cell.v ? 'TRUE' : 'FALSE'
  if (cell.t === 'n' && typeof cell.v === 'number') {
    const day = typeof cell.z === 'string' && showsDay(-1, cell.z) ? excelDay(cell.v, since1904) : null
    return day ?? cell.v
  }
  return cell.v === undefined || cell.v === null ? null : textCell(String(cell.v))
}
