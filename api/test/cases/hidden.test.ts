import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { caseStage, expert } from './case-stage.ts'

const portal = await startPortal()
const { owner } = portal
const { reviewer, filer, form, fileCase } = await caseStage(portal)

const asPartner = (userId: number) =>
  owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Gao Aid', $1, 'ngo', '2021-01-01')`,
    [userId],
  )
const listed = async (by: Client): Promise<number[]> =>
  (await by.get('/admin/cases')).body.complains.data.map(({ id }: { id: number }) => id)
const reviewerOf = async (id: number) =>
  (await owner.query('select assigned_id from cases where id = $1', [id])).rows[0].assigned_id
const takes = (by: Client, id: number, next: number) =>
  by.put(`/admin/cases/${id}/assign`, { reviewer: next })

test('a person lists the cases that she filed or reviews, searches nothing else, and whoever may see all cases lists all', async () => {
  const other = await portal.signedIn('cases.create')
  const [mine, hers] = [await fileCase(), await fileCase(other)]
  const viewer = await portal.signedIn('cases.create', 'cases.view')
  expect(await listed(filer)).toEqual([mine.id])
  expect(await listed(other)).toEqual([hers.id])
  expect((await other.get(`/admin/cases?search_term=${mine.number}`)).body.complains.data).toEqual([])
  expect((await listed(viewer)).sort()).toEqual([mine.id, hers.id].sort())
})

test('whoever filed a case and may review others does not take it from its reviewer', async () => {
  const own = await portal.signedIn('cases.create', 'cases.manage')
  await asPartner(own.user.id)
  const { id } = await fileCase(own)
  expect((await takes(own, id, own.user.id)).status).toBe(404)
  expect(await reviewerOf(id)).toBe(reviewer.user.id)
})

test('nobody is given a case that was decided, or one to review whose account is closed', async () => {
  const next = await portal.signedInAs('Case Reviewer')
  await asPartner(next.user.id)
  const { id } = await fileCase()
  await owner.query('update users set deactivated_at = now() where id = $1', [next.user.id])
  expect((await takes(reviewer, id, next.user.id)).body.errors).toHaveProperty('reviewer')
  expect((await filer.upload('/admin/cases', { ...form, reviewer: next.user.id })).status).toBe(422)
  const offered = (await filer.get('/admin/cases')).body.partners.map(
    (one: { user: { id: number } }) => one.user.id,
  )
  expect(offered).not.toContain(next.user.id)
  await owner.query('update users set deactivated_at = null where id = $1', [next.user.id])
  expect((await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve' })).status).toBe(
    200,
  )
  expect((await takes(reviewer, id, next.user.id)).status).toBe(409)
  expect(await reviewerOf(id)).toBe(reviewer.user.id)
})

test('a reviewer withdraws a consultation once, and a later one of the same case stays open', async () => {
  const { id } = await fileCase()
  const details = async () => (await reviewer.get(`/admin/cases/${id}/details`)).body
  const ask = () => reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })
  await ask()
  const [{ id: first }] = (await details()).referrals
  expect((await reviewer.post(`/admin/cases/referrals/${first}/revoke`)).status).toBe(200)
  await ask()
  expect((await reviewer.post(`/admin/cases/referrals/${first}/revoke`)).status).toBe(409)
  expect((await details()).complain.status).toBe('in_progress')
})

test('whoever may review cases, but neither filed nor reviews this one, is not told that it is there', async () => {
  const stranger = await portal.signedIn('cases.create', 'cases.manage')
  const { id } = await fileCase()
  for (const complain_id of [id, 999_999]) {
    const activity = { complain_id, note: 'Called', channel_id: form.channel }
    expect((await stranger.post('/admin/cases/activity', activity)).status).toBe(404)
    expect((await stranger.post('/admin/cases/resolve', { complain_id, action: 'resolve' })).status).toBe(404)
  }
})

test('whoever opened a case before a colleague took it herself does not give it to another one unseen', async () => {
  const taker = await portal.signedIn('cases.view', 'cases.manage')
  await asPartner(taker.user.id)
  const manager = await portal.signedIn('cases.view', 'cases.manage')
  const { id } = await fileCase()
  const { version } = (await manager.get(`/admin/cases/${id}/details`)).body.complain
  expect((await takes(taker, id, taker.user.id)).status).toBe(200)
  const late = await manager.put(`/admin/cases/${id}/assign`, { reviewer: reviewer.user.id, version })
  expect(late.status).toBe(409)
  expect(await reviewerOf(id)).toBe(taker.user.id)
})
