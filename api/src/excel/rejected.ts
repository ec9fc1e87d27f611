import { type Cell, type Column, cellText, type Sheet } from '@portal/contracts/imports/sheet'
import { type Locale, say } from '@portal/contracts/sentences'
import { type DocumentRow, writeDocument } from './document.ts'
import { outColumns } from './sample.ts'
import type { OutCell } from './workbook-xml.ts'
import { writeWorkbook } from './write.ts'

/** A rejected row: its cells as they were read, and a sentence for `say` per refused cell. Column '' stands for the whole row. */
export type RejectedRow = {
  row: number
  cells: Partial<Record<string, Cell>>
  errors: readonly { column: string; message: string }[]
}

/**
 * With more rows than this the file is written without comments on cells. Excel stores comments as drawings, so a
 * workbook with thousands of them is slow to open and takes gigabytes to write. The column of sentences is written in
 * any case.
 */
const documentAtMost = 2000

/**
 * Writes the rejected rows under the headings of the import, with a comment on each refused cell. The last two columns
 * have all sentences of a row and its row number, because a telephone shows no comments and a filter finds only cells.
 * A person corrects the cells and uploads the file again; the import ignores these two columns.
 */
export async function writeRejected(
  path: string,
  sheet: Sheet,
  locale: Locale,
  rows: AsyncIterable<RejectedRow>,
): Promise<void> {
  const [wrong, row] =
    locale === 'fr' ? ['Ce qui ne va pas', 'Ligne du fichier'] : ['What is wrong', 'Row of the file']
  const name = sheet.title[locale]
  const columns = [
    ...outColumns(sheet, locale),
    { key: 'problems', header: wrong, kind: 'text' as const, width: 70, look: 'wrong' as const },
    { key: 'row', header: row, kind: 'whole' as const },
  ]
  const source = documentRows(sheet, locale, rows)
  const first: DocumentRow[] = []
  for (let next = await source.next(); !next.done; next = await source.next()) {
    first.push(next.value)
    if (first.length <= documentAtMost) continue
    await writeWorkbook(path, { name, columns, rows: cellsOf(first, source) })
    return
  }
  await writeDocument(path, [{ name, columns, rows: first, filter: true }])
}

async function* cellsOf(...parts: (Iterable<DocumentRow> | AsyncIterable<DocumentRow>)[]) {
  for (const rows of parts) for await (const { cells } of rows) yield cells
}

async function* documentRows(
  sheet: Sheet,
  locale: Locale,
  rows: AsyncIterable<RejectedRow>,
): AsyncGenerator<DocumentRow> {
  const columns = Object.entries<Column>(sheet.columns)
  const colon = locale === 'fr' ? '\u00a0:' : ':'
  for await (const { row, cells, errors } of rows) {
    const comments = new Map<number, string>()
    const sentences: string[] = []
    for (const { column, message } of errors) {
      const at = columns.findIndex(([key]) => key === column)
      const sentence = say(message, locale)
      const label = columns[at]?.[1].label[locale] ?? column
      sentences.push(label ? `${label}${colon} ${sentence}` : sentence)
      if (at >= 0) comments.set(at, [comments.get(at), sentence].filter(Boolean).join('\n'))
    }
    const values = columns.map(([key]): OutCell => cellText(cells[key]))
    yield { cells: [...values, sentences.join('\n'), row], comments }
  }
}
