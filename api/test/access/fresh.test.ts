import { permissions } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { codeAt } from '../../src/access/totp.ts'
import type { Client } from '../client.ts'
import { type Account, password, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal

type Person = Client & { user: Account }
const signedInLongAgo = (person: Person) =>
  owner.query("update sessions set created_at = now() - interval '6 minutes' where user_id = $1", [
    person.user.id,
  ])
const path = (id: number) => `/users/profile/update/${id}`
const needsPassword = { status: 403, body: { reauthenticate: true } }

test('nobody who signed in long ago changes codes, e-mails, roles or sessions before she confirms who she is', async () => {
  const admin = await portal.signedInAs('Administrator')
  const officer = await portal.signedInAs('School Officer')
  const { user } = (await admin.get(`/admin/users/${officer.user.id}`)).body
  const { role } = (await admin.post('/admin/roles', { name: 'Role of the inspectors' })).body
  const { id: session } = (await admin.get('/sessions')).body.sessions[0]
  const own = (await admin.get('/users/profile/details')).body.user
  const acts: [string, () => ReturnType<Client['get']>][] = [
    ['sets up codes', () => admin.post('/totp')],
    ['gets new recovery codes', () => admin.post('/totp/recovery-codes')],
    ['turns codes on', () => admin.post('/totp/confirm', { code: '123456' })],
    ['turns her codes off', () => admin.send('DELETE', '/totp', { current_password: password })],
    [
      'changes her password',
      () => admin.put('/password', { current_password: password, password: 'une phrase assez longue' }),
    ],
    ['makes a role', () => admin.post('/admin/roles', { name: 'Role of the night' })],
    ['answers for a held round', () => admin.post('/admin/transfers/sending-hold/rounds/1/confirm')],
    ['releases a hold', () => admin.post('/admin/transfers/sending-hold/release')],
    ['turns off a colleague’s codes', () => admin.delete(`/admin/users/${user.id}/totp`)],
    ['ends a session', () => admin.delete(`/sessions/${session}`)],
    ['signs a colleague out', () => admin.delete(`/admin/users/${user.id}/sessions`)],
    ['changes her e-mail', () => admin.put(path(own.id), { ...own, email: 'new@test.example' })],
    ['changes an e-mail', () => admin.put(path(user.id), { ...user, email: 'other@test.example' })],
    ['gives a role', () => admin.put(path(user.id), { role_id: role.id, assign_role: true })],
    ['takes a role', () => admin.put(path(user.id), { role_id: user.roles[0].id, assign_role: false })],
    ['gives permissions', () => admin.post('/admin/permissions', { role_id: role.id, permissions: [1] })],
    [
      'lets a role wait for codes',
      () => admin.put(`/admin/roles/${role.id}`, { ...role, requires_totp: true }),
    ],
    ['makes a token for a device', () => admin.post('/admin/sync/tokens', { name: 'Kobo' })],
    ['revokes a token of a device', () => admin.delete('/admin/sync/tokens/1')],
    ['revokes a token of a module’s server', () => admin.delete('/admin/modules/nutrition/tokens/1')],
    ['deletes a role', () => admin.put(`/admin/roles/${role.id}`, { ...role, delete: true })],
  ]
  await signedInLongAgo(admin)
  for (const [act, ask] of acts) {
    const { status, body } = await ask()
    expect.soft([act, { status, body }]).toMatchObject([act, needsPassword])
  }
  const renamed = await admin.put(path(user.id), { ...user, last_name: 'Sow' })
  expect(renamed.status).toBe(200)
  await admin.post('/login', { email: admin.user.email, password })
  expect((await admin.put(path(user.id), { role_id: role.id, assign_role: true })).status).toBe(200)
})

test('a stranger at an open browser who knows the password, but has no code, cannot make it her own', async () => {
  const person = await portal.signedIn()
  const { secret } = (await person.post('/totp')).body
  const on = await person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })
  await signedInLongAgo(person)
  const another = { current_password: password, password: 'une phrase assez longue' }
  expect(await person.put('/password', another)).toMatchObject(needsPassword)
  const off = () => person.send('DELETE', '/totp', { current_password: password })
  expect(await off()).toMatchObject(needsPassword)
  const again = (code?: string) =>
    person.post('/login', { email: person.user.email, password, ...(code && { code }) })
  expect((await again()).body.errors).toHaveProperty('code')
  expect(await off()).toMatchObject(needsPassword)
  expect((await again(on.body.recovery_codes[0])).status).toBe(200)
  expect((await off()).status).toBe(200)
})

test('a person who turns on codes or changes her password is signed out elsewhere and gets a letter', async () => {
  const person = await portal.signedIn('schools.view')
  const { email } = person.user
  const elsewhere = async (code?: string) => {
    const client = await portal.visitor()
    expect((await client.post('/login', { email, password, ...(code && { code }) })).status).toBe(200)
    return client
  }
  const first = await elsewhere()
  const { secret } = (await person.post('/totp')).body
  const on = await person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })
  expect(on.status).toBe(200)
  expect((await first.get('/sessions')).status).toBe(401)
  expect((await person.get('/sessions')).body.sessions).toHaveLength(1)
  const second = await elsewhere(on.body.recovery_codes[0])
  const another = 'une phrase assez longue'
  expect((await person.put('/password', { current_password: password, password: another })).status).toBe(200)
  expect((await second.get('/sessions')).status).toBe(401)
  expect((await person.get('/sessions')).body.sessions).toHaveLength(1)
  const letters = await owner.query('select subject from mails where recipient = $1 order by id', [email])
  expect(letters.rows.map(({ subject }) => subject)).toEqual([
    expect.stringContaining('One-time codes are on for your account'),
    expect.stringContaining('Your password for the portal was changed'),
  ])
})

test('a person whose codes are turned off, by her or by an administrator, gets a letter', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.signedIn()
  const turnOn = async () => {
    const { secret } = (await person.post('/totp')).body
    expect((await person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })).status).toBe(200)
  }
  const letters = async () =>
    (
      await owner.query('select subject from mails where recipient = $1 order by id', [person.user.email])
    ).rows.filter(({ subject }) => subject.includes('One-time codes are off for your account'))
  await turnOn()
  expect((await person.send('DELETE', '/totp', { current_password: password })).status).toBe(200)
  expect(await letters()).toHaveLength(1)
  await turnOn()
  expect((await admin.delete(`/admin/users/${person.user.id}/totp`)).status).toBe(200)
  expect(await letters()).toHaveLength(2)
})

test('whoever holds a role that waits for one-time codes cannot switch that off before she has set them up', async () => {
  const admin = await portal.signedInAs('Administrator')
  const helper = await portal.signedIn('roles.manage')
  const { role } = (await admin.post('/admin/roles', { name: 'Role that waits', requires_totp: true })).body
  const off = { name: role.name, requires_totp: false }
  expect((await admin.put(path(helper.user.id), { role_id: role.id, assign_role: true })).status).toBe(200)
  const refused = await helper.put(`/admin/roles/${role.id}`, off)
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'codes_needed' },
  })
  expect((await admin.put(`/admin/roles/${role.id}`, off)).status).toBe(200)
})

test('nobody switches off the codes of a role that allows more than she may', async () => {
  const admin = await portal.signedInAs('Administrator')
  const helper = await portal.signedIn('roles.manage')
  const { rows } = await owner.query("select id, name, version from roles where name = 'Transfer Approver'")
  const on = await admin.put(`/admin/roles/${rows[0].id}`, { name: rows[0].name, requires_totp: true })
  expect(on.status).toBe(200)
  const off = { name: rows[0].name, requires_totp: false }
  expect((await helper.put(`/admin/roles/${rows[0].id}`, off)).status).toBe(403)
  expect((await admin.put(`/admin/roles/${rows[0].id}`, off)).status).toBe(200)
})

test('nobody deactivates or activates a user with more permissions, or takes a role from her', async () => {
  const admin = await portal.signedInAs('Administrator')
  await portal.account('Administrator')
  const keeper = await portal.signedIn('users.deactivate', 'users.assign-roles')
  const holdsMore = { status: 403, body: { message: 'This person holds permissions that you do not hold.' } }
  expect(await keeper.put(path(admin.user.id), { deactivate: true })).toMatchObject(holdsMore)
  expect(await keeper.post('/admin/users/deactivate', { user_ids: [admin.user.id] })).toMatchObject(holdsMore)
  const { rows } = await owner.query('select id from roles where administrator')
  const take = { role_id: rows[0].id, assign_role: false }
  expect(await keeper.put(path(admin.user.id), take)).toMatchObject(holdsMore)
  const gone = await portal.account('Administrator')
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  expect(await keeper.put(path(gone.id), { deactivate: false })).toMatchObject(holdsMore)
  const plain = await portal.account()
  expect((await keeper.put(path(plain.id), { deactivate: true })).status).toBe(200)
  const whole = await portal.signedIn(...permissions)
  expect((await whole.put(path(admin.user.id), { deactivate: true })).status).toBe(200)
})

test('an administrator signs a colleague out everywhere, but nobody does so with more permissions', async () => {
  const admin = await portal.signedInAs('Administrator')
  const helper = await portal.signedIn('users.update')
  const person = await portal.signedIn('schools.view')
  const elsewhere = await portal.visitor()
  await elsewhere.post('/login', { email: person.user.email, password })
  const signOut = (by: Client, { user }: Person) => by.delete(`/admin/users/${user.id}/sessions`)
  expect((await signOut(helper, person)).status).toBe(403)
  expect((await signOut(helper, admin)).status).toBe(403)
  const out = await signOut(admin, person)
  expect(out).toMatchObject({ status: 200, body: { message: 'Sessions signed out: 2', ended: 2 } })
  for (const client of [person, elsewhere]) expect((await client.get('/sessions')).status).toBe(401)
  expect((await signOut(admin, person)).body.ended).toBe(0)
  expect((await signOut(admin, admin)).body.ended).toBe(0)
  expect((await admin.get('/sessions')).status).toBe(200)
  const { rows } = await owner.query(
    "select user_id::int from audits where event = 'sessions ended' and auditable_id = $1",
    [person.user.id],
  )
  expect(rows).toEqual([{ user_id: admin.user.id }])
})
