import { expect, test } from 'vitest'
import { watchProgress } from '../../../src/transfers/engine/agency-progress.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { file, pdf } from '../../cases/case-stage.ts'
import { until } from '../../portal.ts'
import { startHolds } from './holds.ts'
import { roundsPerhapsPaid } from './perhaps-paid.ts'

const stage = await startHolds()
const { portal, received, settled } = stage
const { paidFirst, perhapsPaidSecond, secondOf, startSecond, unmadeSecond } = roundsPerhapsPaid(stage)

type Officer = Awaited<ReturnType<typeof portal.signedInAs>>
const statements = '/admin/transfers/statements'

/** Uploads the agency's statement with a line for each of these references, and waits until it is compared. */
async function statementOf(officer: Officer, references: readonly (string | undefined)[]) {
  const today = new Date().toISOString()
  const lines = references.map((reference, at) =>
    [reference, `T-${at}-${reference}`, '', 10_500, 105, today].join(';'),
  )
  const titles = 'Client reference;Transaction id;Mobile;Amount;Fee;Timestamp'
  const sent = await officer.upload(statements, {
    statement_file: new File([[titles, ...lines].join('\r\n')], 'july.csv'),
    transfer_agency_id: 1,
    // A period without payments, so that none is missing in the statement.
    from: '2020-01-01',
    to: '2020-01-31',
  })
  expect([sent.status, sent.body.errors]).toEqual([200, undefined])
  return until(async () => {
    const { statement } = (await officer.get(`${statements}/${sent.body.statement.id}`)).body
    return statement.state === 'open' && statement
  })
}

/** Proposes what became of a payment, with a letter. */
async function settle(officer: Officer, reference: string | undefined, outcome: string) {
  const { rows } = await portal.owner.query('select id from transfer_payrolls where reference = $1', [
    reference,
  ])
  return officer.upload(`/admin/transfers/payments/${rows[0].id}/settlements`, {
    outcome,
    reason: 'The agency wrote a letter',
    file: file('letter.pdf', pdf),
  })
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
  // Neither keeps anybody from recording what was paid.
  await portal.owner.query("update transfer_agencies set status = 'inactive' where id = 1")
  await portal.owner.query('update transfer_cohorts set stopped_at = now() where id = $1', [cohort])
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

  await watchProgress(portal.context)
  const { rows: open } = await portal.owner.query('select open_since from agency_leases where agency_id = 1')
  expect(open, 'nobody is alarmed').toEqual([{ open_since: null }])

  const [first, second, third] = await stage.payments(round)
  // A statement settles nothing for the person who recorded the round, and stops her from finding a payment not paid.
  const vouch = (id: number) =>
    portal.owner.query('update transfer_rounds set confirmed_by = $2 where cohort_id = $1 and n = 2', [
      cohort,
      id,
    ])
  await vouch(officer.user.id)
  const own = await statementOf(officer, [first?.reference])
  expect(own).toMatchObject({ lines_read: 1, open: 1 })
  expect(await statuses()).toEqual(['unknown', 'unknown', 'unknown'])
  const notPaid = await settle(officer, first?.reference, 'not_paid')
  expect([notPaid.status, notPaid.body.errors]).toEqual([
    422,
    {
      outcome: [
        'A statement of the agency has this payment as paid. Settle it with that line, or withdraw the statement first.',
      ],
    },
  ])
  expect((await officer.post(`${statements}/${own.id}/withdraw`, { reason: 'My own' })).status).toBe(200)
  await vouch(stage.approver.user.id)

  // Two lines of one reference may be a payment and its reversal.
  const references = [first, second, third, third].map((payment) => payment?.reference)
  expect(await statementOf(officer, references)).toMatchObject({ lines_read: 4, open: 2 })
  expect(await statuses()).toEqual(['success', 'success', 'unknown'])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
  const paid = await portal.owner.query(
    'select success, success_amount, unknown from transfer_payroll_groups where id = $1',
    [round],
  )
  expect(paid.rows).toEqual([{ success: 2, success_amount: 2 * 10_500, unknown: 1 }])
  // What the statement lacks is settled by two people, as any outcome that nobody knows.
  const proposed = await settle(officer, third?.reference, 'paid')
  expect([proposed.status, proposed.body.errors]).toEqual([200, undefined])
})

test('an approver cannot record a round as paid while the portal can ask its agency itself', async () => {
  const cohort = await paidFirst(1)
  await unmadeSecond(cohort)
  const refused = await startSecond(cohort, true)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The portal asks the agency about this round itself. Reload the page, and start it without an answer.',
  ])
  expect((await secondOf(cohort)).round).toBeNull()
})

test('an approver cannot start a round as unpaid while a statement names its payments', async () => {
  const cohort = await perhapsPaidSecond(2)
  const officer = await portal.signedInAs('Transfer Officer')
  const { rows } = await portal.owner.query(
    `select reference_from(i.inner_pad, i.outer_pad, c.public_id, c.list_hash, 2, m.student_code) as reference
     from transfer_cohorts c cross join installation_identity i join transfer_master_list m on m.cohort_id = c.id
     where c.id = $1`,
    [cohort],
  )
  const statement = await statementOf(
    officer,
    rows.map(({ reference }) => reference),
  )
  expect(statement).toMatchObject({ lines_read: 2, open: 2 })
  const refused = await startSecond(cohort, false)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Sandbox has paid this round: a statement names 2 of its payments. Record it as paid, or withdraw the statement first.',
  ])
  expect((await startSecond(cohort, true)).status).toBe(200)
  const { round } = await secondOf(cohort)
  expect((await stage.payments(round)).map(({ reference }) => reference).sort()).toEqual(
    rows.map(({ reference }) => reference).sort(),
  )
})

test('an approver cannot start a round as unpaid while a statement of its agency is being compared', async () => {
  const cohort = await perhapsPaidSecond(1)
  const officer = await portal.signedInAs('Transfer Officer')
  const lock = await portal.owner.connect()
  await lock.query('begin')
  await lock.query('lock table statement_lines in exclusive mode')
  const compared = statementOf(officer, ['Of another round'])
  try {
    await until(
      async () =>
        (await portal.owner.query("select from agency_statements where state in ('queued', 'reading')"))
          .rowCount,
    )
    const refused = await startSecond(cohort, false)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'A statement of Sandbox is being compared, and may have payments of this round. Say what the agency answered once it is done.',
    ])
    expect((await secondOf(cohort)).round).toBeNull()
  } finally {
    await lock.query('commit')
    lock.release()
  }
  await compared
  expect((await startSecond(cohort, false)).status).toBe(200)
})
