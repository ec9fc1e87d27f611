import { join } from 'node:path'
import { cellText, column, sheet } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import { listed, opened, writtenFolder } from '../../test/imports/written.ts'
import { writeDocument } from './document.ts'
import { checkHeadings, readRows } from './read.ts'
import { writeRejected } from './rejected.ts'
import { writeWorkbook } from './write.ts'

const folder = await writtenFolder()
const mobile = targetListSheet('mobile_money')

test.each([
  ['has a comma in a word', ['public', 'private, with a contract']],
  ['is longer than Excel allows', Array.from({ length: 60 }, (_, n) => `Language ${n}`)],
])('a closed list that %s is no drop-down, because Excel would call the file damaged', async (_, options) => {
  const path = join(folder, `no-drop-down-${options.length}.xlsx`)
  const column = { key: 'kind', header: 'Kind', kind: 'text' as const, options }
  await writeWorkbook(path, { name: 'List', columns: [column], rows: [['public']] })
  expect((await opened(path)).worksheets[0]!.getCell('A2').dataValidation).toBeUndefined()
  const document = join(folder, `no-drop-down-document-${options.length}.xlsx`)
  await writeDocument(document, [{ name: 'List', columns: [column], rows: [{ cells: ['public'] }] }])
  expect((await opened(document)).worksheets[0]!.getCell('A2').dataValidation).toBeUndefined()
  const short = { ...column, options: ['public', 'private'] }
  await writeWorkbook(`${path}.short`, { name: 'List', columns: [short], rows: [['public']] })
  expect((await opened(`${path}.short`)).worksheets[0]!.getCell('A2').dataValidation).toMatchObject({
    formulae: ['"public,private"'],
  })
})

test('two reasons of one rejected cell are both in its comment', async () => {
  const path = join(folder, 'two-reasons.xlsx')
  const errors = [wrongRow.errors[0]!, { column: 'receiver_phone_number', message: 'required' }]
  await writeRejected(path, mobile, 'fr', listed([{ ...wrongRow, errors }]))
  const tab = (await opened(path)).worksheets[0]!
  expect(tab.getCell('C2').note).toBe(`${wrongPhone}\nRemplissez ce champ.`)
})

/** A target list's row with a wrong phone and a wrong amount. */
const wrongRow = {
  row: 7,
  cells: {
    receiver_first_name: '=Awa',
    receiver_last_name: 'Diarra',
    receiver_phone_number: 7612345,
    student_code: 'ML-1',
    amount: -5,
  },
  errors: [
    { column: 'receiver_phone_number', message: 'phone_digits_ml|7' },
    { column: 'amount', message: 'amount_positive' },
  ],
}
const wrongPhone = 'Un numéro du Mali compte 8 chiffres\u00a0; celui-ci en compte 7.'
const wrongAmount = 'Le montant est d’au moins 1 franc.'

test('rejected rows come with what is wrong on the cell and behind the row, and are read again as they are', async () => {
  const path = join(folder, 'rejected.xlsx')
  await writeRejected(path, mobile, 'fr', listed([wrongRow]))
  const tab = (await opened(path)).worksheets[0]!
  expect([tab.getCell('C2').note, tab.getCell('E2').note]).toEqual([wrongPhone, wrongAmount])
  expect(tab.getCell('A2').note).toBeUndefined()
  expect(tab.getCell('F2').value).toBe(
    `Téléphone du destinataire\u00a0: ${wrongPhone}\nMontant\u00a0: ${wrongAmount}`,
  )
  expect(tab.getCell('G2').value).toBe(7)
  expect([tab.getCell('C2').type, tab.getCell('C2').numFmt]).toEqual([exceljs.ValueType.String, '@'])
  expect(tab.getCell('E2').value).toBe(-5)
  expect(tab.views).toMatchObject([{ state: 'frozen', ySplit: 1 }])
  expect(tab.autoFilter).toBe('A1:G2')
  expect(tab.getColumn(6).width).toBe(70)
  expect(await checkHeadings(path, mobile)).toMatchObject({
    ok: { extra: ['Ce qui ne va pas', 'Ligne du fichier'] },
  })
  for await (const [row] of readRows(path, mobile)) {
    expect(row?.cells).toMatchObject({
      receiver_first_name: '=Awa',
      receiver_phone_number: '7612345',
      amount: -5,
    })
  }
})

test('a list of which thousands of rows are rejected is written with all its rows, without comments', async () => {
  const path = join(folder, 'all-rejected.xlsx')
  await writeRejected(path, mobile, 'en', listed(Array.from({ length: 2001 }, () => wrongRow)))
  let read = 0
  for await (const batch of readRows(path, mobile)) read += batch.length
  expect(read).toBe(2001)
  const tab = (await opened(path)).worksheets[0]!
  expect(tab.getCell('C2').note).toBeUndefined()
  for (const cell of ['F2', 'F2002'])
    expect(tab.getCell(cell).value).toContain('A number in Mali has 8 digits; this one has 7.')
})

const typed = sheet({
  name: 'typed',
  field: 'file',
  title: { en: 'Typed', fr: 'Saisie' },
  columns: {
    amount: mobile.columns.amount,
    score: column({
      ...mobile.columns.amount,
      label: { en: 'Score', fr: 'Note' },
      headings: [],
      kind: 'number',
    }),
    day: column({ ...mobile.columns.amount, label: { en: 'Day', fr: 'Jour' }, headings: [], kind: 'date' }),
  },
})

test.each([
  ['with comments', 1],
  ['of thousands of rows', 201],
])('a workbook of rejected rows %s has what was typed, so that it is rejected again', async (_, times) => {
  const rows = [
    ['10.000', '10.000', '5/6/2012'],
    ['007', '1e3', '2012'],
    ['10.125', '0x10', 'n\u00e9 vers 2010'],
    ['-0', '12.50', '3/4/12'],
    ['12345678901234567890', '+5', '2012-02-30'],
    ['9000', '-12.5', '2012-06-05'],
    ['-5', '0', '1900-01-15'],
    ['1 000', '1 000', '2012-06-05 00:00:00'],
    ['10.5', '3', '0012-06-05'],
    ['1', '2', '2012-06-05T22:00:00-05:00'],
  ]
  const all = Array.from({ length: times }, () => rows).flat()
  const rejected = all.map(([amount, score, day], n) => ({
    ...{ row: n + 2, errors: [] },
    cells: { amount: amount ?? '', score: score ?? '', day: day ?? '' },
  }))
  const path = join(folder, `typed-${times}.xlsx`)
  await writeRejected(path, typed, 'en', listed(rejected))
  const read: string[][] = []
  for await (const batch of readRows(path, typed))
    read.push(...batch.map(({ cells }) => [cells.amount, cells.score, cells.day].map(cellText)))
  expect(read).toEqual(all)
  const tab = (await opened(path)).worksheets[0]!
  // As a number it would be shown as 11 in a column of whole numbers.
  expect(tab.getRow(10).getCell(1).value).toBe('10.5')
  expect([1, 2, 3].map((at) => tab.getRow(7).getCell(at).value)).toEqual([
    9000,
    -12.5,
    new Date('2012-06-05'),
  ])
})

test('of a list without rejected rows the file has its headings', async () => {
  const path = join(folder, 'none-rejected.xlsx')
  await writeRejected(path, mobile, 'en', listed([]))
  const tab = (await opened(path)).worksheets[0]!
  expect([tab.rowCount, tab.getCell('F1').value]).toEqual([1, 'What is wrong'])
})

test('a document that cannot be stored is an error, and is not waited for', async () => {
  const path = join(folder, 'no such folder', 'rejected.xlsx')
  await expect(writeRejected(path, mobile, 'en', listed([wrongRow]))).rejects.toThrow('ENOENT')
})

test('signs that XML cannot hold and escapes in a rejected cell do not break the file', async () => {
  const path = join(folder, 'rejected-signs.xlsx')
  const cells = { ...wrongRow.cells, receiver_last_name: 'A\u0000wa \ud800 _x0041_ \ufffe <&"' }
  await writeRejected(path, mobile, 'en', listed([{ ...wrongRow, cells }]))
  for await (const [row] of readRows(path, mobile))
    expect(row?.cells.receiver_last_name).toBe('Awa \ufffd _x0041_  <&"')
})

test('rejected rows that cannot be read to their end are an error, not half a file', async () => {
  async function* rows() {
    yield wrongRow
    throw new Error('the database is gone')
  }
  const path = join(folder, 'half.xlsx')
  await expect(writeRejected(path, mobile, 'en', rows())).rejects.toThrow('the database is gone')
})
