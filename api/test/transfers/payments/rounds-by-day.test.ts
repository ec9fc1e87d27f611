import { afterAll, expect, test } from 'vitest'
import { transaction } from '../../../src/kit/database/db.ts'
import { haltIn } from '../../../src/transfers/rounds/cohort-halt.service.ts'
import { makeDueRound, missOldRounds } from '../../../src/transfers/rounds/rounds.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'

const stage = await startStage(40)
const { portal, agency, approver, imported, approve, cohort, progress } = stage
const { owner } = portal
let stop = await portal.worker()
afterAll(() => stop())

/** What workers do is done here at the moment that a test wants, so that none runs between the tests. */
async function withoutWorker() {
  await stop()
  await compareMarks(portal.context)
}
async function withWorker() {
  stop = await portal.worker()
}
let used = 0
/** A list of one girl whose rounds are a month apart. */
const listed = (name: string) => imported(name, [recipient(++used)], { to: dayFromNow(90) })
/** Makes round `n` of a cohort due some days ago, whether it was made or not. */
async function due(id: number, n: number, daysAgo: number) {
  for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
    await owner.query(
      `update ${table} set due_on = (now() at time zone 'utc')::date - $3::int where cohort_id = $1 and n = $2`,
      [id, n, daysAgo],
    )
  await owner.query(
    `update transfer_payroll_groups set called_at = called_at - $3 * interval '1 day' where cohort_id = $1 and n = $2`,
    [id, n, daysAgo],
  )
}
const settled = (id: number, n: number) =>
  progress(id, ({ round }) => round?.n === n && round.success === round.total)
const plan = async (id: number) =>
  (await cohort(id)).rounds.map(({ n, state }: { n: number; state: string }) => `${n} ${state}`)

test('a round of which nothing was sent goes on when an approver resumes or retries its cohort, however long that took', async () => {
  const [stopped, inError] = [await listed('Stopped for days'), await listed('In error for days')]
  await withoutWorker()
  for (const id of [stopped, inError]) expect((await approve(id)).status).toBe(200)
  expect((await approver.post(`/admin/transfers/cohorts/${stopped}/stop`)).status).toBe(200)
  await transaction(portal.db, (tx) => haltIn(tx, inError, 'funds'))
  for (const id of [stopped, inError]) await due(id, 1, 3)
  await missOldRounds(portal.db)
  for (const id of [stopped, inError]) expect((await plan(id))[0]).toBe('1 made')
  expect((await approver.post(`/admin/transfers/cohorts/${stopped}/resume`)).status).toBe(200)
  expect((await approve(inError)).status).toBe(200)
  await missOldRounds(portal.db)
  await withWorker()
  await settled(stopped, 1)
  await settled(inError, 1)
})

test('a round that was due yesterday is made today, and an older one waits for a person', async () => {
  const [yesterday, before] = [await listed('Due yesterday'), await listed('Due before')]
  for (const id of [yesterday, before]) {
    await approve(id)
    await settled(id, 1)
  }
  await withoutWorker()
  await due(before, 2, 2)
  expect(await makeDueRound(portal.db)).toBe(false)
  await due(yesterday, 2, 1)
  await missOldRounds(portal.db)
  expect((await plan(before)).slice(0, 2)).toEqual(['1 made', '2 missed'])
  expect((await plan(yesterday)).slice(0, 2)).toEqual(['1 made', '2 scheduled'])
  expect(await makeDueRound(portal.db)).toBe(true)
  expect((await plan(yesterday)).slice(0, 2)).toEqual(['1 made', '2 made'])
  await withWorker()
  await settled(yesterday, 2)
})

test('no round is made of a cohort at the moment at which an approver stops it', async () => {
  const id = await listed('Stopped at once')
  await approve(id)
  await settled(id, 1)
  await withoutWorker()
  await due(id, 2, 0)
  const other = await owner.connect()
  try {
    await other.query('begin')
    await other.query('update transfer_cohorts set stopped_at = now() where id = $1', [id])
    expect(await makeDueRound(portal.db)).toBe(false)
  } finally {
    await other.query('commit')
    other.release()
  }
  expect(await makeDueRound(portal.db)).toBe(false)
  expect((await plan(id)).slice(0, 2)).toEqual(['1 made', '2 scheduled'])
  await withWorker()
})

test('an approver is told once of a payment error that two workers found, and again of the next one after her retry', async () => {
  const id = await listed('Found twice')
  await withoutWorker()
  await approve(id)
  const halt = () => transaction(portal.db, (tx) => haltIn(tx, id, 'funds'))
  const told = async () => {
    const { rows } = await owner.query(
      `select (select count(*)::int from audits where event = 'payment error' and auditable_id = $1) as logged,
         (select count(*)::int from notifications where kind = 'cohort-in-error' and user_id = $2 and subject_id = $1) as notices`,
      [id, approver.user.id],
    )
    return rows[0]
  }
  await halt()
  await halt()
  expect(await told()).toEqual({ logged: 1, notices: 1 })
  expect((await approve(id)).status).toBe(200)
  await halt()
  expect(await told()).toEqual({ logged: 2, notices: 2 })
  await withWorker()
})

test('an approver starts no missed round while a payment of another round is on its way', async () => {
  const id = await listed('On its way')
  await approve(id)
  await settled(id, 1)
  await owner.query("update transfer_rounds set state = 'missed' where cohort_id = $1 and n = 3", [id])
  await agency.set({ latency_ms: 4_000 })
  await due(id, 2, 0)
  await until(async () => {
    const { rows } = await owner.query(
      'select sending::int, pending::int from transfer_payroll_groups where cohort_id = $1 and n = 2',
      [id],
    )
    return rows[0]?.sending === 1 && rows[0].pending === 0
  })
  const early = await approver.post(`/admin/transfers/cohorts/${id}/rounds/3/start`)
  expect([early.status, early.body.message]).toEqual([
    409,
    'Another round of this cohort still has payments to send. Wait until it has ended.',
  ])
  await agency.set({ latency_ms: 0 })
  await settled(id, 2)
  expect((await approver.post(`/admin/transfers/cohorts/${id}/rounds/3/start`)).status).toBe(200)
})
