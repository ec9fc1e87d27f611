import { afterEach, expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from './cohorts.ts'
import { until } from './portal.ts'
import { mortalWorkers } from './workers.ts'

const stage = await startStage(200)
const { portal, agency, officer, approver, imported, approve, cohort, progress } = stage
const workers = mortalWorkers(portal.settings)
let worker = workers.start()
afterEach(() => agency.set({ hostile: [], latency_ms: 0, corrected: [], unreachable: false }))

const path = '/admin/transfers/payrolls/retry'
let used = 0
const ending = (...digits: number[]) => digits.map((lastTwo) => recipient(++used, { lastTwo }))
const settled = (id: number) =>
  progress(id, ({ round }) => round?.pending === 0 && round.unknown === 0, 60_000)

type Entry = { id: number; reference: string; status: string; receiver_phone_number: string; amount: number }

/** The payments of a cohort's only round, as its page reads them. */
async function payments(id: number): Promise<Entry[]> {
  const { round } = await progress(id, (now) => now.round)
  const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${round.id}?per_page=100`)
  return body.payrollGroup.transfer_payrolls.data
}
const ids = (entries: readonly { id: number }[]) => entries.map((entry) => entry.id)

/** A cohort whose round has ended, and its payments. */
async function paid(name: string, ...digits: number[]) {
  const id = await imported(name, ending(...digits))
  await approve(id)
  await settled(id)
  return { id, entries: await payments(id) }
}

/** What the agency did for one payment: its orders, and how often money moved. */
async function atAgency({ reference }: Entry) {
  const lines = (await agency.ledger()).filter((line) => line.reference === reference)
  return {
    keys: new Set(lines.map(({ key }) => key)).size,
    moved: lines.reduce((sum, { executed }) => sum + executed, 0),
  }
}
const attemptsOf = async ({ id }: Entry) =>
  (
    await portal.owner.query(
      'select n, state, user_id from payment_attempts where payroll_id = $1 order by n',
      [id],
    )
  ).rows
const correct = (...entries: Entry[]) =>
  agency.set({ corrected: entries.map((entry) => entry.receiver_phone_number) })
const retry = (entries: readonly Entry[], who = approver) => who.post(path, { payroll_ids: ids(entries) })

test('a payment refused for a wrong number is paid once the agency has put it right, and money moves exactly once', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Put right', 2, 10, 11)
  const [wrong, fine] = entries as [Entry, Entry]
  expect(wrong.status).toBe('failed')
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_arrears: 10_500,
    total_amount_disbursed: 21_000,
  })
  await correct(wrong)
  const answer = await retry([wrong])
  expect(answer).toMatchObject({
    status: 200,
    body: { message: 'Failed payments that are made again: 1', retried: 1, amount: 10_500, left_out: 0 },
  })
  const ended = await settled(id)
  expect(ended.round).toMatchObject({ total: 3, success: 3, failed: 0 })
  expect(ended.round.executed_at).not.toBeNull()
  expect(await atAgency(wrong)).toEqual({ keys: 2, moved: 1 })
  expect(await attemptsOf(wrong)).toEqual([
    { n: 1, state: 'failed', user_id: null },
    { n: 2, state: 'success', user_id: approver.user.id },
  ])
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_expected: 31_500,
    total_amount_disbursed: 31_500,
    total_amount_arrears: 0,
    total_amount_pending: 0,
    total_amount_fees: 630,
  })
  const { rows } = await portal.owner.query(
    `select a.event, a.user_id, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'payment' and a.auditable_id = $1`,
    [wrong.id],
  )
  expect(rows).toEqual([
    {
      event: 'retried',
      user_id: approver.user.id,
      old_values: { status: 'failed', failure_reason: 'account_unknown' },
      new_values: { status: 'pending', failure_reason: null },
    },
  ])
  // What was paid is paid: nobody can have it paid again, however it came to be.
  for (const one of [wrong, fine]) {
    expect(await retry([one])).toMatchObject({
      status: 409,
      body: {
        message: 'Nothing was sent: 1 of 1 chosen payments cannot be made again.',
        errors: { [`payroll_ids.${one.id}`]: [expect.stringMatching(/: It was paid\.$/)] },
      },
    })
    expect((await atAgency(one)).moved).toBe(1)
  }
})

test('a payment that the agency refuses again stays failed with its reason, and can be tried once more', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Refused twice', 3)
  const [one] = entries as [Entry]
  await retry(entries)
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'failed', failure_reason: 'account_blocked' }])
  await correct(one)
  expect((await retry(entries)).status).toBe(200)
  await settled(id)
  expect(await atAgency(one)).toEqual({ keys: 3, moved: 1 })
  expect((await attemptsOf(one)).map(({ state }) => state)).toEqual(['failed', 'failed', 'success'])
})

test('of two people who have the same payments made again at once, one does and the other reads why not', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('At once', 2, 3, 4)
  await correct(...entries)
  const other = await portal.signedInAs('Transfer Approver')
  const answers = await Promise.all([
    retry(entries),
    retry(entries, other),
    retry(entries),
    retry(entries, other),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  await settled(id)
  for (const entry of entries) {
    expect(await atAgency(entry)).toEqual({ keys: 2, moved: 1 })
    expect(await attemptsOf(entry)).toHaveLength(2)
  }
})

test('of a selection with payments that did not fail nothing is sent, and each of them is named with its reason', {
  timeout: 120_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['40'] }] })
  const id = await imported('Mixed', ending(2, 10, 40, 3))
  await approve(id)
  await progress(id, ({ round }) => round?.success === 1 && round.failed === 2)
  const entries = await until(async () => {
    const now = await payments(id)
    return now[2]?.status === 'sending' && now
  })
  const [wrong, fine, held, blocked] = entries as [Entry, Entry, Entry, Entry]
  // An answer that contradicts the refusal: the money may have moved after all.
  await portal.owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
    [blocked.id],
  )
  const refused = await approver.post(path, { payroll_ids: ids(entries) }, { 'accept-language': 'fr' })
  expect(refused.status).toBe(409)
  const french = JSON.parse(JSON.stringify(refused.body).replaceAll(/[\u00a0\u202f]/g, ' '))
  const name = (at: number) =>
    `Fatoumata Coulibaly ${used - 4 + at}, ${entries[at - 1]?.receiver_phone_number}`
  expect(french).toEqual({
    message: 'Rien n’a été envoyé : 3 des 4 paiements choisis ne peuvent pas être relancés.',
    errors: {
      [`payroll_ids.${fine.id}`]: [`${name(2)} : Il a été payé.`],
      [`payroll_ids.${held.id}`]: [`${name(3)} : Il est déjà en cours d’envoi.`],
      [`payroll_ids.${blocked.id}`]: [
        `${name(4)} : Une réponse de l’agence à son sujet ne concorde pas et doit d’abord être examinée.`,
      ],
    },
  })
  const kept = (all: readonly Entry[]) => all.map(({ id: payment, status }) => ({ payment, status }))
  expect(kept(await payments(id))).toEqual(kept(entries))
  expect(await attemptsOf(wrong)).toHaveLength(1)
  expect((await approver.post(path, { payroll_ids: [wrong.id, 999_999_999] })).status).toBe(404)
  expect(await attemptsOf(wrong)).toHaveLength(1)

  // Nor is the doubtful one made again by its reason.
  expect(await approver.post(path, { cohort_id: id, reason: 'account_blocked' })).toMatchObject({
    status: 409,
    body: { message: 'No payment that failed for this reason can be made again. Reload the page.' },
  })
  await agency.set({ hostile: [] })
  await settled(id)
})

test('an order whose outcome is unknown is asked about and never made again', {
  timeout: 120_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'error_paid' }, { mode: 'not_json', on: ['key'] }] })
  const id = await imported('Unknown', ending(20))
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  const entries = await payments(id)
  const refused = await retry(entries)
  expect(refused.status).toBe(409)
  expect(refused.body.errors[`payroll_ids.${entries[0]?.id}`][0]).toContain('the money may have moved')
  await agency.set({ hostile: [] })
  await settled(id)
  expect(await atAgency(entries[0] as Entry)).toEqual({ keys: 1, moved: 1 })
})

test('all payments of a cohort that failed for one reason are made again, and no others', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('By reason', 2, 2, 2, 3, 10)
  await correct(...entries)
  const page = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(page).toMatchObject({
    failures: [
      { reason: 'account_unknown', count: 3, amount: 31_500 },
      { reason: 'account_blocked', count: 1, amount: 10_500 },
    ],
    retry_barred: null,
  })
  await portal.owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
    [entries[0]?.id],
  )
  expect(await approver.post(path, { cohort_id: id, reason: 'account_unknown' })).toMatchObject({
    status: 200,
    body: {
      message:
        'Failed payments that are made again: 2. Left out, because an answer of the agency must be looked at first: 1',
      retried: 2,
      amount: 21_000,
      left_out: 1,
    },
  })
  await settled(id)
  expect((await payments(id)).map(({ status }) => status)).toEqual([
    'failed',
    'success',
    'success',
    'failed',
    'success',
  ])
  const { rows } = await portal.owner.query(
    `select v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'retried' and a.auditable_type = 'cohort' and a.auditable_id = $1`,
    [id],
  )
  expect(rows).toEqual([
    { new_values: { reason: 'account_unknown', retried: 2, amount: 21_000, left_out: 1 } },
  ])
})

test('whoever uploaded a list, or may not approve, has none of its payments made again', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Four eyes', 2)
  for (const who of [officer, await portal.signedInAs('Auditor')])
    expect((await retry(entries, who)).status).toBe(403)
  const uploader = await portal.signedIn('transfers.view', 'cohorts.approve')
  await portal.owner.query('update transfer_cohorts set user_id = $1 where id = $2', [uploader.user.id, id])
  const sentence = 'You uploaded this target list, so somebody else must decide on it.'
  expect(await retry(entries, uploader)).toMatchObject({ status: 403, body: { message: sentence } })
  const { body } = await uploader.get(`/admin/transfers/cohorts/${id}/payrolls`)
  expect(body.cohort.retry_barred).toBe(sentence)
  expect(await attemptsOf(entries[0] as Entry)).toHaveLength(1)
})

test('nothing is made again while the cohort is stopped, in error or over, its agency inactive, or sending held', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Not now', 2)
  const { rows } = await portal.owner.query('select "to" from transfer_cohorts where id = $1', [id])
  const states: [string, string, string][] = [
    [
      `update transfer_cohorts set stopped_at = now() where id = ${id}`,
      `update transfer_cohorts set stopped_at = null where id = ${id}`,
      'Payments of this cohort are stopped. Resume them first.',
    ],
    [
      `update transfer_cohorts set status = 'error', error_reason = 'funds' where id = ${id}`,
      `update transfer_cohorts set status = 'approved', error_reason = null where id = ${id}`,
      'This cohort ended in a payment error. Retry its approval first.',
    ],
    [
      `update transfer_cohorts set "to" = '${dayFromNow(-1)}', "from" = '${dayFromNow(-1)}' where id = ${id}`,
      `update transfer_cohorts set "to" = '${rows[0].to}' where id = ${id}`,
      'The period of this cohort is over, so its failed payments are not made again.',
    ],
    [
      "update transfer_agencies set status = 'inactive'",
      "update transfer_agencies set status = 'active'",
      'The transfer agency is not active.',
    ],
    [
      "insert into sending_holds (reasons, known_until) values ('{absence}', now())",
      `update sending_holds set released_at = now(), released_by = ${approver.user.id}`,
      'No payments are being sent at all. Sending must be released first.',
    ],
  ]
  for (const [make, end, sentence] of states) {
    await portal.owner.query(make)
    expect(await retry(entries), sentence).toMatchObject({ status: 409, body: { message: sentence } })
    const page = await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)
    expect(page.body.cohort.retry_barred).toBe(sentence)
    await portal.owner.query(end)
  }
  expect(await attemptsOf(entries[0] as Entry)).toHaveLength(1)
  expect((await retry(entries)).status).toBe(200)
  await settled(id)
})

test('what is asked for is either payments or a cohort with a reason', async () => {
  for (const body of [{}, { payroll_ids: [] }, { cohort_id: 1 }, { cohort_id: 1, reason: '' }])
    expect((await approver.post(path, body)).status, JSON.stringify(body)).toBe(422)
  expect((await approver.post(path, { cohort_id: 999_999, reason: 'account_unknown' })).status).toBe(404)
})

test('a worker that is killed with the new order on the line leaves one movement of money', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Killed between', 2, 2, 2)
  await correct(...entries)
  await agency.set({ latency_ms: 4_000 })
  await retry(entries)
  const references = new Set(entries.map(({ reference }) => reference))
  await until(
    async () => (await agency.ledger()).filter((line) => references.has(line.reference)).length === 6,
    30_000,
  )
  await workers.end(worker, 'SIGKILL')
  await agency.set({ latency_ms: 0 })
  worker = workers.start()
  const ended = await settled(id)
  expect(ended.round).toMatchObject({ success: 3, failed: 0 })
  for (const entry of entries) expect(await atAgency(entry)).toEqual({ keys: 2, moved: 1 })
})

test('a round whose payments all failed is sent anew on the day it is asked for, however long ago it was due', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Long ago', 2, 3)
  await correct(...entries)
  await portal.owner.query(
    `update transfer_payroll_groups set called_at = now() - interval '20 days', due_on = due_on - 20 where cohort_id = $1`,
    [id],
  )
  await portal.owner.query('update transfer_rounds set due_on = due_on - 20 where cohort_id = $1', [id])
  expect((await retry(entries)).status).toBe(200)
  expect((await settled(id)).round).toMatchObject({ success: 2, failed: 0 })
})
