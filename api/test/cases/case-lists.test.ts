import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { caseStage } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, filer, fileCase } = await caseStage(portal)

test('a person filters overdue cases and sorts them first', async () => {
  const { id } = await fileCase()
  await portal.owner.query("update cases set created_at = now() - interval '9 days' where id = $1", [id])
  const list = await reviewer.get('/admin/cases?due=overdue&sort=due_on')
  expect(list.body.complains.data).toMatchObject([{ id, overdue: true }])
  expect((await reviewer.get('/admin/cases?sort=due_on')).body.complains.data[0].id).toBe(id)
  expect((await reviewer.get('/admin/cases?priority=low_1_month')).body.complains.total).toBe(0)
  expect((await filer.get('/admin/cases?mine=yes&search_term=nothing-like-it')).body).toMatchObject({
    isSearch: true,
    complains: { total: 0 },
  })
})

test('a reviewer lists the cases that wait for a decision; decided ones are not among them', async () => {
  const waiting = async () => {
    const path = `/admin/cases?due=undecided&reviewer=${reviewer.user.id}&per_page=100`
    const { data } = (await reviewer.get(path)).body.complains
    return data.map((item: { id: number }) => item.id)
  }
  const { id } = await fileCase()
  const before = await waiting()
  expect(before).toContain(id)
  const decided = { complain_id: id, action: 'resolve', verdict: 'Paid' }
  expect((await reviewer.post('/admin/cases/resolve', decided)).status).toBe(200)
  expect(await waiting()).toEqual(before.filter((one: number) => one !== id))
})

test('a reviewer sees her overdue cases first, the longest overdue at the top, then all others, newest first', async () => {
  const other = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Order Aid', $1, 'ngo', '2020-01-01')`,
    [other.user.id],
  )
  const fileAged = async (title: string, age: string, to = other) => {
    const { id } = await fileCase(filer, { title: `Order ${title}`, reviewer: to.user.id })
    await portal.owner.query('update cases set created_at = now() - $2::interval where id = $1', [id, age])
  }
  await fileAged('late', '3 days')
  await fileAged('of another, late', '9 days', reviewer)
  await fileAged('fresh', '1 minute')
  await fileAged('longest late', '40 days')
  await fileAged('of another, newest', '0 seconds', reviewer)
  const titles = async (who: Client, sort = '') => {
    const list = await who.get(`/admin/cases?search_term=Order&per_page=100${sort}`)
    return list.body.complains.data.map(({ title }: { title: string }) => title.replace('Order ', ''))
  }
  const mine = ['longest late', 'late', 'of another, newest', 'fresh', 'of another, late']
  expect(await titles(other)).toEqual(mine)
  expect(await titles(other, '&sort=-mine_overdue')).toEqual(mine)
  expect(await titles(other, '&sort=mine_overdue')).toEqual(mine.toReversed())
  const newest = ['of another, newest', 'fresh', 'late', 'of another, late', 'longest late']
  expect(await titles(other, '&sort=-created_at')).toEqual(newest)
  const admin = await portal.signedInAs('Administrator')
  expect(await titles(admin)).toEqual(newest)
  const pages = await Promise.all(
    [1, 2, 3].map((page) => other.get(`/admin/cases?search_term=Order&per_page=2&page=${page}`)),
  )
  expect(
    pages.flatMap(({ body }) => body.complains.data).map(({ title }) => title.replace('Order ', '')),
  ).toEqual(mine)
})
