import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { password, startPortal } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'

const portal = await startPortal()

test('a person signs in with her e-mail in any case and is known at the next call', async () => {
  const account = await portal.account('School Officer')
  const client = await portal.visitor()
  const signedIn = await client.post('/login', { email: account.email.toUpperCase(), password })
  expect(signedIn.status).toBe(200)
  expect(signedIn.body.session.user).toMatchObject({ id: account.id, roles: [{ name: 'School Officer' }] })
  const session = await client.get('/session')
  expect(session.body.user.email).toBe(account.email)
  expect(session.body.permissions).toContain('schools.view')
})

test('a person gets the same answer for an unknown e-mail, a wrong password and a deactivated account', async () => {
  const account = await portal.account()
  const gone = await portal.account()
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  const client = await portal.visitor()
  const answers = [
    await client.post('/login', { email: 'nobody@test.example', password }),
    await client.post('/login', { email: account.email, password: 'not the password' }),
    await client.post('/login', { email: gone.email, password }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(422)
    expect(body).toEqual(answers[0]?.body)
  }
})

test('a tab of the person before changes nothing for who has signed in after her in the same browser', async () => {
  const awa = await portal.signedIn()
  const binta = await portal.signedIn()
  const names = { first_name: 'Awa', last_name: 'Keïta' }
  const rename = (headers?: Record<string, string>) =>
    binta.put(`/users/profile/update/${binta.user.id}`, names, headers)
  const refused = await rename({ 'x-user': String(awa.user.id) })
  expect(refused.status).toBe(401)
  expect(refused.body.message).toContain('Somebody else has signed in')
  const { body } = await binta.get('/users/profile/details')
  expect(body.user.last_name).not.toBe('Keïta')
  expect((await rename({ 'x-user': String(binta.user.id) })).status).toBe(200)
  // A page of the release before does not say for whom it was opened.
  expect((await rename()).status).toBe(200)
  // Whoever it was opened for may sign in once more over it.
  const again = { email: awa.user.email, password }
  expect((await binta.post('/login', again, { 'x-user': String(awa.user.id) })).status).toBe(200)
})

test('a person of the registers cannot sign in', async () => {
  await portal.owner.query(
    `insert into users (first_name, last_name, email, type) values ('Fatou', 'Sow', 'fatou@test.example', 'teacher')`,
  )
  const client = await portal.visitor()
  expect((await client.post('/login', { email: 'fatou@test.example', password })).status).toBe(422)
})

test('someone is slowed by the rate limiter after ten wrong passwords, and the owner still signs in from her address', async () => {
  const account = await portal.account()
  const owner = await portal.visitor()
  expect((await owner.post('/login', { email: account.email, password })).status).toBe(200)
  const stranger = await portal.visitor()
  // The stranger has another address. The rate limiter counts each address separately.
  await portal.owner.query("update sessions set ip = '198.51.100.7' where user_id = $1", [account.id])
  for (let n = 0; n < 10; n++) {
    expect(
      (await stranger.post('/login', { email: account.email, password: `guess number ${n}` })).status,
    ).toBe(422)
  }
  await makeLimitsFirm(portal.owner)
  const slowed = await stranger.post('/login', { email: account.email, password })
  expect(slowed.status).toBe(429)
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
  expect(slowed.body.message).toMatch(/Too many attempts/)
  await portal.owner.query("update sessions set ip = '127.0.0.1' where user_id = $1", [account.id])
  expect((await owner.post('/login', { email: account.email, password })).status).toBe(200)
})

test('someone with a hundred concurrent sign-ins cannot get around the rate limiter', async () => {
  const account = await portal.account()
  await portal.owner.query('delete from failed_attempts')
  const client = await portal.visitor()
  await client.post('/login', { email: account.email, password: 'guess number 30' })
  await makeLimitsFirm(portal.owner)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      client.post('/login', { email: account.email, password: `guess number ${n}` }),
    ),
  )
  expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(9)
  expect(answers.every(({ status }) => status === 422 || status === 429)).toBe(true)
  await portal.owner.query('delete from failed_attempts')
})

test('a person gets a new session and CSRF token when she signs in, and loses both when she signs out', async () => {
  const client = await portal.visitor()
  const account = await portal.account()
  const before = client.cookies.get('XSRF-TOKEN')
  await client.post('/login', { email: account.email, password })
  const first = client.cookies.get('portal_session')
  expect(client.cookies.get('XSRF-TOKEN')).not.toBe(before)
  await client.post('/login', { email: account.email, password })
  expect(client.cookies.get('portal_session')).not.toBe(first)
  const { rows } = await portal.owner.query('select ended_at from sessions where user_id = $1 order by id', [
    account.id,
  ])
  expect(rows.map((row) => row.ended_at !== null)).toEqual([true, false])
  expect((await client.post('/logout')).status).toBe(200)
  expect((await client.get('/session')).body.user).toBeNull()
  expect((await client.get('/users/profile/details')).status).toBe(401)
})

test('a person whose sign-in was refused is given her CSRF token with the refusal, and signs in', async () => {
  const account = await portal.account()
  const client = await portal.visitor()
  const refused = await client.post('/login', { email: account.email, password: 'not the password' })
  expect(refused.status).toBe(422)
  expect([refused.headers['set-cookie']].flat().join()).toContain('XSRF-TOKEN=')
  expect((await client.post('/login', { email: account.email, password })).status).toBe(200)
})

test.each([
  ['is missing', (client: Client) => client.cookies.delete('XSRF-TOKEN')],
  ['was changed', (client: Client) => client.cookies.set('XSRF-TOKEN', 'a.b')],
  ['is of a session that the browser has lost', (client: Client) => client.cookies.delete('portal_session')],
])('a person whose CSRF cookie %s is given another one, and signs in at the second try', async (_, spoil) => {
  const person = await portal.signedIn()
  await portal.owner.query('update sessions set ended_at = now() where user_id = $1', [person.user.id])
  spoil(person)
  const own = { email: person.user.email, password }
  expect((await person.post('/login', own)).status).toBe(419)
  expect((await person.post('/login', own)).status).toBe(200)
})

test('a person whose session ended over night signs in with the cookies that her browser still has', async () => {
  const person = await portal.signedIn()
  await portal.owner.query('update sessions set ended_at = now() where user_id = $1', [person.user.id])
  expect((await person.get('/users/profile/details')).status).toBe(401)
  expect((await person.post('/login', { email: person.user.email, password })).status).toBe(200)
})

test('someone who reads the database finds neither a person’s session token nor her password', async () => {
  const person = await portal.signedIn()
  const cookie = person.cookies.get('portal_session') ?? ''
  const { rows } = await portal.owner.query(
    'select s.token_hash, u.password_hash from sessions s join users u on u.id = s.user_id where u.id = $1',
    [person.user.id],
  )
  expect(rows[0].token_hash.toString('base64url')).not.toBe(cookie)
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)
})

test('a person’s session ends after 8 hours without a call, and polls do not prolong it', async () => {
  const person = await portal.signedIn()
  const age = (hours: number) =>
    portal.owner.query(
      `update sessions set last_seen_at = now() - make_interval(hours => $1) where user_id = $2`,
      [hours, person.user.id],
    )
  await age(7)
  expect((await person.get('/notifications', { 'x-poll': '1' })).status).toBe(200)
  const seen = await portal.owner.query(
    `select now() - last_seen_at > interval '6 hours' as old from sessions where user_id = $1`,
    [person.user.id],
  )
  expect(seen.rows[0].old).toBe(true)
  expect((await person.get('/notifications')).status).toBe(200)
  await age(9)
  expect((await person.get('/notifications')).status).toBe(401)
})

test('an auditor finds every sign-in, also failed ones, in the audit log without the password', async () => {
  const account = await portal.account()
  const client = await portal.visitor()
  await client.post('/login', { email: account.email, password: 'not the password' })
  await client.post('/login', { email: account.email, password })
  const { rows } = await portal.owner.query(
    `select a.event, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where auditable_type = 'user' and auditable_id = $1 order by a.id`,
    [account.id],
  )
  expect(rows.map((row) => row.event)).toEqual(['sign-in failed', 'signed in'])
  expect(JSON.stringify(rows)).not.toContain('not the password')
})

test('a person who loses a permission is refused at her next call', async () => {
  const officer = await portal.signedIn('schools.view')
  expect((await officer.get('/admin/schools/list')).status).toBe(200)
  await portal.owner.query(
    'delete from role_permissions where role_id in (select role_id from user_roles where user_id = $1)',
    [officer.user.id],
  )
  const refused = await officer.get('/admin/schools/list')
  expect(refused.status).toBe(403)
  expect(refused.body.message).toBe('You do not have the permission for this.')
})

test('a person who is deactivated meanwhile is signed out at the next call', async () => {
  const officer = await portal.signedIn('schools.view')
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [officer.user.id])
  expect((await officer.get('/admin/schools/list')).status).toBe(401)
})

/** Passes statements that read sessions to `read`, which may count them or let them wait. */
async function whileReading(read: (statement: () => unknown) => unknown, work: () => Promise<void>) {
  const { pool } = portal.callsDb
  const original = pool.query
  pool.query = ((...given: unknown[]) => {
    const statement = () => Reflect.apply(original, pool, given)
    return /from sessions s join users/.test(JSON.stringify(given[0])) ? read(statement) : statement()
  }) as typeof original
  try {
    await work()
  } finally {
    pool.query = original
  }
}

test('people who call at the same moment are each known by their own session, and their sessions are read together', async () => {
  const [awa, binta, gone, out] = [
    await portal.signedIn(),
    await portal.signedIn(),
    await portal.signedIn(),
    await portal.signedIn(),
  ]
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [gone.user.id])
  await out.post('/logout')
  const stranger = await portal.visitor()
  const called = [awa, gone, binta, stranger, awa, out]
  let asked = 0
  await whileReading(
    (statement) => {
      asked++
      return statement()
    },
    async () => {
      const answers = await Promise.all(called.map((client) => client.get('/users/profile/details')))
      expect(answers.map(({ status, body }) => [status, body.user?.email])).toEqual([
        [200, awa.user.email],
        [401, undefined],
        [200, binta.user.email],
        [401, undefined],
        [200, awa.user.email],
        [401, undefined],
      ])
      expect(asked).toBe(1)
    },
  )
})

test('a person who calls while sessions are read is read after that, so she is out at once when she is deactivated meanwhile', async () => {
  const [awa, binta] = [await portal.signedIn(), await portal.signedIn()]
  const { promise: may, resolve: goOn } = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  await whileReading(
    async (statement) => {
      const found = await statement()
      began.resolve()
      await may
      return found
    },
    async () => {
      const first = awa.get('/users/profile/details')
      await began.promise
      // The first session has been read already.
      await portal.owner.query('update users set deactivated_at = now()')
      const second = binta.get('/users/profile/details')
      goOn()
      expect([(await first).status, (await second).status]).toEqual([200, 401])
    },
  )
})

test('a person is answered while somebody else’s session takes long to read', async () => {
  const [awa, binta] = [await portal.signedIn(), await portal.signedIn()]
  const began = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  let read = 0
  await whileReading(
    async (statement) => {
      began.resolve()
      if (++read === 1) await slow.promise
      return statement()
    },
    async () => {
      const waiting = awa.get('/users/profile/details')
      await began.promise
      expect((await binta.get('/users/profile/details')).body.user.email).toBe(binta.user.email)
      slow.resolve()
      expect((await waiting).body.user.email).toBe(awa.user.email)
    },
  )
})
