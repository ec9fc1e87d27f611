import { expect, test } from 'vitest'
import { lettersTo, tokenTo } from '../access/accounts-outbox.ts'
import { caseStage, expert } from '../cases/case-stage.ts'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { owner, settings } = portal
const { reviewer, fileCase } = await caseStage(portal)
const admin = await portal.signedInAs('Administrator')

/** Asks an expert with this address. Returns the case and the consultation. */
async function asked(email: string) {
  const { id } = await fileCase()
  expect((await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id, email })).status).toBe(
    200,
  )
  const { referrals } = (await reviewer.get(`/admin/cases/${id}/details`)).body
  return { id, referral: referrals[0].id }
}
const revoke = async ({ referral }: { referral: number }) =>
  expect((await reviewer.post(`/admin/cases/referrals/${referral}/revoke`)).status).toBe(200)
const resolve = async ({ id }: { id: number }) => {
  const decision = { complain_id: id, action: 'resolve', verdict: 'Paid' }
  expect((await reviewer.post('/admin/cases/resolve', decision)).status).toBe(200)
}
async function invited(email: string) {
  const names = { first_name: 'Nana', last_name: 'Koné', gender: 'female', type: 'developer' }
  const { body } = await admin.post('/admin/users', { ...names, user_title: 'mrs', email })
  return body.user
}
const stateOf = async (email: string) =>
  (await owner.query('select state, error from mails where recipient = $1 order by id', [email])).rows

test('a letter does not leave whose link was ended by a person before it was sent', async () => {
  const [withdrawn, decided, waiting, twice] = ['withdrawn', 'decided', 'waiting', 'twice'].map(
    (name) => `${name}@test.example`,
  ) as [string, string, string, string]
  await revoke(await asked(withdrawn))
  await resolve(await asked(decided))
  await asked(waiting)
  const { id } = await invited(twice)
  expect((await admin.post(`/admin/users/${id}/invitation`)).status).toBe(200)
  await portal.worker()
  await until(async () => (await stateOf(waiting))[0].state === 'sent')
  await until(async () => (await stateOf(twice))[1].state === 'sent')
  const ended = { state: 'failed', error: 'The links of the letter have ended.' }
  for (const email of [withdrawn, decided]) {
    await until(async () => (await stateOf(email))[0].state !== 'queued')
    expect([email, await stateOf(email)]).toEqual([email, [ended]])
    expect(lettersTo(portal, email)).toEqual([])
  }
  expect(await stateOf(twice)).toEqual([ended, { state: 'sent', error: null }])
  expect(lettersTo(portal, waiting)).toHaveLength(1)
  expect(lettersTo(portal, twice)).toHaveLength(1)
})

test('a letter that waits in the outbox is not sent any more once a person has ended its link', async () => {
  await portal.worker()
  const [email, colleague] = ['outbox@test.example', 'colleague@test.example']
  const consultation = await asked(email)
  const { id, version } = await invited(colleague)
  await until(async () => (await stateOf(email))[0].state === 'sent')
  await until(async () => (await stateOf(colleague))[0].state === 'sent')
  await revoke(consultation)
  expect((await admin.put(`/users/profile/update/${id}`, { deactivate: true, version })).status).toBe(200)
  const chosen = 'chosen@test.example'
  await invited(chosen)
  const token = await tokenTo(portal, chosen)
  const reset = { token, password: 'seven blue goats at dawn' }
  expect((await (await portal.visitor()).post('/password/reset', reset)).status).toBe(200)
  const { out } = await runCommand(settings, 'outbox', [])
  for (const each of [email, colleague, chosen])
    expect(out).toMatch(new RegExp(`${each} .*\\(not sent any more: .+\\)$`, 'm'))
})
