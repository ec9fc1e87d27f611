import { expect, test } from 'vitest'
import { codeAt, makeSecret } from '../../src/access/totp.ts'
import { seal } from '../../src/kit/secrets/seal.ts'
import { password } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'
import { addressIn, publicUrl } from './identity-provider.ts'
import { refused, signInWithStage, userOf } from './sign-in-with-stage.ts'

const { as, portal, traveller } = await signInWithStage()
const { owner } = portal

test('a person with one-time codes is asked for hers after her organisation, and may not use it twice', async () => {
  const account = await portal.account()
  const secret = makeSecret()
  await owner.query('update users set totp_secret = $2, totp_confirmed_at = now() where id = $1', [
    account.id,
    seal(portal.settings.secret, secret),
  ])
  as(account.email)
  const person = await traveller()
  expect((await person.signIn('ministry', '?next=/schools')).href).toBe(
    `${publicUrl}/login?with=code&next=%2Fschools`,
  )
  expect(await userOf(person)).toBeNull()
  const wrong = await person.portal.post('/login/code', { code: '000000' })
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['code']])
  const cookie = person.portal.cookies.get('__Host-portal_sign_in') ?? ''
  const code = codeAt(secret, Date.now())
  const right = await person.portal.post('/login/code', { code })
  expect(right.body).toMatchObject({ session: { user: { id: account.id } }, start: null })
  person.portal.cookies.set('__Host-portal_sign_in', cookie)
  expect((await person.portal.post('/login/code', { code })).status).toBe(422)

  const stranger = await traveller()
  const without = await stranger.portal.post('/login/code', { code })
  expect(without.body.errors.code).toEqual(['This sign-in took too long. Begin it again.'])
  await owner.query('update users set deactivated_at = now() where id = $1', [account.id])
  expect((await person.portal.post('/login/code', { code })).status).toBe(422)
})

test('nobody guesses one-time codes faster after a provider than after a password', async () => {
  const account = await portal.account()
  await owner.query('update users set totp_secret = $2, totp_confirmed_at = now() where id = $1', [
    account.id,
    seal(portal.settings.secret, makeSecret()),
  ])
  as(account.email)
  const person = await traveller()
  await person.signIn('ministry')
  const answers = []
  for (let n = 0; n < 10; n++) answers.push((await person.portal.post('/login/code', { code: '1' })).status)
  expect(answers).toEqual(Array(10).fill(422))
  await makeLimitsFirm(owner)
  expect((await person.portal.post('/login/code', { code: '1' })).status).toBe(429)
  await owner.query('delete from failed_attempts')
})

test('a person confirms an act by her password, or by signing in at her organisation again', async () => {
  const account = await portal.account()
  as(account.email)
  const person = await traveller()
  const act = async () => (await person.portal.post('/totp')).status
  await person.signIn('ministry')
  expect(await act()).toBe(403)
  const address = await person.begin('ministry', '?again=true&next=/profile')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
  const callback = await person.signInAt(address)
  expect(addressIn(await person.portal.get(callback)).pathname).toBe('/profile')
  expect(await act()).toBe(200)
  await owner.query("update sessions set authenticated_at = now() - interval '6 minutes'")
  expect(await act()).toBe(403)
  await person.portal.post('/login', { email: account.email, password })
  expect(await act()).toBe(200)
  // A provider that is asked for the password and does not say that it was entered does not count.
  const silent = await person.begin('ministry', '?again=true')
  for (const name of ['prompt', 'max_age']) silent.searchParams.delete(name)
  expect(addressIn(await person.portal.get(await person.signInAt(silent))).href).toBe(refused)
})
