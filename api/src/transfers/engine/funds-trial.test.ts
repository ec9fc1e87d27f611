import { expect, test } from 'vitest'
import { payment, round, Worker } from '../../../test/transfers/payments/paying.ts'

const paid = { kind: 'success', external_trx_id: 't', agency_fees: 0, echo: {} } as const
const noFunds = { kind: 'unusable', reason: 'funds' } as const

test('one recipient for whom the account is empty is tried alone, set aside, and another one goes on', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const [poor, other, next] = [payment(1), payment(1), payment(1)]
  worker.claimed(1, [poor, other])
  worker.answer(poor, noFunds)
  expect([...worker.sent(), ...worker.did('halt'), ...worker.did('write')]).toEqual([])
  // A claim was running. Its payment is put back until the trial has ended.
  worker.claimed(1, [next])
  expect(worker.did('write')).toMatchObject([{ payment: next, outcome: { kind: 'unsent' } }])
  worker.answer(other, paid)
  expect(worker.sent()).toEqual([poor])
  worker.answer(poor, noFunds)
  expect(worker.did('write')).toMatchObject([{ payment: poor, outcome: noFunds }])
  expect(worker.did('claim')).toMatchObject([{ limit: 1 }])
  worker.claimed(1, [next])
  expect(worker.sent()).toEqual([next])
  worker.answer(next, paid)
  expect(worker.did('halt')).toEqual([])
  expect(worker.did('claim')).toMatchObject([{ limit: 16 }])
})

test('an account that is empty for two recipients halts their cohort, not the others of the agency', () => {
  const worker = new Worker(round(1), round(2))
  worker.on({ kind: 'tick' })
  const [first, second] = [payment(1), payment(1)]
  worker.claimed(1, [first])
  worker.answer(first, noFunds)
  worker.claimed(2, [])
  worker.answer(first, noFunds)
  expect(worker.did('claim')).toMatchObject([{ group_id: 1, limit: 1 }])
  worker.claimed(1, [second])
  worker.answer(second, noFunds)
  expect(worker.did('halt')).toEqual([{ do: 'halt', cohort_id: 10, reason: 'funds' }])
  expect(worker.state.trials).toEqual([])
})

test('a trial does not wait for ever when its cohort has nobody else to pay', () => {
  const worker = new Worker(round(1, 1))
  worker.on({ kind: 'tick' })
  const only = payment(1)
  worker.claimed(1, [only])
  worker.claimed(1, [])
  worker.answer(only, noFunds)
  worker.answer(only, noFunds)
  worker.claimed(1, [])
  // The cohort is not halted before the next renewal, because the claim may have found nothing for another reason.
  expect(worker.did('halt')).toEqual([])
  worker.renewed(round(1, 1))
  expect(worker.did('claim')).toMatchObject([{ group_id: 1, limit: 1 }])
  worker.claimed(1, [])
  worker.renewed(round(1, 0))
  expect(worker.did('halt')).toMatchObject([{ cohort_id: 10, reason: 'funds' }])
})

test('a trial for funds says nothing of the account when sending is held in the middle of it', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const poor = payment(1)
  worker.claimed(1, [poor])
  worker.claimed(1, [])
  worker.answer(poor, noFunds)
  worker.answer(poor, noFunds)
  expect(worker.did('claim')).toMatchObject([{ limit: 1 }])
  worker.claimed(1, [])
  worker.renewed(round(1, 100, false))
  expect([worker.did('halt'), worker.state.trials]).toEqual([[], []])
})
