import { beforeEach, expect, test } from 'vitest'
import { type Account, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal
beforeEach(() => portal.clear())
const path = (person: Account | number) =>
  `/users/profile/update/${typeof person === 'number' ? person : person.id}`
const stored = async (id: number) => (await owner.query('select * from users where id = $1', [id])).rows[0]

test('a person changes her own names and language; other fields that she sends are ignored', async () => {
  const person = await portal.signedIn()
  const { user } = (await person.get('/users/profile/details')).body
  expect(user).toMatchObject({ locale: null, totp: false })
  const whole = {
    ...user,
    first_name: 'Aïssata',
    locale: 'fr',
    email: 'not even an address',
    type: 'minister',
    gender: 'male',
    deactivated_at: '2020-01-01',
    active: false,
    account: false,
    password_hash: 'x',
    roles: [{ id: 1, name: 'Administrator' }],
  }
  const saved = await person.put(path(person.user), whole)
  expect(saved).toMatchObject({
    status: 200,
    body: {
      message: 'Profile updated',
      user: { first_name: 'Aïssata' },
    },
  })
  expect(await stored(person.user.id)).toMatchObject({
    first_name: 'Aïssata',
    locale: 'fr',
    email: person.user.email,
    type: 'developer',
    gender: null,
    deactivated_at: null,
    account: true,
  })
  const session = (await person.get('/session')).body
  expect(session).toMatchObject({ locale: 'fr' })
  expect(session.user.roles).toHaveLength(1)
  const bad = await person.put(path(person.user), {
    first_name: '',
    last_name: 'D',
    locale: 'de',
  })
  expect(Object.keys(bad.body.errors).sort()).toEqual(['first_name', 'locale'])
  expect(bad.body.message).toBe('The form has errors')
})

test('a person who changes only her language keeps the names that somebody else corrects, and an administrator does, too', async () => {
  for (const person of [await portal.signedIn(), await portal.signedInAs('Administrator')]) {
    const before = await stored(person.user.id)
    expect((await person.put(path(person.user), { locale: 'fr' })).status).toBe(200)
    expect(await stored(person.user.id)).toMatchObject({
      first_name: before.first_name,
      last_name: before.last_name,
      locale: 'fr',
    })
    const unknown = await person.put(path(person.user), { locale: 'de' })
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['locale']])
  }
})

test('nobody without the permission changes the profile of another person, or fields of another form', async () => {
  const other = await portal.account()
  const person = await portal.signedIn()
  const names = { first_name: 'A', last_name: 'B' }
  expect((await person.put(path(other), names)).status).toBe(403)
  expect((await person.put(path(other), { deactivate: true })).status).toBe(403)
  expect((await person.put(path(other), { role_id: 1, assign_role: true })).status).toBe(403)
  expect((await person.put(path(person.user), { role_id: 1, assign_role: true })).status).toBe(403)
  const editor = await portal.signedIn('users.update')
  const saved = await editor.put(path(other), {
    ...names,
    deactivated_at: '2020-01-01',
    locale: 'fr',
    roles: [],
  })
  expect(saved).toMatchObject({ status: 200, body: { message: 'User updated' } })
  expect(await stored(other.id)).toMatchObject({ ...names, deactivated_at: null, locale: null })
  expect((await editor.put(path(other), { ...names, deactivate: true })).status).toBe(403)
  expect((await editor.put(path(999_999), names)).status).toBe(404)
  expect(await stored(other.id)).toMatchObject({ deactivated_at: null })
})

test('a person changes only her own names, whatever other fields she sends', async () => {
  const person = await portal.signedIn()
  const other = await portal.account()
  const whole = {
    first_name: ' Aminata ',
    last_name: 'Ba',
    email: 'admin@test.example',
    roles: [1],
    deactivated_at: '2026-01-01',
    id: other.id,
  }
  const saved = await person.put(`/users/profile/update/${person.user.id}`, whole)
  expect(saved.body).toMatchObject({
    message: 'Profile updated',
    user: { id: person.user.id, first_name: 'Aminata', email: person.user.email },
  })
  const refused = await person.put(`/users/profile/update/${other.id}`, whole)
  expect(refused).toMatchObject({ status: 403, body: { message: 'You can only change your own profile.' } })
  expect(
    (await owner.query('select first_name from users where id = $1', [other.id])).rows[0].first_name,
  ).toBe('Awa')
})
