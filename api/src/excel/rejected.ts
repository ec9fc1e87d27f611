import { type Locale, say } from '@portal/contracts/sentences'
import { type Cell, type Column, cellText, type Sheet } from '@portal/contracts/sheet'
import { outColumns } from './sample.ts'
import { styles } from './workbook-xml.ts'
import { type OutCell, writeWorkbook } from './write.ts'

/** A row that was left out: its cells as they were read, and a sentence for `say` per refused cell. */
export type RejectedRow = {
  row: number
  cells: Partial<Record<string, Cell>>
  errors: readonly { column: string; message: string }[]
}

/**
 * The rejected rows under the headings of the import, with their row and what is wrong with them behind: correct
 * the cells and upload the file again; the two last columns are ignored.
 */
export async function writeRejected(
  path: string,
  sheet: Sheet,
  locale: Locale,
  rows: AsyncIterable<RejectedRow> | Iterable<RejectedRow>,
): Promise<void> {
  const keys = Object.keys(sheet.columns)
  const columns = outColumns(sheet, locale)
  const [wrong, row] =
    locale === 'fr' ? ['Ce qui ne va pas', 'Ligne du fichier'] : ['What is wrong', 'Row of the file']
  const labelOf = (key: string) =>
    (sheet.columns as Partial<Record<string, Column>>)[key]?.label[locale] ?? key
  await writeWorkbook(path, {
    name: sheet.title[locale],
    columns: [
      ...columns,
      { key: 'problems', header: wrong, kind: 'text', width: 70, format: styles.wrong },
      { key: 'row', header: row, kind: 'whole' },
    ],
    rows: map(rows, (rejected) => [
      ...keys.map((key): OutCell => cellText(rejected.cells[key])),
      rejected.errors
        .map(
          ({ column, message }) =>
            `${labelOf(column)}${locale === 'fr' ? '\u00a0:' : ':'} ${say(message, locale)}`,
        )
        .join('\n'),
      rejected.row,
    ]),
  })
}

async function* map<From, To>(
  rows: AsyncIterable<From> | Iterable<From>,
  to: (row: From) => To,
): AsyncGenerator<To> {
  for await (const row of rows) yield to(row)
}
