import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal
const another = 'une phrase assez longue'
const path = (id: number) => `/users/profile/update/${id}`

/** A reset link as its letter has it, which the person asked for a moment ago. */
async function resetLinkOf(userId: number): Promise<string> {
  const token = randomUUID()
  await owner.query(
    `insert into password_tokens (user_id, token_hash, purpose, expires_at) values ($1, $2, 'reset', now() + interval '1 hour')`,
    [userId, createHash('sha256').update(token).digest()],
  )
  return token
}
const follow = async (token: string) =>
  (await (await portal.visitor()).post('/password/reset', { token, password: another })).status

test('a reset link sets a password once and ends those of earlier letters, and none sets one that went to an address which an administrator has changed since', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.account()
  const [first, second] = [await resetLinkOf(person.id), await resetLinkOf(person.id)]
  expect(await follow(second)).toBe(200)
  for (const over of [first, second]) expect(await follow(over)).toBe(422)
  const token = await resetLinkOf(person.id)
  const moved = { first_name: 'Awa', last_name: 'Keïta', email: 'moved@test.example' }
  expect((await admin.put(path(person.id), moved)).status).toBe(200)
  expect(await follow(token)).toBe(422)
})

test('a reset link of an account that was deactivated stays closed when the account is activated again', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.account()
  const token = await resetLinkOf(person.id)
  for (const deactivate of [true, false])
    expect((await admin.put(path(person.id), { deactivate })).status).toBe(200)
  expect(await follow(token)).toBe(422)
})

test('the last administrator who can sign in keeps an e-mail address, because nobody signs in without one', async () => {
  await owner.query('update users set deactivated_at = now()')
  const admin = await portal.signedInAs('Administrator')
  const { user } = (await admin.get('/users/profile/details')).body
  const refused = await admin.put(path(user.id), { ...user, email: null })
  expect(refused.status).toBe(409)
  expect((await admin.get('/users/profile/details')).body.user.email).toBe(user.email)
})
