import { afterEach, expect, test } from 'vitest'
import { file, pdf } from '../../cases/case-stage.ts'
import { until } from '../../portal.ts'
import { expectMonthsKept } from '../sums/months.ts'
import { type Order, startHolds } from './holds.ts'
import { secondRounds } from './second-rounds.ts'

const stage = await startHolds()
const { agency, portal, pool, asked, linesOf, newRound } = stage
const { payElsewhere, payments, received, settled, work } = stage

const { release, restored, startSecond, twoOfThreeReported, withSecondRound } = secondRounds(stage)

// Outcomes that are asked for after a restore count like all others.
afterEach(() => expectMonthsKept(portal))

const attemptsOf = async (round: number) =>
  (
    await pool.query(
      `select a.n, a.state, a.first_asked, a.reason from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
       where p.payroll_group_id = $1 order by p.id, a.n`,
      [round],
    )
  ).rows

test('a transaction that the agency reported for one payment during a hold cannot count for another payment', async () => {
  const { round } = await newRound(2)
  const [differs, next] = await payments(round)
  if (!differs || !next) throw new Error('no payments')
  await payElsewhere({ ...differs, amount: 9_000 })
  await restored()
  await work()
  expect(await asked()).toMatchObject({ differs: 1 })
  const reported = await pool.query('select external_trx_id from reported_payments where reference = $1', [
    differs.reference,
  ])
  // The agency answers the next order with the oldest transaction of its ledger, which is that one.
  const trx = reported.rows[0].external_trx_id
  expect(trx).toBeTruthy()
  await agency.set({ hostile: [{ mode: 'repeated_id' }] })
  await release()
  const exceptions = await until(async () => {
    const { rows } = await pool.query(
      `select e.kind, e.answered from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
       where p.reference = $1`,
      [next.reference],
    )
    return rows[0] && rows
  })
  expect(exceptions).toEqual([{ kind: 'transaction', answered: trx }])
  expect((await payments(round)).map(({ status }) => status)).toEqual(['unknown', 'unknown'])
})

test('payments of a round that only the lost database knew are not sent if the agency’s list has them', async () => {
  const { cohort, orders } = await twoOfThreeReported()
  const round = await startSecond(cohort)
  await settled(round)
  expect((await payments(round)).map(({ reference }) => reference)).toEqual(
    orders.map(({ reference }) => reference),
  )
  expect((await linesOf(orders)).map((line) => [line.executed, line.received])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ])
  expect((await attemptsOf(round)).map((one) => [one.n, one.first_asked])).toEqual([
    [1, 'held'],
    [1, 'held'],
    [1, 'clear'],
  ])
})

test('the agency is asked by reference about a round that only the lost database knew if its list leaves the round out', async () => {
  const { cohort, orders } = await withSecondRound(3)
  for (const order of orders.slice(0, 2)) await payElsewhere(order)
  await agency.set({ hostile: [{ mode: 'forgets', on: ['list'] }] })
  await restored()
  await work()
  expect((await asked()).unknown_here).toBe(0)
  await release()
  const round = await startSecond(cohort)
  await settled(round)
  expect((await linesOf(orders)).map((line) => [line.executed, line.received])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ])
})

test('an agency that does not answer the first query is asked again, and nobody is paid before it answers', async () => {
  const { cohort, orders } = await withSecondRound(1)
  await payElsewhere(orders[0] as Order)
  await agency.set({ hostile: [{ mode: 'forgets', on: ['list'] }] })
  await restored()
  await work()
  await asked()
  await release()
  await agency.set({ hostile: [{ mode: 'not_json', on: ['reference'] }] })
  const round = await startSecond(cohort)
  await until(async () => (await attemptsOf(round))[0]?.reason === 'asked_first')
  expect(await received(round)).toBe(1)
  await agency.set({ hostile: [] })
  await settled(round)
  expect(await received(round)).toBe(1)
})

test('a payment that the agency knew by reference is not sent again when the agency forgets it later', async () => {
  const { round } = await newRound(1)
  const [order] = await payments(round)
  if (!order) throw new Error('no payment')
  await agency.set({ hostile: [{ mode: 'pending_forever' }] })
  await payElsewhere(order)
  // The restored copy has the order as sent a moment ago to this address.
  await pool.query(
    `with p as (update transfer_payrolls set status = 'sending' where payroll_group_id = $1 returning id)
     insert into payment_attempts (payroll_id, state, tries, sent_at) select id, 'sending', 1, now() from p`,
    [round],
  )
  await restored()
  await work()
  expect((await asked()).rounds.find(({ id }: { id: number }) => id === round)).toMatchObject({ asked: 1 })
  await agency.set({ hostile: [{ mode: 'forgets' }, { mode: 'pending_forever' }] })
  await release()
  const attempt = await until(async () => {
    const [now] = await attemptsOf(round)
    return now?.reason === 'not_found_any_more' && now
  })
  expect(attempt).toMatchObject({ n: 1, state: 'unknown', first_asked: 'held' })
  expect(await received(round)).toBe(1)
  await agency.set({ hostile: [] })
  await settled(round)
  expect(await received(round)).toBe(1)
})

test('a recipient whose payment was attempted twice is paid once, whatever the outcome of the first attempt', async () => {
  const { round } = await newRound(2, (n) => (n === 0 ? 3 : 10))
  const [blocked, other] = await payments(round)
  if (!blocked || !other) throw new Error('no payments')
  // The agency refused both first attempts. In the copy one second attempt is pending and the other is unknown.
  await payElsewhere(blocked)
  await payElsewhere({ ...other, phone: blocked.phone })
  await pool.query("update transfer_payrolls set status = 'sending' where payroll_group_id = $1", [round])
  await pool.query(
    `insert into payment_attempts (payroll_id, n, state, settled_at)
     select id, 1, 'failed', now() from transfer_payrolls where payroll_group_id = $1`,
    [round],
  )
  await pool.query(
    `insert into payment_attempts (payroll_id, n, state)
     select id, 2, case receiver_phone_number when $2 then 'pending' else 'unknown' end from transfer_payrolls
     where payroll_group_id = $1`,
    [round, blocked.phone],
  )
  await pool.query(
    `update transfer_payrolls set status = case receiver_phone_number when $2 then 'pending' else 'unknown' end
     where payroll_group_id = $1`,
    [round, blocked.phone],
  )
  const { rows } = await pool.query('select payment_key($1, 2)::text as key', [other.reference])
  await payElsewhere({ ...other, key: rows[0].key })
  await restored()
  await work()
  await asked()
  const differing = await pool.query(
    `select from sending_hold_differences d join transfer_payrolls p on p.id = d.payroll_id
     where p.payroll_group_id = $1 and d.kind = 'differs'`,
    [round],
  )
  expect(differing.rowCount).toBe(0)
  await release()
  await until(async () => (await payments(round)).map(({ status }) => status).join() === 'failed,success')
  expect((await linesOf([other])).map((line) => [line.executed, line.received])).toEqual([
    [0, 1],
    [1, 1],
  ])
})

test('an approver can release sending although an agency’s answers cannot be stored', async () => {
  const { round } = await newRound(1)
  const [order] = await payments(round)
  if (!order) throw new Error('no payment')
  await payElsewhere(order)
  await agency.set({ hostile: [{ mode: 'nul_id', on: ['reference', 'list'] }] })
  await restored()
  await work()
  await asked()
  await release()
  await agency.set({ hostile: [] })
  await settled(round)
  expect(await received(round)).toBe(1)
})

test('a payment that its agency never stops processing after a backup was restored can be settled by people', async () => {
  const { round } = await newRound(1)
  const [order] = await payments(round)
  if (!order) throw new Error('no payment')
  await agency.set({ hostile: [{ mode: 'pending_forever' }] })
  await payElsewhere(order)
  await restored()
  await work()
  await asked()
  await release()
  const { rows } = await portal.owner.query(
    `update payment_attempts a set created_at = now() - interval '1 day' from transfer_payrolls p
     where p.id = a.payroll_id and p.payroll_group_id = $1 returning a.state, p.id::int`,
    [round],
  )
  expect(rows).toMatchObject([{ state: 'sending' }])
  const officer = await portal.signedInAs('Transfer Officer')
  const evidence = {
    outcome: 'not_paid',
    reason: 'The agency wrote on Monday',
    file: file('letter.pdf', pdf),
  }
  const proposed = await officer.upload(`/admin/transfers/payments/${rows[0].id}/settlements`, evidence)
  expect([proposed.status, proposed.body.errors]).toEqual([200, undefined])
  await agency.set({ hostile: [] })
  await settled(round)
})
