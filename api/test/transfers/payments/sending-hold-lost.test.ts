import { expect, test } from 'vitest'
import { makeRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { until } from '../../portal.ts'
import { copyAgency } from '../agencies/copied.ts'
import { holdPath as path, startHolds } from './holds.ts'

const stage = await startHolds()
const {
  agency,
  portal,
  pool,
  approver,
  moveMark,
  newRound,
  payElsewhere,
  payments,
  readHold,
  settled,
  work,
  idsOf,
} = stage

type Hold = { failure: string | null; state: string }
/** Raises a hold that nobody can answer, and ends it. What the lost database sent is asked about before it is sent. */
async function releasedUnasked() {
  await agency.set({ unreachable: true })
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await work()
  await until(async () => (await readHold())?.rounds.every(({ failure }: Hold) => failure === 'unreachable'))
  for (const { id } of (await readHold()).rounds) await approver.post(`${path}/rounds/${id}/confirm`)
  await until(async () => (await readHold()).lists.every(({ state }: Hold) => state !== 'reading'))
  await stage.rest()
  await agency.set({ unreachable: false })
  expect((await approver.post(`${path}/release`)).status).toBe(200)
}
/** Two people correct the numbers of a list. */
async function correctNumbers(cohort: number, phones: readonly string[]) {
  const officer = await portal.signedInAs('Transfer Officer')
  const { rows } = await pool.query<{ id: number }>(
    'select id from transfer_master_list where cohort_id = $1 order by id',
    [cohort],
  )
  for (const [n, { id }] of rows.entries()) {
    const proposed = await officer.post(`/admin/transfers/master-list/${id}/corrections`, {
      receiver_phone_number: phones[n],
      reason: 'The guardian has another number since June',
    })
    expect(proposed.status).toBe(200)
  }
  const { body } = await approver.get('/admin/transfers/corrections?per_page=100')
  for (const { id } of body.corrections.data) {
    const decided = await approver.post(`/admin/transfers/corrections/${id}/decide`, { action: 'approved' })
    expect(decided.status).toBe(200)
  }
}
/** What moved at the agency for these payments. */
const moved = async (orders: Parameters<typeof stage.linesOf>[0]) =>
  (await stage.linesOf(orders))
    .filter(({ executed }) => executed > 0)
    .map(({ reference, phone, executed }) => [reference, phone, executed])

test('an order that only a lost database may have sent keeps its recipient until its agency was asked, and goes by the correction if it was not sent', async () => {
  // Two rounds have failed. The payments of the second one are made again, and the lost database sent one of them.
  const { cohort, round: first } = await newRound(2, () => 3)
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [cohort],
  )
  await work()
  const round = await until(async () => {
    const { rows } = await pool.query<{ id: number }>(
      'select id from transfer_payroll_groups where cohort_id = $1 and id <> $2 and failed = 2',
      [cohort, first],
    )
    return rows[0]?.id
  })
  await stage.rest()
  const [sent, unsent] = await payments(round)
  if (!sent || !unsent) throw new Error('no payments')
  await agency.set({ corrected: [sent.phone, unsent.phone] })
  const again = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect(again.status).toBe(200)
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [sent.reference])
  await payElsewhere({ ...sent, key: keys[0].second })
  await releasedUnasked()
  await correctNumbers(cohort, ['+22379000110', '+22379000210'])
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([sent.phone, '+22379000210'])
  expect(await moved([sent, unsent])).toEqual([
    [sent.reference, sent.phone, 1],
    [unsent.reference, '+22379000210', 1],
  ])
})

test('a girl who is put on hold before her number is corrected is not paid twice, although a lost database may have paid her', async () => {
  const { cohort, round } = await newRound(1, () => 3)
  await work()
  await until(async () => (await payments(round)).every(({ status }) => status === 'failed'))
  await stage.rest()
  const [girl] = await payments(round)
  if (!girl) throw new Error('no payment')
  await agency.set({ corrected: [girl.phone, '+22379000510'] })
  const again = async () =>
    approver.post('/admin/transfers/payrolls/retry', { payroll_ids: await idsOf(round) })
  expect((await again()).status).toBe(200)
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [girl.reference])
  await payElsewhere({ ...girl, key: keys[0].second })
  await releasedUnasked()

  const officer = await portal.signedInAs('Transfer Officer')
  const holds = '/admin/transfers/payee-holds'
  const { rows } = await pool.query('select student_id from transfer_master_list where cohort_id = $1', [
    cohort,
  ])
  const put = await officer.post(holds, { student_id: rows[0].student_id, reason: 'Two families claim her' })
  expect(put.status).toBe(200)
  expect(await payments(round)).toMatchObject([{ status: 'failed' }])
  await correctNumbers(cohort, ['+22379000510'])
  const { body } = await approver.get(`${holds}?state=open`)
  expect((await approver.post(`${holds}/${body.holds.data[0].id}/release`)).status).toBe(200)
  expect((await again()).status).toBe(200)
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([girl.phone])
  expect(await moved([girl])).toEqual([[girl.reference, girl.phone, 1]])
})

test('a list whose failed payment a lost database may have made again stays with its agency, because no other one knows of it', async () => {
  const { cohort, round } = await newRound(2, (n) => (n === 0 ? 3 : 10))
  await work()
  await until(async () => (await payments(round)).map(({ status }) => status).join() === 'failed,success')
  await stage.rest()
  const [girl] = await payments(round)
  if (!girl) throw new Error('no payment')
  await agency.set({ corrected: [girl.phone] })
  const { rows: keys } = await pool.query('select payment_key($1, 2) as second', [girl.reference])
  await payElsewhere({ ...girl, key: keys[0].second })
  await releasedUnasked()

  const officer = await portal.signedInAs('Transfer Officer')
  const wanted = { transfer_agency_id: await copyAgency(portal, 'Another'), reason: 'It does not answer' }
  const move = await officer.post(`/admin/transfers/cohorts/${cohort}/move`, wanted)
  expect([move.status, move.body.message]).toEqual([
    409,
    expect.stringContaining('Rounds that the present agency may have got from a lost database: 1.'),
  ])
  expect(
    (
      await approver.post('/admin/transfers/payrolls/retry', {
        payroll_ids: (await idsOf(round)).slice(0, 1),
      })
    ).status,
  ).toBe(200)
  await work()
  await settled(round)
  expect(await moved([girl])).toEqual([[girl.reference, girl.phone, 1]])
})

test('a payment of a round that only a lost database has begun keeps its recipient until its agency was asked, too', async () => {
  const { cohort, round: first } = await newRound(2, () => 3)
  await work()
  await until(async () => (await payments(first)).every(({ status }) => status === 'failed'))
  await stage.rest()
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [cohort],
  )
  const round = await portal.db.transaction().execute((tx) => makeRound(tx, cohort, 2))
  const [sent, unsent] = await payments(round)
  if (!sent || !unsent) throw new Error('no payments')
  await agency.set({ corrected: [sent.phone] })
  await payElsewhere(sent)
  await releasedUnasked()
  await correctNumbers(cohort, ['+22379000310', '+22379000410'])
  await work()
  expect((await settled(round)).map(({ phone }) => phone)).toEqual([sent.phone, '+22379000410'])
  expect(await moved([sent, unsent])).toEqual([
    [sent.reference, sent.phone, 1],
    [unsent.reference, '+22379000410', 1],
  ])
})
