import { Workbook } from 'exceljs'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import { type Entry, ids, startRetries } from './retries.ts'

const stage = await startRetries()
const { portal, officer, approver, cohort, settled, payments, paid, atAgency, attemptsOf, correct, retry } =
  stage
const path = '/admin/transfers/arrears/write-off'
const reason = 'The family moved away and cannot be reached'
const writeOff = (entries: readonly Entry[], who = approver) =>
  who.post(path, { payroll_ids: ids(entries), reason })
/** The database role of the api and the worker. */
const app = portal.db.pool

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

test('when one approver retries a payment while another writes it off, it is paid or written off, never both', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('At once', 2)
  await correct(...entries)
  const other = await portal.signedInAs('Transfer Approver')
  const answers = await Promise.all([writeOff(entries), retry(entries, other), writeOff(entries, other)])
  // One that was made again first waits to be sent, and can still be written off.
  const writtenOff = [answers[0], answers[2]].filter((answer) => answer?.status === 200).length
  expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
  await settled(id)
  const [ended] = await payments(id)
  const { moved } = await atAgency(entries[0] as Entry)
  expect({ state: (ended as Entry & { state: string }).state, moved, writtenOff }).toEqual(
    writtenOff === 1
      ? { state: 'written_off', moved: 0, writtenOff }
      : { state: 'success', moved: 1, writtenOff: 0 },
  )
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

async function roundOf(cohortId: number): Promise<number> {
  const { rows } = await portal.owner.query(
    'select id::int from transfer_payroll_groups where cohort_id = $1',
    [cohortId],
  )
  return rows[0].id
}

test('an approver closes an answer that does not agree, and the payment is made again, or is known to be paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Answers', 2, 3, 10)
  const [refused, moved, fine] = entries as [Entry, Entry, Entry]
  const exceptions = '/admin/transfers/exceptions'
  /** The agency answers that the outcome is another one, as the worker notes it. */
  const contradict = ({ id: payment }: Entry) =>
    app.query(
      `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
       select payroll_id, id, 'contradiction', state, 'success' from payment_attempts where payroll_id = $1
       on conflict do nothing`,
      [payment],
    )
  for (const entry of [refused, moved, fine]) await contradict(entry)
  await contradict(refused)
  const group = await roundOf(id)
  const listed = async (query = '') =>
    (await approver.get(`${exceptions}?payroll_group_id=${group}&sort=created_at&${query}`)).body.exceptions
      .data
  const open = await listed('state=open')
  expect(open).toMatchObject([
    { payroll_id: refused.id, kind: 'contradiction', answered: 'success', decision: null, barred: null },
    { payroll_id: moved.id },
    { payroll_id: fine.id },
  ])
  expect(await listed('kind=amount')).toEqual([])
  expect(await listed('search=nobody')).toEqual([])
  const close = (at: number, decision: string, who = approver, why: string = reason) =>
    who.post(`${exceptions}/${open[at].id}/close`, { decision, reason: why })
  expect((await close(0, 'status_stands', officer)).status).toBe(403)
  expect((await close(0, 'money_missing')).body.errors).toHaveProperty('decision')
  expect((await close(2, 'money_moved')).body.errors).toHaveProperty('decision')
  expect((await close(0, 'status_stands', approver, ' ')).body.errors).toHaveProperty('reason')
  expect((await close(0, 'something')).body.errors).toHaveProperty('decision')

  // Nothing moved: it can be made again. If the agency answers so once more, it is in doubt again.
  expect((await close(0, 'status_stands')).status).toBe(200)
  expect((await close(0, 'status_stands')).status).toBe(409)
  expect(await payments(id)).toMatchObject([{ state: 'failed' }, { state: 'doubted' }, { state: 'success' }])
  await contradict(refused)
  expect(await payments(id)).toMatchObject([{ state: 'doubted' }, { state: 'doubted' }, { state: 'success' }])
  expect((await retry([refused])).status).toBe(409)
  const again = (await listed('state=open')).at(-1)
  expect(again.payroll_id).toBe(refused.id)
  const more = await approver.post(`${exceptions}/${again.id}/close`, { decision: 'status_stands', reason })
  expect(more.status).toBe(200)
  await correct(refused)
  expect((await retry([refused])).status).toBe(200)
  await settled(id)

  // The money moved after all: nobody pays it twice, and it leaves the arrears by a write-off.
  expect((await close(1, 'money_moved')).status).toBe(200)
  expect(await payments(id)).toMatchObject([
    { state: 'success' },
    { state: 'paid_after_all', acts: ['write_off'] },
    { state: 'success' },
  ])
  expect(await retry([moved])).toMatchObject({ status: 409 })
  await app.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", [moved.id])
  await expect(
    app.query("update transfer_payrolls set status = 'pending' where id = $1", [moved.id]),
  ).rejects.toMatchObject({ code: '23514' })
  expect((await writeOff([moved])).status).toBe(200)
  expect((await close(2, 'money_missing')).status).toBe(200)
  expect(await listed('state=open')).toEqual([])
  expect(await listed('state=closed')).toHaveLength(4)
  for (const change of [
    'update payment_exceptions set resolved = false where id = $1',
    "update payment_exceptions set decision = 'money_moved' where id = $1",
    'delete from payment_exceptions where id = $1',
  ])
    await expect(app.query(change, [open[2].id])).rejects.toThrow()
  const { rows } = await portal.owner.query(
    `select v.new_values->>'decision' as decision from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'exception closed' and a.user_id = $1 order by a.id`,
    [approver.user.id],
  )
  expect(rows.map(({ decision }) => decision)).toEqual([
    'status_stands',
    'status_stands',
    'money_moved',
    'money_missing',
  ])
})

test('an approver who looks through answers reads that a payment was written off, in the list, the round and the Excel file', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Answers, written off', 2, 3, 10)
  const [gone, failed, fine] = entries as [Entry, Entry, Entry]
  const group = await roundOf(id)
  expect((await writeOff([gone])).status).toBe(200)
  for (const { id: payment } of [gone, failed, fine])
    await app.query(
      `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
       select payroll_id, id, 'contradiction', state, 'paid' from payment_attempts where payroll_id = $1`,
      [payment],
    )
  const shown = ['written_off', 'failed', 'success']
  const statusesOf = (found: { status: string }[]) => found.map(({ status }) => status)
  const query = `payroll_group_id=${group}&sort=created_at`
  const listed = (await approver.get(`/admin/transfers/exceptions?${query}`)).body.exceptions.data
  expect(statusesOf(listed)).toEqual(shown)
  const round = (await approver.get(`/admin/transfers/cohorts/payroll/${group}`)).body.payrollGroup
  expect(statusesOf(round.exceptions.toReversed())).toEqual(shown)
  const exported = async (language: string, heading: string) =>
    (await columnOf('exceptions/export', { payroll_group_id: group }, heading, language)).toSorted()
  expect(await exported('en', 'Payment')).toEqual(['Failed', 'Success', 'Written off'])
  expect(await exported('fr', 'Paiement')).toEqual(['Passé en perte', 'Succès', 'Échec'])

  // It has a final outcome, so that the answer about it can be decided on: her money moved after all.
  expect(listed[0].barred).toBeNull()
  const close = { decision: 'money_moved', reason }
  expect((await approver.post(`/admin/transfers/exceptions/${listed[0].id}/close`, close)).status).toBe(200)
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

test('a payment that a worker claims at the moment it is written off is sent or written off, never both', async () => {
  const id = await stage.imported('At one moment', stage.ending(10), {
    from: dayFromNow(2),
    to: dayFromNow(28),
  })
  await stage.approve(id)
  const [entry] = (await payments(id)) as [Entry]
  const worker = await app.connect()
  await worker.query('begin')
  await worker.query('select from transfer_payrolls where id = $1 for update', [entry.id])
  await worker.query(`insert into payment_attempts (payroll_id, state, tries) values ($1, 'sending', 1)`, [
    entry.id,
  ])
  await worker.query(`update transfer_payrolls set status = 'sending' where id = $1`, [entry.id])
  const late = writeOff([entry])
  await untilLocked(portal.owner)
  await worker.query('commit')
  worker.release()
  expect(await late).toMatchObject({ status: 409 })
  expect(await payments(id)).toMatchObject([{ state: 'sending' }])
})

test('an approver reads as failed only what was refused and is still owed, on every page, filter and export', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('One word', 2, 3, 10)
  const [gone] = entries as [Entry]
  expect((await writeOff([gone])).status).toBe(200)
  const counts = {
    count: 3,
    successful: 1,
    failed: 1,
    withheld: 0,
    written_off_count: 1,
    pending: 0,
    unknown: 0,
  }
  const group = await roundOf(id)
  const page = (query = '') => approver.get(`/admin/transfers/cohorts/payroll/${group}${query}`)
  const rounds = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(rounds.transfer_payroll_groups.data).toMatchObject([counts])
  expect((await cohort(id)).transfer_payroll_groups.data).toMatchObject([counts])
  expect((await page()).body.payrollGroup).toMatchObject(counts)
  const total = async (query: string) => (await page(query)).body.payrollGroup.transfer_payrolls.total
  expect(await total('?status=failed')).toBe(1)
  expect(await total('?status=written_off')).toBe(1)
  expect(await total('?status=withheld')).toBe(0)
  expect(await total('?status=success')).toBe(1)
  expect(await total(`?status=failed&search=${gone.reference.slice(0, 4)}`)).toBe(0)
  expect(await statesIn({ payroll_id: group, status: 'failed' })).toEqual(['Failed'])
  expect(await statesIn({ payroll_id: group, status: 'written_off' })).toEqual(['Written off'])
})

/** The states that an exported round says of its payments. */
const statesIn = (body: { payroll_id: number; status: string }) =>
  columnOf('cohorts/payroll/export', body, 'Status')

/** The values below a heading of an exported list. */
async function columnOf(list: string, body: object, heading: string, language = 'en'): Promise<unknown[]> {
  const asked = await approver.post(`/admin/transfers/${list}`, body, { 'accept-language': language })
  expect(asked.status).toBe(202)
  const file = await until(async () => {
    const got = await approver.get(`/storage/exports/${asked.body.file_name}`)
    return got.status === 200 && got
  })
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  const [sheet] = book.worksheets
  const headings = sheet?.getRow(1).values ?? []
  const at = Array.isArray(headings) ? headings.indexOf(heading) : -1
  return (sheet?.getColumn(at).values ?? []).slice(2)
}
