import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import exceljs from 'exceljs'
import { columnName, type OutCell, type OutKind, plainText, tabName, writtenCell } from './workbook-xml.ts'

declare module 'exceljs' {
  interface Worksheet {
    /** Rules by cell or range. The types of exceljs 4.4.0 declare them for single cells only. */
    dataValidations: { add(range: string, rule: DataValidation): void }
  }
}

/** A column of a document. `width` is in characters; `look` is for columns of sentences. */
export type DocumentColumn = {
  header: string
  kind: OutKind
  width?: number
  look?: 'wrapped' | 'wrong'
  options?: readonly string[]
}
/** Values in the order of the columns. `comments` are keyed by the index of their column. */
export type DocumentRow = { cells: readonly OutCell[]; comments?: ReadonlyMap<number, string> }
export type DocumentSheet = {
  name: string
  columns: readonly DocumentColumn[]
  rows: AsyncIterable<DocumentRow> | Iterable<DocumentRow>
  /** Adds arrows to the heading with which people sort and filter. */
  filter?: boolean
  /** The last row with drop-downs, in a sheet to which people add rows. By default it is the last written row. */
  fillTo?: number
}

const formats: Record<OutKind, string> = {
  text: '@',
  whole: '0',
  money: '#,##0.00',
  date: 'dd/mm/yyyy',
  datetime: 'dd/mm/yyyy hh:mm',
}
const widths: Record<OutKind, number> = { text: 24, whole: 12, money: 16, date: 12, datetime: 18 }
const wrap = { vertical: 'top', wrapText: true } as const
const looks: Record<NonNullable<DocumentColumn['look']>, Partial<exceljs.Style>> = {
  wrapped: { alignment: wrap },
  wrong: { alignment: wrap, font: { color: { argb: 'FFB3261E' } } },
}
const heading: Partial<exceljs.Style> = {
  numFmt: formats.text,
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFE8EDF3' } },
}

/**
 * Writes a workbook that people read and fill in, with a frozen heading, column widths, drop-downs and comments.
 * Formats also apply to cells that are still empty. It is meant for some thousand rows, because exceljs keeps all of
 * them in memory: 20 MB for a thousand rows of 20 columns.
 */
export async function writeDocument(path: string, sheets: readonly DocumentSheet[]): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = finished(file)
  // The error of a full disk is reported below; this handler only prevents an unhandled rejection.
  closed.catch(() => undefined)
  try {
    const book = new exceljs.stream.xlsx.WorkbookWriter({
      stream: file,
      useStyles: true,
      useSharedStrings: true,
    })
    for (const sheet of sheets) await addSheet(book, sheet)
    // exceljs waits for ever for a stream that has already failed.
    await Promise.all([book.commit(), closed])
  } catch (error) {
    file.destroy()
    throw error
  }
}

async function addSheet(
  book: exceljs.stream.xlsx.WorkbookWriter,
  { name, columns, rows, filter, fillTo }: DocumentSheet,
) {
  const tab = book.addWorksheet(tabName(name), { views: [{ state: 'frozen', ySplit: 1 }] })
  tab.columns = columns.map(({ header, kind, width, look }) => ({
    width: width ?? Math.max(widths[kind], header.length + 2),
    style: { numFmt: formats[kind], ...(look && looks[look]) },
  }))
  const top = tab.getRow(1)
  for (const [at, { header }] of columns.entries())
    Object.assign(top.getCell(at + 1), { value: plainText(header), style: heading })
  top.commit()
  let count = 1
  for await (const { cells, comments } of rows) {
    const row = tab.getRow(++count)
    for (const [at, cell] of cells.entries()) {
      const value = writtenCell(cell, columns[at]?.kind ?? 'text')
      if (value !== null) row.getCell(at + 1).value = value
    }
    for (const [at, text] of comments ?? []) row.getCell(at + 1).note = plainText(text)
    row.commit()
  }
  addDropDowns(tab, columns, Math.max(2, fillTo ?? count))
  if (filter) tab.autoFilter = `A1:${columnName(columns.length - 1)}${count}`
  tab.commit()
}

/**
 * Adds drop-downs to the columns with a closed list. Excel allows 255 characters for such a rule, so a longer list gets
 * none.
 */
function addDropDowns(tab: exceljs.Worksheet, columns: readonly DocumentColumn[], lastRow: number) {
  for (const [at, { options }] of columns.entries()) {
    const list = options?.join(',') ?? ''
    if (list === '' || list.length > 255 || options?.some((option) => option.includes(','))) continue
    const letter = columnName(at)
    tab.dataValidations.add(`${letter}2:${letter}${lastRow}`, {
      type: 'list',
      allowBlank: true,
      showErrorMessage: true,
      formulae: [`"${list}"`],
    })
  }
}
