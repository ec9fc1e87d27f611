import { expect, test } from 'vitest'
import { endPassedHolds } from '../../../src/transfers/payee-holds/payee-holds.service.ts'
import { caseStage } from '../../cases/case-stage.ts'
import { dayFromNow } from '../../cohorts.ts'
import { type Entry, path, reason, startPayeeHolds } from './payee-hold-stage.ts'

const stage = await startPayeeHolds()
const { portal, officer, approver, cohort, imported, approve, ending, settled, payments, retry } = stage
const { atAgency, attemptsOf, hold, holds, ledgerHolds, openHoldOf, owner, release, roundOf, studentOf } =
  stage
const cases = await caseStage(portal)
/** The database role of the api and the worker. */
const app = portal.db.pool

test('an officer puts a girl on hold, the round does not pay her, and after her release she is paid once', {
  timeout: 120_000,
}, async () => {
  const rows = ending(10, 10)
  const student = await studentOf(String(rows[0]?.[3]))
  const put = await hold(student, {}, officer)
  expect(put).toMatchObject({ status: 200, body: { withheld: 0 } })
  const id = await imported('One on hold', rows)
  await approve(id)
  await settled(id)
  const [girl, other] = (await payments(id)) as [Entry, Entry]
  expect([girl, other]).toMatchObject([
    {
      student_id: student,
      status: 'failed',
      state: 'held',
      held: true,
      acts: ['correct'],
      failure_reason: 'withheld',
    },
    { state: 'success', held: false },
  ])
  // She is counted apart, and her money is in arrears.
  expect(await roundOf(id)).toMatchObject({
    count: 2,
    successful: 1,
    failed: 0,
    withheld: 1,
    withheld_amount: 10_500,
    arrears: 10_500,
    executed_at: expect.any(String),
  })
  const page = await cohort(id)
  expect(page.master_list_statuses).toMatchObject({ success: 1, failed: 0, withheld: 1 })
  expect(page.transfer_cohort_stats).toMatchObject({
    total_amount_expected: 21_000,
    total_amount_arrears: 10_500,
    total_amount_disbursed: 10_500,
    total_amount_pending: 0,
  })
  expect(page.transfer_master_list.data).toMatchObject([{ status: 'withheld' }, { status: 'success' }])
  expect((await approver.get(`/admin/transfers/cohorts/${id}/progress`)).body.round).toMatchObject({
    failed: 0,
    withheld: 1,
    percent: 100,
  })
  expect(await attemptsOf(girl)).toEqual([])
  await ledgerHolds()

  // Nobody pays her or writes her off meanwhile.
  const why = { errors: { [`payroll_ids.${girl.id}`]: [expect.stringContaining('release her first')] } }
  expect(await retry([girl])).toMatchObject({ status: 409, body: why })
  const writeOff = { payroll_ids: [girl.id], reason }
  expect(await approver.post('/admin/transfers/arrears/write-off', writeOff)).toMatchObject({
    status: 409,
    body: why,
  })

  expect(await openHoldOf(student)).toMatchObject({
    student_id: student,
    reason,
    withheld: 1,
    withheld_amount: 10_500,
    released_at: null,
  })
  expect((await release(student, officer)).status).toBe(403)
  expect(await release(student)).toMatchObject({ status: 200 })
  expect(await payments(id)).toMatchObject([
    { state: 'withheld', acts: ['retry', 'correct', 'write_off'], held: false },
    { state: 'success' },
  ])
  expect((await retry([girl])).status).toBe(200)
  await settled(id)
  expect(await payments(id)).toMatchObject([{ state: 'success' }, { state: 'success' }])
  expect(await atAgency(girl)).toEqual({ keys: 1, moved: 1 })
  expect(await attemptsOf(girl)).toMatchObject([{ n: 1, state: 'success', user_id: approver.user.id }])
  expect(await roundOf(id)).toMatchObject({ withheld: 0, withheld_amount: 0, arrears: 0, disbursed: 21_000 })
  await ledgerHolds()
  const { rows: noted } = await owner.query(
    `select a.event, a.user_id::int, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'student' and a.auditable_id = $1 and a.event like 'payee%' order by a.id`,
    [student],
  )
  expect(noted).toMatchObject([
    { event: 'payee held', user_id: officer.user.id },
    { event: 'payee released', user_id: approver.user.id, new_values: { withheld: 1 } },
  ])
})

test('a hold withholds what waits to be sent, leaves what is at the agency, and keeps it from being sent again', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Made ahead', ending(10, 10), { from: dayFromNow(2), to: dayFromNow(29) })
  await approve(id)
  const [waiting, sent] = (await payments(id)) as [Entry, Entry]
  const payee = async ({ student_id }: Entry) =>
    (await officer.get(`/admin/transfers/payees/${student_id}`)).body.payee
  await app.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
    sent.id,
  ])
  await app.query("update transfer_payrolls set status = 'sending' where id = $1", [sent.id])
  expect(await payee(waiting)).toMatchObject({ held: false, waiting: 1, sent: 0 })
  expect(await payee(sent)).toMatchObject({ held: false, waiting: 0, sent: 1 })
  const sentIs = async (state: string) => {
    await app.query('update payment_attempts set state = $2 where payroll_id = $1', [sent.id, state])
    await app.query('update transfer_payrolls set status = $2 where id = $1', [sent.id, state])
  }
  await sentIs('unknown')
  expect(await payee(sent)).toMatchObject({ waiting: 0, sent: 1 })
  await sentIs('sending')
  expect((await hold(waiting.student_id)).body.withheld).toBe(1)
  expect((await hold(sent.student_id)).body.withheld).toBe(0)
  expect(await payments(id)).toMatchObject([
    { status: 'failed', state: 'held' },
    { status: 'sending', state: 'sending' },
  ])
  // The agency certainly did not execute it: it does not wait to be sent again.
  await sentIs('pending')
  expect(await payments(id)).toMatchObject([{ state: 'held' }, { status: 'failed', state: 'held' }])
  expect(await roundOf(id)).toMatchObject({ pending: 0, failed: 0, withheld: 2, arrears: 21_000 })
  await ledgerHolds()
  // A second hold withholds nothing that the first one had withheld already.
  await release(waiting.student_id)
  expect((await hold(waiting.student_id)).body.withheld).toBe(0)
  // Its order keeps its key when it is made again.
  await release(sent.student_id)
  expect((await retry([sent])).status).toBe(200)
  expect(await attemptsOf(sent)).toMatchObject([{ n: 1, state: 'pending' }])
  expect(await payments(id)).toMatchObject([{ state: 'held' }, { state: 'pending' }])
  await ledgerHolds()
})

test('a payment that came back while its girl was on hold goes to her corrected number by another order, or is written off', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Came back', ending(10, 10), { from: dayFromNow(2), to: dayFromNow(29) })
  await approve(id)
  const entries = (await payments(id)) as [Entry, Entry]
  const [girl, other] = entries
  for (const entry of entries) {
    await app.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
      entry.id,
    ])
    await app.query("update transfer_payrolls set status = 'sending' where id = $1", [entry.id])
    expect((await hold(entry.student_id)).status).toBe(200)
    await app.query("update payment_attempts set state = 'pending' where payroll_id = $1", [entry.id])
    await app.query("update transfer_payrolls set status = 'pending' where id = $1", [entry.id])
  }
  const number = '+22370998810'
  const corrected = await officer.post(`/admin/transfers/master-list/${girl.master_list_id}/corrections`, {
    receiver_phone_number: number,
    reason,
  })
  expect(corrected.status).toBe(200)
  const { rows } = await owner.query(
    `select id::int from recipient_corrections where state = 'proposed' and master_list_id = $1`,
    [girl.master_list_id],
  )
  const decided = await approver.post(`/admin/transfers/corrections/${rows[0].id}/decide`, {
    action: 'approved',
  })
  expect(decided.status).toBe(200)
  await ledgerHolds()
  for (const entry of entries) expect((await release(entry.student_id)).status).toBe(200)
  expect((await retry([girl])).status).toBe(200)
  expect(await attemptsOf(girl)).toMatchObject([
    { n: 1, state: 'failed' },
    { n: 2, state: 'pending' },
  ])
  const writeOff = { payroll_ids: [other.id], reason }
  expect((await approver.post('/admin/transfers/arrears/write-off', writeOff)).status).toBe(200)
  expect(await payments(id)).toMatchObject([
    { state: 'pending', receiver_phone_number: number },
    { state: 'written_off' },
  ])
  await ledgerHolds()
})

test('a hold names its case and its last day, ends after that day by itself, and is found by place and day', async () => {
  const student = await studentOf('KYS-000150')
  const today = dayFromNow(0)
  expect((await hold(student, { ends_on: dayFromNow(-1) })).body.errors).toHaveProperty('ends_on')
  expect((await hold(student, { case_number: 'CASE-0' })).body.errors).toHaveProperty('case_number')
  expect((await hold(student, { reason: ' ' })).body.errors).toHaveProperty('reason')
  expect((await hold(999_999)).status).toBe(404)
  expect((await hold(student, {}, await portal.signedIn('transfers.view'))).status).toBe(403)
  // Two people at once: one of them succeeds.
  const both = await Promise.all([hold(student, { ends_on: today }), hold(student, {}, approver)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await release(student)).status).toBe(200)

  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at, ends_on)
     values ($1, $2, $3, now() - interval '3 days', ((now() - interval '1 day') at time zone 'utc')::date)`,
    [student, reason, officer.user.id],
  )
  expect(await openHoldOf(student)).toBeUndefined()
  expect(await holds(`state=ended&student_id=${student}&since=${dayFromNow(-3)}`)).toHaveLength(2)
  await endPassedHolds(portal.db)
  expect((await hold(student)).status).toBe(200)
  const { rows } = await owner.query(
    'select s.school_id, sc.cap_id from students s join schools sc on sc.id = s.school_id where s.id = $1',
    [student],
  )
  const found = await holds(`state=open&cap=${rows[0].cap_id}&school=${rows[0].school_id}&search=kys-000150`)
  expect(found).toMatchObject([{ student_id: student, student_code: 'KYS-000150' }])
  expect(await holds(`state=open&school=${rows[0].school_id + 1000}`)).toEqual([])
  const [{ id }] = found
  expect((await approver.post(`${path}/${id}/release`)).status).toBe(200)
  expect((await approver.post(`${path}/${id}/release`)).status).toBe(409)
  await owner.query('update sessions set created_at = now() - interval $$6 minutes$$ where user_id = $1', [
    approver.user.id,
  ])
  expect(await approver.post(`${path}/${id}/release`)).toMatchObject({
    status: 403,
    body: { reauthenticate: true },
  })
  await owner.query('update sessions set created_at = now() where user_id = $1', [approver.user.id])
})

test('a girl whose hold has ended with its last day can be put on hold for a case until today', async () => {
  const student = await studentOf('KYS-000151')
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at, ends_on)
     values ($1, $2, $3, now() - interval '3 days', ((now() - interval '1 day') at time zone 'utc')::date)`,
    [student, reason, officer.user.id],
  )
  expect(await holds(`state=open&student_id=${student}`)).toEqual([])
  const [ended] = await holds(`state=ended&student_id=${student}`)
  expect(Date.parse(ended.released_at)).toBe(Date.parse(dayFromNow(0)))
  const case_number = (await cases.fileCase()).number
  expect((await hold(student, { ends_on: dayFromNow(0), case_number })).status).toBe(200)
  // The end of the first one is recorded, and the second one lasts until the end of today.
  await endPassedHolds(portal.db)
  expect(await openHoldOf(student)).toMatchObject({ case_number, ends_on: dayFromNow(0), released_at: null })
  const { rows: noted } = await owner.query(
    "select event from audits where auditable_type = 'student' and auditable_id = $1 order by id",
    [student],
  )
  expect(noted.map(({ event }) => event)).toEqual(['payee hold ended', 'payee held'])
})
