import { permissions } from '@portal/contracts/permissions'
import { beforeEach, expect, test } from 'vitest'
import { type Account, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal
beforeEach(() => portal.clear())

const oumou = {
  first_name: 'Oumou',
  last_name: 'Sangaré',
  email: 'oumou@test.example',
  gender: 'female',
  type: 'partner',
  user_title: 'mrs',
}
const path = (person: Account | number) =>
  `/users/profile/update/${typeof person === 'number' ? person : person.id}`
const stored = async (id: number) => (await owner.query('select * from users where id = $1', [id])).rows[0]
const mails = async () =>
  (await owner.query('select recipient from mails order by id')).rows.map((row) => row.recipient)

test('a new user without an e-mail address appears in the list and gets no invitation', async () => {
  const admin = await portal.signedInAs('Administrator')
  for (const email of [undefined, null, '', '  ']) {
    const made = await admin.post('/admin/users', { ...oumou, email })
    expect(made).toMatchObject({
      status: 200,
      body: { message: 'User created', user: { email: null, active: true } },
    })
  }
  expect(await mails()).toEqual([])
  const list = (await admin.get('/admin/users/list?search=sangare&sort=first_name')).body
  expect(list).toMatchObject({ active: 5, inactive: 0, total: 5, users: { total: 4 } })
})

test('an administrator who leaves out a field of a new user or sends a wrong value reads which field', async () => {
  const admin = await portal.signedInAs('Administrator')
  const refused = async (body: object) => {
    const answer = await admin.post('/admin/users', body)
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(/^Error: Your request has validation errors!/)
    return Object.keys(answer.body.errors).sort()
  }
  expect(await refused({})).toEqual(['first_name', 'gender', 'last_name', 'type', 'user_title'])
  for (const field of ['first_name', 'last_name', 'gender', 'type', 'user_title']) {
    for (const blank of ['', '   ', null])
      expect(await refused({ ...oumou, [field]: blank })).toEqual([field])
  }
  expect(await refused({ ...oumou, gender: 'other' })).toEqual(['gender'])
  expect(await refused({ ...oumou, type: 'minister' })).toEqual(['type'])
  expect(await refused({ ...oumou, user_title: 'lord' })).toEqual(['user_title'])
  expect(await refused({ ...oumou, email: 'not an address' })).toEqual(['email'])
  expect(await refused({ ...oumou, first_name: 'x'.repeat(256) })).toEqual(['first_name'])
  expect((await owner.query("select from users where last_name = 'Sangaré'")).rowCount).toBe(0)
})

test('nobody can use an e-mail address twice, in upper or lower case, even with two concurrent calls', async () => {
  const admin = await portal.signedInAs('Administrator')
  const both = await Promise.all([1, 2].map(() => admin.post('/admin/users', oumou)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  const again = await admin.post('/admin/users', { ...oumou, email: ' OUMOU@Test.Example ' })
  expect(again.body.errors).toEqual({ email: ['This e-mail address is already in use.'] })
  expect(await mails()).toEqual(['oumou@test.example'])
})

test('an administrator who adds a user with the e-mail of a registered teacher makes an account for that teacher', async () => {
  const { rows } = await owner.query(
    `insert into users (first_name, last_name, email, type) values ('Oumou', 'Traoré', $1, 'teacher') returning id`,
    [oumou.email],
  )
  const admin = await portal.signedInAs('Administrator')
  expect((await admin.put(path(rows[0].id), oumou)).status).toBe(404)
  const made = await admin.post('/admin/users', oumou)
  expect(made.body.user).toMatchObject({
    id: rows[0].id,
    last_name: 'Traoré',
    type: 'teacher',
    gender: 'female',
  })
  expect(made.body.message).toMatch(/of the registers is a user now/)
  expect(await mails()).toEqual([oumou.email])
  expect((await admin.get('/admin/users/list')).body.total).toBe(2)
})

test('an administrator edits a user without a title, and reads which values are wrong', async () => {
  const admin = await portal.signedInAs('Administrator')
  const other = await portal.account()
  const user = (await admin.get(`/admin/users/list?search=${other.email}`)).body.users.data[0]
  expect(user.user_title).toBeNull()
  const { body: saved } = await admin.put(path(other), { ...user, last_name: 'Keïta' })
  expect(saved.message).toBe('User updated')
  expect(await stored(other.id)).toMatchObject({ last_name: 'Keïta', user_title: null, email: other.email })
  const wrong = await admin.put(path(other), {
    ...user,
    first_name: ' ',
    email: 'no',
    gender: 'x',
    type: 'y',
    user_title: 'z',
  })
  expect(Object.keys(wrong.body.errors).sort()).toEqual([
    'email',
    'first_name',
    'gender',
    'type',
    'user_title',
  ])
  const taken = await admin.put(path(other), { ...saved.user, email: admin.user.email.toUpperCase() })
  expect(taken.body.errors).toEqual({ email: ['This e-mail address is already in use.'] })
})

test('nobody changes the e-mail address of a user with more permissions, because that would take over the account', async () => {
  const admin = await portal.signedInAs('Administrator')
  const editor = await portal.signedIn('users.update')
  const whole = (await admin.get('/users/profile/details')).body.user
  const refused = await editor.put(path(admin.user), { ...whole, email: 'mine@test.example' })
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'This person holds permissions that you do not hold.' },
  })
  expect((await editor.put(path(admin.user), { ...whole, last_name: 'Autre' })).status).toBe(200)
  const plain = await portal.account()
  expect(
    (await editor.put(path(plain), { first_name: 'A', last_name: 'B', email: 'b@test.example' })).status,
  ).toBe(200)
})

test('when a user’s e-mail address changes, links sent to the old address stop working; a first address gets an invitation', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { user } = (await admin.post('/admin/users', oumou)).body
  await admin.put(path(user.id), { ...user, email: 'oumou2@test.example' })
  expect(await mails()).toEqual(['oumou@test.example', 'oumou2@test.example'])
  const { rows } = await owner.query('select used_at is null as open from password_tokens order by id')
  expect(rows).toEqual([{ open: false }, { open: true }])
})

test('a deactivated user loses sessions and links at once, and does not get them back when activated again', async () => {
  const admin = await portal.signedInAs('Administrator')
  const officer = await portal.signedIn('schools.view')
  const off = await admin.put(path(officer.user), { id: officer.user.id, deactivate: true })
  expect(off.body).toMatchObject({ message: 'User deactivated', user: { active: false } })
  const refused = await officer.get('/admin/schools/list')
  expect(refused).toMatchObject({ status: 401, body: { message: 'Sign in to continue.' } })
  expect((await admin.put(path(officer.user), { deactivate: true })).status).toBe(200)
  expect((await admin.put(path(officer.user), { deactivate: false })).body.message).toBe('User activated')
  expect((await officer.get('/admin/schools/list')).status).toBe(401)
  expect((await admin.put(path(officer.user), { deactivate: 'yes' })).body.errors).toEqual({
    deactivate: ['Send true or false.'],
  })
  const { rows } = await owner.query("select event from audits where event like '%activated' order by id")
  expect(rows.map((row) => row.event)).toEqual(['deactivated', 'activated'])
})

test('nobody can deactivate herself or the last administrator', async () => {
  const admin = await portal.signedInAs('Administrator')
  const keeper = await portal.signedIn(...permissions)
  expect((await admin.put(path(admin.user), { deactivate: true })).status).toBe(403)
  expect((await keeper.put(path(keeper.user), { deactivate: true })).status).toBe(403)
  const last = await keeper.put(path(admin.user), { deactivate: true })
  expect(last).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/needs an active administrator/) },
  })
  const second = await portal.account('Administrator')
  expect((await keeper.put(path(admin.user), { deactivate: true })).status).toBe(200)
  expect((await keeper.put(path(second), { deactivate: true })).status).toBe(409)
})

test('an administrator deactivates several selected users at once, with one audit entry for each', async () => {
  const admin = await portal.signedInAs('Administrator')
  const [one, two] = [await portal.signedIn('schools.view'), await portal.signedIn('schools.view')]
  const gone = (await portal.account('Auditor')).id
  await admin.put(path(gone), { deactivate: true })
  const user_ids = [two.user.id, one.user.id, gone, one.user.id]
  const off = await admin.post('/admin/users/deactivate', { user_ids })
  expect(off).toMatchObject({ status: 200, body: { message: 'Users deactivated: 2', deactivated: 2 } })
  for (const person of [one, two]) expect((await person.get('/admin/schools/list')).status).toBe(401)
  const { rows } = await owner.query(
    "select auditable_id as id from audits where event = 'deactivated' and user_id = $1 order by audits.id",
    [admin.user.id],
  )
  expect(rows.map(({ id }) => Number(id))).toEqual([gone, one.user.id, two.user.id])
})

test('an administrator who selects a user that cannot be deactivated deactivates none of the selected users', async () => {
  const admin = await portal.signedInAs('Administrator')
  const keeper = await portal.signedIn(...permissions)
  const auditor = await portal.account('Auditor')
  const many = (client: typeof admin, ...user_ids: unknown[]) =>
    client.post('/admin/users/deactivate', { user_ids })
  expect((await many(admin, auditor.id, admin.user.id)).status).toBe(403)
  expect((await many(keeper, auditor.id, admin.user.id)).status).toBe(409)
  expect((await many(keeper, auditor.id, 999_999)).status).toBe(404)
  const outsider = await portal.signedIn('users.view', 'users.update')
  expect((await many(outsider, auditor.id)).status).toBe(403)
  expect((await many(keeper)).body.errors).toEqual({ user_ids: ['Choose at least one person.'] })
  expect((await many(keeper, ...Array.from({ length: 501 }, (_, at) => at + 1))).body.errors).toEqual({
    user_ids: ['Choose at most 500 rows.'],
  })
  const { rows } = await owner.query('select id from users where deactivated_at is not null')
  expect(rows).toEqual([])
})

test('an administrator who has never set a password does not count as an administrator who remains', async () => {
  const admin = await portal.signedInAs('Administrator')
  const keeper = await portal.signedIn(...permissions)
  const { user } = (await admin.post('/admin/users', oumou)).body
  const { rows } = await owner.query('select id from roles where administrator')
  await admin.put(path(user.id), { role_id: rows[0].id, assign_role: true })
  expect((await keeper.put(path(admin.user), { deactivate: true })).status).toBe(409)
})

test('nobody takes the e-mail address of the last administrator, who could not sign in without it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const keeper = await portal.signedIn(...permissions)
  const without = () => keeper.put(path(admin.user), { first_name: 'Awa', last_name: 'Diarra', email: null })
  expect(await without()).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/needs an active administrator/) },
  })
  expect((await stored(admin.user.id)).email).toBe(admin.user.email)
  await portal.account('Administrator')
  expect((await without()).status).toBe(200)
})

test('an administrator searches, filters and sorts the list of users', async () => {
  const admin = await portal.signedInAs('Administrator')
  const auditor = await portal.account('Auditor')
  await admin.post('/admin/users', { ...oumou, type: 'teacher' })
  const { rows } = await owner.query("select id from roles where name = 'Auditor'")
  const ids = async (query: string) =>
    (await admin.get(`/admin/users/list?${query}`)).body.users.data.map(({ id }: { id: number }) => id)
  expect(await ids(`role=${rows[0].id}`)).toEqual([auditor.id])
  expect(await ids('type=teacher')).toHaveLength(1)
  expect(await ids('search=SANGARE')).toHaveLength(1)
  expect(await ids(`search=${auditor.email}`)).toEqual([auditor.id])
  expect(await ids('status=inactive')).toEqual([])
  expect((await ids('sort=created_at'))[0]).toBe(admin.user.id)
  for (const query of ['type=minister', 'status=gone', 'role=x', 'sort=password_hash', 'per_page=101'])
    expect((await admin.get(`/admin/users/list?${query}`)).status).toBe(422)
})

test('an administrator finds who was invited and has not come yet', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query(
    `insert into users (first_name, last_name, email, type, account)
     values ('Fanta', 'Koné', 'fanta.kone@test.example', 'developer', true) returning id::int`,
  )
  const list = await admin.get('/admin/users/list?status=invited')
  expect(list.body).toMatchObject({ active: 2, invited: 1, inactive: 0, total: 2, users: { total: 1 } })
  expect(list.body.users.data[0]).toMatchObject({ id: rows[0].id, active: true, invited: true })
})

test('an administrator’s list of users has accounts only, with totals of all accounts', async () => {
  await owner.query(`insert into users (first_name, last_name, type) values ('Une', 'Élève', 'student')`)
  const gone = await portal.account('Auditor')
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  const admin = await portal.signedInAs('Administrator')
  const list = await admin.get('/admin/users/list?status=inactive')
  expect(list.body).toMatchObject({ active: 1, inactive: 1, total: 2, users: { total: 1 } })
  expect(list.body.users.data[0]).toMatchObject({ id: gone.id, active: false, roles: [{ name: 'Auditor' }] })
  const roles = (await admin.get('/admin/roles/list')).body.roles
  expect(roles.total).toBe(6)
  expect(roles.data.find((role: { name: string }) => role.name === 'Auditor').permissions).toContainEqual(
    expect.objectContaining({ name: 'audit-logs.view' }),
  )
})
