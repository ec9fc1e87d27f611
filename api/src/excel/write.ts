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
  tabName,
} from './workbook-xml.ts'
import { writeZip, type ZipPart } from './zip-writer.ts'

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
/** What to write. Its rows are read one by one and are not kept in memory. */
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

/** Excel ends at row 1,048,576. One is of the headings, and one may be of the totals. */
const rowsAtMost = 1_048_574

/**
 * Writes a workbook as a stream. Rows that one sheet cannot hold go on in further sheets with the same headings. The file
 * gets its name only when it is complete. Returns its number of rows. `rowsPerSheet` is for tests.
 */
export async function writeWorkbook(
  path: string,
  sheet: OutSheet,
  rowsPerSheet = rowsAtMost,
): Promise<number> {
  const source = new RowSource(sheet.rows)
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    await writeZip(part, workbookParts(sheet, source, rowsPerSheet))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await source.close()
  }
  await rename(part, path)
  return source.taken
}

/** The sheets, as many as the rows need, and then what lists them. */
async function* workbookParts(
  sheet: OutSheet,
  source: RowSource,
  rowsPerSheet: number,
): AsyncGenerator<ZipPart> {
  const names: string[] = []
  do {
    const ended = Promise.withResolvers<void>()
    names.push(tabName(sheet.name, names.length + 1))
    yield {
      name: sheetPart(names.length),
      content: sheetPieces(sheet, source, rowsPerSheet, () => ended.resolve()),
    }
    await ended.promise
  } while (await source.hasMore())
  for (const [name, content] of frameParts(names)) yield { name, content }
}

/** Rows that several sheets take one after the other. It reads one row ahead, to know whether there is another sheet. */
class RowSource {
  taken = 0
  readonly #rows: AsyncIterator<OutRow> | Iterator<OutRow>
  #ahead: IteratorResult<OutRow> | undefined

  constructor(rows: OutSheet['rows']) {
    this.#rows = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  }

  async hasMore(): Promise<boolean> {
    this.#ahead ??= await this.#rows.next()
    return !this.#ahead.done
  }

  async next(): Promise<OutRow | undefined> {
    if (!(await this.hasMore()) || !this.#ahead || this.#ahead.done) return undefined
    const { value } = this.#ahead
    this.#ahead = undefined
    this.taken++
    return value
  }

  /** Closes what the rows are read from, also after an error. */
  async close(): Promise<void> {
    this.#ahead = { done: true, value: undefined }
    await this.#rows.return?.()
  }
}

async function* sheetPieces(
  { columns, onProgress, totals }: OutSheet,
  source: RowSource,
  rowsPerSheet: number,
  onEnd: () => void,
): AsyncGenerator<string> {
  const kinds = columns.map((column) => column.kind)
  const formats = columns.map((column) => styles[column.kind])
  const headers = columns.map((column) => column.header)
  const wide = columns.map(
    (column) => column.width ?? Math.max(widths[column.kind], column.header.length + 2),
  )
  const bolds = headers.map(() => styles.header)
  let xml = sheetStart(wide, formats) + rowXml(1, headers, [], bolds)
  let count = 0
  while (count < rowsPerSheet) {
    const row = await source.next()
    if (!row) break
    count++
    xml += rowXml(count + 1, row, kinds, formats)
    if (source.taken % 500 === 0) await onProgress?.(source.taken)
    if (xml.length < pieceLength) continue
    yield xml
    xml = ''
  }
  if (!(await source.hasMore())) {
    await onProgress?.(source.taken)
    if (totals) xml += totalsXml(count + 2, totals(), kinds)
  }
  yield xml + sheetEnd(dropDowns(columns))
  // A sheet that fails on the way does not get here, so no other sheet follows it.
  onEnd()
}

function totalsXml(at: number, row: OutRow, kinds: readonly OutKind[]): string {
  const bold = kinds.map((kind) =>
    kind === 'money' ? styles.boldMoney : kind === 'whole' ? styles.boldWhole : styles.header,
  )
  return rowXml(at, row, kinds, bold)
}

/**
 * The drop-downs of the columns with a closed list. Excel allows 255 characters for such a rule, with commas between the words,
 * so other lists get none.
 */
function dropDowns(columns: readonly OutColumn[]): string {
  const rules = columns.flatMap(({ options }, at) => {
    const list = options?.join(',') ?? ''
    if (list === '' || list.length > 255 || options?.some((option) => option.includes(','))) return []
    const name = columnName(at)
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${name}2:${name}200001"><formula1>"${forXml(list)}"</formula1></dataValidation>`
  })
  return rules.length === 0
    ? ''
    : `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`
}
