import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { spawnWorker } from '../agencies/agency.ts'

const stage = await startStage(400)
const { portal, agency, approver, imported, approve, cohort, progress } = stage
const worker = spawnWorker(portal.settings)
afterAll(() => worker.kill('SIGTERM'))

let used = 0
const fresh = (count: number) => Array.from({ length: count }, () => recipient(++used))
const call = (id: number, what: string, body?: object) =>
  approver.post(`/admin/transfers/cohorts/${id}/${what}`, body)
const settled = (id: number, n: number) =>
  progress(id, ({ round }) => round?.n === n && round.pending === 0 && round.unknown === 0)
const plan = async (id: number) =>
  (await cohort(id)).rounds.map(({ n, state }: { n: number; state: string }) => `${n} ${state}`)

/** Moves the period and the rounds of a cohort into the past, as if time had passed. */
async function pass(id: number, days: number) {
  await portal.owner.query(
    'update transfer_cohorts set "from" = "from" - $2::int, "to" = "to" - $2::int where id = $1',
    [id, days],
  )
  for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
    await portal.owner.query(`update ${table} set due_on = due_on - $2::int where cohort_id = $1`, [id, days])
  await portal.owner.query(
    "update transfer_payroll_groups set called_at = called_at - $2 * interval '1 day' where cohort_id = $1",
    [id, days],
  )
}
/** The orders that the agency has received for a cohort. */
async function received(id: number): Promise<number> {
  const { rows } = await portal.owner.query(
    'select p.reference from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = $1',
    [id],
  )
  const ours = new Set(rows.map((row) => row.reference))
  return (await agency.ledger()).filter(({ reference }) => ours.has(reference)).length
}
/** Waits until the worker has looked for due rounds: another cohort is paid completely meanwhile. */
async function workerHasLooked() {
  const id = await imported(`Clock ${used}`, fresh(1))
  await approve(id)
  await settled(id, 1)
}

test('an approver who approves late starts the latest due round, and starts each missed round by hand', {
  timeout: 60_000,
}, async () => {
  // Three rounds over 91 days, due on days 0, 30 and 60.
  const id = await imported('Late', fresh(3), { to: dayFromNow(90) })
  expect((await cohort(id)).rounds_total).toBe(3)
  await pass(id, 65)
  expect((await approve(id)).body.message).toBe('Cohort approved. Payments that are being sent: 3.')
  await settled(id, 3)
  expect(await plan(id)).toEqual(['1 missed', '2 missed', '3 made'])
  expect(await received(id)).toBe(3)
  await workerHasLooked()
  expect(await plan(id)).toEqual(['1 missed', '2 missed', '3 made'])
  await agency.set({ latency_ms: 1500 })
  const starts = await Promise.all([
    call(id, 'rounds/1/start'),
    call(id, 'rounds/2/start'),
    call(id, 'rounds/1/start'),
  ])
  expect(starts.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(starts.find(({ status }) => status === 200)?.body.message).toMatch(/^Round [12] has started\.$/)
  await agency.set({ latency_ms: 0 })
  await progress(id, ({ round }) => round.n !== 3 && round.pending === 0)
  const left = (await plan(id)).find((line: string) => line.endsWith('missed')) as string
  expect((await call(id, `rounds/${left[0]}/start`)).status).toBe(200)
  await settled(id, Number(left[0]))
  expect(await plan(id)).toEqual(['1 made', '2 made', '3 made'])
  expect((await call(id, 'rounds/3/start')).body.message).toBe('Round 3 is not a missed one.')
  expect(await received(id)).toBe(9)
})

test('an approver starts a missed round of the sums that she saw, and no other', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Seen', fresh(3), { to: dayFromNow(55) })
  await pass(id, 35)
  await approve(id)
  await settled(id, 2)
  const { count, amount, fees } = (await cohort(id)).payable
  const seen = { payments: count, amount, fees }
  for (const other of [{ payments: count + 1 }, { amount: amount - 1 }, { fees: fees + 1 }])
    expect(await call(id, 'rounds/1/start', { ...seen, ...other })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('sums of this round') },
    })
  expect(await plan(id)).toEqual(['1 missed', '2 made'])
  expect((await call(id, 'rounds/1/start', seen)).status).toBe(200)
  await settled(id, 1)
})

test('an approver approves a cohort of a future period, and nobody is paid before its first day', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Ahead', fresh(4), { from: dayFromNow(10), to: dayFromNow(37) })
  const day = dayFromNow(10).split('-').reverse().join('/')
  expect((await approve(id)).body.message).toBe(`Cohort approved. Payments that will be sent on ${day}: 4.`)
  expect(await cohort(id)).toMatchObject({
    payrolls_count: 4,
    rounds: [{ n: 1, due_on: dayFromNow(10), state: 'made' }],
  })
  await workerHasLooked()
  await pass(id, 9)
  await workerHasLooked()
  expect(await received(id)).toBe(0)
  expect((await progress(id, () => true)).round).toMatchObject({
    total: 4,
    pending: 4,
    success: 0,
    percent: 0,
  })
  await pass(id, 1)
  await settled(id, 1)
  expect(await received(id)).toBe(4)
})

test('the next round starts without an approver when it is due, after the round before has ended', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 0, float_amount: 0 })
  const id = await imported('Next', fresh(2), { to: dayFromNow(59) })
  await approve(id)
  await progress(id, ({ status }) => status === 'error')
  await pass(id, 30)
  await agency.set({ float_amount: null })
  await workerHasLooked()
  expect(await plan(id)).toEqual(['1 made', '2 scheduled'])
  expect((await approve(id)).status).toBe(200)
  await settled(id, 2)
  expect(await received(id)).toBe(4)
  expect(await plan(id)).toEqual(['1 made', '2 made'])
})

test('an approver’s Stop ends sending within one second and settles what was sent, and Resume continues', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 400 })
  const id = await imported('Stopped', fresh(250))
  await approve(id)
  await until(async () => (await received(id)) > 0, 20_000)
  const stopped = await call(id, 'stop')
  expect(stopped.body.message).toBe('Nothing more is being sent. What was already sent is being settled.')
  expect((await call(id, 'stop')).status).toBe(409)
  const since = Date.now()
  let before = 0
  await until(async () => {
    before = await received(id)
    return Date.now() - since > 1000
  })
  expect(before).toBeLessThan(250)
  const now = await progress(id, ({ round }) => round.pending === 250 - round.success)
  await until(async () => Date.now() - since > 4000 && (await received(id)) === before)
  const still = await progress(id, ({ round }) => round.success === before)
  expect(still).toMatchObject({ status: 'approved', stopped: true, round: { failed: 0, unknown: 0 } })
  expect(now.stopped).toBe(true)
  await agency.set({ latency_ms: 0 })
  expect((await call(id, 'resume')).body.message).toBe('Sending goes on.')
  expect((await call(id, 'resume')).status).toBe(409)
  expect((await settled(id, 1)).round).toMatchObject({ total: 250, success: 250, percent: 100 })
  expect(await received(id)).toBe(250)
})

test('nobody is paid automatically for rounds that became due while the cohort was stopped', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Slept through', fresh(2), { to: dayFromNow(90) })
  await approve(id)
  await settled(id, 1)
  await call(id, 'stop')
  await pass(id, 40)
  await workerHasLooked()
  expect(await plan(id)).toEqual(['1 made', '2 scheduled', '3 scheduled'])
  expect((await call(id, 'rounds/2/start')).status).toBe(409)
  await call(id, 'resume')
  expect(await plan(id)).toEqual(['1 made', '2 missed', '3 scheduled'])
  await workerHasLooked()
  expect(await received(id)).toBe(2)
  await pass(id, 20)
  await settled(id, 3)
  expect(await plan(id)).toEqual(['1 made', '2 missed', '3 made'])
})

test('nobody is paid after the agency is deactivated during a round, and an approver can retry once it is active', {
  timeout: 60_000,
}, async () => {
  const admin = await portal.signedInAs('Administrator')
  // The agency takes 50 at once, and is deactivated while it has them, also on a busy machine.
  await agency.set({ latency_ms: 3_000 })
  const id = await imported('Deactivated', fresh(60))
  await approve(id)
  await until(async () => (await received(id)) > 0, 20_000)
  await admin.put('/admin/transfers/agency/1', { status: 'inactive' })
  const halted = await progress(
    id,
    ({ status, round }) => status === 'error' && round.success + round.pending === 60,
  )
  expect(halted.round.failed).toBe(0)
  expect((await cohort(id)).error_reason).toBe('The agency was deactivated.')
  expect((await approve(id)).body.message).toBe('The transfer agency is not active.')
  await admin.put('/admin/transfers/agency/1', { status: 'active' })
  await agency.set({ latency_ms: 0 })
  await approve(id)
  expect((await settled(id, 1)).round.success).toBe(60)
  expect(await received(id)).toBe(60)
})

test('nobody is paid automatically for rounds that became due while no worker ran', {
  timeout: 60_000,
}, async () => {
  await agency.set({ latency_ms: 0 })
  const rounds = await imported('Absence', fresh(2), { to: dayFromNow(150) })
  const ahead = await imported('Ahead of an absence', fresh(3), { from: dayFromNow(5), to: dayFromNow(32) })
  await approve(ahead)
  await approve(rounds)
  await settled(rounds, 1)
  const exited = once(worker, 'exit')
  worker.kill('SIGTERM')
  await exited
  await pass(ahead, 125)
  await pass(rounds, 125)
  const back = spawnWorker(portal.settings)
  await until(
    async () => (await plan(rounds)).filter((line: string) => line.endsWith('missed')).length >= 3,
    20_000,
  )
  await workerHasLooked()
  expect(await received(rounds)).toBe(2)
  expect(await received(ahead)).toBe(0)
  expect(await plan(ahead)).toEqual(['1 missed'])
  // An approver can start the missed round by hand.
  expect((await call(ahead, 'rounds/1/start')).status).toBe(200)
  await settled(ahead, 1)
  expect(await received(ahead)).toBe(3)
  back.kill('SIGTERM')
})
