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

test('nothing is stored before the officer confirms, and the review shows her every changed cell', async () => {
  await addStudents(portal, 2)
  const person = await officer()
  const file = fileOf([student(1, { current_class_level: '8e', last_name: 'Touré' }), student(2), student(3)])
  const review = await imported(person, 'students', file, true)
  expect(review).toMatchObject({
    state: 'review',
    rows_new: 1,
    rows_changed: 1,
    rows_unchanged: 1,
    rows_rejected: 0,
  })
  expect(await stored('S-3')).toBeUndefined()
  const { rows } = (await person.get(`/imports/${review.id}/rows?kind=changed`)).body
  expect(rows.data).toMatchObject([
    {
      row: 2,
      cells: { student_code: 'S-1', current_class_level: '8e' },
      changes: [
        { column: 'last_name', old_value: 'Traoré 1', new_value: 'Touré' },
        { column: 'current_class_level', old_value: '7', new_value: '8' },
      ],
    },
  ])
  const confirmed = await person.post(`/imports/${review.id}/confirm`, {})
  expect(confirmed.body.message).toBe('The import is being saved.')
  expect(await stopped(person, review.id)).toMatchObject({
    state: 'imported',
    rows_new: 1,
    rows_changed: 1,
    rows_unchanged: 1,
  })
  expect(await stored('S-1')).toMatchObject({ last_name: 'Touré', current_class_level: '8', version: 2 })
  expect((await person.post(`/imports/${review.id}/confirm`, {})).status).toBe(409)
})

test('an officer who cancels a review leaves nothing behind', async () => {
  const person = await officer()
  const review = await imported(person, 'students', fileOf([student(1)]), true)
  expect((await person.post(`/imports/${review.id}/cancel`)).body.message).toBe(
    'The import was cancelled. Nothing was saved.',
  )
  expect(await stored('S-1')).toBeUndefined()
  expect((await person.get(`/imports/${review.id}/rows?kind=new`)).body.rows.total).toBe(0)
})

test('when an officer corrects cells, the rows with their old and new keys are validated again', async () => {
  const person = await officer()
  const rows = [student(1), student(1, { last_name: 'Ba' }), student(3, { current_class_level: '77' })]
  const review = await imported(person, 'students', fileOf(rows), true)
  expect(review).toMatchObject({ rows_new: 0, rows_rejected: 3 })
  const groups = (await person.get(`/imports/${review.id}/groups`)).body.groups
  expect(groups).toMatchObject([
    {
      column: 'student_code',
      reason: 'row_conflict',
      count: 2,
      message: 'Row … has the same … but other values. Keep one of the two.',
    },
    { column: 'current_class_level', count: 1, samples: [{ row: 4, value: '77' }] },
  ])
  const corrections = [{ row: 3, column: 'student_code', value: 'S-9' }]
  const checked = (await person.post(`/imports/${review.id}/check`, { corrections })).body.import
  expect(checked).toMatchObject({ state: 'review', rows_new: 2, rows_rejected: 1 })
  const level = [{ row: 4, column: 'current_class_level', value: '7e année' }]
  await person.post(`/imports/${review.id}/confirm`, { corrections: level })
  expect(await stopped(person, review.id)).toMatchObject({ state: 'imported', rows_new: 3, rows_rejected: 0 })
  expect(await stored('S-9')).toMatchObject({ last_name: 'Ba' })
  expect(await stored('S-3')).toMatchObject({ current_class_level: '7' })
})

test('an officer reviews again the rows that a colleague changed after the review, and overwrites nothing', async () => {
  await addStudents(portal, 2)
  const [first, second] = [await officer(), await officer()]
  const mine = await imported(
    first,
    'students',
    fileOf([student(1, { last_name: 'Mine' }), student(5)]),
    true,
  )
  const yours = await imported(second, 'students', fileOf([student(1, { last_name: 'Yours' })]), true)
  await second.post(`/imports/${yours.id}/confirm`, {})
  await stopped(second, yours.id)
  await first.post(`/imports/${mine.id}/confirm`, {})
  const again = await stopped(first, mine.id)
  expect(again).toMatchObject({ state: 'review', rows_new: 1, rows_changed: 1 })
  expect(again.problem).toMatch(/^Somebody else changed some of these rows/)
  expect(await stored('S-5')).toBeUndefined()
  const { data } = (await first.get(`/imports/${mine.id}/rows?kind=changed`)).body.rows
  expect(data[0].changes).toEqual([{ column: 'last_name', old_value: 'Yours', new_value: 'Mine' }])
  await first.post(`/imports/${mine.id}/confirm`, {})
  expect(await stopped(first, mine.id)).toMatchObject({ state: 'imported', problem: null })
  expect(await stored('S-1')).toMatchObject({ last_name: 'Mine', version: 3 })
})

test('an officer reviews again a girl whose code a colleague corrected after the review, and does not make her a second time', async () => {
  await addStudents(portal, 1)
  const [person, colleague] = [await officer(), await officer()]
  const review = await imported(person, 'students', fileOf([student(1, { last_name: 'Touré' })]), true)
  expect(review).toMatchObject({ state: 'review', rows_new: 0, rows_changed: 1 })
  const { id } = await stored('S-1')
  const { student: girl } = (await colleague.get(`/admin/schools/students/${id}`)).body
  const { user, class: of, ...rest } = girl
  const edit = { ...rest, ...user, class_id: of.id, student_code: 'S-100' }
  expect((await colleague.put(`/admin/schools/students/${id}`, edit)).status).toBe(200)
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({ state: 'review', rows_new: 1, rows_changed: 0 })
  expect((await one('select count(*)::int as n from students')).n).toBe(1)
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({ state: 'imported', rows_new: 1 })
})

test('when two officers import the same new students at the same time, each student is made once', async () => {
  const people = [await officer(), await officer()]
  const rows = Array.from({ length: 300 }, (_, n) => student(n + 1))
  const sent = await Promise.all(people.map((person) => send(person, 'students', fileOf(rows))))
  const ends = await Promise.all(
    sent.map(({ body }, at) => stopped(people[at] as (typeof people)[0], body.import.id)),
  )
  expect(ends.map(({ state }) => state)).toEqual(['imported', 'imported'])
  expect((await one('select count(*)::int as n from students')).n).toBe(300)
  expect((await one(`select count(*)::int as n from users where type = 'student'`)).n).toBe(300)
})

test('an officer who may not see sensitive columns does not change them by an import, nor sees them in a review', async () => {
  await addStudents(portal, 1)
  const plain = await portal.signedIn('students.import', 'students.view')
  const row = student(1, { maternal_status: 'mother', disability_vision: 'cannot do' })
  const made = await imported(plain, 'students', fileOf([row]))
  expect(made).toMatchObject({ rows_unchanged: 1 })
  expect(await stored('S-1')).toMatchObject({ maternal_status: 'none', disability_vision: null })
  const full = await officer()
  const review = await imported(full, 'students', fileOf([row]), true)
  const seen = async (person: typeof full) =>
    (await person.get(`/imports/${review.id}/rows?kind=changed`)).body.rows.data[0]
  expect((await seen(full)).changes).toHaveLength(2)
  expect(await seen(plain)).toMatchObject({ changes: [] })
  expect((await seen(plain)).cells).not.toHaveProperty('maternal_status')
  expect((await plain.get(`/imports/${review.id}/file`)).status).toBe(403)
  expect((await full.get(`/imports/${review.id}/file`)).status).toBe(200)
})

test('an officer who may not see sensitive columns gets no workbook of a colleague who may not see them either', async () => {
  await addStudents(portal, 1)
  const [plain, other] = await Promise.all([
    portal.signedIn('students.import', 'students.view'),
    portal.signedIn('students.import', 'students.view'),
  ])
  const made = await imported(plain, 'students', fileOf([student(1, { maternal_status: 'mother' })]))
  expect((await other.get(`/imports/${made.id}/file`)).status).toBe(403)
  expect((await plain.get(`/imports/${made.id}/file`)).status).toBe(200)
  expect((await (await officer()).get(`/imports/${made.id}/file`)).status).toBe(200)
})

test('an officer who may not see sensitive columns neither finds rows by them in a review, nor corrects them', async () => {
  const [full, plain] = [await officer(), await portal.signedIn('students.import', 'students.view')]
  const rows = [student(1, { maternal_status: 'enceintte' }), student(2, { maternal_status: 'mère' })]
  const { id } = await imported(full, 'students', fileOf(rows), true)
  const found = async (person: typeof full, query: string) =>
    (await person.get(`/imports/${id}/rows?kind=rejected&column=maternal_status${query}`)).body.rows.total
  for (const query of ['', '&value=enceintte']) {
    expect(await found(full, query)).toBe(1)
    expect(await found(plain, query)).toBe(0)
  }
  const column = 'maternal_status'
  const changes = {
    corrections: [{ row: 3, column, value: 'none' }],
    replacements: [{ column, old_value: 'enceintte', value: 'none' }],
  }
  const ignored = await plain.post(`/imports/${id}/check`, changes)
  expect(ignored).toMatchObject({ status: 200, body: { import: { rows_new: 1, rows_rejected: 1 } } })
  const { n } = await one(`select count(*)::int as n from import_corrections where import_id = ${id}`)
  expect(n).toBe(0)
  expect((await plain.post(`/imports/${id}/confirm`, changes)).status).toBe(200)
  expect(await stopped(full, id)).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  expect(await stored('S-2')).toMatchObject({ maternal_status: 'mother' })
})

test('an officer who may not see sensitive columns does not take back what somebody corrected in them', async () => {
  const [full, plain] = [await officer(), await portal.signedIn('students.import', 'students.view')]
  const { id } = await imported(
    full,
    'students',
    fileOf([student(1, { maternal_status: 'enceintte' })]),
    true,
  )
  const corrections = [{ row: 2, column: 'maternal_status', value: 'none' }]
  expect((await full.post(`/imports/${id}/check`, { corrections })).body.import).toMatchObject({
    rows_new: 1,
  })
  expect((await plain.post(`/imports/${id}/undo`)).status).toBe(403)
  expect((await full.get(`/imports/${id}`)).body.import).toMatchObject({ rows_new: 1, rows_rejected: 0 })
  expect((await full.post(`/imports/${id}/undo`)).body.import).toMatchObject({
    rows_new: 0,
    rows_rejected: 1,
  })
})

test('only a person who may import students reads the import and its rows', async () => {
  const person = await officer()
  const stranger = await portal.signedIn('students.view')
  expect((await send(stranger, 'students', fileOf([student(1)]))).status).toBe(403)
  const review = await imported(person, 'students', fileOf([student(1)]), true)
  for (const path of ['', '/rows?kind=new', '/groups', '/file', '/rejected.xlsx'])
    expect((await stranger.get(`/imports/${review.id}${path}`)).status).toBe(403)
  for (const path of ['confirm', 'check', 'cancel'])
    expect((await stranger.post(`/imports/${review.id}/${path}`, {})).status).toBe(403)
})
