import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read as readLegacy } from '@e965/xlsx'
import { column, sheet } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import { opened, writtenFolder } from '../../test/imports/written.ts'
import { checkHeadings, readRows } from './read.ts'
import { writeSample } from './sample.ts'
import { harmless, writtenCell } from './workbook-xml.ts'
import { writeWorkbook } from './write.ts'

const folder = await writtenFolder()
const mobile = targetListSheet('mobile_money')

test('phones are text, amounts numbers with two decimals, dates dates, and the last row adds up', async () => {
  const path = join(folder, 'kinds.xlsx')
  const reported: number[] = []
  await writeWorkbook(path, {
    name: 'Master list: 2026/27',
    columns: [
      { key: 'name', header: 'Parent name', kind: 'text' },
      { key: 'phone', header: 'Recipient number', kind: 'text' },
      { key: 'amount', header: 'Amount', kind: 'money' },
      { key: 'n', header: 'N', kind: 'whole' },
      { key: 'day', header: 'Day', kind: 'date' },
      { key: 'at', header: 'At', kind: 'datetime' },
    ],
    rows: [
      ['Diarra & "Fils" <3>', '+22376123456', 10500, 3n, '2001-02-03', '2026-11-20 08:30:00.5+00'],
      ['Keïta', null, '12000', 4, null, new Date('2026-11-20T08:30:00Z')],
    ],
    onProgress: (rows) => void reported.push(rows),
    totals: () => ['Total', null, 22500, 7],
  })
  const tab = (await opened(path)).worksheets[0]!
  expect(tab.name).toBe('Master list  2026 27')
  expect(tab.getRow(2).values).toEqual([
    undefined,
    'Diarra & "Fils" <3>',
    '+22376123456',
    10500,
    3,
    new Date('2001-02-03T00:00:00Z'),
    new Date('2026-11-20T08:30:00.500Z'),
  ])
  expect(tab.getCell('B2').type).toBe(exceljs.ValueType.String)
  expect([tab.getCell('C2').numFmt, tab.getCell('E2').numFmt, tab.getCell('F2').numFmt]).toEqual([
    '#,##0.00',
    'dd/mm/yyyy',
    'dd/mm/yyyy hh:mm',
  ])
  expect(tab.getCell('C3').value).toBe(12000)
  expect(tab.getRow(4).values).toEqual([undefined, 'Total', undefined, 22500, 7])
  expect(tab.getCell('C4').font.bold).toBe(true)
  expect(reported).toEqual([2])
})

test.each([
  '=HYPERLINK("http://x","y")',
  ...['+cmd|/C calc', '+SUM(A1)', '+2\n-SUM(A1)', '-2+3', '-SUM(A1)', '@SUM(A1)', '\t=1', '\r=1', '\n=1'],
])('%j is neutralised in the file, and comes back as it was', async (text) => {
  const path = join(folder, 'formula.xlsx')
  await writeWorkbook(path, {
    name: 'List',
    columns: Object.keys(mobile.columns).map((key) => ({ key, header: key, kind: 'text' })),
    rows: [[text, 'Diarra', '76123456', 'ML-1', null]],
  })
  const cell = (await opened(path)).worksheets[0]!.getCell('A2')
  expect(cell.type).toBe(exceljs.ValueType.String)
  expect(cell.value).toBe(`'${text}`)
  for await (const [row] of readRows(path, mobile)) {
    expect(row?.cells.receiver_first_name).toBe(/^[\t\r\n]/.test(text) ? `'${text}` : text)
  }
})

test.each(['\u0001=1+1', '\u0000\u0007@SUM(A1)', '\uffff+cmd|/C calc', '\u0085-2+3'])(
  '%j is neutralised although a cell cannot hold its first character',
  async (text) => {
    const path = join(folder, 'hidden-formula.xlsx')
    const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
    await writeWorkbook(path, { name: 'List', columns, rows: [[text]] })
    expect((await opened(path)).worksheets[0]!.getCell('A2').value).toMatch(/^'[=@+-]/)
    expect(writtenCell(text, 'text')).toMatch(/^'[=@+-]/)
  },
)

test('a neutralised text is not longer than a cell, however long it was', () => {
  for (const length of [32_766, 32_767, 40_000]) {
    const written = writtenCell(`=${'x'.repeat(length - 1)}`, 'text') as string
    expect(written).toHaveLength(32_767)
    expect(written.startsWith("'=x")).toBe(true)
    expect(written.endsWith('…')).toBe(length > 32_766)
  }
  // What a cell cannot hold does not count.
  expect(writtenCell('\u0001'.repeat(40_000).concat('Awa'), 'text')).toBe('Awa')
})

test('signed numbers and telephone numbers are not touched', () => {
  for (const text of ['+22376123456', '+223 76 12 34 56', '-500', '-1,250.50', 'Awa', ''])
    expect(harmless(text)).toBe(text)
})

test('signs that XML cannot hold and escapes in the text do not break the file, and a cut text says so', async () => {
  const path = join(folder, 'signs.xlsx')
  await writeWorkbook(path, {
    name: '',
    columns: [{ key: 'first_name', header: 'First name', kind: 'text' }],
    rows: [['A\u0000\u0007wa \ud800 _x0041_ \ufffe'], ['x'.repeat(40_000)]],
  })
  const book = readLegacy(await readFile(path))
  expect(book.SheetNames).toEqual(['List'])
  const tab = (await opened(path)).worksheets[0]!
  expect(tab.getCell('A3').value).toBe(`${'x'.repeat(32_766)}…`)
  const names = sheet({
    name: 'names',
    field: 'file',
    title: { en: '', fr: '' },
    columns: { first_name: mobile.columns.receiver_first_name },
  })
  for await (const [row] of readRows(path, names)) expect(row?.cells.first_name).toBe('Awa \ufffd _x0041_')
})

test('a workbook that cannot be finished leaves nothing behind', async () => {
  const path = join(folder, 'broken.xlsx')
  async function* rows() {
    yield ['Awa']
    throw new Error('the database is gone')
  }
  const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
  await expect(writeWorkbook(path, { name: 'List', columns, rows: rows() })).rejects.toThrow(
    'the database is gone',
  )
  expect(existsSync(path)).toBe(false)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a workbook that cannot be written at all says so at once, and ends what its rows are read from', async () => {
  let isEnded = false
  async function* rows() {
    try {
      for (let n = 0; n < 20_000; n++) yield [`Awa ${n}`]
    } finally {
      isEnded = true
    }
  }
  const source = rows()
  const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
  const path = join(folder, 'missing', 'x.xlsx')
  await expect(writeWorkbook(path, { name: 'List', columns, rows: source })).rejects.toThrow('ENOENT')
  // Rows of which none was read have nothing to end.
  expect(isEnded || (await source.next()).done).toBe(true)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part') || name === 'missing')).toEqual([])
}, 10_000)

test('a workbook whose progress cannot be stored says so at once, and leaves nothing behind', async () => {
  let read = 0
  let isEnded = false
  async function* rows() {
    try {
      for (; read < 20_000; read++) yield [`Awa ${read}`]
    } finally {
      isEnded = true
    }
  }
  const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
  const onProgress = async (done: number) => {
    if (done === 5000) throw new Error('the database is gone')
  }
  const path = join(folder, 'progress.xlsx')
  await expect(writeWorkbook(path, { name: 'List', columns, rows: rows(), onProgress })).rejects.toThrow(
    'the database is gone',
  )
  expect({ isEnded, goesOn: read > 6000 }).toEqual({ isEnded: true, goesOn: false })
  expect((await readdir(folder)).filter((name) => name.includes('progress'))).toEqual([])
}, 10_000)

test.each(['en', 'fr'] as const)('the sample in %s can be uploaded as it is', async (locale) => {
  for (const type of ['mobile_money', 'bank'] as const) {
    const path = join(folder, `sample-${type}-${locale}.xlsx`)
    await writeSample(path, targetListSheet(type), locale)
    expect(await checkHeadings(path, targetListSheet(type))).toMatchObject({
      ok: { heading_row: 1, extra: [] },
    })
    const rows = []
    for await (const batch of readRows(path, targetListSheet(type))) rows.push(...batch)
    expect(rows).toMatchObject([
      { row: 2, cells: { receiver_first_name: 'Aminata', amount: 10500 } },
      { row: 3 },
    ])
    // The whole column is formatted as text, so that Excel keeps the leading zeros and signs that people type below.
    const columns = (await opened(path)).worksheets[0]!
    expect([3, 4].map((at) => columns.getColumn(at).numFmt)).toEqual(['@', '@'])
    expect((await opened(path)).worksheets[0]!.views).toMatchObject([{ state: 'frozen', ySplit: 1 }])
    const help = (await opened(path)).worksheets[1]!
    expect(help.getColumn(1).values).toContain('Receiver first name')
    expect(help.getColumn(2).values).toContain('Prénom du destinataire')
  }
})

test('a closed list is a drop-down in the sample', async () => {
  const path = join(folder, 'options.xlsx')
  const of = sheet({
    name: 'options',
    field: 'file',
    title: { en: 'Options', fr: 'Choix' },
    columns: {
      kind: column({
        label: { en: 'Kind', fr: 'Type' },
        example: ['public', 'private'],
        help: { en: '', fr: '' },
        options: ['public', 'private'],
      }),
    },
  })
  await writeSample(path, of, 'en')
  expect((await opened(path)).worksheets[0]!.getCell('A2').dataValidation).toMatchObject({
    type: 'list',
    formulae: ['"public,private"'],
  })
})
