import { expect, test } from 'vitest'
import { password, startPortal } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'

const portal = await startPortal()

test('a stranger who signs in to an account of their own between two guesses is slowed like any other', async () => {
  const [victim, own] = [await portal.account(), await portal.account()]
  const browser = await portal.visitor()
  const signIn = async (email: string, given: string) =>
    (await browser.post('/login', { email, password: given })).status
  for (let n = 0; n < 10; n++) {
    expect(await signIn(victim.email, 'a wrong password')).toBe(422)
    expect(await signIn(own.email, password)).toBe(200)
  }
  await makeLimitsFirm(portal.owner)
  expect(await signIn(victim.email, password)).toBe(429)
})
