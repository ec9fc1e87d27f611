import { expect, test } from 'vitest'
import { addSchools, addStudents, fileOf, imported, startImports, stopped } from '../registers/registers.ts'

const { portal, officer, one } = await startImports()

const teacher = {
  admin_code: 'KIT-1',
  first_name: 'Moussa',
  last_name: 'Keïta',
  email: 'moussa@example.org',
  phone_1: '76123456',
  classes: '7a',
  employment_type: 'Contractuel',
}

test('an officer imports teachers by e-mail or phone in each school, and a teacher may be in two schools', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    teacher,
    { ...teacher, admin_code: 'KIT-2', classes: '8A' },
    { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' },
  ]
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({
    state: 'imported',
    rows_new: 3,
    errors: [],
  })
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_unchanged: 3 })
  expect(
    await one(`select (select count(*)::int from users where type = 'teacher') as people, (select count(*)::int from teachers) as teachers,
    (select count(*)::int from teacher_classes) as classes`),
  ).toEqual({ people: 2, teachers: 3, classes: 3 })
  const later = { ...teacher, email: 'awa@example.org', phone_1: '66123456', first_name: 'Awa' }
  expect(await imported(person, 'teachers', fileOf([later]))).toMatchObject({ rows_new: 0, rows_changed: 1 })
  expect(await imported(person, 'teachers', fileOf([later]))).toMatchObject({ rows_unchanged: 1 })
  const moved = { ...later, phone_1: '66999999' }
  expect(await imported(person, 'teachers', fileOf([moved]))).toMatchObject({ rows_new: 0, rows_changed: 1 })
  expect(await imported(person, 'teachers', fileOf([{ ...moved, phone_1: null }]))).toMatchObject({
    state: 'imported',
    rows_unchanged: 1,
  })
})

test('an officer imports two teachers of one telephone twice, and the second time changes nothing', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    { ...teacher, email: null, first_name: 'Awa' },
    { ...teacher, email: 'binta@example.org', first_name: 'Binta' },
  ]
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_new: 2, errors: [] })
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_unchanged: 2, errors: [] })
})

test('an officer’s import gives no e-mail to the account of a teacher whose e-mail was taken away', async () => {
  await addSchools(portal)
  const [person, admin] = [await officer(), await portal.signedInAs('Administrator')]
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  await imported(person, 'teachers', fileOf([awa]))
  await imported(person, 'teachers', fileOf([{ ...awa, email: 'awa@example.org' }]))
  const names = {
    first_name: 'Awa',
    last_name: 'Keïta',
    gender: 'female',
    type: 'partner',
    user_title: 'mrs',
  }
  const { user } = (await admin.post('/admin/users', { ...names, email: 'awa@example.org' })).body
  const { id: role_id } = await one("select id from roles where name = 'Administrator'")
  const change = (body: object) => admin.put(`/users/profile/update/${user.id}`, body)
  expect((await change({ role_id, assign_role: true })).status).toBe(200)
  expect((await change({ ...names, email: null })).body.user.email).toBeNull()

  const mine = await imported(person, 'teachers', fileOf([{ ...awa, email: 'mine@example.org' }]))
  expect(await one(`select email from users where id = ${user.id}`)).toEqual({ email: null })
  expect(mine).toMatchObject({ rows_changed: 0, rows_unchanged: 1 })
})

test('an officer reads at its row that an e-mail was given to an account after her review, and all other rows can be saved', async () => {
  await addSchools(portal)
  const [person, admin] = [await officer(), await portal.signedInAs('Administrator')]
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  const binta = { ...awa, phone_1: '66123457', first_name: 'Binta' }
  await imported(person, 'teachers', fileOf([awa, binta]))
  const file = () =>
    fileOf([
      { ...awa, email: 'awa@example.org' },
      { ...binta, email: 'binta@example.org' },
    ])
  const review = await imported(person, 'teachers', file(), true)
  expect(review).toMatchObject({ state: 'review', rows_changed: 2 })
  const account = {
    first_name: 'Awa',
    last_name: 'Keïta',
    gender: 'female',
    type: 'partner',
    user_title: 'mrs',
  }
  expect((await admin.post('/admin/users', { ...account, email: 'awa@example.org' })).status).toBe(200)
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({
    state: 'review',
    rows_changed: 1,
    rows_rejected: 1,
    problem:
      'Some of these rows can no longer be imported, and each says why. Nothing was saved: look at the changes again and confirm.',
    errors: [{ row: 2, column: 'email', value: 'awa@example.org', message: 'This value is already in use.' }],
  })
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({
    state: 'imported',
    rows_changed: 1,
    rows_rejected: 1,
  })
  const emails =
    'select array_agg(u.email order by u.id) as list from teachers t join users u on u.id = t.user_id'
  expect((await one(emails)).list).toEqual([null, 'binta@example.org'])
})

test('an officer’s import gives an e-mail that two teachers of her file have to the first of them', async () => {
  await addSchools(portal)
  const person = await officer()
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  const binta = { ...awa, phone_1: '66123457', first_name: 'Binta' }
  await imported(person, 'teachers', fileOf([awa, binta]))
  const email = 'both@example.org'
  const ended = await imported(
    person,
    'teachers',
    fileOf([
      { ...awa, email },
      { ...binta, email },
    ]),
  )
  expect(ended).toMatchObject({
    state: 'imported',
    rows_changed: 1,
    rows_rejected: 1,
    errors: [{ row: 3, column: 'email', value: email, message: 'This value is already in use.' }],
  })
  const { rows } = (await person.get(`/imports/${ended.id}/rows?kind=rejected`)).body
  expect(rows.data).toMatchObject([{ row: 3, cells: { email, first_name: 'Binta' } }])
})

test('an officer’s import rejects a teacher without e-mail and phone, or with a class of another school', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    { ...teacher, email: null, phone_1: null },
    { ...teacher, classes: '6E' },
    { ...teacher, phone_1: '12' },
  ]
  const made = await imported(person, 'teachers', fileOf(rows), true)
  expect(made.errors.filter(({ message }: { message: string }) => !message.startsWith('Row '))).toMatchObject(
    [
      {
        row: 2,
        column: 'email',
        message: 'Write an e-mail or a phone number: a teacher is known by one of them.',
      },
      { row: 3, column: 'classes', message: 'The school has no class 6E. Its classes are: 7A, 8A.' },
      { row: 4, column: 'phone_1' },
    ],
  )
})

test('an officer imports guardians with their students, and students with their guardians', async () => {
  await addSchools(portal)
  await addStudents(portal, 3)
  const person = await officer()
  const parent = {
    parent_assigned_id: 'p-1',
    first_name: 'Oumou',
    last_name: 'Ba',
    contact_1: 77_123_45_67,
    students: 'S-2; S-1',
    is_handicap: 'non',
    girls_in_f1: 2,
    displaced_or_resident: 'Déplacée',
  }
  const made = await imported(
    person,
    'parents',
    fileOf([
      { ...parent, contact_1: '771234567' },
      { ...parent, parent_assigned_id: 'P-2', students: 'S-9' },
    ]),
  )
  expect(made).toMatchObject({
    rows_new: 1,
    errors: [{ row: 3, column: 'students', message: 'No student has the code S-9.' }],
  })
  expect(await one('select * from parents')).toMatchObject({
    parent_assigned_id: 'P-1',
    contact_1: '+221771234567',
    is_handicap: false,
    girls_in_f1: 2,
    displaced_or_resident: 'displaced',
    person: 'Ba Oumou',
  })
  expect(
    await imported(person, 'parents', fileOf([{ ...parent, contact_1: '+221 77 123 45 67' }])),
  ).toMatchObject({ rows_unchanged: 1 })
  const student = {
    student_code: 'S-3',
    first_name: null,
    last_name: null,
    date_of_birth: null,
    admin_code: null,
    current_class_level: null,
    parents: 'P-1',
  }
  expect(await imported(person, 'students', fileOf([student]))).toMatchObject({
    state: 'imported',
    rows_changed: 1,
  })
  expect(await one('select count(*)::int as n from parent_students')).toEqual({ n: 3 })
})
