import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import type { Entry } from './retries.ts'
import { path, reason, startWriteOffs } from './write-off-stage.ts'

const stage = await startWriteOffs()
const {
  portal,
  officer,
  approver,
  cohort,
  settled,
  payments,
  paid,
  atAgency,
  attemptsOf,
  correct,
  retry,
  writeOff,
  app,
  roundOf,
} = stage

/** Arrears and losses of the programme, as the settings page and the reconciliations of today say them. */
async function programme() {
  const { body } = await approver.get('/admin/transfers/settings')
  const totals = (await approver.get('/admin/transfers/reconciliations')).body.totals
  expect(totals.total_amount_arrears).toBe(body.finalAmountArrears)
  expect(totals.total_amount_written_off).toBe(body.totalAmountWrittenOff)
  return { arrears: body.finalAmountArrears, written_off: body.totalAmountWrittenOff }
}

test('an approver writes off one of two failed payments, and arrears fall by its amount on every page', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Moved away', 2, 3, 10)
  const [gone, other] = entries as [Entry, Entry]
  const before = await programme()
  const page = (await approver.get(`/admin/transfers/cohorts/payroll/${await roundOf(id)}`)).body.payrollGroup
  expect(page.write_off_barred).toBeNull()
  expect(page.transfer_payrolls.data).toMatchObject([
    {
      state: 'failed',
      acts: ['retry', 'correct', 'write_off'],
      agency_code: 'account_unknown',
      next_step:
        'Check the number with the family and correct the recipient; once a second person agrees, it is paid again.',
    },
    { state: 'failed', acts: ['retry', 'correct', 'write_off'] },
    { state: 'success', acts: [], next_step: null, agency_code: null },
  ])
  expect(await writeOff([gone])).toMatchObject({
    status: 200,
    body: { message: 'Payments that were written off: 1', written_off: 1, amount: 10_500 },
  })
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_expected: 31_500,
    total_amount_disbursed: 10_500,
    total_amount_arrears: 10_500,
    total_amount_written_off: 10_500,
    total_amount_pending: 0,
    total_amount_unknown: 0,
  })
  expect(await programme()).toEqual({
    arrears: before.arrears - 10_500,
    written_off: before.written_off + 10_500,
  })
  const after = await payments(id)
  expect(after).toMatchObject([
    { state: 'written_off', acts: [], write_off_reason: reason, status: 'failed' },
    { state: 'failed', write_off_reason: null },
    { state: 'success', write_off_reason: null },
  ])
  const failures = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort.failures
  expect(failures).toEqual([
    {
      reason: 'account_blocked',
      agency_code: 'account_blocked',
      next_step: expect.stringContaining('correct the recipient'),
      count: 1,
      amount: 10_500,
    },
  ])

  // The list of the cohort says so, too.
  const summary = await cohort(id)
  expect(summary.transfer_master_list.data.map(({ status }: { status: string }) => status)).toEqual([
    'written_off',
    'failed',
    'success',
  ])
  expect(summary.master_list_statuses).toMatchObject({ success: 1, failed: 1, written_off: 1 })
  const narrowed = await approver.get(`/admin/transfers/cohorts/${id}/summary?status=written_off`)
  expect(narrowed.body.cohort.transfer_master_list).toMatchObject({
    total: 1,
    data: [{ status: 'written_off' }],
  })
  const polled = (await approver.get(`/admin/transfers/cohorts/${id}/progress`)).body.round
  expect(polled).toMatchObject({ success: 1, failed: 1, written_off: 1, percent: 100 })

  // It is never made again, and never written off twice.
  await correct(gone, other)
  expect(await retry([gone])).toMatchObject({ status: 409 })
  const twice = await writeOff([gone])
  expect(twice).toMatchObject({
    status: 409,
    body: {
      message: 'Nothing was written off: 1 of 1 chosen payments cannot be.',
      errors: { [`payroll_ids.${gone.id}`]: [expect.stringMatching(/: It was written off before\.$/)] },
    },
  })
  expect(await attemptsOf(gone)).toHaveLength(1)
  expect((await atAgency(gone)).moved).toBe(0)
  const { rows } = await portal.owner.query(
    `select a.user_id, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'written off' and a.auditable_type = 'payment' and a.auditable_id = $1`,
    [gone.id],
  )
  expect(rows).toEqual([
    {
      user_id: approver.user.id,
      old_values: { failure_reason: 'account_unknown' },
      new_values: { reason, amount: 10_500 },
    },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('an approver whose selection has a payment that was paid writes off none, and reads why', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Mixed', 2, 10)
  const [failed, fine] = entries as [Entry, Entry]
  expect(await writeOff(entries)).toMatchObject({
    status: 409,
    body: {
      message: 'Nothing was written off: 1 of 2 chosen payments cannot be.',
      errors: { [`payroll_ids.${fine.id}`]: [expect.stringMatching(/: It was paid\.$/)] },
    },
  })
  expect((await approver.post(path, { payroll_ids: [failed.id], reason: '  ' })).body.errors).toHaveProperty(
    'reason',
  )
  expect((await approver.post(path, { payroll_ids: [failed.id, 999_999], reason })).status).toBe(404)
  expect((await writeOff([failed], officer)).status).toBe(403)
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_arrears: 10_500,
    total_amount_written_off: 0,
  })
})

test('a person who uploaded the list cannot write off its payments, neither in the portal nor in the database', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Her own', 2)
  const [failed] = entries as [Entry]
  const both = await portal.signedIn('transfers.view', 'arrears.write-off')
  await portal.owner.query('update transfer_cohorts set user_id = $2 where id = $1', [id, both.user.id])
  expect(await writeOff([failed], both)).toMatchObject({ status: 403 })
  await expect(
    app.query('insert into payment_write_offs (payroll_id, amount, reason, user_id) values ($1, 1, $2, $3)', [
      failed.id,
      reason,
      both.user.id,
    ]),
  ).rejects.toMatchObject({ code: '23514', constraint: 'payment_write_offs_two_people' })
  expect(await payments(id)).toMatchObject([{ state: 'failed' }])
})

test('the database writes off only payments that definitely failed, once, with a reason and a person', {
  timeout: 120_000,
}, async () => {
  const { entries } = await paid('Only failed', 2, 3, 10)
  const [failed, doubted, fine] = entries as [Entry, Entry, Entry]
  const insert = (id: number, why = reason) =>
    app.query('insert into payment_write_offs (payroll_id, amount, reason, user_id) values ($1, 1, $2, $3)', [
      id,
      why,
      approver.user.id,
    ])
  await portal.owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
    [doubted.id],
  )
  const notFailed = { code: '23514', constraint: 'payment_write_offs_failed' }
  await expect(insert(fine.id)).rejects.toMatchObject(notFailed)
  await expect(insert(doubted.id)).rejects.toMatchObject(notFailed)
  expect(await writeOff([doubted])).toMatchObject({
    status: 409,
    body: {
      errors: { [`payroll_ids.${doubted.id}`]: [expect.stringMatching(/must be looked at first\.$/)] },
    },
  })
  await expect(insert(failed.id, ' ')).rejects.toMatchObject({ constraint: 'payment_write_offs_reason' })
  await expect(
    app.query('update transfer_payrolls set written_off_at = now() where id = $1', [failed.id]),
  ).rejects.toMatchObject({ constraint: 'payment_write_offs_row' })

  await insert(failed.id)
  for (const change of [
    'update transfer_payrolls set written_off_at = null where id = $1',
    "update transfer_payrolls set written_off_at = now() + interval '1 day' where id = $1",
    'update payment_write_offs set amount = 1 where payroll_id = $1',
    'delete from payment_write_offs where payroll_id = $1',
    "insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')",
    "update transfer_payrolls set status = 'pending' where id = $1",
  ])
    await expect(app.query(change, [failed.id])).rejects.toMatchObject({
      code: expect.stringMatching(/^(23514|42501)$/),
    })
  // The amount is the payment's, whatever the insert says; and the log misses what did not go through the portal.
  expect((await verifyLedger(portal.db)).faults).toEqual([
    expect.stringMatching(/"Only failed": 1 payments are written off without an entry in the audit log$/),
  ])
})

test('nothing is written off while sending is held, because the agency is still asked about failed payments', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('During a hold', 2)
  await portal.owner.query("insert into sending_holds (reasons, known_until) values ('{clock}', now())")
  try {
    const page = (await approver.get(`/admin/transfers/cohorts/payroll/${await roundOf(id)}`)).body
    const sentence = 'No payments are being sent at all. Sending must be released first.'
    expect(page.payrollGroup.write_off_barred).toBe(sentence)
    expect(await writeOff(entries)).toMatchObject({ status: 409, body: { message: sentence } })
    await expect(
      app.query(
        'insert into payment_write_offs (payroll_id, amount, reason, user_id) values ($1, 1, $2, $3)',
        [entries[0]?.id, reason, approver.user.id],
      ),
    ).rejects.toMatchObject({ constraint: 'payment_write_offs_failed' })
  } finally {
    await portal.owner.query('update sending_holds set released_at = now(), released_by = $1', [
      approver.user.id,
    ])
  }
})

test('an approver writes off a payment that waits to be sent, nobody sends it, and the round does not begin by that', async () => {
  const id = await stage.imported('She left before her round', stage.ending(10, 10), {
    from: dayFromNow(1),
    to: dayFromNow(28),
  })
  await stage.approve(id)
  await stage.progress(id, ({ round }) => round?.pending === 2)
  const [gone, stays] = (await payments(id)) as [Entry, Entry]
  expect(gone).toMatchObject({ state: 'pending', acts: ['write_off'] })
  // She was claimed before, and certainly not sent.
  await app.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'pending', 1)`, [
    gone.id,
  ])
  expect((await writeOff([gone], officer)).status).toBe(403)
  expect(await writeOff([gone])).toMatchObject({ status: 200, body: { written_off: 1, amount: 10_500 } })
  expect(await payments(id)).toMatchObject([
    { state: 'written_off', failure_reason: 'cancelled', write_off_reason: reason, acts: [] },
    { state: 'pending' },
  ])
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_expected: 21_000,
    total_amount_pending: 10_500,
    total_amount_written_off: 10_500,
    total_amount_arrears: 0,
  })
  expect((await verifyLedger(portal.db)).faults.filter((fault) => fault.includes('She left'))).toEqual([])
  await expect(
    app.query(`update transfer_payrolls set status = 'failed', failure_reason = 'cancelled' where id = $1`, [
      stays.id,
    ]),
  ).rejects.toMatchObject({ code: '23514' })
  await expect(
    app.query(`update transfer_payrolls set status = 'pending' where id = $1`, [gone.id]),
  ).rejects.toThrow()

  // Its day went by while nobody looked: what is left is not begun by itself.
  const late = `update transfer_payroll_groups set due_on = current_date - 3, called_at = now() - interval '3 days' where cohort_id = $1`
  await portal.owner.query(late, [id])
  await portal.owner.query(`update transfer_cohorts set reopened_at = null where id = $1`, [id])
  const { rows } = await portal.owner.query(
    `select g.pending + g.withheld + cancelled_payments(g.id, g.written_off) = g.total as waits from transfer_payroll_groups g where cohort_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ waits: true }])
  await portal.owner.query(
    'update transfer_payroll_groups set due_on = current_date, called_at = now() where cohort_id = $1',
    [id],
  )
  await settled(id)
  expect(await payments(id)).toMatchObject([{ state: 'written_off' }, { state: 'success' }])
  expect(await atAgency(gone)).toEqual({ keys: 0, moved: 0 })
  expect((await writeOff([stays])).status).toBe(409)
  expect((await verifyLedger(portal.db)).faults.filter((fault) => fault.includes('She left'))).toEqual([])
})
