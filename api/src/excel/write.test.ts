import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { read as readLegacy } from '@e965/xlsx'
import { cellText, column, sheet } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { inspectSource } from '@portal/excel/inspect'
import { openXlsx } from '@portal/excel/xlsx'
import exceljs from 'exceljs'
import { afterAll, expect, test } from 'vitest'
import { writeDocument } from './document.ts'
import { checkHeadings, readRows } from './read.ts'
import { writeRejected } from './rejected.ts'
import { writeSample } from './sample.ts'
import { harmless, writtenCell } from './workbook-xml.ts'
import { writeWorkbook } from './write.ts'
import { fileSource, unpack } from './zip.ts'

const folder = await mkdtemp(join(tmpdir(), 'written-'))
const mobile = targetListSheet('mobile_money')

afterAll(() => rm(folder, { recursive: true }))

/** The workbook as another program reads it. */
const opened = async (path: string) => {
  const book = new exceljs.Workbook()
  await book.xlsx.readFile(path)
  return book
}

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

test('a list of more rows than a sheet of Excel has goes on in a second sheet', async () => {
  const path = join(folder, 'full.xlsx')
  const written = await writeWorkbook(path, {
    name: 'Journal',
    columns: [{ key: 'n', header: 'N', kind: 'whole' }],
    rows: Array.from({ length: 1_048_575 }, () => [1]),
    totals: () => [1_048_575],
  })
  expect(written).toBe(1_048_575)
  const file = await open(path)
  const source = await fileSource(file)
  const inspected = await inspectSource(source)
  const grids = inspected.kind === 'xlsx' ? await openXlsx(source, inspected.entries, unpack) : []
  const lastRows: Record<string, number> = {}
  for (const { name, rows } of grids)
    for await (const batch of rows()) lastRows[name] = batch.at(-1)?.row ?? 0
  await file.close()
  // The second one has its heading, a row and the totals.
  expect(lastRows).toEqual({ Journal: 1_048_575, 'Journal (2)': 3 })
}, 60_000)

async function* listed<T>(rows: readonly T[]) {
  yield* rows
}

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

test('rows that one sheet cannot hold go on in further sheets, with the headings of the first and the totals at the end', async () => {
  const path = join(folder, 'sheets.xlsx')
  const reported: number[] = []
  const rows = Array.from({ length: 7 }, (_, n) => [`Girl ${n + 1}`, n + 1])
  const written = (count: number) =>
    writeWorkbook(
      path,
      {
        name: 'Students of the whole country, all of them',
        columns: [
          { key: 'name', header: 'Name', kind: 'text' },
          { key: 'n', header: 'N', kind: 'whole' },
        ],
        rows: rows.slice(0, count),
        onProgress: (done) => void reported.push(done),
        totals: () => ['Total', 28],
      },
      3,
    )
  expect(await written(7)).toBe(7)
  expect(reported).toEqual([7])
  const tabs = (await opened(path)).worksheets
  expect(tabs.map(({ name }) => name)).toEqual([
    'Students of the whole country,',
    'Students of the whole count (2)',
    'Students of the whole count (3)',
  ])
  const texts = tabs.map((tab) => tab.getColumn(1).values.slice(1))
  expect(texts).toEqual([
    ['Name', 'Girl 1', 'Girl 2', 'Girl 3'],
    ['Name', 'Girl 4', 'Girl 5', 'Girl 6'],
    ['Name', 'Girl 7', 'Total'],
  ])
  // A sheet that is just full is not followed by an empty one.
  expect(await written(6)).toBe(6)
  expect((await opened(path)).worksheets.map((tab) => tab.rowCount)).toEqual([4, 5])
  expect(await written(0)).toBe(0)
  expect((await opened(path)).worksheets.map((tab) => tab.rowCount)).toEqual([2])
})

test('rows that fail in the second sheet leave no file, and what they are read from is ended', async () => {
  const path = join(folder, 'broken-later.xlsx')
  let isEnded = false
  async function* rows() {
    try {
      yield ['Awa']
      yield ['Oumou']
      throw new Error('The database is gone')
    } finally {
      isEnded = true
    }
  }
  const columns = [{ key: 'name', header: 'Name', kind: 'text' as const }]
  await expect(writeWorkbook(path, { name: 'Students', columns, rows: rows() }, 1)).rejects.toThrow('is gone')
  expect(isEnded).toBe(true)
  expect(existsSync(path)).toBe(false)
  expect(existsSync(`${path}.part`)).toBe(false)
})
