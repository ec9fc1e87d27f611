import { expect, test } from 'vitest'
import { remindOfDecisions } from '../../../src/transfers/decisions/decision-reminders.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { file, pdf } from '../../cases/case-stage.ts'
import { dayFromNow } from '../../cohorts.ts'
import { linesWith } from '../../letters/notices.ts'
import { addRound } from '../../people.ts'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from './retries.ts'

const stage = await startRetries()
const { portal, agency, officer, approver, cohort, imported, approve, ending, progress, payments, retry } =
  stage
/** The database role of the api and the worker. */
const app = portal.db.pool
const reason = 'The agency wrote on Monday'
const letter = () => file('letter.pdf', pdf)
const answered = expect.stringContaining('has answered meanwhile')
const colleague = await portal.signedInAs('Transfer Approver')

/** A cohort with a payment that the agency made, and of which it gives no answer that can be read. */
async function unanswered(name: string) {
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await imported(name, ending(32, 20))
  await approve(id)
  await progress(id, ({ round }) => round?.pending === 0 && round.unknown === 1)
  const [unknown] = await payments(id)
  return { id, unknown: unknown as Entry }
}
const propose = ({ id }: Entry, fields: Record<string, string | number | File>, who = officer) =>
  who.upload(`/admin/transfers/payments/${id}/settlements`, { reason, ...fields })
const waiting = async (cohortName: string, who = approver) =>
  (await who.get('/admin/transfers/settlements?per_page=100')).body.settlements.data.filter(
    (each: { cohort_name: string }) => each.cohort_name === cohortName,
  )
const decide = (id: number, action: 'approved' | 'refused', who = approver) =>
  who.post(`/admin/transfers/settlements/${id}/decide`, { action })
const attemptOf = async ({ id }: Entry) =>
  (
    await portal.owner.query(
      `select id::int, n, state, reason, tries, ask_at is not null as asked_on, settled_at::date::text as day, external_trx_id as trx
       from payment_attempts where payroll_id = $1 order by n desc limit 1`,
      [id],
    )
  ).rows[0]
/** Has the agency asked once more, and waits until it was. */
async function askedAgain(entry: Entry) {
  const { id, tries } = await attemptOf(entry)
  await portal.owner.query('update payment_attempts set ask_at = now() where id = $1', [id])
  await until(async () => (await attemptOf(entry)).tries > tries, 20_000)
}
/** Lets the proposals of a payment be a minute older, so that calls of before them have ended. */
const aMinuteLater = ({ id }: Entry) =>
  portal.owner.query(`
    begin;
    set local session_replication_role = replica;
    update payment_settlements s set created_at = s.created_at - interval '61 seconds'
    from payment_attempts a where a.id = s.attempt_id and a.payroll_id = ${id};
    commit`)
const exceptionsOf = async ({ id }: Entry) =>
  (
    await portal.owner.query(
      'select kind, expected, answered from payment_exceptions where payroll_id = $1',
      [id],
    )
  ).rows
const stateOf = async (id: number) =>
  (await payments(id))[0] as Entry & { student_id: number; next_step: string }

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

test('a person reads what is missing of a proposal, and nobody approves her own, in the portal or in the database', {
  timeout: 60_000,
}, async () => {
  const { id, unknown } = await unanswered('Alone')
  const faults = async (fields: Record<string, string | number | File>) =>
    (await propose(unknown, fields)).body.errors
  expect(await faults({ outcome: 'paid' })).toMatchObject({
    file: [expect.stringContaining('Choose a line')],
  })
  expect(await faults({ outcome: 'paid', line_id: 1, file: letter() })).toHaveProperty('file')
  expect(await faults({ outcome: 'not_paid', line_id: 1 })).toMatchObject({
    file: [expect.stringContaining('Add a document')],
  })
  expect(await faults({ outcome: 'maybe', file: letter() })).toHaveProperty('outcome')
  expect(await faults({ outcome: 'paid', file: letter(), reason: ' ' })).toHaveProperty('reason')
  expect(await faults({ outcome: 'paid', file: file('letter.pdf', Buffer.from('MZ')) })).toHaveProperty(
    'file',
  )
  expect(await faults({ outcome: 'paid', file: file('a.exe', pdf) })).toHaveProperty('file')
  const large = file('large.pdf', Buffer.concat([pdf, Buffer.alloc(2_200_000, 32)]))
  expect(await faults({ outcome: 'paid', file: large })).toHaveProperty('file')
  expect((await propose(unknown, { outcome: 'paid', file: letter() }, approver)).status).toBe(403)
  const paid = (await payments(id))[1] as Entry
  expect(await propose(paid, { outcome: 'paid', file: letter() })).toMatchObject({
    status: 409,
    body: { message: 'It was paid.' },
  })

  const both = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const twice = await Promise.all([
    propose(unknown, { outcome: 'paid', file: letter() }, both),
    propose(unknown, { outcome: 'not_paid', file: letter() }, both),
  ])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  await askedAgain(unknown)
  await aMinuteLater(unknown)
  const [own] = await waiting('Alone', both)
  expect(own.barred).toContain('somebody else must approve it')
  expect((await decide(own.id, 'approved', both)).status).toBe(403)
  // The officer uploaded the list, and has no right to approve.
  expect((await decide(own.id, 'approved', officer)).status).toBe(403)
  const change = (text: string) => app.query(`update payment_settlements set ${text} where id = ${own.id}`)
  const approved = "state = 'approved', decided_at = now(), decided_by ="
  await expect(change(`${approved} user_id`)).rejects.toMatchObject({
    constraint: 'payment_settlements_four_eyes',
  })
  await expect(change("reason = 'Another one'")).rejects.toMatchObject({ code: '23514' })
  await expect(app.query(`delete from payment_settlements where id = ${own.id}`)).rejects.toThrow()
  await portal.owner.query("insert into sending_holds (reasons, known_until) values ('{clock}', now())")
  try {
    expect((await decide(own.id, 'approved')).status).toBe(409)
    await expect(change(`${approved} ${approver.user.id}`)).rejects.toMatchObject({
      constraint: 'payment_settlements_overdue',
    })
  } finally {
    await portal.owner.query('update sending_holds set released_at = now(), released_by = $1', [
      approver.user.id,
    ])
  }
  expect((await decide(own.id, 'refused')).status).toBe(200)
  expect((await decide(own.id, 'approved')).status).toBe(409)
  expect((await decide(999_999, 'approved')).status).toBe(404)
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', acts: ['settle'] })
})

test('an officer withdraws her own settlement, and the agency is asked on', { timeout: 60_000 }, async () => {
  const { id, unknown } = await unanswered('Withdrawn settlement')
  expect((await propose(unknown, { outcome: 'not_paid', file: letter() })).status).toBe(200)
  const [shown] = await waiting('Withdrawn settlement', officer)
  expect([shown.own, (await waiting('Withdrawn settlement'))[0].own]).toEqual([true, false])
  const withdraw = (who: typeof officer) => who.post(`/admin/transfers/settlements/${shown.id}/withdraw`)
  expect(await withdraw(await portal.signedInAs('Transfer Officer'))).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this settlement/) },
  })
  const answers = await Promise.all([withdraw(officer), withdraw(officer)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(shown.id, 'approved')).status).toBe(409)
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', acts: ['settle'] })
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'payment' and auditable_id = $1 and event like 'settlement %' order by id",
    [unknown.id],
  )
  expect(rows.map(({ event }) => event)).toEqual(['settlement proposed', 'settlement withdrawn'])
})

test('approvers are asked about a settlement until it was decided or the agency has answered, and whoever touched the list is not asked', {
  timeout: 60_000,
}, async () => {
  const touched = await portal.signedInAs('Transfer Approver')
  const { id, unknown } = await unanswered('Asked to settle')
  // She changed the agency of the list, so she decides on nothing of it.
  const { rows: agencies } = await portal.owner.query('select user_id from transfer_agencies where id = 1')
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [touched.user.id])
  const asked = (...people: (typeof approver)[]) => linesWith('Cohort "Asked to settle": a payment', people)
  expect((await propose(unknown, { outcome: 'not_paid', file: letter() })).status).toBe(200)
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [agencies[0].user_id])
  expect(await asked(approver, colleague, touched)).toEqual([1, 1, 0])
  await agency.set({ hostile: [] })
  await askedAgain(unknown)
  await progress(id, ({ round }) => round.unknown === 0)
  await remindOfDecisions(portal.context)
  expect(await asked(approver, colleague, touched)).toEqual([0, 0, 0])
})
