import { beforeAll, expect, test } from 'vitest'
import { chance } from '../../src/demo/chance.ts'
import { makeDemo } from '../../src/demo/demo.service.ts'
import { makeDay } from '../../src/demo/message-day.ts'
import { demoSyncToken } from '../../src/demo/sync-token.ts'
import { startPortal } from '../portal.ts'
import { dayBack, machine, settled } from './sync.ts'

const nowhere = 'http://127.0.0.1:9'
const portal = await startPortal({ demoSize: 'small', agencyHosts: ['127.0.0.1:9'] })
const { owner } = portal

beforeAll(async () => {
  await makeDemo(portal.context, { agencyUrl: nowhere })
  await portal.worker()
})

const log = async () =>
  (await (await portal.signedIn('students.view')).get('/home/messages?per_page=100')).body

test('a person who tries the demo finds a week of attendance, a silent school, and every kind of failed message', async () => {
  const person = await portal.signedIn()
  const { body } = await person.get('/home/dashboard/attendance')
  expect(body.schools).toBe(20)
  const monday = body.week_summary[0]
  if (monday.date !== dayBack(0)) expect(monday.reported_schools).toBeGreaterThan(12)
  expect(monday.student_attendance).toBeGreaterThan(80)
  const silent = (await person.get('/home/dashboard/attendance/silent?per_page=100')).body.schools
  expect(silent.total).toBeGreaterThan(0)
  expect(await log()).toMatchObject({ waiting: 0, failed: 5 })
})

test('a manager who retries a failed message of the demo reads the same reason again', async () => {
  const before = (await log()).messages.data
  const manager = await portal.signedIn('sync.manage')
  for (const { id } of before) expect((await manager.post(`/home/messages/${id}/retry`)).status).toBe(200)
  await settled(portal)
  expect((await log()).messages.data).toEqual(before)
})

test('the simulator’s messages in four formats are accepted, except those with impossible values', async () => {
  const { rows } = await owner.query(`select s.admin_code, 5 as teachers,
    (select array_agg(name) from classes k where k.school_id = s.id) as classes from schools s order by s.id`)
  const day = makeDay([...rows, ...rows, ...rows], dayBack(0), new Date(), chance(7))
  expect([...new Set(day.map(({ by }) => by))].toSorted()).toEqual([
    'commcare',
    'kobotoolbox',
    'native',
    'rapidpro',
  ])
  const send = machine(portal, demoSyncToken(portal.settings.secret))
  const counts = { accepted: 0, duplicates: 0, rejected: 0 }
  for (const { body } of day) {
    const answer = await send(body)
    expect(answer.status).toBe(202)
    counts.accepted += answer.body.accepted
    counts.duplicates += answer.body.duplicates
    counts.rejected += answer.body.rejected.length
  }
  expect(counts.rejected).toBe(0)
  expect(counts.duplicates).toBeGreaterThan(5)
  await settled(portal)
  const { body } = await (await portal.signedIn()).get('/home/dashboard/attendance')
  expect(body.reported_schools).toBe(20)
  const { failed, messages } = await log()
  expect(failed).toBeGreaterThan(5)
  const reasons = messages.data.slice(0, failed - 5).map(({ error }: { error: string }) => error)
  expect(reasons.filter((one: string) => !/No school has the code|are more than the/.test(one))).toEqual([])
})
