import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { deflateRawSync } from 'node:zlib'
import { formulaCell } from '@portal/contracts/imports/unreadable'
import { beforeEach, expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'
import {
  addPlaces,
  addSchools,
  fileOf,
  studentHeadings as headings,
  imported,
  send,
  student,
  studentLine,
} from '../registers/registers.ts'
import { rowXml, sheetXml, workbookParts, zip } from './workbooks.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
const base = await portal.listen()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
})

const officer = () => portal.signedInAs('School Officer')
const bytesOf = (name: string) => readFileSync(new URL(`../fixtures/excel/${name}`, import.meta.url))
const asFile = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)
const traces = async () =>
  (
    await owner.query(`select (select count(*)::int from imports) as imports, (select count(*)::int from files) as files,
      (select count(*)::int from pgboss.job where name = 'import') as jobs, (select count(*)::int from students) as students`)
  ).rows[0]
const nothing = { imports: 0, files: 0, jobs: 0, students: 0 }

/** A workbook like those of LibreOffice: first a sheet of notes, then a title in merged cells and headings in row 3. */
const good = [
  { row: 4, student_code: 'S-101', date_of_birth: '2012-02-03', admin_code: 'KIT-1', class: '7A' },
  { row: 5, student_code: '102', date_of_birth: '2013-11-25', admin_code: 'KIT-1', class: '7A' },
  { row: 6, student_code: 'S-103', date_of_birth: '2013-05-01', admin_code: 'KIT-2', class: '8A' },
]
const faults = [
  { row: 7, column: 'admin_code', value: null, message: 'Fill in this field.' },
  { row: 8, column: 'current_class_level', value: null, message: 'Fill in this field.' },
  { row: 10, column: 'date_of_birth', value: '2031-03-04', message: 'This date lies in the future.' },
]
const formula = {
  row: 9,
  column: 'first_name',
  value: formulaCell.text,
  message: 'This cell holds a formula. Write its value instead.',
}

test.each<[string, string, object[]]>([
  ['students.xlsx', 'students.xlsx', faults],
  ['students.xls', 'students.xls', [faults[0], faults[1], formula, faults[2]] as object[]],
  ['students.xls', 'renamed.xlsx', [faults[0], faults[1], formula, faults[2]] as object[]],
  ['students.xlsx', 'renamed.xls', faults],
])(
  '%s of LibreOffice, sent as %s: merged cells, dates, numbers and formulas are what they show',
  async (source, name, errors) => {
    const person = await officer()
    const made = await imported(person, 'students', asFile(bytesOf(source), name))
    expect(made).toMatchObject({ state: 'imported', rows_read: 7, rows_rejected: errors.length, errors })
    const { rows } =
      await owner.query(`select s.student_code, u.date_of_birth::text, sc.admin_code, k.name as class from students s
    join users u on u.id = s.user_id join schools sc on sc.id = s.school_id join classes k on k.id = s.class_id order by s.id limit 3`)
    expect(rows).toEqual(good.map(({ row: _, ...one }) => one))
    expect(await imported(person, 'students', asFile(bytesOf(source), name))).toMatchObject({
      rows_new: 0,
      rows_changed: 0,
    })
  },
)

const line = studentLine(1)
const sheet = (xml: string) => zip(workbookParts([{ name: 'A', xml }]))
const rowsOf = (...rows: (string | null)[][]) => sheet(sheetXml(rows.map(rowXml).join('')))
const laughs = `<!DOCTYPE lolz [<!ENTITY a0 "ha">${Array.from({ length: 10 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]>`
const declared = (declaration: string, use: string) =>
  sheet(
    `<?xml version="1.0"?>${declaration}<worksheet><sheetData>${rowXml(headings)}${rowXml([...line.slice(0, 5), use])}</sheetData></worksheet>`,
  )

/** A zip bomb: 4 GB of one repeated block in 4 MB, made in milliseconds. */
function bomb(): Buffer {
  const size = 16 * 1024 * 1024
  const block = deflateRawSync(Buffer.alloc(size, '<row/>'), { finishFlush: 2, level: 9 })
  const packed = Buffer.concat([...Array.from({ length: 250 }, () => block), Buffer.from([3, 0])])
  const parts = workbookParts([{ name: 'A', xml: '' }]).slice(0, -1)
  return zip([...parts, { name: 'xl/worksheets/sheet1.xml', packed, unpacked: size * 250, crc: 0 }])
}

test.each<[string, () => Buffer, string]>([
  ['a bomb of 4 GB', bomb, 'The file unpacks to more than 400 MB.'],
  [
    'a billion laughs',
    () => declared(laughs, '&a10;'),
    'The file holds XML declarations that a workbook never has; it is refused.',
  ],
  [
    'an entity of another file',
    () => declared('<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
    'The file holds XML declarations that a workbook never has; it is refused.',
  ],
  [
    'a workbook of another list',
    () => rowsOf(['Region', 'Cercle'], ['KAYES', 'BAFOULABE']),
    'The headings of this list were not found in the first rows.',
  ],
  [
    'a missing heading',
    () => rowsOf(headings.slice(1), line.slice(1)),
    'Headings are missing: Student code.',
  ],
  [
    'a heading twice',
    () => rowsOf([...headings, 'Code élève'], [...line, 'S-2']),
    'Headings stand there more than once: Student code.',
  ],
  ['headings only', () => rowsOf(headings), 'The sheet has headings, but no row below them.'],
  [
    'an HTML table',
    () => Buffer.from('<html><table><tr><td>Nom</td></tr></table></html>'),
    'This is a web page named like an Excel file.',
  ],
  ['a PDF', () => Buffer.from('%PDF-1.7\n'), 'This is a PDF, not an Excel file.'],
  ['a zip', () => zip([{ name: 'a.txt', data: 'a' }]), 'This is a zip archive, not an Excel file.'],
  ['half a workbook', () => rowsOf(headings, line).subarray(0, 700), 'The file is cut off or damaged.'],
])(
  '%s is refused at the field of the file, in both languages, and nothing is made',
  async (_, make, sentence) => {
    const person = await officer()
    for (const [language, words] of [
      ['en', sentence],
      ['fr', ''],
    ] as const) {
      person.headers['accept-language'] = language
      const refused = await send(person, 'students', asFile(make(), 'list.xls'))
      expect(refused.status).toBe(422)
      const [message] = refused.body.errors.school_students_file
      if (words) expect(message).toContain(words)
      else expect(message).not.toContain(sentence)
    }
    expect(await traces()).toEqual(nothing)
  },
)

test('an officer’s file may have extra columns, any order of columns and a hidden sheet', async () => {
  const person = await officer()
  const mixed = [...headings].reverse()
  const rows = [
    ['N°', ...mixed, 'Remarque'],
    ['1', ...[...line].reverse(), 'bien'],
  ]
  const parts = workbookParts([
    { name: 'Hidden', xml: sheetXml(rowXml(headings) + rowXml(['S-9', ...line.slice(1)])), state: 'hidden' },
    { name: 'List', xml: sheetXml(rows.map(rowXml).join('')) },
  ])
  expect(await imported(person, 'students', asFile(zip(parts), 'list.xlsx'))).toMatchObject({ rows_new: 1 })
  expect((await owner.query('select student_code from students')).rows).toEqual([{ student_code: 'S-1' }])
})

test.each(['merged.xlsx', 'merged.xls'])(
  'an officer’s %s of LibreOffice with one school for two merged rows is refused with their range, and nothing is written',
  async (name) => {
    expect(await imported(await officer(), 'students', asFile(bytesOf(name), name))).toMatchObject({
      state: 'failed',
      problem:
        'The cells E6:E7 are merged, so that only the first of their rows has a value. Unmerge them and write the value in each row.',
    })
    expect(await traces()).toMatchObject({ students: 0 })
  },
)

test('an officer’s file of 200,001 rows is refused before anything is stored', {
  timeout: 90_000,
}, async () => {
  const person = await officer()
  const xml = sheetXml(rowXml(headings) + rowXml(line).repeat(200_001))
  const refused = await send(person, 'students', asFile(sheet(xml), 'list.xlsx'))
  expect(refused.body.errors).toEqual({
    school_students_file: ['The sheet has more than 200,000 rows. Split it into several files.'],
  })
  expect(await traces()).toEqual(nothing)
})

test('an officer’s file with characters that the database refuses is still read to the end', async () => {
  const person = await officer()
  const file = fileOf([
    student(1, { first_name: 'A_xD800_wa' }),
    student(2, { last_name: 'B_x0000_a' }),
    student(3),
  ])
  const made = await imported(person, 'students', file)
  expect(made).toMatchObject({ state: 'imported', rows_read: 3, rows_new: 3 })
})

test('an officer’s upload that is cut off leaves nothing behind, and the next one works', async () => {
  const person = await officer()
  const bytes = rowsOf(headings, line)
  const head =
    '--x\r\ncontent-disposition: form-data; name="school_students_file"; filename="list.xlsx"\r\n\r\n'
  await new Promise<void>((resolve) => {
    const call = request(`${base}/admin/schools/students/import`, {
      method: 'POST',
      headers: {
        ...person.headers,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 1_000_000,
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': decodeURIComponent(person.cookies.get('XSRF-TOKEN') ?? ''),
      },
    })
    call.on('error', () => resolve())
    call.on('close', () => resolve())
    call.write(head)
    call.write(bytes.subarray(0, 500), () => setTimeout(() => call.destroy(), 50))
  })
  await until(async () => (await person.get('/imports?kind=students')).status === 200)
  expect(await traces()).toEqual(nothing)
  expect(await imported(person, 'students', asFile(bytes, 'list.xlsx'))).toMatchObject({ rows_new: 1 })
})

test('other people’s calls are answered while a zip bomb is read', async () => {
  const [bomber, other] = [await officer(), await officer()]
  const sent = send(bomber, 'students', asFile(bomb(), 'list.xlsx'))
  const list = await other.get('/admin/schools/list')
  expect(list.body.schools.total).toBe(3)
  expect((await sent).status).toBe(422)
})
