import { expect, test } from 'vitest'
import { untilLocked } from '../locks.ts'
import { addStudents, fileOf, imported, startImports, stopped, student } from '../registers/registers.ts'

const { portal, owner, officer, one } = await startImports(2)

test.each([
  ['confirms', 'confirm', { state: 'imported', rows_new: 1 }],
  ['cancels', 'cancel', { state: 'cancelled' }],
])('an officer who %s a review twice at the same moment does it once', async (_, call, end) => {
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1)]), true)
  const blocker = await owner.connect()
  try {
    await blocker.query('begin')
    await blocker.query('select from imports where id = $1 for update', [id])
    const answers = [1, 2].map(() => person.post(`/imports/${id}/${call}`, {}))
    await untilLocked(owner, { count: 2 })
    await blocker.query('commit')
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409])
  } finally {
    blocker.release()
  }
  expect(await stopped(person, id)).toMatchObject(end)
  expect(
    await one(`select count(*)::int as n from audits where event in ('confirmed', 'cancelled')`),
  ).toEqual({
    n: 1,
  })
})

test('an officer’s import waits for what a colleague is saving, and is reviewed again instead of overwriting it', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const file = fileOf([student(1, { admission_number: 'N-1' })])
  const { id } = await imported(person, 'students', file, true)
  const colleague = await owner.connect()
  try {
    await colleague.query('begin')
    await colleague.query(`update students set admission_number = 'N-2', version = version + 1`)
    const { rows } = await colleague.query('select pg_backend_pid() as pid')
    expect((await person.post(`/imports/${id}/confirm`, {})).status).toBe(200)
    await untilLocked(owner, { behind: rows[0].pid })
    await colleague.query('commit')
  } finally {
    colleague.release()
  }
  const again = await stopped(person, id)
  expect(again).toMatchObject({ state: 'review', rows_changed: 1 })
  expect(again.problem).toMatch(/^Somebody else changed some of these rows/)
  expect(await one('select admission_number from students')).toEqual({ admission_number: 'N-2' })
})

test('an officer’s import waits for a colleague who is renaming a girl, and is reviewed again instead of renaming her anew', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const file = fileOf([student(1, { first_name: 'Aïssatou' })])
  const { id } = await imported(person, 'students', file, true)
  const colleague = await owner.connect()
  try {
    await colleague.query('begin')
    await colleague.query(`update users set first_name = 'Fanta' where type = 'student'`)
    await colleague.query('update students set version = version + 1')
    const { rows } = await colleague.query('select pg_backend_pid() as pid')
    expect((await person.post(`/imports/${id}/confirm`, {})).status).toBe(200)
    await untilLocked(owner, { behind: rows[0].pid })
    await colleague.query('commit')
  } finally {
    colleague.release()
  }
  expect(await stopped(person, id)).toMatchObject({ state: 'review', rows_changed: 1 })
  expect(await one(`select first_name from users where type = 'student'`)).toEqual({ first_name: 'Fanta' })
})

test('a new place that two officers spell differently is made once, although both imports are written at the same moment', async () => {
  const person = await officer()
  const reviewed = async (cercle: string, arrondissement: string) => {
    const row = { region: 'Ségou', cercle, commune: 'Téné', arrondissement }
    return (await imported(person, 'locations', fileOf([row]), true)).id as number
  }
  const ids = [await reviewed('San du Bani', 'A'), await reviewed('San-du-Bani', 'B')]
  const blocker = await owner.connect()
  try {
    // The first import has made its cercle and waits, uncommitted, for this table.
    await blocker.query('begin; lock table arrondissements in share row exclusive mode')
    for (const [at, id] of ids.entries()) {
      expect((await person.post(`/imports/${id}/confirm`, {})).status).toBe(200)
      await untilLocked(owner, { count: at + 1 })
    }
    await blocker.query('commit')
  } finally {
    blocker.release()
  }
  for (const id of ids) expect(await stopped(person, id)).toMatchObject({ state: 'imported', rows_new: 1 })
  expect((await owner.query(`select name from cercles where name like 'SAN%'`)).rows).toHaveLength(1)
})

const school = {
  admin_code: 'KIT-1',
  name: 'Kita Nord',
  type_of_school: 'public',
  admin_district_as_cap: 'CAP KITA',
  education_authority_as_ae: 'AE KAYES',
  academic_year: '2026-2027',
}
const parent = {
  parent_assigned_id: 'P-1',
  first_name: 'Oumou',
  last_name: 'Ba',
  contact_1: '76123456',
  students: 'S-1',
}
const partner = {
  email: 'a@example.org',
  name: 'Association Exemple',
  first_name: 'Awa',
  last_name: 'Ba',
  partner_type: 'ngo',
  partner_since: '01/10/2023',
}

test.each([
  ['schools', '/admin/schools', school, { name: 'Kita Sud' }],
  ['students', '/admin/schools/students', student(1), { admission_number: 'N-1' }],
  ['parents', '/admin/schools/parents', parent, { profession: 'Teinturière' }],
  ['partners', '/admin/schools/partners', partner, { partner_since: '02/10/2023' }],
] as const)(
  'an officer whose form was open while an import changed one of the %s does not overwrite it',
  async (kind, path, row, change) => {
    await addStudents(portal, 1)
    const person = await officer()
    await imported(person, kind, fileOf([row]))
    const [opened] = (await person.get(`${path}/list?search=${Object.values(row)[0]}`)).body[kind].data
    expect(await imported(person, kind, fileOf([{ ...row, ...change }]))).toMatchObject({ rows_changed: 1 })
    const saved = await person.put(`${path}/${opened.id}`, opened)
    expect(saved.status).toBe(409)
    expect(saved.body.message).toMatch(/^Somebody else has changed this since you opened it/)
  },
)

test('an officer takes back what was changed last in her review, not in that of a colleague', async () => {
  const [person, colleague] = [await officer(), await officer()]
  const file = () => fileOf([student(1, { class: '9A' })])
  const [mine, other] = [
    await imported(person, 'students', file(), true),
    await imported(colleague, 'students', file(), true),
  ]
  const corrections = [{ row: 2, column: 'class', value: '8A' }]
  await person.post(`/imports/${mine.id}/check`, { corrections })
  await colleague.post(`/imports/${other.id}/check`, { corrections })
  expect((await person.post(`/imports/${mine.id}/undo`)).body.import).toMatchObject({ rows_rejected: 1 })
  expect((await colleague.get(`/imports/${other.id}`)).body.import).toMatchObject({ rows_new: 1 })
})
