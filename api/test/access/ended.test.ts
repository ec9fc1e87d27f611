import { expect, test } from 'vitest'
import { codeAt } from '../../src/access/totp.ts'
import type { Client } from '../client.ts'
import { untilLocked } from '../locks.ts'
import { type Account, password, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal

const failures = async (userId: number) =>
  (
    await owner.query(
      `select w.new_values from audits a join audit_values w on w.audit_id = a.id
       where a.event = 'sign-in failed' and a.auditable_id = $1`,
      [userId],
    )
  ).rows.map((row) => row.new_values)

/** Begins a transaction of the test. What it locks, calls wait for until `end`. */
async function holding(statement: string, values: unknown[] = []) {
  const blocker = await owner.connect()
  await blocker.query('begin')
  await blocker.query(statement, values)
  return {
    query: blocker.query.bind(blocker),
    async end() {
      await blocker.query('commit')
      blocker.release()
    },
  }
}

const confirmedNow = (person: Client, secret: string) =>
  person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })

/** Returns the secret of the codes and the recovery codes. */
async function turnOnCodes(person: Client): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = (await person.post('/totp')).body
  const { status, body } = await confirmedNow(person, secret)
  expect(status).toBe(200)
  return { secret, recovery: body.recovery_codes }
}

test('a deactivated colleague who writes her right password reads what a stranger reads, and her try is in the log', async () => {
  const gone = await portal.signedIn()
  await turnOnCodes(gone)
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.user.id])
  const browser = await portal.visitor()
  const stranger = await browser.post('/login', { email: 'nobody@test.example', password })
  const answer = await browser.post('/login', { email: gone.user.email, password })
  // Nothing asks for the code: that would say that the password is right.
  expect([answer.status, answer.body]).toEqual([422, stranger.body])
  expect(await failures(gone.user.id)).toEqual([{ email: gone.user.email }])
})

test('an auditor finds the sign-in of somebody whose account was closed, moved or changed while her password was checked', async () => {
  const changes = ['deactivated_at = now()', "email = 'moved@test.example'", "password_hash = 'another'"]
  for (const change of changes) {
    const person = await portal.account()
    const browser = await portal.visitor()
    const changing = await holding(`update users set ${change} where id = $1`, [person.id])
    const answer = browser.post('/login', { email: person.email, password })
    await untilLocked(portal.db.pool)
    await changing.end()
    expect((await answer).status).toBe(422)
    expect(await failures(person.id)).toEqual([{ email: person.email }])
  }
})

test('a colleague who is signed out everywhere during her call changes nobody’s access with it', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.account()
  const change = await holding("select pg_advisory_xact_lock(hashtext('access'))")
  const call = admin.put(`/users/profile/update/${person.id}`, { id: person.id, deactivate: true })
  await untilLocked(portal.db.pool, { lock: 'advisory' })
  await change.query('update sessions set ended_at = now() where user_id = $1', [admin.user.id])
  await change.end()
  expect((await call).status).toBe(401)
  const { rows } = await owner.query('select deactivated_at from users where id = $1', [person.id])
  expect(rows).toEqual([{ deactivated_at: null }])
})

test('a person who turned her codes off reads that no recovery code is left, and her old secret is of no use', async () => {
  const person = await portal.signedIn()
  const { secret } = await turnOnCodes(person)
  const left = async () => (await person.get('/users/profile/details')).body.user.recovery_codes
  expect(await left()).toBe(10)
  expect((await person.send('DELETE', '/totp', { current_password: password })).status).toBe(200)
  expect(await left()).toBe(0)
  // The phone that she lost turns nothing on again.
  expect((await confirmedNow(person, secret)).status).toBe(409)
})

test('a person sees no session of hers that has ended because she did not use it, or after a week', async () => {
  const person = await portal.signedIn()
  const sessions = async () =>
    (await person.get('/sessions')).body.sessions.map(({ id }: { id: number }) => id)
  const [present] = await sessions()
  for (const passed of [
    "last_seen_at = now() - interval '9 hours'",
    "created_at = now() - interval '8 days'",
  ]) {
    await (await portal.visitor()).post('/login', { email: person.user.email, password })
    expect(await sessions()).toHaveLength(2)
    await owner.query(`update sessions set ${passed} where user_id = $1 and id <> $2 and ended_at is null`, [
      person.user.id,
      present,
    ])
    expect(await sessions()).toEqual([present])
  }
})

test('nobody signs in with the recovery code of a colleague, and it still works for the colleague', async () => {
  const [person, colleague] = [await portal.signedIn(), await portal.signedIn()]
  await turnOnCodes(person)
  const [code] = (await turnOnCodes(colleague)).recovery
  const signIn = async ({ email }: Account) =>
    (await (await portal.visitor()).post('/login', { email, password, code })).status
  expect(await signIn(person.user)).toBe(422)
  expect(await signIn(colleague.user)).toBe(200)
})
