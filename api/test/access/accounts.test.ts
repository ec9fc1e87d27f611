import { beforeAll, beforeEach, expect, test } from 'vitest'
import { maskedUrl } from '../../src/kit/process/log.ts'
import type { Client } from '../client.ts'
import { untilLocked } from '../locks.ts'
import { password, startPortal, until } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'
import { lettersTo, tokenTo } from './accounts-outbox.ts'

const portal = await startPortal()
const { owner } = portal
beforeAll(async () => {
  await portal.worker()
})
beforeEach(() => owner.query('delete from failed_attempts'))

const another = 'une phrase assez longue'
const signIn = async (email: string, secret: string) => {
  const client = await portal.visitor()
  return { client, answer: await client.post('/login', { email, password: secret }) }
}
const events = async (id: number) =>
  (
    await owner.query(
      `select event from audits where auditable_type = 'user' and auditable_id = $1 order by id`,
      [id],
    )
  ).rows.map((row) => row.event as string)
const invite = (admin: Client, email: string) =>
  admin.post('/admin/users', {
    first_name: 'Oumou',
    last_name: 'Sangaré',
    email,
    gender: 'female',
    type: 'partner',
    user_title: 'mrs',
  })

test('an invited colleague sets a password with the link of the mail and signs in; the link works once', async () => {
  const admin = await portal.signedInAs('Administrator')
  const made = await invite(admin, 'Oumou@Test.example')
  expect(made).toMatchObject({
    status: 200,
    body: { user: { email: 'oumou@test.example', active: true, roles: [] } },
  })
  expect(made.body.message).toMatch(/^User created\. An invitation/)
  const token = await tokenTo(portal, 'oumou@test.example')
  const [letter = ''] = lettersTo(portal, 'oumou@test.example')
  expect(letter).toContain('Bonjour Oumou Sangaré')
  expect(letter).toContain('Hello Oumou Sangaré')
  expect((await signIn('oumou@test.example', another)).answer.status).toBe(422)
  const browser = await portal.visitor()
  expect((await browser.post('/password/reset', { token, password: another })).status).toBe(200)
  const { client, answer } = await signIn('oumou@test.example', another)
  expect(answer.status).toBe(200)
  expect((await client.get('/admin/schools/list')).status).toBe(403)
  const again = await browser.post('/password/reset', { token, password: `${another} 2` })
  expect(again).toMatchObject({
    status: 422,
    body: { errors: { token: [expect.stringMatching(/used already/)] } },
  })
  expect(await events(made.body.user.id)).toEqual([
    'created',
    'invited',
    'sign-in failed',
    'password set',
    'signed in',
  ])
})

test('a colleague is listed as invited until she sets a password; the letter can be sent again, and the first link ends', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { body } = await invite(admin, 'nana@test.example')
  const { id } = body.user
  const invited = async () => (await admin.get(`/admin/users/${id}`)).body.user.invited
  expect(await invited()).toBe(true)
  const first = await tokenTo(portal, 'nana@test.example')
  const sent = await admin.post(`/admin/users/${id}/invitation`, {})
  expect(sent).toMatchObject({ status: 200, body: { message: expect.stringMatching(/^Another invitation/) } })
  const second = await tokenTo(portal, 'nana@test.example', 2)
  const browser = await portal.visitor()
  expect((await browser.post('/password/reset', { token: first, password: another })).status).toBe(422)
  expect((await browser.post('/password/reset', { token: second, password: another })).status).toBe(200)
  expect(await invited()).toBe(false)
  expect((await admin.post(`/admin/users/${id}/invitation`, {})).status).toBe(409)
  expect((await events(id)).filter((event) => event === 'invited')).toHaveLength(2)
  const officer = await portal.signedIn('users.view', 'users.update')
  expect((await officer.post(`/admin/users/${id}/invitation`, {})).status).toBe(403)
})

test('nobody is invited who has no e-mail or is deactivated', async () => {
  const admin = await portal.signedInAs('Administrator')
  const gone = (await invite(admin, 'gone@test.example')).body.user
  await admin.put(`/users/profile/update/${gone.id}`, { deactivate: true, version: gone.version })
  const without = (await invite(admin, '')).body.user
  for (const { id } of [gone, without]) {
    expect((await admin.get(`/admin/users/${id}`)).body.user.invited).toBe(false)
    expect((await admin.post(`/admin/users/${id}/invitation`, {})).status).toBe(409)
  }
})

test('someone who reads database, jobs and log finds no token and no link', async () => {
  const admin = await portal.signedInAs('Administrator')
  await invite(admin, 'fatim@test.example')
  const token = await tokenTo(portal, 'fatim@test.example')
  await until(
    async () => (await owner.query("select from mails where state = 'sent' and body is null")).rowCount,
  )
  const { rows } = await owner.query(`select
    (select jsonb_agg(to_jsonb(t)) from password_tokens t)::text || (select jsonb_agg(to_jsonb(m)) from mails m)::text ||
    (select jsonb_agg(to_jsonb(j)) from pgboss.job j)::text || (select jsonb_agg(to_jsonb(v)) from audit_values v)::text as everything`)
  expect(rows[0].everything).toContain('fatim@test.example')
  expect(rows[0].everything).not.toContain(token)
  expect(maskedUrl(`/password/reset/${token}`)).toBe('/password/reset/***')
})

test('a person can use an invitation for seven days and a reset link for one hour', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { body } = await invite(admin, 'sira@test.example')
  const person = await portal.account()
  await (await portal.visitor()).post('/password/forgot', { email: person.email })
  const tokens = [await tokenTo(portal, 'sira@test.example'), await tokenTo(portal, person.email)]
  const { rows } = await owner.query(
    'select purpose, extract(epoch from expires_at - created_at)::int as seconds from password_tokens where user_id = any($1) order by purpose',
    [[body.user.id, person.id]],
  )
  expect(rows).toEqual([
    { purpose: 'invitation', seconds: 7 * 86_400 },
    { purpose: 'reset', seconds: 3600 },
  ])
  await owner.query('update password_tokens set expires_at = now()')
  for (const token of tokens)
    expect(
      (await (await portal.visitor()).post('/password/reset', { token, password: another })).status,
    ).toBe(422)
})

test('anybody who asks for a new password gets the same answer, and only active accounts get a mail', async () => {
  const person = await portal.account()
  const gone = await portal.account()
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  await owner.query(
    `insert into users (first_name, last_name, email, type) values ('Ami', 'Ba', 'ami@test.example', 'teacher')`,
  )
  const { client } = await signIn(person.email, password)
  const browser = await portal.visitor()
  const emails = ['nobody@test.example', gone.email, 'ami@test.example', person.email.toUpperCase()]
  const answers = []
  for (const email of emails) answers.push(await browser.post('/password/forgot', { email }))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).toEqual(answers[0]?.body)
  }
  const token = await tokenTo(portal, person.email)
  const { rows } = await owner.query('select recipient from mails where recipient = any($1)', [emails])
  expect(rows).toEqual([])
  expect((await browser.post('/password/reset', { token, password: another })).status).toBe(200)
  expect((await client.get('/users/profile/details')).status).toBe(401)
  expect((await signIn(person.email, password)).answer.status).toBe(422)
  expect((await signIn(person.email, another)).answer.status).toBe(200)
})

test('a stranger who keeps asking for a person’s reset cannot flood her mailbox or end her link', async () => {
  const person = await portal.account()
  const browser = await portal.visitor()
  for (let n = 0; n < 8; n++)
    expect((await browser.post('/password/forgot', { email: person.email })).status).toBe(200)
  await until(async () => {
    const left = "select count(*) as n from pgboss.job where name = 'password-reset' and state < 'completed'"
    return (await owner.query(left)).rows[0].n === 0
  })
  const { rows } = await owner.query('select count(*) as n from password_tokens where user_id = $1', [
    person.id,
  ])
  expect(rows[0].n).toBe(5)
  const token = await tokenTo(portal, person.email)
  expect((await browser.post('/password/reset', { token, password: another })).status).toBe(200)
  const second = await tokenTo(portal, person.email, 2)
  expect((await browser.post('/password/reset', { token: second, password: another })).status).toBe(422)
})

test('a person cannot choose a password that is short, common or her e-mail address, and her link still works', async () => {
  const person = await portal.account()
  const browser = await portal.visitor()
  await browser.post('/password/forgot', { email: person.email })
  const token = await tokenTo(portal, person.email)
  const refused = async (secret: string) =>
    (await browser.post('/password/reset', { token, password: secret })).body.errors
  expect(await refused('short')).toEqual({ password: ['A password has 12 to 200 characters.'] })
  expect(await refused('x'.repeat(201))).toEqual({ password: ['A password has 12 to 200 characters.'] })
  const easy = [
    'Password1234',
    'Password1234!',
    'letmein12345',
    'portal-demo-2026',
    'Bienvenue2026!',
    'Awa-Diarra-26!',
    person.email,
  ]
  for (const secret of easy)
    expect([secret, await refused(secret)]).toEqual([
      secret,
      { password: [expect.stringMatching(/^This password is too easy to guess\. Four words/)] },
    ])
  expect(await refused('')).toEqual({ password: ['Fill in this field.'] })
  expect((await browser.post('/password/reset', { token, password: another })).status).toBe(200)
})

test('when two people use one link at the same time, one of them sets the password', async () => {
  const person = await portal.account()
  const browser = await portal.visitor()
  await browser.post('/password/forgot', { email: person.email })
  const token = await tokenTo(portal, person.email)
  const answers = await Promise.all(
    [1, 2, 3].map((n) => browser.post('/password/reset', { token, password: `${another} ${n}` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
})

test('someone who guesses reset links is slowed by the rate limiter after sixty tries from one address', async () => {
  const browser = await portal.visitor()
  const guess = (n: number) => browser.post('/password/reset', { token: `guess${n}`, password: another })
  for (let n = 0; n < 60; n++) expect((await guess(n)).status).toBe(422)
  await makeLimitsFirm(owner)
  const slowed = await guess(61)
  expect(slowed.status).toBe(429)
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
})

test('a person who changes her password is signed out of other browsers only, and the password is not logged', async () => {
  const person = await portal.account()
  const { client: here } = await signIn(person.email, password)
  const { client: elsewhere } = await signIn(person.email, password)
  const cookie = here.cookies.get('portal_session')
  const wrong = await here.put('/password', { current_password: 'not this one', password: another })
  expect(wrong).toMatchObject({
    status: 422,
    body: { errors: { current_password: ['The password is not right.'] } },
  })
  expect(
    (await here.put('/password', { current_password: password, password: 'short' })).body.errors,
  ).toHaveProperty('password')
  expect((await here.put('/password', { current_password: password, password: another })).status).toBe(200)
  expect(here.cookies.get('portal_session')).not.toBe(cookie)
  expect((await here.put('/notifications/1', {})).status).toBe(404)
  expect((await elsewhere.get('/notifications')).status).toBe(401)
  const { rows } = await owner.query('select string_agg(v::text, $1) as told from audit_values v', [' '])
  expect(rows[0].told).not.toContain(another)
  expect(await events(person.id)).toContain('password changed')
})

test('someone at another person’s open browser cannot guess her password without limit', async () => {
  const person = await portal.signedIn()
  const guess = () => person.put('/password', { current_password: 'not this one', password: another })
  for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(422)
  await makeLimitsFirm(owner)
  expect((await guess()).status).toBe(429)
})

test('a person sees her sessions and ends them, but never a session of somebody else', async () => {
  const person = await portal.account()
  const { client: here } = await signIn(person.email, password)
  const { client: elsewhere } = await signIn(person.email, password)
  const list = (await here.get('/sessions')).body.sessions
  expect(list).toHaveLength(2)
  expect(list.filter((one: { current: boolean }) => one.current)).toHaveLength(1)
  const other = list.find((one: { current: boolean }) => !one.current)
  const stranger = await portal.signedIn()
  expect((await stranger.delete(`/sessions/${other.id}`)).status).toBe(404)
  expect((await here.delete(`/sessions/${other.id}`)).status).toBe(200)
  expect((await elsewhere.get('/sessions')).status).toBe(401)
  expect((await here.delete(`/sessions/${other.id}`)).status).toBe(404)
  const own = list.find((one: { current: boolean }) => one.current)
  expect((await here.delete(`/sessions/${own.id}`)).status).toBe(200)
  expect((await here.get('/session')).body.user).toBeNull()
})

test('a person whose session ended while she filled in a form gets 401, and nothing is stored', async () => {
  const person = await portal.signedIn()
  await owner.query('update sessions set ended_at = now() where user_id = $1', [person.user.id])
  const path = `/users/profile/update/${person.user.id}`
  expect((await person.put(path, { first_name: 'Autre', last_name: 'Nom' })).status).toBe(401)
  const { rows } = await owner.query('select first_name from users where id = $1', [person.user.id])
  expect(rows[0].first_name).toBe('Awa')
})

test('a person who is deactivated while her password is checked gets no session', async () => {
  const person = await portal.account()
  const client = await portal.visitor()
  const blocker = await owner.connect()
  await blocker.query('begin')
  await blocker.query('update users set deactivated_at = now() where id = $1', [person.id])
  const answer = client.post('/login', { email: person.email, password })
  await untilLocked(portal.db.pool)
  await blocker.query('commit')
  blocker.release()
  expect((await answer).status).toBe(422)
  expect((await owner.query('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
})
