import { utils, write } from '@e965/xlsx'
import type { SheetRow } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { expect, test } from 'vitest'
import {
  fileOf,
  rowXml,
  sheetXml,
  workbook,
  workbookOf,
  workbookParts,
  zip,
} from '../../test/imports/workbooks.ts'
import { checkHeadings, readRows } from './read.ts'

const list = targetListSheet('mobile_money')
const headings = ['Prénom', 'Nom', 'Téléphone', 'Code élève', 'Montant']
const row = ['Aminata', 'Diarra', 76123456, 'ML-001', 10500]

const all = async (path: string) => {
  const rows: SheetRow[] = []
  for await (const batch of readRows(path, list)) rows.push(...batch)
  return rows
}
const values = async (path: string) =>
  (await all(path)).map((found) => [found.row, ...Object.values(found.cells)])

const asXml = (rows: string, after = '') => `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`
const merging = (ref: string) =>
  fileOf(
    zip(
      workbookParts([
        {
          name: 'List',
          xml: asXml(
            rowXml(['N°', ...headings]) + rowXml([1, ...row]) + rowXml([2, ...row]),
            `<mergeCells><mergeCell ref="${ref}"/></mergeCells>`,
          ),
        },
      ]),
    ),
  )

test.each(['B1:B2', 'B2:B3', 'A2:B3', 'F2:G3', 'A1:G3'])(
  'a list whose cells %s are merged is refused, because a row below would be read as blank',
  async (ref) => {
    await expect(all(merging(ref))).rejects.toMatchObject({ problem: `workbook_merged|${ref}` })
  },
)

test.each(['A2:A3', 'B2:C2', 'A1:F1', 'B3:B9', 'G2:H3'])(
  'a list whose cells %s are merged is read, because no row loses a value',
  async (ref) => {
    expect(await all(merging(ref))).toHaveLength(2)
  },
)

test('headings may stand in the tenth row, and not in the eleventh', async () => {
  const titled = (titles: number) =>
    workbook([...Array.from({ length: titles }, (_, n) => [`Title ${n}`]), headings, row])
  expect(await checkHeadings(titled(9), list)).toMatchObject({ ok: { heading_row: 10 } })
  expect(await checkHeadings(titled(10), list)).toMatchObject({
    problem: expect.stringMatching(/^headings_none/),
  })
})

test('a sheet with headings and no rows, such as a template, is passed over for one that has rows', async () => {
  const of = (name: string, ...rows: (typeof row)[]) => ({ name, xml: sheetXml(rows.map(rowXml).join('')) })
  const sheets = [of('Modèle', headings), of('Février', headings, row), of('Mars', headings, row)]
  const path = fileOf(zip(workbookParts(sheets)))
  expect(await checkHeadings(path, list)).toMatchObject({ ok: { sheet_name: 'Février' } })
  expect(await all(path)).toHaveLength(1)
})

test('a list may have a hundred columns, and one with more is refused instead of read in part', async () => {
  const wide = (columns: number) => {
    const more = Array.from({ length: columns - headings.length }, (_, n) => `Other ${n}`)
    return workbook([
      [...more, ...headings],
      [...more, ...row],
    ])
  }
  expect(await values(wide(100))).toEqual([[2, ...row]])
  expect(await checkHeadings(wide(101), list)).toMatchObject({ problem: 'workbook_columns|100' })
})

test('thousands of shared strings are each the text of their cell', async () => {
  const names = Array.from({ length: 9_000 }, (_, n) => `Aminata ${n}${'é'.repeat(n % 40)}`)
  const texts = [...headings.slice(0, 4), 'Diarra', '76123456', 'ML-001', ...names]
  const strings = `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`
  const line = (...indexes: number[]) =>
    `<row>${indexes.map((index) => `<c t="s"><v>${index}</v></c>`).join('')}</row>`
  const path = workbookOf(line(0, 1, 2, 3) + names.map((_, n) => line(n + 7, 4, 5, 6)).join(''), { strings })
  expect((await values(path)).map(([, name]) => name)).toEqual(names)
})

test('a hidden sheet of an .xls is passed over, like that of an .xlsx', async () => {
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([headings, ['Old', ...row.slice(1)]]), 'Old')
  utils.book_append_sheet(book, utils.aoa_to_sheet([headings, row]), 'New')
  book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] }
  const path = fileOf(write(book, { type: 'buffer', bookType: 'biff8' }), 'hidden.xls')
  expect(await checkHeadings(path, list)).toMatchObject({ ok: { sheet_name: 'New' } })
  expect(await values(path)).toEqual([[2, ...row]])
})
