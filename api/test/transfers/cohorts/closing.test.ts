import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'

const stage = await startStage(12)
const { portal, officer, approver, imported, approve, progress, cohort } = stage
await portal.worker()
const cohorts = '/admin/transfers/cohorts'
const close = (id: number, reason: unknown = 'The year has ended', who = approver) =>
  who.post(`${cohorts}/${id}/close`, { reason })
const openOf = async (id: number) =>
  (await approver.get(`${cohorts}/${id}/closing`)).body.open.map(({ kind, count }: Open) => [kind, count])
type Open = { kind: string; count: number }
const refused = (...points: string[]) => `This cohort cannot be closed yet. ${points.join(' ')}`
const failed = 'Failed payments: 1. Pay them again, correct their recipients, or write them off.'

/** Two of three are paid; the number of the first is refused. */
const paid = await imported('Year 1', [recipient(1, { lastTwo: 2 }), recipient(2), recipient(3)])
await approve(paid)
const ended = await progress(paid, ({ round }) => round?.executed_at)
const round: number = ended.round.id
const { rows } = await portal.owner.query(
  `select id::int, master_list_id::int as entry, reference from transfer_payrolls where payroll_group_id = $1 and status = 'failed'`,
  [round],
)
const payment = rows[0] as { id: number; entry: number; reference: string }

test('an approver reads of everything that keeps a cohort open, and how it ends, and closes nothing before', async () => {
  expect(await openOf(paid)).toEqual([['failed', 1]])
  expect(await close(paid)).toMatchObject({ status: 409, body: { message: refused(failed) } })

  const corrected = await officer.post(`/admin/transfers/master-list/${payment.entry}/corrections`, {
    receiver_phone_number: '+22370000099',
    reason: 'Wrong digit',
  })
  expect(corrected.status).toBe(200)
  const day = new Date().toISOString().slice(0, 10)
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File(['Reference;Amount;Date\n', `${payment.reference};100;${day}`], 'statement.csv'),
    transfer_agency_id: 1,
    from: day,
    to: day,
  })
  const statement = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(statement)).body.statement.state === 'open')
  expect(await openOf(paid)).toEqual([
    ['failed', 1],
    ['corrections', 1],
    ['statements', 1],
  ])
  const { body } = await close(paid)
  expect(body.message).toContain('Corrections that wait for approval: 1. Approve or refuse them.')
  expect(body.message).toContain('Statements that are not signed: 1. Have them signed, or withdraw them.')
  const french = await approver.post(
    `${cohorts}/${paid}/close`,
    { reason: 'Fin' },
    { 'accept-language': 'fr' },
  )
  expect(french.body.message).toContain(
    '1. Relancez-les, corrigez leurs destinataires ou passez-les en perte.',
  )

  await expect(
    portal.owner.query(`insert into cohort_closings (cohort_id, reason, user_id) values ($1, 'x', $2)`, [
      paid,
      approver.user.id,
    ]),
  ).rejects.toMatchObject({ constraint: 'cohort_closings_settled' })

  const { body: waiting } = await approver.get('/admin/transfers/corrections')
  const decided = await approver.post(
    `/admin/transfers/corrections/${waiting.corrections.data[0].id}/decide`,
    {
      action: 'refused',
    },
  )
  expect(decided.status).toBe(200)
  expect((await officer.post(`${statement}/withdraw`, { reason: 'Wrong' })).status).toBe(200)
  expect(await openOf(paid)).toEqual([['failed', 1]])
})

test('an approver closes no cohort that is undecided, rejected or waits to be sent, nor one that she uploaded', async () => {
  const waiting = await imported('To decide', [recipient(5)])
  expect((await close(waiting)).body.message).toMatch(/Nobody has decided on this cohort yet/)
  await approver.post(`${cohorts}/${waiting}/approve`, { action: 'rejected' })
  expect((await close(waiting)).body.message).toMatch(/was rejected/)
  const ahead = await imported('Next month', [recipient(6)], { from: dayFromNow(3), to: dayFromNow(30) })
  await approve(ahead)
  expect((await close(ahead)).body.message).toBe(
    refused('Payments to send or being sent: 1. Wait until they are sent, or write them off.'),
  )
  await portal.owner.query(
    `update transfer_cohorts set status = 'error', error_reason = 'agency' where id = $1`,
    [ahead],
  )
  expect((await close(ahead)).body.message).toMatch(
    /ended in a payment error\. Retry its approval\. Payments to send/,
  )
  expect((await close(999_999)).status).toBe(404)
})

test('an approver closes a settled cohort with a reason, and only she may', async () => {
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [payment.id],
    reason: 'She has moved away',
  })
  expect(written.status).toBe(200)
  const auditor = await portal.signedInAs('Auditor')
  expect((await auditor.get(`${cohorts}/${paid}/closing`)).body.open).toEqual([])
  for (const who of [auditor, officer]) expect((await close(paid, 'x', who)).status).toBe(403)
  expect((await close(paid, '  ')).body.errors).toEqual({ reason: ['Fill in this field.'] })
  expect((await close(paid, 'x'.repeat(501))).status).toBe(422)
  expect((await cohort(paid)).closing).toBeNull()

  const answers = await Promise.all([close(paid), close(paid)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(/closed this cohort already/)
  expect(await cohort(paid)).toMatchObject({
    status: 'approved',
    closed: true,
    closing: { by: { first_name: expect.any(String) }, reason: 'The year has ended' },
  })
  const { rows: log } = await portal.owner.query(
    `select a.user_id::int, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'cohort closed' and a.auditable_id = $1`,
    [paid],
  )
  expect(log).toMatchObject([
    { user_id: approver.user.id, new_values: { closed: true, reason: 'The year has ended' } },
  ])
})

test('in a closed cohort nothing is stopped, started, retried or corrected, and it can be read and exported', async () => {
  const acts: [string, object?][] = [
    [`${cohorts}/${paid}/stop`],
    [`${cohorts}/${paid}/resume`],
    [`${cohorts}/${paid}/rounds/1/start`],
    [`${cohorts}/${paid}/approve`, { action: 'approved' }],
    ['/admin/transfers/payrolls/retry', { payroll_ids: [payment.id] }],
  ]
  for (const [path, body] of acts) expect((await approver.post(path, body)).status, path).toBe(409)
  const correction = { receiver_phone_number: '+22370000098', reason: 'Once more' }
  const again = await officer.post(`/admin/transfers/master-list/${payment.entry}/corrections`, correction)
  expect(again.status).toBe(409)
  for (const statement of [
    `insert into transfer_payroll_groups (cohort_id, n, due_on) values (${paid}, 9, now())`,
    `insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name,
         receiver_phone_number, amount, fees)
       select ${round}, id, receiver_first_name, receiver_last_name, receiver_phone_number, amount, fees
       from transfer_master_list where cohort_id <> ${paid} limit 1`,
    `update transfer_cohorts set status = 'error' where id = ${paid}`,
    `update transfer_cohorts set stopped_at = now() where id = ${paid}`,
  ])
    await expect(portal.owner.query(statement), statement).rejects.toMatchObject({
      constraint: 'cohort_closings_final',
    })
  for (const statement of [
    `insert into payment_attempts (payroll_id, n, state, agency_id, line_id)
       select payroll_id, n + 1, 'pending', agency_id, line_id from payment_attempts where payroll_id = ${payment.id}`,
    `insert into recipient_corrections (master_list_id, old_values, new_values, reason, user_id)
       values (${payment.entry}, '{}', '{"receiver_phone_number": "+22370000097"}', 'x', ${officer.user.id})`,
  ])
    await expect(portal.owner.query(statement), statement).rejects.toMatchObject({ code: '23514' })
  await expect(portal.owner.query(`delete from cohort_closings`)).rejects.toThrow(/never change/)

  expect((await officer.get(`${cohorts}/${paid}/payrolls`)).body.cohort).toMatchObject({ closed: true })
  expect((await officer.get(`${cohorts}?search=Year`)).body.cohorts.data).toMatchObject([{ closed: true }])
  expect((await officer.get(`${cohorts}?search=Year&status=approved`)).body.cohorts.data).toEqual([])
  const closed = (await officer.get(`${cohorts}?search=Year&status=closed`)).body.cohorts.data
  expect(closed).toMatchObject([{ closed: true, status: 'approved' }])
  const exporter = await portal.signedInAs('Administrator')
  expect((await exporter.post(`${cohorts}/export`, { cohort_id: paid })).status).toBeLessThan(300)
})

test('an accountant is told of missed rounds that somebody can still start, and not of those of a closed cohort', async () => {
  const missed = async () => (await approver.get('/admin/transfers/arrears')).body.missed
  const before = await missed()
  const id = await imported('Two terms', [recipient(9)], { from: dayFromNow(-40), to: dayFromNow(40) })
  await approve(id)
  await progress(id, ({ round: now }) => now?.executed_at)
  const rounds: { state: string }[] = (await cohort(id)).rounds
  const left = rounds.filter(({ state }) => state === 'missed').length
  expect(left).toBeGreaterThan(0)
  expect(await missed()).toEqual({
    rounds: before.rounds + left,
    amount: before.amount + left * (await cohort(id)).list_amount,
  })
  expect((await close(id)).status).toBe(200)
  expect(await missed()).toEqual(before)
})

test('whoever reads a closed cohort sees which rounds were missed and which were not made because it was closed', async () => {
  const id = await imported('Closed early', [recipient(10)], { from: dayFromNow(-40), to: dayFromNow(40) })
  await approve(id)
  await progress(id, ({ round: now }) => now?.executed_at)
  type Planned = { due_on: string; state: string }
  const roundsOf = async (): Promise<Planned[]> => (await cohort(id)).rounds
  const before = await roundsOf()
  expect(new Set(before.map(({ state }) => state))).toEqual(new Set(['missed', 'made', 'scheduled']))
  expect((await close(id)).status).toBe(200)
  const expected = before.map(({ state }) => (state === 'scheduled' ? 'not_made' : state))
  expect((await roundsOf()).map(({ state }) => state)).toEqual(expected)
  const { rounds } = (await officer.get(`${cohorts}/${id}/payrolls`)).body.cohort
  expect(rounds.map(({ state }: Planned) => state)).toEqual(expected)
})
