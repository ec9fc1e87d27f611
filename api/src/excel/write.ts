import { rename, rm } from 'node:fs/promises'
import {
  columnName,
  forXml,
  frameParts,
  type OutCell,
  type OutKind,
  rowXml,
  sheetEnd,
  sheetPart,
  sheetStart,
  styles,
} from './workbook-xml.ts'
import { writeZip } from './zip-writer.ts'

export type { OutCell, OutKind } from './workbook-xml.ts'

/** A column of a written sheet. `width` is in characters. */
export type OutColumn = {
  key: string
  header: string
  kind: OutKind
  width?: number
  options?: readonly string[]
}
/** Values in the order of the columns. */
export type OutRow = readonly OutCell[]
/** A sheet to write. Its rows are read one by one and are not kept in memory. */
export type OutSheet = {
  name: string
  columns: readonly OutColumn[]
  rows: AsyncIterable<OutRow> | Iterable<OutRow>
  /** Called with the number of rows written so far, every 500 rows and at the end. */
  onProgress?: ((rows: number) => void | Promise<void>) | undefined
  /** Returns a last row in bold. It is called after all other rows are written. */
  totals?: (() => OutRow) | undefined
}

const widths: Record<OutKind, number> = { text: 24, whole: 12, money: 16, date: 12, datetime: 18 }
// Large enough to compress well, small enough not to block the event loop.
const pieceLength = 65_536

/**
 * Writes a workbook of one sheet as a stream. The file gets its name only when it is complete. Returns its number of rows.
 */
export async function writeWorkbook(path: string, sheet: OutSheet): Promise<number> {
  let written = 0
  const onProgress = (rows: number) => {
    written = rows
    return sheet.onProgress?.(rows)
  }
  const part = `${path}.part`
  await rm(part, { force: true })
  const frame = frameParts(sheet.name).map(([name, content]) => ({ name, content }))
  try {
    await writeZip(part, [...frame, { name: sheetPart, content: sheetPieces({ ...sheet, onProgress }) }])
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await rename(part, path)
  return written
}

async function* sheetPieces({ columns, rows, onProgress, totals }: OutSheet): AsyncGenerator<string> {
  const kinds = columns.map((column) => column.kind)
  const formats = columns.map((column) => styles[column.kind])
  const headers = columns.map((column) => column.header)
  const wide = columns.map(
    (column) => column.width ?? Math.max(widths[column.kind], column.header.length + 2),
  )
  let xml = sheetStart(wide, formats)
  xml += rowXml(
    1,
    headers,
    [],
    headers.map(() => styles.header),
  )
  let count = 0
  for await (const row of rows) {
    count++
    xml += rowXml(count + 1, row, kinds, formats)
    if (count % 500 === 0) await onProgress?.(count)
    if (xml.length < pieceLength) continue
    yield xml
    xml = ''
  }
  await onProgress?.(count)
  if (totals) {
    const bold = kinds.map((kind) =>
      kind === 'money' ? styles.boldMoney : kind === 'whole' ? styles.boldWhole : styles.header,
    )
    xml += rowXml(count + 2, totals(), kinds, bold)
  }
  yield xml + sheetEnd(dropDowns(columns))
}

/**
 * The drop-downs of the columns with a closed list. Excel allows 255 characters for such a rule, so a longer list gets
 * none.
 */
function dropDowns(columns: readonly OutColumn[]): string {
  const rules = columns.flatMap(({ options }, at) => {
    const list = options?.join(',') ?? ''
    if (list === '' || list.length > 255) return []
    const name = columnName(at)
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${name}2:${name}200001"><formula1>"${forXml(list)}"</formula1></dataValidation>`
  })
  return rules.length === 0
    ? ''
    : `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`
}
