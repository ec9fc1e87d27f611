import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import {
  addStudents,
  fileOf,
  imported,
  send,
  startImports,
  stopped,
  student,
} from '../registers/registers.ts'

const { portal, officer, one } = await startImports(2)
const stored = (code: string) =>
  one(`select s.*, u.first_name, u.last_name, u.date_of_birth::text as born, sc.admin_code, k.name as class from students s
    join users u on u.id = s.user_id join schools sc on sc.id = s.school_id left join classes k on k.id = s.class_id
    where s.student_code = '${code}'`)

test('an officer imports new students with school, class and level, and the same file again changes nothing', async () => {
  const person = await officer()
  const file = () =>
    fileOf([student(1), student(2, { gender: 'F', language_spoken: 'Bambara', start_date: '01/10/2025' })])
  const first = await imported(person, 'students', file())
  expect(first).toMatchObject({
    state: 'imported',
    rows_read: 2,
    rows_new: 2,
    rows_imported: 2,
    rows_rejected: 0,
  })
  expect(await stored('S-2')).toMatchObject({
    last_name: 'Traoré 2',
    born: '2012-02-03',
    admin_code: 'KIT-1',
    class: '7A',
    current_class_level: '7',
    language_spoken: 'bamanankan',
    person: 'Traoré 2 Aïssata',
  })
  const again = await imported(person, 'students', file())
  expect(again).toMatchObject({ state: 'imported', rows_new: 0, rows_changed: 0, rows_unchanged: 2 })
  expect((await stored('S-1')).version).toBe(1)
  expect((await one(`select count(*)::int as n from audits where event = 'imported'`)).n).toBe(2)
})

test('an officer who leaves the cell of the school or of the level blank gives no student a level of the other country', async () => {
  await addStudents(portal, 2)
  const person = await officer()
  const made = await imported(
    person,
    'students',
    fileOf([
      { ...student(1), admin_code: null, class: null, current_class_level: 'CM2' },
      { ...student(2), admin_code: 'VEL-1', class: '6E', current_class_level: null },
    ]),
  )
  expect(made).toMatchObject({
    rows_rejected: 2,
    errors: [
      {
        row: 2,
        column: 'current_class_level',
        message: 'CM2 is a class level of Senegal, and the school is in Mali.',
      },
      {
        row: 3,
        column: 'current_class_level',
        message: '7 is a class level of Mali, and the school is in Senegal.',
      },
    ],
  })
  expect(await stored('S-2')).toMatchObject({ admin_code: 'KIT-1', current_class_level: '7' })
})

test('an officer’s blank cell keeps the stored value', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const made = await imported(
    person,
    'students',
    fileOf([{ ...student(1), first_name: null, class: null, admission_number: 'N-1' }]),
  )
  expect(made).toMatchObject({ state: 'imported', rows_changed: 1 })
  expect(await stored('S-1')).toMatchObject({
    first_name: 'Aïssata',
    class: '7A',
    admission_number: 'N-1',
    maternal_status: 'none',
  })
})

test.each<[string, Record<string, string | number>, string, string]>([
  [
    'an unknown school',
    { admin_code: 'KIT-9' },
    'admin_code',
    'No school has the code KIT-9. The nearest known one is KIT-1.',
  ],
  [
    'a class that the school has not',
    { class: '9A' },
    'class',
    'The school has no class 9A. Its classes are: 7A, 8A.',
  ],
  ['a guardian that is not there', { parents: 'P-1' }, 'parents', 'No guardian has the code P-1.'],
  [
    'a level that is not known',
    { current_class_level: 'XYZ' },
    'current_class_level',
    'XYZ is not a known class level.',
  ],
  [
    'a level of the other country',
    { current_class_level: 'CM2' },
    'current_class_level',
    'CM2 is a class level of Senegal, and the school is in Mali.',
  ],
  [
    'a level of Mali at a school of Senegal',
    { admin_code: 'VEL-1', class: '6E', current_class_level: '8' },
    'current_class_level',
    '8 is a class level of Mali, and the school is in Senegal.',
  ],
  [
    'a spelling of a level of Senegal at a school there',
    { admin_code: 'VEL-1', class: '6E', current_class_level: '6ème' },
    'current_class_level',
    '6ème is not a known class level.',
  ],
  [
    'a birth date in the future',
    { date_of_birth: '01/01/2999' },
    'date_of_birth',
    'This date lies in the future.',
  ],
  [
    'a birth date that does not exist',
    { date_of_birth: '31/02/2012' },
    'date_of_birth',
    'Write a date that exists, as dd/mm/yyyy.',
  ],
  ['no name', { last_name: '' }, 'last_name', 'Fill in this field.'],
  ['no code', { student_code: '' }, 'student_code', 'Fill in this field.'],
  [
    'a code that Excel shortened',
    { student_code: 1.23456789012346e17 },
    'student_code',
    'Excel has shortened this number. Format the column as text and write it in full.',
  ],
  [
    'a mistyped word of a list',
    { gender: 'femalle' },
    'gender',
    '“femalle” is not one of the list. Did you mean female?',
  ],
  [
    'a language nobody knows',
    { language_spoken: 'bamanakan' },
    'language_spoken',
    '“bamanakan” is not one of the list. Did you mean bamanankan?',
  ],
])('a row with %s is left out and says why; the others come in', async (_, wrong, column, message) => {
  const person = await officer()
  const made = await imported(person, 'students', fileOf([student(1, wrong), student(2)]))
  expect(made).toMatchObject({
    state: 'imported',
    rows_new: 1,
    rows_rejected: 1,
    errors: [{ row: 2, column, message }],
  })
  expect(await stored('S-2')).toBeDefined()
})

test('codes that differ in case or spaces mean one student: equal rows count once, contradicting rows are all rejected', async () => {
  const person = await officer()
  const rows = [
    student(1),
    student(1, { student_code: ' s - 1 ' }),
    student(2),
    student(2, { student_code: 's-2', last_name: 'Ba' }),
  ]
  const made = await imported(person, 'students', fileOf(rows), true)
  expect(made).toMatchObject({ rows_new: 1, rows_duplicate: 1, rows_rejected: 2 })
  expect(made.errors).toMatchObject([
    {
      row: 4,
      column: 'student_code',
      value: 'S-2',
      message: 'Row 5 has the same Student code but other values. Keep one of the two.',
    },
    {
      row: 5,
      column: 'student_code',
      message: 'Row 4 has the same Student code but other values. Keep one of the two.',
    },
  ])
  const duplicates = (await person.get(`/imports/${made.id}/rows?kind=duplicate`)).body.rows
  expect(duplicates.data).toMatchObject([{ row: 3, same_as: 2 }])
})

test('a student who moves to another school has no class unless the file names one', async () => {
  await addStudents(portal, 2)
  const person = await officer()
  const rows = [
    student(1, { admin_code: 'KIT-2', class: null }),
    student(2, { admin_code: 'KIT-2', class: '8a' }),
  ]
  const review = await imported(person, 'students', fileOf(rows), true)
  const { data } = (await person.get(`/imports/${review.id}/rows?kind=changed`)).body.rows
  expect(data[0].changes).toEqual([
    { column: 'admin_code', old_value: 'KIT-1', new_value: 'KIT-2' },
    { column: 'class', old_value: '7A', new_value: null },
  ])
  await person.post(`/imports/${review.id}/confirm`, {})
  await stopped(person, review.id)
  expect(await stored('S-1')).toMatchObject({ admin_code: 'KIT-2', class: null })
  expect(await stored('S-2')).toMatchObject({ admin_code: 'KIT-2', class: '8A' })
})

test('a French officer uploads a file with French headings and reads the errors in French', async () => {
  const person = await officer()
  person.headers['accept-language'] = 'fr'
  const row = {
    'CODE ÉLÈVE': 'S-1',
    Prénom: 'Awa',
    NOM: 'Ba',
    'Née le': '3/2/2012',
    'Code établissement': 'KIT-1',
    Niveau: '7e année',
    Sexe: 'fille',
  }
  const made = await imported(
    person,
    'students',
    fileOf([row, { ...row, 'CODE ÉLÈVE': 'S-2', Niveau: '99' }]),
  )
  expect(made).toMatchObject({
    rows_new: 1,
    rows_rejected: 1,
    errors: [{ column: 'current_class_level', message: '99 n’est pas un niveau de classe connu.' }],
  })
  expect(await stored('S-1')).toMatchObject({ current_class_level: '7' })
})

test('an officer’s file without a valid row imports nothing; the history keeps its errors and who sent it', async () => {
  const person = await officer()
  const made = await imported(person, 'students', fileOf([student(1, { admin_code: 'X' })]))
  expect(made).toMatchObject({
    state: 'failed',
    problem: 'Not one row could be accepted; nothing was imported.',
    rows_rejected: 1,
  })
  const history = (await person.get('/imports?kind=students')).body.imports
  expect(history.data).toMatchObject([
    { id: made.id, file_name: 'list.xlsx', user: { first_name: 'Awa' }, cohort_id: null },
  ])
  const file = await person.get(`/imports/${made.id}/rejected.xlsx`)
  expect(file.bytes.subarray(0, 2).toString()).toBe('PK')
  expect(readdirSync(join(portal.settings.dataDir, 'files', 'temp'))).toEqual([])
})

test('an officer corrects the rejected rows in the file with comments and uploads it again', async () => {
  const person = await officer()
  const made = await imported(person, 'students', fileOf([student(1), student(2, { admin_code: 'X' })]))
  expect(made).toMatchObject({ state: 'imported', rows_new: 1, rows_rejected: 1 })
  const { bytes } = await person.get(`/imports/${made.id}/rejected.xlsx`)
  const book = new exceljs.Workbook()
  await book.xlsx.load(new Uint8Array(bytes).buffer)
  const tab = book.worksheets[0]
  const headings = tab?.getRow(1).values as string[]
  const code = tab?.getRow(2).getCell(headings.indexOf('School ID'))
  expect(code?.note).toContain('X')
  if (code) code.value = 'KIT-1'
  const corrected = new File([await book.xlsx.writeBuffer()], 'rejected.xlsx')
  expect(await imported(person, 'students', corrected)).toMatchObject({
    state: 'imported',
    rows_read: 1,
    rows_new: 1,
    rows_rejected: 0,
  })
  expect(await stored('S-2')).toMatchObject({ last_name: expect.any(String) })
})

test('an officer who uploads a wrong file reads the error at the field, and no import is made', async () => {
  const person = await officer()
  const refused = await send(person, 'students', fileOf([{ region: 'KAYES', cercle: 'BAFOULABE' }]))
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.body.errors.school_students_file[0]).toMatch(/^The headings of this list were not found/)
  expect((await one('select count(*)::int as n from imports')).n).toBe(0)
})
