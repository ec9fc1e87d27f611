import type { ImportRow } from '@portal/contracts/imports'
import { expect, test } from 'vitest'
import {
  addStudents,
  fileOf,
  imported,
  sheetFile,
  startImports,
  stopped,
  student,
} from '../registers/registers.ts'

const { portal, owner, officer } = await startImports(2)
const names = async () =>
  (
    await owner.query(
      'select s.student_code, u.last_name from students s join users u on u.id = s.user_id order by s.student_code',
    )
  ).rows

test('an officer keeps one of two rejected duplicates, and the other is left out', async () => {
  const person = await officer()
  const rows = [student(1), student(1, { last_name: 'Ba' }), student(2)]
  const { id } = await imported(person, 'students', fileOf(rows), true)
  const kept = await person.post(`/imports/${id}/check`, { keep: [3] })
  expect(kept.body.import).toMatchObject({ state: 'review', rows_new: 2, rows_rejected: 1 })
  expect((await person.get(`/imports/${id}/groups`)).body.groups).toMatchObject([
    { column: '', reason: 'left_out', count: 1, message: 'This row was left out in the review.' },
  ])
  const { data } = (await person.get(`/imports/${id}/rows?kind=rejected&reason=left_out`)).body.rows
  expect(data).toMatchObject([{ row: 2, cells: { last_name: 'Traoré 1' } }])
  await person.post(`/imports/${id}/confirm`, {})
  expect(await stopped(person, id)).toMatchObject({ state: 'imported', rows_new: 2, rows_rejected: 1 })
  expect(await names()).toEqual([
    { student_code: 'S-1', last_name: 'Ba' },
    { student_code: 'S-2', last_name: 'Traoré 2' },
  ])
})

test('an officer leaves a good row out, takes it back and undoes that', async () => {
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1), student(2)]), true)
  const act = async (path: string, body = {}) =>
    (await person.post(`/imports/${id}/${path}`, body)).body.import
  expect(await act('check', { leave_out: [2] })).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  expect(await act('check', { take_back: [2] })).toMatchObject({ rows_new: 2, rows_rejected: 0 })
  expect(await act('undo')).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  await act('confirm')
  await stopped(person, id)
  expect(await names()).toEqual([{ student_code: 'S-2', last_name: 'Traoré 2' }])
  const { rows } = await owner.query(
    'select "row", "column", old_value, new_value from import_corrections where import_id = $1 order by id',
    [id],
  )
  expect(rows).toEqual([
    { row: 2, column: 'left_out', old_value: null, new_value: 'yes' },
    { row: 2, column: 'left_out', old_value: 'yes', new_value: null },
    { row: 2, column: 'left_out', old_value: null, new_value: 'yes' },
  ])
})

test('an officer leaves out the row whose other is then no duplicate any more', async () => {
  const person = await officer()
  const rows = [student(1), student(1), student(2)]
  const review = await imported(person, 'students', fileOf(rows), true)
  expect(review).toMatchObject({ rows_new: 2, rows_duplicate: 1 })
  const left = await person.post(`/imports/${review.id}/check`, { leave_out: [2] })
  expect(left.body.import).toMatchObject({ rows_new: 2, rows_duplicate: 0, rows_rejected: 1 })
})

test('an officer puts a value right in every row that has it, and takes it back at once', async () => {
  const person = await officer()
  const rows = [1, 2, 3].map((n) => student(n, { class: '9A' }))
  const { id } = await imported(person, 'students', fileOf([...rows, student(4, { class: '9B' })]), true)
  const replacements = [{ column: 'class', old_value: '9A', value: '8A' }]
  const replaced = await person.post(`/imports/${id}/check`, { replacements })
  expect(replaced.body.import).toMatchObject({ rows_new: 3, rows_rejected: 1 })
  const { rows: kept } = await owner.query(
    'select "row", "column", old_value, new_value from import_corrections where import_id = $1 order by id',
    [id],
  )
  expect(kept).toEqual([2, 3, 4].map((row) => ({ row, column: 'class', old_value: '9A', new_value: '8A' })))
  const undone = await person.post(`/imports/${id}/undo`)
  expect(undone.body).toMatchObject({
    message: 'The last change was taken back.',
    import: { rows_new: 0, rows_rejected: 4 },
  })
})

test('an officer who has changed nothing reads that there is nothing to undo', async () => {
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1)]), true)
  expect(await person.post(`/imports/${id}/undo`)).toMatchObject({
    status: 409,
    body: { message: 'Nothing was changed in this review.' },
  })
})

test('an officer reads in the workbook of rejected rows which one was left out', async () => {
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1), student(2)]), true)
  await person.post(`/imports/${id}/check`, { leave_out: [3] })
  const { errors } = (await person.get(`/imports/${id}`)).body.import
  expect(errors).toEqual([
    { row: 3, column: '', value: null, message: 'This row was left out in the review.' },
  ])
  expect((await person.get(`/imports/${id}/rejected.xlsx`)).status).toBe(200)
})

const own = student(1)
/** A file whose headings nobody knows, with the names of the fields they stand for. */
const foreign = {
  file: () =>
    sheetFile([['Liste de Kita', null], Object.keys(own).map((name) => `Col ${name}`), Object.values(own)]),
  headings: Object.fromEntries(Object.keys(own).map((name) => [`Col ${name}`, name])),
}

test('an officer says what the headings of a file are, and is reminded of it with the next one', async () => {
  const person = await officer()
  const path = '/admin/schools/students/import?review=1'
  const refused = await person.upload(path, { school_students_file: foreign.file() })
  expect(refused.status).toBe(422)
  const sent = await person.upload(path, {
    school_students_file: foreign.file(),
    headings: JSON.stringify(foreign.headings),
  })
  expect(sent.status).toBe(200)
  const { id } = sent.body.import
  expect(await stopped(person, id)).toMatchObject({
    state: 'review',
    rows_new: 1,
    headings: foreign.headings,
  })
  expect((await person.get('/imports/headings?kind=students')).body.headings).toEqual(foreign.headings)
  expect((await person.get('/imports/headings?kind=parents')).body.headings).toEqual({})
  await person.post(`/imports/${id}/confirm`, {})
  await stopped(person, id)
  expect(await names()).toEqual([{ student_code: 'S-1', last_name: 'Traoré 1' }])
  const { rows } = await owner.query(
    `select v.new_values->'headings' as headings from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'uploaded' and a.auditable_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ headings: foreign.headings }])
})

test('what an officer named headings is proposed to her colleagues, and to each partner only what it named', async () => {
  const upload = (person: Awaited<ReturnType<typeof officer>>, headings: Record<string, string>) =>
    person.upload('/admin/schools/students/import?review=1', {
      school_students_file: foreign.file(),
      headings: JSON.stringify(headings),
    })
  const remembered = async (person: Awaited<ReturnType<typeof officer>>) =>
    (await person.get('/imports/headings?kind=students')).body.headings
  const [person, colleague, kita, kayes] = [
    await officer(),
    await officer(),
    await officer(),
    await officer(),
  ]
  for (const [name, { user }] of Object.entries({ Kita: kita, Kayes: kayes }))
    await owner.query(
      `insert into partners (name, user_id, partner_type, partner_since) values ($1, $2, 'ngo', '2024-01-01')`,
      [name, user.id],
    )
  const other = { ...foreign.headings, 'Col first_name': 'last_name', 'Col last_name': 'first_name' }
  await upload(person, foreign.headings)
  await upload(kita, other)
  expect(await remembered(colleague)).toEqual(foreign.headings)
  expect(await remembered(kita)).toEqual(other)
  expect(await remembered(kayes)).toEqual({})
})

test('an officer who changes her mind about a heading is reminded of what she said last', async () => {
  const person = await officer()
  const other = { ...foreign.headings, 'Col first_name': 'last_name', 'Col last_name': 'first_name' }
  for (const headings of [foreign.headings, other, { 'Col class': '' }])
    await person.upload('/admin/schools/students/import?review=1', {
      school_students_file: foreign.file(),
      headings: JSON.stringify({ ...foreign.headings, ...headings }),
    })
  expect((await person.get('/imports/headings?kind=students')).body.headings).toEqual({
    ...foreign.headings,
    'Col class': '',
  })
})

test('an officer puts a value right as her file spells it, and leaves another spelling alone', async () => {
  const person = await officer()
  const rows = [student(1, { admin_code: 'kit 9' }), student(2, { admin_code: 'KIT9' })]
  const { id } = await imported(person, 'students', fileOf(rows), true)
  const replacements = [{ column: 'admin_code', old_value: 'kit 9', value: 'KIT-1' }]
  const { body } = await person.post(`/imports/${id}/check`, { replacements })
  expect(body.import).toMatchObject({ rows_new: 1, rows_rejected: 1, errors: [{ row: 3 }] })
})

test('an upload whose headings are no headings is refused', async () => {
  const person = await officer()
  for (const headings of ['[1]', '{"Col": 1}', 'Col'])
    expect(
      await person.upload('/admin/schools/students/import', {
        school_students_file: fileOf([student(1)]),
        headings,
      }),
    ).toMatchObject({ status: 422, body: { errors: { headings: [expect.any(String)] } } })
})

test('an officer sees who of the register a new student may be under another code', async () => {
  await addStudents(portal, 1)
  const rows = [
    student(7, { first_name: 'Aissata', last_name: 'Traore 1' }),
    student(8, { date_of_birth: '04/02/2012', last_name: 'Traoré 1' }),
    student(9, { first_name: 'Oumou', last_name: 'Ba' }),
  ]
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf(rows), true)
  const likely = async (who: typeof person) =>
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the api, checked against its contract there
    (await who.get(`/imports/${id}/rows?kind=new`)).body.rows.data.map((row: any) => row.likely)
  expect(await likely(person)).toEqual([
    [{ code: 'S-1', name: 'Aïssata Traoré 1', place: 'École de Kita 1', twin: null }],
    [],
    [],
  ])
  expect(await likely(await portal.signedIn('students.import'))).toEqual([[], [], []])
})

test('an officer sees who a new student may be although one letter and the order of the names differ', async () => {
  await addStudents(portal, 1)
  const rows = [student(7, { first_name: 'Traoré', last_name: 'Aïsata' })]
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf(rows), true)
  const { data } = (await person.get(`/imports/${id}/rows?kind=new`)).body.rows
  expect(data).toMatchObject([{ row: 2, likely: [{ code: 'S-1' }] }])
})

test('an officer sees which new students of a file may be one girl under two codes, and leaves one of them out', async () => {
  const rows = [
    student(7, { first_name: 'Aissata', last_name: 'Traore' }),
    student(8, { first_name: 'Oumou', last_name: 'Ba' }),
    student(9, { last_name: 'Traoré' }),
    student(10, { last_name: 'Traoré', admin_code: 'KIT-2' }),
    student(11, { last_name: 'Traoré', date_of_birth: '04/02/2012' }),
  ]
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf(rows), true)
  const page = async (more = '', who = person) =>
    (await who.get(`/imports/${id}/rows?kind=new${more}`)).body.rows
  const place = 'École de Kita 1'
  const likely = async (who = person) =>
    (await page('&likely=1', who)).data.map(({ row, likely }: ImportRow) => [row, likely])
  const pairs = [
    [2, [{ code: 'S-9', name: 'Aïssata Traoré', place, twin: 4 }]],
    [4, [{ code: 'S-7', name: 'Aissata Traore', place, twin: 2 }]],
  ]
  expect(await likely()).toEqual(pairs)
  expect(await likely(await portal.signedIn('students.import'))).toEqual(pairs)
  expect((await page()).total).toBe(5)
  await person.post(`/imports/${id}/check`, { leave_out: [2] })
  expect(await likely()).toEqual([])
})
