import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { seal } from '../../src/kit/secrets/seal.ts'
import { password, startPortal } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'
import { addressIn, publicUrl, startIdentityProvider, Traveller } from './identity-provider.ts'
import { over, refused, signInWithStage, userOf } from './sign-in-with-stage.ts'

const { as, entries, partner, portal, provider, traveller } = await signInWithStage()
const { owner } = portal

test('a person signs in through her organisation, in any case of letters, and lands on home', async () => {
  const account = await portal.account('School Officer')
  as(account.email.toUpperCase())
  const person = await traveller()
  const before = person.portal.cookies.get('XSRF-TOKEN')
  expect((await person.signIn('ministry')).href).toBe(`${publicUrl}/home`)
  expect(await userOf(person)).toMatchObject({ id: account.id, roles: [{ name: 'School Officer' }] })
  expect(person.portal.cookies.get('XSRF-TOKEN')).not.toBe(before)
  expect([...person.portal.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', '__Host-portal_session'])
  expect(await entries()).toMatchObject([
    { event: 'signed in', user_id: account.id, new_values: { provider: 'The ministry' } },
  ])
})

test('a person finds her organisations on the sign-in page, and the portal’s own cookie is sealed', async () => {
  const person = await traveller()
  expect((await person.portal.get('/session')).body.settings.sign_in_with).toEqual([
    { name: 'ministry', label: 'The ministry' },
    { name: 'partner', label: 'The partner' },
  ])
  const begun = await person.portal.get('/login/with/ministry')
  const cookie = [begun.headers['set-cookie']].flat().find((one) => one?.startsWith('__Host-portal_sign_in='))
  expect(cookie).toMatch(
    /^__Host-portal_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const state = addressIn(begun).searchParams.get('state') ?? ''
  expect(Buffer.from(cookie?.split(/[=;]/)[1] ?? '', 'base64url').includes(state)).toBe(false)
  expect(Object.fromEntries(addressIn(begun).searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${publicUrl}/api/login/with/ministry/callback`,
  })
})

test('a person who signs in again in the same browser gets another session, and her earlier one ends', async () => {
  const account = await portal.account()
  as(account.email)
  const person = await traveller()
  await person.signIn('ministry')
  const first = person.portal.cookies.get('__Host-portal_session')
  await person.signIn('ministry')
  expect(person.portal.cookies.get('__Host-portal_session')).not.toBe(first)
  const { rows } = await owner.query('select ended_at from sessions where user_id = $1 order by id', [
    account.id,
  ])
  expect(rows.map((row) => row.ended_at !== null)).toEqual([true, false])
})

test('a person without an account, or whose account may not sign in, gets one and the same refusal', async () => {
  const gone = await portal.account()
  const invited = await portal.account()
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  await owner.query('update users set password_hash = null where id = $1', [invited.id])
  await owner.query(
    `insert into users (first_name, last_name, email, type) values ('Fatou', 'Sow', 'girl@test.example', 'student')`,
  )
  for (const email of ['stranger@test.example', gone.email, invited.email, 'girl@test.example']) {
    as(email)
    const person = await traveller()
    expect((await person.signIn('ministry')).href).toBe(refused)
    expect(await userOf(person)).toBeNull()
  }
  const noted = await entries(4)
  expect(noted.map(({ event }) => event)).toEqual(Array(4).fill('provider sign-in failed'))
  expect(noted.map(({ new_values }) => new_values.reason.en)).toEqual(
    Array(4).fill('no account with this e-mail may sign in'),
  )
  expect(noted.map(({ auditable_id }) => auditable_id).slice(1, 3)).toEqual([invited.id, gone.id])
  expect(JSON.stringify(noted)).not.toContain('stranger')
})

test('nobody signs in with an e-mail that the provider has not verified, may not vouch for, or writes in other letters', async () => {
  const account = await portal.account()
  const kin = await portal.account()
  await owner.query("update users set email = 'kin@test.example' where id = $1", [kin.id])
  const reasons: string[] = []
  for (const [name, email, verified] of [
    ['ministry', account.email, false],
    ['partner', account.email, true],
    ['ministry', `${account.email}@partner.example`, true],
    ['ministry', '\u212Ain@test.example', true],
    ['ministry', '', true],
  ] as const) {
    const at = name === 'ministry' ? provider : partner
    at.person = { email, verified }
    const person = await traveller()
    expect((await person.signIn(name)).href).toBe(refused)
    expect(await userOf(person)).toBeNull()
    const [entry] = await entries()
    expect(JSON.stringify(entry)).not.toContain('@')
    reasons.push(entry.new_values.reason.en)
  }
  expect(reasons.map((reason) => reason.replace(/^the provider /, ''))).toEqual([
    'has not verified the e-mail',
    'may not vouch for the domain of the e-mail',
    'has not verified the e-mail',
    'has not verified the e-mail',
    'has not verified the e-mail',
  ])
})

test('nobody signs in with the answer of another browser, a second time, or with another state, nonce or verifier', async () => {
  const account = await portal.account()
  as(account.email)
  const person = await traveller()
  const callback = await person.signInAt(await person.begin('ministry'))
  const cookie = person.portal.cookies.get('__Host-portal_sign_in') ?? ''

  const stranger = await traveller()
  expect(addressIn(await stranger.portal.get(callback)).href).toBe(over)
  await stranger.begin('ministry')
  expect(addressIn(await stranger.portal.get(callback)).href).toBe(refused)
  expect(await userOf(stranger)).toBeNull()

  const otherState = callback.replace(/state=[^&]+/, 'state=another')
  expect(addressIn(await person.portal.get(otherState)).href).toBe(refused)
  person.portal.cookies.set('__Host-portal_sign_in', cookie)
  expect(addressIn(await person.portal.get(callback)).href).toBe(`${publicUrl}/home`)
  await person.portal.post('/logout')
  expect(addressIn(await person.portal.get(callback)).href).toBe(over)
  // The provider takes each code once, also with a cookie that somebody has kept.
  person.portal.cookies.set('__Host-portal_sign_in', cookie)
  expect(addressIn(await person.portal.get(callback)).href).toBe(refused)
  expect(await userOf(person)).toBeNull()

  for (const name of ['nonce', 'code_challenge']) {
    const other = await traveller()
    const address = await other.begin('ministry')
    address.searchParams.set(name, 'x'.repeat(43))
    expect(addressIn(await other.portal.get(await other.signInAt(address))).href).toBe(refused)
    expect(await userOf(other)).toBeNull()
  }
  const mixed = await traveller()
  const answer = await mixed.signInAt(await mixed.begin('ministry'))
  expect(addressIn(await mixed.portal.get(answer.replace('ministry', 'partner'))).href).toBe(over)
  expect(await userOf(mixed)).toBeNull()
})

test('a person who takes more than ten minutes begins again, and so does one who cancels', async () => {
  const account = await portal.account()
  as(account.email)
  const slow = await traveller()
  const callback = await slow.signInAt(await slow.begin('ministry'))
  const old = { at: 'provider', provider: 'ministry', state: 'a', nonce: 'b', verifier: 'c', again: false }
  const sealed = (until: number) =>
    seal(portal.settings.secret, JSON.stringify({ ...old, next: null, until }))
  slow.portal.cookies.set('__Host-portal_sign_in', sealed(Date.now() - 1).toString('base64url'))
  expect(addressIn(await slow.portal.get(callback)).href).toBe(over)
  const changed = sealed(Date.now() + 1000).map((octet, at, { length }) =>
    at === length - 1 ? octet ^ 1 : octet,
  )
  slow.portal.cookies.set('__Host-portal_sign_in', Buffer.from(changed).toString('base64url'))
  expect(addressIn(await slow.portal.get(callback)).href).toBe(over)
  provider.person = { email: account.email, verified: true, cancels: true }
  expect((await (await traveller()).signIn('ministry')).href).toBe(refused)
})

test('a person lands on the page that she wanted, and never on another site', async () => {
  const account = await portal.account()
  as(account.email)
  const wanted = '/schools?search=nord#two'
  const query = (next: string) => `?next=${encodeURIComponent(next)}`
  expect((await (await traveller()).signIn('ministry', query(wanted))).href).toBe(`${publicUrl}${wanted}`)
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'home',
    '/login?next=//evil.example',
    '/api/session',
    `/${'é'.repeat(600)}`,
  ])
    expect((await (await traveller()).signIn('ministry', query(next))).href, next).toBe(`${publicUrl}/home`)
  provider.person = { email: account.email, verified: false }
  expect((await (await traveller()).signIn('ministry', query(wanted))).href).toBe(
    `${refused}&next=${encodeURIComponent(wanted)}`,
  )
})

test('a person without a wanted page lands on the page that she begins with', async () => {
  const account = await portal.account('School Officer')
  await owner.query("insert into start_pages (user_id, path) values ($1, '/schools')", [account.id])
  as(account.email)
  expect((await (await traveller()).signIn('ministry')).pathname).toBe('/schools')
})

test('someone who tries many answers is slowed, and people who sign in by password are not', async () => {
  const account = await portal.account()
  await owner.query('delete from failed_attempts')
  as('stranger@test.example')
  const person = await traveller()
  await owner.query(
    "insert into failed_attempts (kind, subject, address) select 'provider', '\\x00', '127.0.0.1' from generate_series(1, 60)",
  )
  await makeLimitsFirm(owner)
  expect((await person.signIn('ministry')).href).toBe(`${publicUrl}/login?with=wait`)
  expect((await person.portal.post('/login', { email: account.email, password })).status).toBe(200)
  await owner.query('delete from failed_attempts')
})

test('a person whose organisation does not answer is told so within its time, and by no error', async () => {
  const account = await portal.account()
  const away = await startIdentityProvider('away', ['away.example'])
  const silent = await startIdentityProvider('silent', ['silent.example'])
  const other = await startPortal({ publicUrl, identityProviders: [away.entry, silent.entry] })
  const { stop } = away
  away.person = { email: account.email, verified: true }
  const person = new Traveller(await other.visitor())
  const callback = await person.signInAt(await person.begin('away'))
  await stop()
  const refusedAsAway = `${publicUrl}/login?with=away`
  expect(addressIn(await person.portal.get(callback)).href).toBe(refusedAsAway)
  const { rows } = await other.owner.query(
    'select new_values from audit_values order by audit_id desc limit 1',
  )
  expect(rows[0].new_values.reason.en).toBe('the provider did not answer')
  silent.entry.issuer = away.entry.issuer
  expect((await person.begin('silent')).href).toBe(refusedAsAway)
  const deaf = createServer(() => {}).listen(0, '127.0.0.1')
  afterAll(() => deaf.close().closeAllConnections())
  await once(deaf, 'listening')
  silent.entry.issuer = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`
  silent.entry.longestMs = 200
  expect((await person.begin('silent')).href).toBe(refusedAsAway)
  expect((await person.begin('nowhere')).href).toBe(refused)
})
