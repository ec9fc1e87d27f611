import { expect, test } from 'vitest'
import type { Actor } from '../../../src/kit/http/session.ts'
import { retryPayments } from '../../../src/transfers/payments/payment-retry.service.ts'
import { until } from '../../portal.ts'
import { type Entry, path, startRetries } from './retries.ts'

const {
  portal,
  agency,
  approver,
  cohort,
  settled,
  payments,
  paid,
  atAgency,
  attemptsOf,
  correct,
  retry,
  killWorker,
  startWorker,
} = await startRetries()

test('a recipient refused for a wrong number is paid exactly once after the agency has corrected it and an approver retries', {
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
  // A paid payment cannot be retried.
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

test('a payment that the agency refuses again stays failed with its reason, and an approver can retry it', {
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

test('an approver retries no more payments of a reason than she was shown', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('As many as shown', 2, 2, 2)
  await correct(...entries)
  const wanted = { cohort_id: id, reason: 'account_unknown' }
  // Two of them failed after she had opened the page: the first and the last of the list.
  await portal.owner.query(
    "update transfer_payrolls set updated_at = updated_at + interval '1 minute' where id = any($1)",
    [[entries[0]?.id, entries[2]?.id]],
  )
  expect(await approver.post(path, { ...wanted, at_most: 1 })).toMatchObject({
    status: 200,
    body: {
      message:
        'Failed payments that are made again: 1. There are more: 2. Make them again, too, by doing the same once more.',
      retried: 1,
      amount: 10_500,
    },
  })
  await settled(id)
  expect((await payments(id)).map(({ status }) => status)).toEqual(['failed', 'success', 'failed'])
  const refused = await approver.post(path, { ...wanted, at_most: 0 })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['at_most']])
})

test('an approver retries all payments of a cohort that failed for one reason, and no others', {
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
        'Failed payments that are made again: 2. Left out, because an answer or a statement of the agency or a correction must be looked at first, or the girl is on hold: 1',
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

test('a recipient is paid once when a worker is killed while it sends the retried order', {
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
  await killWorker()
  await agency.set({ latency_ms: 0 })
  startWorker()
  const ended = await settled(id)
  expect(ended.round).toMatchObject({ success: 3, failed: 0 })
  for (const entry of entries) expect(await atAgency(entry)).toEqual({ keys: 2, moved: 1 })
})

test('what a call left of the failed payments of a large cohort is made again by the next one, each payment once', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('In parts', 2, 2, 2)
  await correct(...entries)
  const wanted = { cohort_id: id, reason: 'account_unknown' }
  const retryFor = (forMs: number) =>
    retryPayments(portal.db, { id: approver.user.id } as Actor, true, wanted, { size: 1, forMs })
  const first = await retryFor(0)
  expect(first).toMatchObject({ retried: 1, amount: 10_500, left_out: 0, left: 2 })
  expect(first.message.en).toBe(
    'Failed payments that are made again: 1. There are more: 2. Make them again, too, by doing the same once more.',
  )
  expect(await retryFor(60_000)).toMatchObject({ retried: 2, amount: 21_000, left: 0 })
  expect((await approver.post(path, wanted)).status).toBe(409)
  expect((await settled(id)).round).toMatchObject({ success: 3, failed: 0 })
  for (const entry of entries) expect(await atAgency(entry)).toEqual({ keys: 2, moved: 1 })
  // Each part has its row in the audit log.
  const { rows } = await portal.owner.query(
    `select (v.new_values->>'retried')::int as retried from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'retried' and a.auditable_type = 'cohort' and a.auditable_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ retried: 1 }, { retried: 1 }, { retried: 1 }])
})

test('an approver retries a round whose payments all failed, and it is sent that day, however long ago it was due', {
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
