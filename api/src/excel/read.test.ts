import { readFileSync } from 'node:fs'
import { column, type Sheet, type SheetRow, sheet } from '@portal/contracts/imports/sheet'
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
const fixture = (name: string) => new URL(`../../test/fixtures/excel/${name}`, import.meta.url).pathname

const all = async (path: string, of: Sheet = list) => {
  const rows: SheetRow[] = []
  for await (const batch of readRows(path, of)) rows.push(...batch)
  return rows
}
const values = async (path: string, of: Sheet = list) =>
  (await all(path, of)).map((found) => [found.row, ...Object.values(found.cells)])

test.each(['libreoffice.xlsx', 'libreoffice.xls'])(
  'a list written by LibreOffice as %s is read, its rows numbered as it shows them',
  async (name) => {
    expect(await checkHeadings(fixture(name), list)).toMatchObject({
      ok: { heading_row: 1, extra: ['Né le'] },
    })
    expect(await values(fixture(name))).toEqual([
      [2, 'Aminata', 'Diarra', 76123456, 'ML-001', 10500],
      [3, 'Fatoumata', 'Coulibaly', '+223 66 12 34 57', 'ML-002', null],
      [4, 'Oumou', 'Traoré', 22370123458, 'ML-003', 12000],
      [6, 'Kadiatou', 'Keïta', '70-12-34-59', 'ML-004', 9000],
    ])
  },
)

const born = sheet({
  name: 'born',
  field: 'file',
  title: { en: 'Born', fr: 'Nés' },
  columns: {
    first_name: column({
      label: { en: 'First name', fr: 'Prénom du bénéficiaire' },
      required: true,
      example: ['', ''],
      help: { en: '', fr: '' },
    }),
    born: column({
      label: { en: 'Born', fr: 'Né le' },
      kind: 'date',
      required: true,
      example: ['', ''],
      help: { en: '', fr: '' },
    }),
  },
})

test.each(['libreoffice.xlsx', 'libreoffice.xls'])(
  'dates of %s come as days, whatever the time zone',
  async (name) => {
    expect((await values(fixture(name), born)).map(([, , day]) => day)).toEqual([
      '2001-02-03',
      '1999-12-31',
      null,
      '2000-02-29',
    ])
  },
)

test('a formula of an .xlsx counts with its result; in an .xls, whose results cannot be believed, it is refused', async () => {
  expect(await values(fixture('formulas.xlsx'))).toEqual([
    [2, 'Aminata', 'Diarra', 76123456, 'ML-001', 10000],
    [3, 'Fatoumata', 'Coulibaly', 66123457, 'ML-002', 500],
  ])
  const problem = { text: '=', problem: 'cell_formula' }
  expect(await values(fixture('formulas.xls'))).toEqual([
    [2, 'Aminata', 'Diarra', 76123456, 'ML-001', problem],
    [3, 'Fatoumata', 'Coulibaly', 66123457, problem, 500],
  ])
})

test('the content decides, not the name: an .xls called .xlsx and the reverse are both read', async () => {
  expect(await all(fileOf(readFileSync(fixture('libreoffice.xls')), 'list.xlsx'))).toHaveLength(4)
  expect(await all(fileOf(readFileSync(fixture('libreoffice.xlsx')), 'list.xls'))).toHaveLength(4)
})

test('cells without addresses, as some programs write them, stand one after the other', async () => {
  expect(await values(workbook([headings, row, ['Awa', null, null, 'ML-002']]))).toEqual([
    [2, ...row],
    [3, 'Awa', null, null, 'ML-002', null],
  ])
})

test('shared strings, rich text, phonetic text, escapes and entities are flattened', async () => {
  const strings = `<sst>${headings.map((text) => `<si><t>${text}</t></si>`).join('')}<si><r><t>Ami</t></r><r><rPr><b/></rPr><t xml:space="preserve">nata </t></r><rPh><t>no</t></rPh></si><si><t>O&apos;Diarra &amp; _x0041_&#x308;</t></si></sst>`
  const cells = (row: number, indexes: number[]) =>
    `<row r="${row}">${indexes.map((index, at) => `<c r="${'ABCDE'[at]}${row}" t="s"><v>${index}</v></c>`).join('')}</row>`
  const path = workbookOf(
    `${cells(3, [0, 1, 2, 3, 4])}<row r="7"><c r="B7" t="s"><v>6</v></c><c r="A7" t="s"><v>5</v></c><c r="C7" t="str"><f>A1</f><v>76123456</v></c><c r="D7" t="inlineStr"><is><r><t>ML</t></r><r><t>-1</t></r></is></c><c r="E7"><v>1.05E4</v></c></row>`,
    { strings },
  )
  expect(await checkHeadings(path, list)).toMatchObject({ ok: { heading_row: 3 } })
  expect(await values(path)).toEqual([[7, 'Aminata', "O'Diarra & A\u0308", '76123456', 'ML-1', 10500]])
})

test('dates follow the style of the cell and the calendar of the workbook', async () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-40C]d\\ mmmm\\ yyyy;@"/><numFmt numFmtId="165" formatCode="#,##0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>'
  const days = `${rowXml(['First name', 'Born'])}${[
    [0, 40543],
    [1, 40543],
    [2, 40543.75],
    [3, 40543],
    [1, 59],
    [1, 61],
    [1, 76123456],
  ]
    .map(
      ([style, day]) => `<row><c t="inlineStr"><is><t>A</t></is></c><c s="${style}"><v>${day}</v></c></row>`,
    )
    .join('')}`
  const born1900 = await values(workbookOf(days, { styles }), born)
  expect(born1900.map(([, , day]) => day)).toEqual([
    40543,
    '2010-12-31',
    '2010-12-31',
    40543,
    '1900-02-28',
    '1900-03-01',
    76123456,
  ])
  const born1904 = await values(workbookOf(days, { styles, properties: '<workbookPr date1904="1"/>' }), born)
  expect(born1904[1]).toEqual([3, 'A', '2015-01-01'])
})

test('titles above the headings, blank rows, merged cells and columns of other things do no harm', async () => {
  const path = workbook([
    ['Liste des bénéficiaires'],
    [null],
    ['N°', ...headings, 'École'],
    [1, ...row, 'Coura'],
    [null, '  ', null],
    [null, null, null, null, null, null, 'a note'],
    [3, ...row],
  ])
  expect(await checkHeadings(path, list)).toMatchObject({ ok: { heading_row: 3, extra: ['N°', 'École'] } })
  expect((await all(path)).map((found) => found.row)).toEqual([4, 7])
})

test('the first visible sheet that has the headings is taken', async () => {
  const hidden = { name: 'Hidden', xml: sheetXml(rowXml(headings) + rowXml(row)), state: 'hidden' }
  const notes = { name: 'Notes', xml: sheetXml(rowXml(['Explained in words'])) }
  const right = { name: 'Février', xml: sheetXml(rowXml(headings) + rowXml(row)) }
  expect(await checkHeadings(fileOf(zip(workbookParts([hidden, notes, right]))), list)).toMatchObject({
    ok: { sheet_name: 'Février' },
  })
})

test('cells that a formula left without a result or with an error come with their sentence', async () => {
  const path = workbookOf(
    `${rowXml(headings)}<row><c t="inlineStr"><is><t>A</t></is></c><c><f>1/0</f></c><c t="e"><v>#REF!</v></c><c t="b"><v>1</v></c></row>`,
  )
  expect((await all(path))[0]?.cells).toEqual({
    receiver_first_name: 'A',
    receiver_last_name: { text: '=', problem: 'cell_formula' },
    receiver_phone_number: { text: '#REF!', problem: 'cell_error|#REF!' },
    student_code: 'TRUE',
    amount: null,
  })
})

test('an archive in the 64-bit form, which some programs always write, is read', async () => {
  const plain = readFileSync(workbook([headings, row]))
  const end = plain.subarray(-22)
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06', 'latin1')
  for (const [from, to] of [
    [10, 32],
    [12, 40],
    [16, 48],
  ] as const) {
    end64.writeBigUInt64LE(BigInt(from === 10 ? end.readUInt16LE(from) : end.readUInt32LE(from)), to)
  }
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(plain.length - 22), 8)
  const full = Buffer.concat([Buffer.from('PK\x05\x06\0\0\0\0'), Buffer.alloc(12, 0xff), Buffer.alloc(2)])
  expect(await values(fileOf(Buffer.concat([plain.subarray(0, -22), end64, locator, full])))).toEqual([
    [2, ...row],
  ])
})

test('200,000 rows are not too many', async () => {
  expect(
    await checkHeadings(workbookOf(rowXml(headings) + rowXml(row).repeat(200_000)), list),
  ).toHaveProperty('ok')
})

test('leaving the loop or aborting ends the reader', async () => {
  const path = workbook([headings, ...Array.from({ length: 5000 }, () => row)])
  for await (const batch of readRows(path, list)) {
    expect(batch).toHaveLength(500)
    break
  }
  const stop = new AbortController()
  const reading = readRows(path, list, { signal: stop.signal })
  await reading.next()
  stop.abort()
  await expect(async () => {
    for await (const _ of reading);
  }).rejects.toThrow(/abort/i)
})

test('six officers who send an .xls at the same moment are all answered, by two processes at a time', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
  const before = processes()
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, processes() - before)
  }, 5)
  const answers = Array.from({ length: 6 }, () => checkHeadings(fixture('libreoffice.xls'), list))
  expect(await Promise.all(answers)).toMatchObject(answers.map(() => ({ ok: { heading_row: 1 } })))
  clearInterval(look)
  expect(most).toBe(2)
})

test('days and truths that other programs write in their own form are read', async () => {
  const cells = (value: string) =>
    `<row><c t="inlineStr"><is><t>A</t></is></c><c t="d"><v>${value}</v></c></row>`
  const path = workbookOf(
    rowXml(['First name', 'Born']) + cells('2012-02-03') + cells('2012-02-03T00:00:00Z'),
  )
  expect((await values(path, born)).map(([, , day]) => day)).toEqual(['2012-02-03', '2012-02-03'])
  const since1904 = workbookOf(
    `${rowXml(['First name', 'Born'])}<row><c t="inlineStr"><is><t>A</t></is></c><c s="1"><v>39081</v></c></row>`,
    {
      styles: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      properties: '<workbookPr date1904="true"/>',
    },
  )
  expect((await values(since1904, born))[0]?.[2]).toBe('2010-12-31')
})
