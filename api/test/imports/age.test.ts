import { expect, test } from 'vitest'
import { addStudents, fileOf, imported, startImports, stopped, student } from '../registers/registers.ts'

const { portal, owner, officer } = await startImports(2)
const born = async () =>
  (
    await owner.query(
      'select s.student_code as code, u.date_of_birth::text as born from students s join users u on u.id = s.user_id order by 1',
    )
  ).rows
/** A date of birth of a child of some nine months, as files write it and as it is stored. */
const infant = () => {
  const stored = new Date(Date.now() - 270 * 86_400_000).toISOString().slice(0, 10)
  return { stored, written: stored.split('-').reverse().join('/') }
}
const asked = (written: string) => ({
  column: 'date_of_birth',
  message: `Unusual age: born on ${written}; at level 7 about 13 years is usual. Correct it, or confirm it in the review.`,
})

test('a child of nine months in year 7 comes in only once an officer has confirmed it in the review', async () => {
  const { stored, written } = infant()
  const person = await officer()
  const file = fileOf([student(1, { date_of_birth: written }), student(2)])
  const review = await imported(person, 'students', file, true)
  expect(review).toMatchObject({
    state: 'review',
    rows_new: 1,
    rows_rejected: 1,
    errors: [{ row: 2, ...asked(written) }],
  })
  const confirmed = await person.post(`/imports/${review.id}/check`, { confirm: [2] })
  expect(confirmed.body.import).toMatchObject({ rows_new: 2, rows_rejected: 0 })
  const undone = await person.post(`/imports/${review.id}/undo`)
  expect(undone.body.import).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  await person.post(`/imports/${review.id}/confirm`, { confirm: [2] })
  expect(await stopped(person, review.id)).toMatchObject({ state: 'imported', rows_new: 2 })
  expect(await born()).toEqual([
    { code: 'S-1', born: stored },
    { code: 'S-2', born: '2012-02-03' },
  ])
  const { rows } = await owner.query(
    `select "row", user_id is not null as known, old_value is null as before, new_value is null as after
     from import_corrections where import_id = $1 and "column" = 'confirmed' order by id`,
    [review.id],
  )
  expect(rows).toEqual([
    { row: 2, known: true, before: true, after: false },
    { row: 2, known: true, before: false, after: true },
    { row: 2, known: true, before: true, after: false },
  ])
})

test('an officer confirms all unusual ages of a file at once, and takes it back at once', async () => {
  const { written } = infant()
  const person = await officer()
  const rows = [1, 2, 3].map((n) => student(n, { date_of_birth: written }))
  const { id } = await imported(person, 'students', fileOf([...rows, student(4, { class: '9A' })]), true)
  const all = await person.post(`/imports/${id}/check`, { confirm_all: ['age_unusual'] })
  expect(all.body.import).toMatchObject({ rows_new: 3, rows_rejected: 1 })
  expect((await person.post(`/imports/${id}/undo`)).body.import).toMatchObject({ rows_rejected: 4 })
  expect((await person.post(`/imports/${id}/check`, { confirm_all: ['class_unknown'] })).status).toBe(422)
})

test('what an officer confirmed holds for that date of birth only', async () => {
  const { written } = infant()
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1, { date_of_birth: written })]), true)
  await person.post(`/imports/${id}/check`, { confirm: [2] })
  const date = (value: string) => ({ corrections: [{ row: 2, column: 'date_of_birth', value }] })
  const mistyped = await person.post(`/imports/${id}/check`, date('01/01/1950'))
  expect(mistyped.body.import).toMatchObject({ rows_new: 0, rows_rejected: 1 })
  const back = await person.post(`/imports/${id}/check`, date(written))
  expect(back.body.import).toMatchObject({ rows_new: 1, rows_rejected: 0 })
})

test('an import that nobody reviews leaves an unusual age out and says why', async () => {
  const { written } = infant()
  const person = await officer()
  const file = fileOf([student(1, { date_of_birth: written }), student(2)])
  const made = await imported(person, 'students', file)
  expect(made).toMatchObject({
    state: 'imported',
    rows_new: 1,
    rows_rejected: 1,
    errors: [{ row: 2, ...asked(written) }],
  })
  expect(await born()).toEqual([{ code: 'S-2', born: '2012-02-03' }])
})

test('an officer is not asked again about an age that is stored already', async () => {
  const { stored, written } = infant()
  await addStudents(portal, 1)
  await owner.query(`update users set date_of_birth = $1 where type = 'student'`, [stored])
  const person = await officer()
  const file = fileOf([student(1, { date_of_birth: written, admission_number: 'N-1' })])
  expect(await imported(person, 'students', file)).toMatchObject({ rows_changed: 1, rows_rejected: 0 })
  const level = fileOf([student(1, { date_of_birth: null, current_class_level: '8' })])
  expect(await imported(person, 'students', level)).toMatchObject({
    rows_rejected: 1,
    errors: [{ column: 'date_of_birth', message: expect.stringContaining('level 8') }],
  })
})

test('two equal rows with an unusual age are asked about once', async () => {
  const { written } = infant()
  const person = await officer()
  const row = student(1, { date_of_birth: written })
  const review = await imported(person, 'students', fileOf([row, row]), true)
  expect(review).toMatchObject({ rows_rejected: 1, rows_duplicate: 1 })
  const confirmed = await person.post(`/imports/${review.id}/check`, { confirm: [2] })
  expect(confirmed.body.import).toMatchObject({ rows_new: 1, rows_duplicate: 1, rows_rejected: 0 })
})
