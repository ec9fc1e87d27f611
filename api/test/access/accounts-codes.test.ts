import { beforeEach, expect, test } from 'vitest'
import { codeAt } from '../../src/access/totp.ts'
import type { Client } from '../client.ts'
import { type Account, password, startPortal } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'

const portal = await startPortal()
const { owner } = portal
beforeEach(() => owner.query('delete from failed_attempts'))

const codeNow = (secret: string, ahead = 0) => codeAt(secret, Date.now() + ahead * 30_000)

/** Sets up one-time codes for a signed-in person. The code of the current time step is then used. */
async function turnOn(client: Client) {
  const started = await client.post('/totp')
  expect(started.status).toBe(200)
  const { secret } = started.body
  const confirmed = await client.post('/totp/confirm', { code: codeNow(secret) })
  expect(confirmed.status).toBe(200)
  return { secret: secret as string, codes: confirmed.body.recovery_codes as string[] }
}
const signIn = async (person: Account, code?: string) => {
  const client = await portal.visitor()
  const answer = await client.post('/login', { email: person.email, password, ...(code && { code }) })
  return { client, ...answer }
}

test('a person’s one-time codes match the test vectors of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const seconds: [number, string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [second, code] of seconds) expect(codeAt(secret, second * 1000)).toBe(code)
})

test('a person with one-time codes needs password and code to sign in, and each code works once', async () => {
  const person = await portal.signedIn()
  const { secret } = await turnOn(person)
  const withoutCode = await signIn(person.user)
  expect(withoutCode.status).toBe(422)
  expect(withoutCode.body.errors).toEqual({
    code: ['Write the code of your authenticator, or a recovery code.'],
  })
  expect(withoutCode.client.cookies.has('portal_session')).toBe(false)
  expect((await signIn(person.user, '000000')).body.errors).toEqual({ code: ['This code is not right.'] })
  expect((await signIn(person.user, codeNow(secret))).status).toBe(422)
  const next = codeNow(secret, 1)
  expect((await signIn(person.user, `${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(200)
  expect((await signIn(person.user, next)).status).toBe(422)
  const unknown = await (await portal.visitor()).post('/login', {
    email: person.user.email,
    password: 'wrong one',
    code: next,
  })
  expect(unknown.body.errors).toHaveProperty('email')
})

test('a person signs in with each recovery code once, however she types it; the database stores no code in plain text', async () => {
  const person = await portal.signedIn()
  const { codes, secret } = await turnOn(person)
  expect(new Set(codes).size).toBe(10)
  const [first = ''] = codes
  expect((await signIn(person.user, ` ${first.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200)
  expect((await signIn(person.user, first)).status).toBe(422)
  const profile = (await person.get('/users/profile/details')).body.user
  expect(profile).toMatchObject({ totp: true, recovery_codes: 9 })
  const { rows } = await owner.query(
    'select u::text || (select string_agg(c::text, $2) from recovery_codes c) as held from users u where id = $1',
    [person.user.id, ' '],
  )
  expect(rows[0].held).not.toContain(first)
  expect(rows[0].held).not.toContain(secret)
})

test('someone who guesses codes is slowed by the rate limiter after ten wrong ones, and a call without a code does not reset the counter', async () => {
  const person = await portal.signedIn()
  const { secret } = await turnOn(person)
  await owner.query("update sessions set ip = '198.51.100.9' where user_id = $1", [person.user.id])
  for (let n = 0; n < 10; n++) {
    expect((await signIn(person.user, '000000')).status).toBe(422)
    expect((await signIn(person.user)).status).toBe(422)
  }
  await makeLimitsFirm(owner)
  expect((await signIn(person.user, codeNow(secret, 1))).status).toBe(429)
})

test('a person whose role asks for one-time codes gets its permissions only after setting them up, and keeps the codes', async () => {
  const admin = await portal.signedInAs('Administrator')
  const officer = await portal.signedIn('schools.view')
  const [role] = (await officer.get('/session')).body.user.roles
  const edited = await admin.put(`/admin/roles/${role.id}`, { name: role.name, requires_totp: true })
  expect(edited.body.role).toMatchObject({ requires_totp: true, users: 1 })
  const session = (await officer.get('/session')).body
  expect(session).toMatchObject({ permissions: [], user: { totp_needed: true } })
  expect(await officer.get('/admin/schools/list')).toMatchObject({
    status: 403,
    body: { code: 'codes_needed' },
  })
  await turnOn(officer)
  expect((await officer.get('/session')).body.user.totp_needed).toBeUndefined()
  expect((await officer.get('/admin/schools/list')).status).toBe(200)
  const wrong = await officer.delete('/totp', undefined)
  expect(wrong.body.errors).toEqual({ current_password: ['Fill in this field.'] })
  const off = () => officer.send('DELETE', '/totp', { current_password: password })
  expect(await off()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('A role of yours asks for one-time codes, so they stay on.') },
  })
  expect((await officer.get('/users/profile/details')).body.user).toMatchObject({
    totp: true,
    totp_required: true,
  })
  await admin.put(`/admin/roles/${role.id}`, { name: role.name, requires_totp: false })
  expect((await officer.send('DELETE', '/totp', { current_password: 'not this one' })).status).toBe(422)
  expect((await off()).status).toBe(200)
  expect((await officer.get('/admin/schools/list')).status).toBe(200)
})

test('a person who sets up one-time codes cannot use a wrong code, skip the start, or start twice', async () => {
  const person = await portal.signedIn()
  expect((await person.post('/totp/confirm', { code: '123456' })).status).toBe(409)
  await person.post('/totp')
  expect((await person.post('/totp/confirm', { code: 'abcdef' })).body.errors).toEqual({
    code: ['This code is not right.'],
  })
  expect((await person.post('/totp/confirm', {})).body.errors).toEqual({ code: ['Fill in this field.'] })
  expect((await signIn(person.user)).status).toBe(200)
  const { secret } = (await person.post('/totp')).body
  await person.post('/totp/confirm', { code: codeNow(secret) })
  expect((await person.post('/totp')).status).toBe(409)
})

test('an administrator turns off one-time codes for a colleague who lost her phone, but not for one with more permissions', async () => {
  const admin = await portal.signedInAs('Administrator')
  const officer = await portal.signedInAs('School Officer')
  await turnOn(officer)
  await turnOn(admin)
  const helper = await portal.signedIn('users.update')
  expect((await helper.delete(`/admin/users/${officer.user.id}/totp`)).status).toBe(403)
  expect((await helper.delete(`/admin/users/${admin.user.id}/totp`)).status).toBe(403)
  expect((await admin.delete(`/admin/users/${officer.user.id}/totp`)).status).toBe(200)
  expect((await signIn(officer.user)).status).toBe(200)
})

test('a person gets new recovery codes: the earlier ones stop working, her other sessions go on, and a letter tells her', async () => {
  const person = await portal.signedIn()
  const refused = await person.post('/totp/recovery-codes')
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'One-time codes are off: set them up, and you get recovery codes with them.' },
  })
  const { codes } = await turnOn(person)
  const other = await signIn(person.user, codes[0])
  expect(other.status).toBe(200)
  const renewed = await person.post('/totp/recovery-codes')
  expect(renewed.status).toBe(200)
  expect(renewed.body.message).toBe('These are your recovery codes now. The earlier ones no longer work.')
  const fresh = renewed.body.recovery_codes as string[]
  expect(new Set([...fresh, ...codes]).size).toBe(20)
  expect((await signIn(person.user, codes[1])).status).toBe(422)
  expect((await signIn(person.user, fresh[0])).status).toBe(200)
  for (const client of [person, other.client]) {
    const { body } = await client.get('/users/profile/details')
    expect(body.user.recovery_codes).toBe(9)
  }
  const { rows: letters } = await owner.query('select subject from mails where recipient = $1 order by id', [
    person.user.email,
  ])
  expect(letters.at(-1).subject).toContain('New recovery codes for your account')
  const { rows } = await owner.query("select user_id from audits where event = 'recovery codes renewed'")
  expect(rows).toEqual([{ user_id: person.user.id }])
})
