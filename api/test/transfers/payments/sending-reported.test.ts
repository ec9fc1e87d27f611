import { afterEach, expect, onTestFinished, test } from 'vitest'
import { file, pdf } from '../../cases/case-stage.ts'
import { until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { addBank } from '../banks/bank.ts'
import { expectMonthsKept } from '../sums/months.ts'
import { type Order, startHolds } from './holds.ts'

const stage = await startHolds()
const { agency, portal, pool, approver, asked, linesOf, moveMark, newRound } = stage
const { payElsewhere, payments, received, settled, work } = stage

// Outcomes that are asked for after a restore count like all others.
afterEach(() => expectMonthsKept(portal))

const release = async () => {
  const answer = await approver.post('/admin/transfers/sending-hold/release')
  expect([answer.status, answer.body.errors]).toEqual([200, undefined])
}
const restored = () => moveMark((mark) => ({ counter: mark.counter + 50 }))
const attemptsOf = async (round: number) =>
  (
    await pool.query(
      `select a.n, a.state, a.first_asked, a.reason from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
       where p.payroll_group_id = $1 order by p.id, a.n`,
      [round],
    )
  ).rows

/** A cohort with a missed second round that this database has not made. */
async function withSecondRound(size: number, atBank = false): Promise<{ cohort: number; orders: Order[] }> {
  const { cohort, round } = await newRound(size, undefined, atBank)
  await work()
  await settled(round)
  await stage.rest()
  await portal.owner.query(
    `insert into transfer_rounds (cohort_id, n, due_on, state)
     values ($1, 2, (now() at time zone 'utc')::date, 'missed')`,
    [cohort],
  )
  // References are computed from the list, so the lost database had the same ones.
  const client = await portal.owner.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<Order>(
      `with g as (insert into transfer_payroll_groups (cohort_id, n, due_on) values ($1, 2, current_date) returning id),
         p as (insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name,
             receiver_phone_number, receiver_account, receiver_bank, amount, fees)
           select g.id, m.id, m.receiver_first_name, m.receiver_last_name, m.receiver_phone_number, m.receiver_account, m.receiver_bank,
             m.amount, m.fees
           from g, transfer_master_list m where m.cohort_id = $1 order by m.id returning reference, receiver_phone_number)
       select reference, payment_key(reference, 1)::text as key, receiver_phone_number as phone from p`,
      [cohort],
    )
    return { cohort, orders: rows }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** The same for three girls. The agency's list has the payments of two, and the hold is over. */
async function twoOfThreeReported(atBank?: boolean) {
  const second = await withSecondRound(3, atBank)
  for (const order of second.orders.slice(0, 2)) await payElsewhere(order)
  await restored()
  await work()
  expect((await asked()).unknown_here).toBe(2)
  await release()
  return second
}

async function startSecond(cohort: number): Promise<number> {
  const answer = await approver.post(`/admin/transfers/cohorts/${cohort}/rounds/2/start`)
  expect(answer.status).toBe(200)
  const { rows } = await pool.query('select id from transfer_payroll_groups where cohort_id = $1 and n = 2', [
    cohort,
  ])
  return rows[0].id
}

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

/** Two people move a list to another agency. */
async function moveTo(agencyId: number, cohort: number): Promise<void> {
  const officer = await portal.signedInAs('Transfer Officer')
  const move = `/admin/transfers/cohorts/${cohort}/move`
  const wanted = { transfer_agency_id: agencyId, reason: 'The agency has ended its contract' }
  expect(await officer.post(move, wanted)).toMatchObject({ status: 200 })
  const { proposal } = (await approver.get(move)).body
  const decide = `/admin/transfers/cohort-moves/${proposal.id}/decide`
  expect(await approver.post(decide, { action: 'approved' })).toMatchObject({ status: 200 })
}

/** The agency of each payment of a round, and what became of it. */
const outcomes = async (round: number) =>
  (
    await pool.query(
      `select a.agency_id::int, p.status from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
       where p.payroll_group_id = $1 order by p.id`,
      [round],
    )
  ).rows

test('girls whom their agency has paid before a backup was restored are paid by no other agency, and the one that paid them says so', async () => {
  const other = await startAgency()
  onTestFinished(() => other.close())
  portal.settings.agencyHosts.push(other.host)
  const { cohort, orders } = await twoOfThreeReported()
  const another = await copyAgency(portal, 'Another', { endpoint: other.url })
  await moveTo(another, cohort)
  const round = await startSecond(cohort)
  await settled(round)
  expect(await outcomes(round)).toEqual([
    { agency_id: 1, status: 'success' },
    { agency_id: 1, status: 'success' },
    { agency_id: another, status: 'success' },
  ])
  expect((await linesOf(orders)).map(({ executed, received }) => [executed, received])).toEqual([
    [1, 1],
    [1, 1],
  ])
  expect((await other.ledger()).map(({ reference, executed }) => [reference, executed])).toEqual([
    [orders[2]?.reference, 1],
  ])
})

test('the agency that pays a list now is asked about a payment, although a hold has asked another one', async () => {
  const { round } = await newRound(1)
  await restored()
  await work()
  await asked()
  await release()
  await stage.rest()
  const isAskedFirst = async () =>
    (
      await pool.query(
        'select payment_is_asked_first(id, payroll_group_id) as asked from transfer_payrolls where payroll_group_id = $1',
        [round],
      )
    ).rows
  expect(await isAskedFirst()).toEqual([{ asked: false }])
  // An order of it was open at another agency, which the hold asked.
  const agencyOfThen = await copyAgency(portal, 'Agency of then', { endpoint: 'http://127.0.0.1:9' })
  await portal.owner.query('update sending_hold_questions set agency_id = $2 where payroll_group_id = $1', [
    round,
    agencyOfThen,
  ])
  expect(await isAskedFirst()).toEqual([{ asked: true }])
})

test('girls whom their agency has paid before a backup was restored are in no file of the bank that pays their list from now on', async () => {
  const { cohort, orders } = await twoOfThreeReported(true)
  const bank = await addBank(portal)
  await moveTo(bank, cohort)
  const round = await startSecond(cohort)
  // The page offers all three. Whoever makes their file is told that its sums have changed, and makes that of the third girl.
  const accountant = await portal.signedInAs('Transfer Approver')
  const make = (payments: number) =>
    accountant.post(`/admin/transfers/cohorts/payroll/${round}/bank-files`, {
      payments,
      amount: payments * 10_500,
    })
  expect(await make(3)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/have changed/) },
  })
  await until(async () => (await payments(round)).filter(({ status }) => status === 'success').length === 2)
  expect((await make(1)).status).toBe(200)
  expect((await linesOf(orders)).map(({ executed, received }) => [executed, received])).toEqual([
    [1, 1],
    [1, 1],
  ])
  expect(await outcomes(round)).toEqual([
    { agency_id: 1, status: 'success' },
    { agency_id: 1, status: 'success' },
    { agency_id: bank, status: 'sending' },
  ])
})
