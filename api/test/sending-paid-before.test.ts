import { expect, test } from 'vitest'
import { verifyLedger } from '../src/transfers/ledger/ledger-check.service.ts'
import { file, pdf } from './case-stage.ts'
import { startHolds } from './holds.ts'
import { roundsPerhapsPaid } from './perhaps-paid.ts'
import { until } from './portal.ts'

const stage = await startHolds()
const { portal, received, settled, work } = stage
const { paidFirst, releaseByHand, restored, secondOf, startSecond, unmadeSecond } = roundsPerhapsPaid(stage)

/** Uploads the agency's statement with these payments, and waits until it is compared. */
async function statementOf(
  officer: Awaited<ReturnType<typeof portal.signedInAs>>,
  references: readonly (string | undefined)[],
) {
  const { rows } = await portal.owner.query(
    'select reference, receiver_phone_number as phone, amount from transfer_payrolls where reference = any($1)',
    [references],
  )
  const today = new Date().toISOString()
  const lines = rows.map(({ reference, phone, amount }) =>
    [reference, `T-${reference}`, phone, amount, 105, today].join(';'),
  )
  const titles = 'Client reference;Transaction id;Mobile;Amount;Fee;Timestamp'
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File([[titles, ...lines].join('\r\n')], 'july.csv'),
    transfer_agency_id: 1,
    // A period without payments, so that none is missing in the statement.
    from: '2020-01-01',
    to: '2020-01-31',
  })
  expect([sent.status, sent.body.errors]).toEqual([200, undefined])
  return until(async () => {
    const { statement } = (await officer.get(`/admin/transfers/statements/${sent.body.statement.id}`)).body
    return statement.state === 'open' && statement
  })
}

/** A second round that only the lost database had paid, missed after the release of a hold. */
async function perhapsPaidSecond(size: number): Promise<number> {
  const cohort = await paidFirst(size)
  await unmadeSecond(cohort)
  await restored({ 1: 9 })
  await work()
  await releaseByHand()
  expect((await secondOf(cohort)).state).toBe('missed')
  return cohort
}

test('a round that its agency had paid is recorded without an order, and the agency’s statement settles it to the franc', async () => {
  const cohort = await perhapsPaidSecond(3)
  const officer = await portal.signedInAs('Transfer Officer')
  // A girl who is on hold by now was paid like the others.
  const { rows: girls } = await portal.owner.query(
    'select student_id from transfer_master_list where cohort_id = $1 order by id desc limit 1',
    [cohort],
  )
  const hold = { student_id: girls[0].student_id, reason: 'Two guardians' }
  expect((await officer.post('/admin/transfers/payee-holds', hold)).status).toBe(200)
  await portal.owner.query("update transfer_agencies set status = 'inactive' where id = 1")
  expect((await startSecond(cohort, false)).status).toBe(409)
  const recorded = await startSecond(cohort, true)
  expect([recorded.status, recorded.body.message]).toEqual([
    200,
    'Round 2 counts as paid by its agency. Nothing is sent. Settle its payments with the agency’s statement or letter.',
  ])
  await portal.owner.query("update transfer_agencies set status = 'active' where id = 1")
  const { round, state } = await secondOf(cohort)
  expect(state).toBe('made')
  const statuses = async () => (await stage.payments(round)).map(({ status }) => status)
  expect(await statuses()).toEqual(['unknown', 'unknown', 'unknown'])

  // Workers have other rounds to pay meanwhile, and nobody asks or sends for this one.
  await settled((await stage.newRound(2)).round)
  expect(await statuses()).toEqual(['unknown', 'unknown', 'unknown'])
  expect(await received(round)).toBe(0)

  const [first, second, third] = await stage.payments(round)
  expect(await statementOf(officer, [first?.reference, second?.reference])).toMatchObject({
    lines_read: 2,
    open: 0,
  })
  expect(await statuses()).toEqual(['success', 'success', 'unknown'])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
  const paid = await portal.owner.query(
    'select success, success_amount, unknown from transfer_payroll_groups where id = $1',
    [round],
  )
  expect(paid.rows).toEqual([{ success: 2, success_amount: 2 * 10_500, unknown: 1 }])
  // What the statement lacks is settled by two people, as any outcome that nobody knows.
  const { rows: last } = await portal.owner.query('select id from transfer_payrolls where reference = $1', [
    third?.reference,
  ])
  const proposed = await officer.upload(`/admin/transfers/payments/${last[0].id}/settlements`, {
    outcome: 'paid',
    reason: 'The agency wrote a letter',
    file: file('letter.pdf', pdf),
  })
  expect([proposed.status, proposed.body.errors]).toEqual([200, undefined])
})

test('nobody says of a round that its agency can be asked about that it was paid', async () => {
  const cohort = await paidFirst(1)
  await unmadeSecond(cohort)
  const refused = await startSecond(cohort, true)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The portal asks the agency about this round itself. Reload the page, and start it without an answer.',
  ])
  expect((await secondOf(cohort)).round).toBeNull()
})
