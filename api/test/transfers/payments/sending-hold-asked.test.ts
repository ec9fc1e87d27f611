import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { takeHeldAgency } from '../../../src/transfers/engine/agency-lease.service.ts'
import { claimList } from '../../../src/transfers/sending-hold/hold-lists.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { until } from '../../portal.ts'
import { holdPath, startHolds } from './holds.ts'

const stage = await startHolds()
const { agency, approver, asked, moveMark, newRound, payElsewhere, payments, portal, readHold } = stage
const { pool, received, rest, settled, work } = stage
const { owner } = portal
const auditor = await portal.signedInAs('Auditor')
type Round = { id: number; failure: string | null }

const restored = () => moveMark((mark) => ({ counter: mark.counter + 50 }))
const roundOf = async (id: number): Promise<Round | undefined> =>
  (await readHold())?.rounds.find((round: Round) => round.id === id)
/** How far the list of the sandbox agency was read in the open hold. */
const listState = async (): Promise<string> => (await readHold())?.lists[0]?.state
const differences = async () =>
  (await approver.get(`${holdPath}/differences?per_page=100`)).body.differences.data
const failed = (round: number) =>
  until(async () => {
    const now = await payments(round)
    return now.every(({ status }) => status === 'failed') && now
  })

test('an approver need not confirm a round whose agency answers again, and its list is read then', async () => {
  await agency.set({ unreachable: true })
  await restored()
  const { round } = await newRound(2)
  await work()
  await until(async () => (await roundOf(round))?.failure === 'unreachable')
  await until(async () => (await listState()) === 'unreachable')
  await agency.set({ unreachable: false })
  // Both are tried again after a while.
  await owner.query("update sending_hold_lists set ask_at = now() where state = 'unreachable'")
  await owner.query('update sending_hold_questions set ask_at = now() where answer is null')
  await asked()
  await until(async () => (await listState()) === 'read')
  await until(async () => (await roundOf(round))?.failure === null)
  const late = await approver.post(`${holdPath}/rounds/${round}/confirm`)
  expect([late.status, late.body.message]).toEqual([
    409,
    'The agency is asked about this round, or it was confirmed before.',
  ])
})

test('an approver must confirm a round whose agency does not answer before sending continues', async () => {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  const { round } = await newRound(2)
  await work()
  await until(async () => (await readHold())?.rounds[0]?.failure === 'unreachable')
  const early = await approver.post(`${holdPath}/release`)
  expect([early.status, early.body.message]).toEqual([
    409,
    expect.stringMatching(/^Payments that were not asked about yet: \d+\. Wait, or confirm the rounds/),
  ])
  expect((await auditor.post(`${holdPath}/rounds/${round}/confirm`)).status).toBe(403)
  for (const { id } of (await readHold()).rounds)
    expect((await approver.post(`${holdPath}/rounds/${id}/confirm`)).status).toBe(200)
  expect((await approver.post(`${holdPath}/rounds/${round}/confirm`)).status).toBe(409)
  await until(async () =>
    (await readHold())?.lists.every(({ state }: { state: string }) => state !== 'reading'),
  )
  await agency.set({ unreachable: false })
  expect((await approver.post(`${holdPath}/release`)).status).toBe(200)
  await settled(round)
  expect(await received(round)).toBe(2)
})

test('an approver cannot release sending while the list of an agency is being read', async () => {
  await restored()
  await newRound(1)
  await work()
  await asked()
  await rest()
  await owner.query(
    "update sending_hold_lists set state = 'reading', ask_at = now() + interval '1 hour' where agency_id = 1",
  )
  const early = await approver.post(`${holdPath}/release`)
  expect([early.status, early.body.message]).toEqual([409, 'The agencies’ own lists are still being read.'])
  await owner.query('update sending_hold_lists set ask_at = now() where agency_id = 1')
  await work()
  await asked()
  expect((await approver.post(`${holdPath}/release`)).status).toBe(200)
})

test('an approver sees that an agency calls a payment paid that was written off here, although nobody asks about it', async () => {
  await agency.set({ hostile: [{ mode: 'failed_first' }] })
  const { round } = await newRound(1, () => 52)
  await work()
  const [payment] = await failed(round)
  await rest()
  await agency.set({ hostile: [] })
  const { rows } = await owner.query('select id from transfer_payrolls where payroll_group_id = $1', [round])
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [rows[0].id],
    reason: 'She has left the country',
  })
  expect(written.status).toBe(200)
  await restored()
  await work()
  await asked()
  expect(await roundOf(round)).toBeUndefined()
  expect(await differences()).toContainEqual(
    expect.objectContaining({ kind: 'differs', reference: payment?.reference, state: 'success' }),
  )
})

test('an approver sees that a lost database has paid what failed here, although the period of its cohort has ended', async () => {
  const { cohort, round } = await newRound(1, () => 3)
  await work()
  const [payment] = await failed(round)
  if (!payment) throw new Error('no payment')
  await rest()
  await owner.query(
    `update transfer_cohorts set "from" = "from" - 60, "to" = (now() at time zone 'utc')::date - 1 where id = $1`,
    [cohort],
  )
  await agency.set({ corrected: [payment.phone] })
  const { rows } = await owner.query(
    'select payment_key(reference, 2) as key from transfer_payrolls where payroll_group_id = $1',
    [round],
  )
  await payElsewhere({ ...payment, key: rows[0].key })
  await restored()
  await work()
  expect(await asked()).toMatchObject({ learned: 1 })
  expect(await payments(round)).toMatchObject([{ status: 'success', n: 2 }])
})

test('an approver sees that a lost database has paid what waits here to be sent again', async () => {
  const { round } = await newRound(1, () => 3)
  await work()
  const [payment] = await failed(round)
  if (!payment) throw new Error('no payment')
  await rest()
  await agency.set({ corrected: [payment.phone] })
  const { rows } = await owner.query(
    'select id, payment_key(reference, 2) as key from transfer_payrolls where payroll_group_id = $1',
    [round],
  )
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [rows[0].id] })
  expect(again.status).toBe(200)
  await payElsewhere({ ...payment, key: rows[0].key })
  await restored()
  await work()
  expect(await asked()).toMatchObject({ learned: 1 })
  expect(await payments(round)).toMatchObject([{ status: 'success', n: 2 }])
})

test('an approver sees a payment that only a lost database made, although it is two hours older than the last mark', async () => {
  const { round } = await newRound(1)
  const [payment] = await payments(round)
  if (!payment) throw new Error('no payment')
  await payElsewhere({ phone: payment.phone, reference: `a lost payment ${round}`, key: randomUUID() })
  await restored()
  await compareMarks(portal.context)
  await owner.query(
    "update sending_holds set known_until = now() + interval '2 hours' where released_at is null",
  )
  await work()
  expect(await asked()).toMatchObject({ unknown_here: 1 })
})

test('a round that was due before the last mark goes on after the release, and one that became due since is missed', async () => {
  const [before, since] = [await newRound(1), await newRound(1)]
  const due = async (cohort: number, daysAgo: number) => {
    for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
      await owner.query(
        `update ${table} set due_on = (now() at time zone 'utc')::date - $2::int where cohort_id = $1`,
        [cohort, daysAgo],
      )
  }
  await due(before.cohort, 3)
  await due(since.cohort, 1)
  await restored()
  await compareMarks(portal.context)
  await owner.query(
    "update sending_holds set known_until = now() - interval '2 days' where released_at is null",
  )
  await work()
  await asked()
  expect((await approver.post(`${holdPath}/release`)).status).toBe(200)
  await stage.settled(before.round)
  expect(await payments(since.round)).toMatchObject([{ status: 'pending' }])
  const { rows } = await owner.query(
    'select cohort_id::int as cohort, state from transfer_rounds where cohort_id = any($1) order by cohort_id',
    [[before.cohort, since.cohort]],
  )
  expect(rows).toEqual([
    { cohort: before.cohort, state: 'made' },
    { cohort: since.cohort, state: 'missed' },
  ])
})

test('the agency is not asked about an order that was in flight when sending was held before the order has arrived', async () => {
  await pool.query('update sending_marks set line_seconds = 3600')
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  const { round } = await newRound(1)
  await compareMarks(portal.context)
  await pool.query('update sending_marks set line_seconds = 0')
  // Asking now would be too early: the agency would say that it does not know the order.
  expect(await takeHeldAgency(pool, 'somebody')).toBeNull()
  expect(await claimList(portal.db)).toBeNull()
  const [late] = await payments(round)
  if (!late) throw new Error('no payment')
  await payElsewhere(late)
  await pool.query('update sending_hold_questions set ask_at = now() where ask_at > now()')
  await pool.query('update sending_hold_lists set ask_at = now() where ask_at > now()')
  await work()
  expect(await asked()).toMatchObject({ learned: 1 })
  expect((await payments(round)).map(({ status }) => status)).toEqual(['success'])
  await approver.post(`${holdPath}/release`)
  expect(await received(round)).toBe(1)
})

test('what was sent until a backup was restored during a hold is asked about, and not only what was sent until the hold', async () => {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await until(async () => await readHold())
  await portal.owner.query(
    "update sending_holds set raised_at = now() - interval '4 days' where released_at is null",
  )
  await rest()
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  const lateAgain = async () => {
    const { rowCount } = await pool.query(
      "select from sending_holds where released_at is null and raised_at > now() - interval '1 day'",
    )
    return rowCount === 1
  }
  expect(await until(lateAgain)).toBe(true)
})
