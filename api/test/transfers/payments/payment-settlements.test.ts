import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { pdf } from '../../cases/case-stage.ts'
import { dayFromNow } from '../../cohorts.ts'
import { addRound } from '../../people.ts'
import { until } from '../../portal.ts'
import type { Entry } from './retries.ts'
import { letter, reason, startSettlements } from './settlement-stage.ts'

const stage = await startSettlements()
const {
  portal,
  agency,
  officer,
  approver,
  cohort,
  imported,
  approve,
  ending,
  progress,
  payments,
  retry,
  colleague,
  unanswered,
  propose,
  waiting,
  decide,
  attemptOf,
  askedAgain,
  aMinuteLater,
  stateOf,
} = stage

const answered = expect.stringContaining('has answered meanwhile')
const exceptionsOf = async ({ id }: Entry) =>
  (
    await portal.owner.query(
      'select kind, expected, answered from payment_exceptions where payroll_id = $1',
      [id],
    )
  ).rows

test('an officer finds the payment in a statement, an approver approves it, and it counts as paid once, on the day of the line', {
  timeout: 60_000,
}, async () => {
  const { id, unknown } = await unanswered('Found in a statement')
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', acts: ['settle'] })
  const day = dayFromNow(-1)
  const line = [unknown.reference, 'AG-77', unknown.receiver_phone_number, unknown.amount, day, 105]
  const other = ['X-1', 'AG-78', '+22399000001', unknown.amount, day, 105]
  const less = [unknown.reference, 'AG-79', unknown.receiver_phone_number, 500, day, 105]
  const csv = [
    ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Timestamp', 'Fee'],
    line,
    other,
    less,
  ]
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File([csv.map((cells) => cells.join(';')).join('\r\n')], 'june.csv'),
    transfer_agency_id: 1,
    from: day,
    to: day,
  })
  await until(
    async () =>
      (await officer.get(`/admin/transfers/statements/${sent.body.statement.id}`)).body.statement.state ===
      'open',
  )
  const { lines } = (await officer.get(`/admin/transfers/payments/${unknown.id}/evidence`)).body
  expect(lines).toMatchObject([
    { reference: unknown.reference, transaction_id: 'AG-77', amount: 10_500, day },
  ])
  expect((await approver.get(`/admin/transfers/payments/${unknown.id}/evidence`)).status).toBe(403)

  const rows = await portal.owner.query('select id::int, amount from statement_lines order by "row"')
  for (const wrong of rows.rows.slice(1))
    expect(await propose(unknown, { outcome: 'paid', line_id: wrong.id })).toMatchObject({
      status: 422,
      body: { errors: { line_id: [expect.stringContaining('does not show this payment')] } },
    })
  expect(await propose(unknown, { outcome: 'paid', line_id: lines[0].id })).toMatchObject({ status: 200 })
  expect(await stateOf(id)).toMatchObject({ state: 'settling', acts: [], status: 'unknown' })
  // The page of the girl says the same as that of the round.
  const { student_id, next_step } = await stateOf(id)
  const { body } = await approver.get(`/admin/transfers/payees/${student_id}/payments`)
  expect(body.payments.data).toMatchObject([{ status: 'unknown', state: 'settling', next_step }])
  const [shown] = await waiting('Found in a statement')
  expect(shown).toMatchObject({
    cohort_name: 'Found in a statement',
    outcome: 'paid',
    reason,
    line: lines[0],
    document: null,
  })
  const bell = (await approver.get('/notifications')).body.notifications.data
  expect(bell[0]).toMatchObject({
    text: 'Cohort "Found in a statement": a payment without an answer is settled with evidence. Approve or refuse it.',
  })

  await askedAgain(unknown)
  await aMinuteLater(unknown)
  expect(await waiting('Found in a statement')).toMatchObject([{ barred: null }])
  const withdrawn = await officer.post(`/admin/transfers/statements/${sent.body.statement.id}/withdraw`, {
    reason,
  })
  expect(withdrawn).toMatchObject({ status: 409, body: { message: expect.stringContaining('evidence') } })
  // Two approvers at once: one of them approves, the other reads that it is done.
  const answers = await Promise.all([decide(shown.id, 'approved'), decide(shown.id, 'approved', colleague)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await stateOf(id)).toMatchObject({ status: 'success', state: 'success' })
  expect(await attemptOf(unknown)).toMatchObject({ state: 'success', trx: 'AG-77', day })
  const { rows: fees } = await portal.owner.query(
    'select agency_fees::int from transfer_payrolls where id = $1',
    [unknown.id],
  )
  expect(fees).toEqual([{ agency_fees: 105 }])
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_disbursed: 21_000,
    total_amount_unknown: 0,
  })
  await agency.set({ hostile: [] })
  expect(await stage.atAgency(unknown)).toEqual({ keys: 1, moved: 1 })
  expect(await waiting('Found in a statement')).toEqual([])
  const { rows: log } = await portal.owner.query(
    "select event, user_id::int from audits where event like 'settlement %' and auditable_id = $1 order by id",
    [unknown.id],
  )
  const decider = answers[0]?.status === 200 ? approver : colleague
  expect(log).toEqual([
    { event: 'settlement proposed', user_id: officer.user.id },
    { event: 'settlement approved', user_id: decider.user.id },
  ])
  // The signature of the statement confirms the payment, although no line of it is its own.
  const statement = `/admin/transfers/statements/${sent.body.statement.id}`
  await officer.post(`${statement}/resolve`, { category: 'theirs', reason })
  const { version } = (await officer.get(statement)).body.statement
  expect((await approver.post(`${statement}/sign`, { version })).status).toBe(200)
  const confirmed = 'select statement_id::int, amount::int from payment_confirmations where payroll_id = $1'
  expect((await portal.owner.query(confirmed, [unknown.id])).rows).toEqual([
    { statement_id: sent.body.statement.id, amount: 10_500 },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a girl who has a telephone and an account is found by the telephone that her agency’s statement names', {
  timeout: 60_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const { cohort: id } = await addRound(
    portal.db,
    officer.user.id,
    1,
    'Telephone and account',
    () => 32,
    true,
  )
  await progress(id, ({ round }) => round?.unknown === 1)
  const [girl] = await payments(id)
  const day = dayFromNow(0)
  const csv = [
    ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Timestamp'],
    ['', 'AG-90', girl?.receiver_phone_number, girl?.amount, day],
  ]
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File([csv.map((cells) => cells.join(';')).join('\r\n')], 'july.csv'),
    transfer_agency_id: 1,
    from: day,
    to: day,
  })
  const path = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(path)).body.statement.state === 'open')
  const { lines } = (await officer.get(`/admin/transfers/payments/${girl?.id}/evidence`)).body
  expect(lines).toMatchObject([{ transaction_id: 'AG-90', amount: 10_500, day }])
  expect(await propose(girl as Entry, { outcome: 'paid', line_id: lines[0].id })).toMatchObject({
    status: 200,
  })
})

test('a payment that two people found not paid fails, and is no payment twice when the agency says later that it paid', {
  timeout: 60_000,
}, async () => {
  const { id, unknown } = await unanswered('Late answer')
  expect(await propose(unknown, { outcome: 'not_paid', file: letter() })).toMatchObject({ status: 200 })
  const [shown] = await waiting('Late answer')
  expect(shown).toMatchObject({ line: null, document: { file_name: 'letter.pdf' } })
  const { bytes } = await approver.get(shown.document.download_url)
  expect(bytes).toEqual(pdf)
  expect(shown.barred).toContain('asked once more')
  expect(await decide(shown.id, 'approved')).toMatchObject({ status: 409 })
  await aMinuteLater(unknown)
  await askedAgain(unknown)
  expect(await decide(shown.id, 'approved')).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('counts as failed') },
  })
  expect(await stateOf(id)).toMatchObject({
    status: 'failed',
    acts: ['retry', 'correct', 'write_off'],
    failure_reason: 'settled_not_paid',
  })
  expect(await attemptOf(unknown)).toMatchObject({ state: 'failed', asked_on: true })

  // The agency answers after all.
  await agency.set({ hostile: [] })
  await portal.owner.query('update payment_attempts set ask_at = now() where payroll_id = $1', [unknown.id])
  await until(async () => (await exceptionsOf(unknown)).length > 0, 20_000)
  expect(await exceptionsOf(unknown)).toEqual([
    { kind: 'contradiction', expected: 'failed', answered: 'success' },
  ])
  expect(await stateOf(id)).toMatchObject({ status: 'failed', state: 'doubted', acts: [] })
  expect((await retry([unknown])).status).toBe(409)
  expect(await attemptOf(unknown)).toMatchObject({ n: 1, asked_on: false })
  expect(await stage.atAgency(unknown)).toEqual({ keys: 1, moved: 1 })
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({ total_amount_disbursed: 10_500 })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('nobody settles a payment as not paid while an order of before the proposal may be on its way, although the agency was queried since', {
  timeout: 60_000,
}, async () => {
  const { unknown } = await unanswered('Queried at once')
  await propose(unknown, { outcome: 'not_paid', file: letter() })
  const [shown] = await waiting('Queried at once')
  // The agency reports the payment, so it is queried a moment after the proposal.
  await askedAgain(unknown)
  const early = await decide(shown.id, 'approved')
  expect(early).toMatchObject({ status: 409, body: { message: expect.stringContaining('asked once more') } })
  await aMinuteLater(unknown)
  expect((await decide(shown.id, 'approved')).status).toBe(200)
})

test('a payment that the agency answers meanwhile is settled by the answer, and the proposal ends', {
  timeout: 60_000,
}, async () => {
  const { id, unknown } = await unanswered('Answered meanwhile')
  await propose(unknown, { outcome: 'not_paid', file: letter() })
  const [shown] = await waiting('Answered meanwhile')
  await agency.set({ hostile: [] })
  await askedAgain(unknown)
  await progress(id, ({ round }) => round.unknown === 0)
  expect(await decide(shown.id, 'approved')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('has answered meanwhile') },
  })
  expect(await stateOf(id)).toMatchObject({ status: 'success' })
  expect(await waiting('Answered meanwhile')).toEqual([])
  expect(await exceptionsOf(unknown)).toEqual([])
})

test('nobody approves a settlement of a payment that came back unsent, because its order was only ever turned away', {
  timeout: 60_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'throttles', numbers: ['32'] }] })
  const id = await imported('Turned away', ending(32))
  await approve(id)
  const turnedAway = async () => {
    const [one] = await payments(id)
    return one && (await attemptOf(one))?.reason === 'too_many_requests' && one
  }
  const waits = await until(turnedAway)
  // It has been turned away for longer than the limit of its agency.
  await portal.owner.query(
    "update payment_attempts set sent_at = now() - interval '1 hour' where payroll_id = $1",
    [waits.id],
  )
  expect(await propose(waits, { outcome: 'not_paid', file: letter() })).toMatchObject({ status: 200 })
  const [shown] = await waiting('Turned away')
  // Once the agency says that it does not know the order, the payment waits to be sent, and the proposal ends with that.
  await until(async () => (await waiting('Turned away')).length === 0)
  await aMinuteLater(waits)
  expect(await decide(shown.id, 'approved')).toMatchObject({ status: 409, body: { message: answered } })
  await agency.set({ hostile: [] })
  await progress(id, ({ round }) => round.pending === 0 && round.unknown === 0)
  expect(await stateOf(id)).toMatchObject({ status: 'success', state: 'success' })
  expect(await decide(shown.id, 'approved')).toMatchObject({ status: 409, body: { message: answered } })
  expect(await stage.atAgency(waits)).toEqual({ keys: 1, moved: 1 })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})
