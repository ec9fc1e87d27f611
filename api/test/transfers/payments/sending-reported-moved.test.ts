import { afterEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { addBank } from '../banks/bank.ts'
import { expectMonthsKept } from '../sums/months.ts'
import { startHolds } from './holds.ts'
import { secondRounds } from './second-rounds.ts'

const stage = await startHolds()
const { portal, pool, approver, asked, linesOf, newRound, payments, settled, work } = stage
const { release, restored, startSecond, twoOfThreeReported } = secondRounds(stage)

// Outcomes that are asked for after a restore count like all others.
afterEach(() => expectMonthsKept(portal))

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
