import { expect, test } from 'vitest'
import { asked, payment, round, Worker } from '../../../test/transfers/payments/paying.ts'
import type { Claimed } from './payments.service.ts'

const paid = { kind: 'success', external_trx_id: 't', agency_fees: 0, echo: {} } as const
const noFunds = { kind: 'unusable', reason: 'funds' } as const
const silence = { kind: 'unknown', reason: 'silence' } as const

test('orders fill the slots of the agency and not one more', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  expect(worker.did('claim')).toMatchObject([{ group_id: 1, limit: 16 }])
  const list = Array.from({ length: 10 }, () => payment(1))
  worker.claimed(1, list)
  expect(worker.sent()).toEqual(list.slice(0, 4))
  worker.answer(list[0] as Claimed, paid)
  expect(worker.sent()).toEqual([list[4]])
  expect(worker.did('write')).toMatchObject([{ payment: list[0], outcome: paid }])
})

test('the rounds of an agency take turns', () => {
  const worker = new Worker(round(1), round(2))
  const turns: number[] = []
  worker.on({ kind: 'tick' })
  while (turns.length < 4) {
    const [claim] = worker.did('claim')
    if (!claim) throw new Error('nothing was claimed')
    turns.push(claim.group_id)
    worker.claimed(claim.group_id, [payment(claim.group_id)])
  }
  expect(turns.toSorted()).toEqual([1, 1, 2, 2])
  expect(turns[0]).not.toBe(turns[1])
})

test('nothing is claimed of a round that a person retried before what is unknown of it was asked about', () => {
  const worker = new Worker(round(1))
  worker.state = { ...worker.state, askFirst: { 1: 1 } }
  worker.on({ kind: 'tick' })
  expect(worker.did('claim')).toEqual([])
  expect(worker.did('look')).toHaveLength(1)
  const question = asked(1)
  worker.found(question)
  expect(worker.did('ask')).toMatchObject([{ payment: question }])
  worker.queried(question, paid)
  expect(worker.did('claim')).toHaveLength(1)
})

test('"not found" sends again with the same key, at the same address only', () => {
  const worker = new Worker(round(1, 0))
  const here = asked(1)
  const elsewhere = asked(1, { same_line: false, repeatable: false })
  const longAgo = asked(1, { repeatable: false })
  worker.found(here, elsewhere, longAgo)
  worker.queried(here, { kind: 'not_found' })
  expect(worker.sent()).toEqual([here])
  worker.queried(elsewhere, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([
    { outcome: { kind: 'unknown', reason: 'not_found_elsewhere' }, mismatch: { kind: 'not_found' } },
  ])
  worker.queried(longAgo, { kind: 'not_found' })
  expect(worker.did('write')).toMatchObject([
    { outcome: { kind: 'unknown', reason: 'not_found_too_late' }, mismatch: { kind: 'not_found' } },
  ])
})

test('an order that people settle is not sent again, although the agency does not know it', () => {
  const worker = new Worker(round(1, 0))
  const settling = asked(1, { settling: true })
  worker.found(settling)
  worker.queried(settling, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([
    { outcome: { kind: 'unknown', reason: 'not_found_settling' }, mismatch: null },
  ])
})

test('an order that the agency turned away comes back unsent while people settle it, because it was certainly not executed', () => {
  const worker = new Worker(round(1, 0))
  const turnedAway = asked(1, { settling: true, state: 'sending', reason: 'too_many_requests' })
  worker.found(turnedAway)
  worker.queried(turnedAway, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([{ payment: turnedAway, outcome: { kind: 'unsent' } }])
})

test('what was sent before stays unknown when it is sent again and refused', () => {
  for (const outcome of [noFunds, { kind: 'unusable', reason: 'unreachable' }] as const) {
    const worker = new Worker(round(1, 0))
    const question = asked(1)
    worker.found(question)
    worker.queried(question, { kind: 'not_found' })
    worker.answer(question, outcome)
    expect(worker.did('write')).toMatchObject([{ outcome: { kind: 'unknown', reason: outcome.reason } }])
  }
})

const tooMany = { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_000 } as const

test('an order that the agency took is not taken for one that it turned away because its query was', () => {
  const worker = new Worker(round(1, 0))
  const taken = asked(1, { state: 'sending' })
  worker.found(taken)
  worker.queried(taken, tooMany)
  expect(worker.did('write')).toMatchObject([{ outcome: { kind: 'processing', wait_ms: 1_000 } }])
  const turnedAway = asked(1, { state: 'sending', reason: 'too_many_requests' })
  worker.found(turnedAway)
  worker.queried(turnedAway, tooMany)
  expect(worker.did('write')).toMatchObject([{ outcome: tooMany }])
})

test('an order that the agency took is unknown when it is sent again and turned away', () => {
  const worker = new Worker(round(1, 0))
  const taken = asked(1, { state: 'sending' })
  worker.found(taken)
  worker.queried(taken, { kind: 'not_found' })
  expect(worker.sent()).toEqual([taken])
  worker.answer(taken, tooMany)
  expect(worker.did('write')).toMatchObject([
    { outcome: { kind: 'unknown', reason: 'too_many_requests', wait_ms: 1_000 } },
  ])
})

test('an order that is refused when it is sent again may have been paid, until the agency was queried once more', () => {
  const refused = { kind: 'failed', reason: 'limit_exceeded', external_trx_id: null, echo: {} } as const
  const worker = new Worker(round(1, 0))
  const again = (fields: Partial<Claimed>) => {
    const question = asked(1, fields)
    worker.found(question)
    worker.queried(question, { kind: 'not_found' })
    expect(worker.sent()).toEqual([question])
    worker.answer(question, refused)
    return worker.did('write')
  }
  expect(again({})).toMatchObject([
    { outcome: { kind: 'unknown', reason: 'refused_when_repeated', wait_ms: 5_000 } },
  ])
  expect(again({ reason: 'refused_when_repeated' })).toMatchObject([{ outcome: refused }])
  expect(again({ state: 'sending', reason: 'too_many_requests' })).toMatchObject([{ outcome: refused }])
  const found = asked(1, { reason: 'refused_when_repeated' })
  worker.found(found)
  worker.queried(found, paid)
  expect(worker.did('write')).toMatchObject([{ outcome: paid }])
})

test('an order whose query waited so long that people may have settled it meanwhile is not sent again', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  worker.found(asked(1), asked(1), asked(1))
  const first = worker.did('ask').map((command) => command.payment)
  expect(first).toHaveLength(2)
  worker.now += 84_000
  const [one, other] = first as [Claimed, Claimed]
  worker.queried(one, paid)
  const [third] = worker.did('ask').map((command) => command.payment)
  if (!third) throw new Error('the third one is not asked about')
  worker.queried(other, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  worker.queried(third, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([{ outcome: { kind: 'unknown', reason: 'not_found' } }])
})

test('nothing is sent again for a cohort that was stopped', () => {
  const worker = new Worker(round(1, 5, false))
  const question = asked(1)
  worker.found(question)
  worker.queried(question, { kind: 'not_found' })
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([{ outcome: { kind: 'unknown', reason: 'not_found' } }])
})

test('what waits in the queue goes back when its cohort is stopped, and nothing of it was sent', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const list = Array.from({ length: 6 }, () => payment(1))
  worker.claimed(1, list)
  worker.on({ kind: 'renewed', rounds: [round(1, 90, false)], next_question_ms: null })
  expect(worker.did('write').map((command) => [command.payment, command.outcome.kind])).toEqual([
    [list[4], 'unsent'],
    [list[5], 'unsent'],
  ])
})

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

test('an agency that says nothing sensible for six seconds halts every cohort that would send by it', () => {
  const worker = new Worker(round(1), round(2), round(3, 5, false))
  worker.on({ kind: 'tick' })
  const list = [payment(1), payment(1)] as const
  worker.claimed(1, [...list])
  worker.answer(list[0], silence)
  expect(worker.did('halt')).toEqual([])
  worker.now += 6_000
  worker.answer(list[1], silence)
  expect(worker.did('halt').map(({ cohort_id }) => cohort_id)).toEqual([10, 20])
})

test('nothing more is sent for a cohort that was halted, although the database does not say so yet', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const [one, other, next] = [payment(1), payment(1), payment(1)]
  worker.claimed(1, [one, other])
  worker.answer(one, silence)
  worker.now += 6_000
  worker.answer(other, silence)
  expect(worker.did('halt')).toMatchObject([{ cohort_id: 10, reason: 'unreachable' }])
  worker.claimed(1, [next])
  expect(worker.sent()).toEqual([])
  expect(worker.did('write')).toMatchObject([{ payment: next, outcome: { kind: 'unsent' } }])
})

test('after twenty answers that may hide a payment nothing more is sent before one is heard', () => {
  const worker = new Worker(round(1))
  worker.state = { ...worker.state, slots: 40 }
  worker.on({ kind: 'tick' })
  const list = Array.from({ length: 60 }, () => payment(1))
  worker.claimed(1, list)
  for (const one of list.slice(0, 20)) worker.answer(one, silence)
  expect(worker.sent()).toEqual([])
  const question = asked(1)
  worker.found(question)
  worker.queried(question, paid)
  expect(worker.sent().length).toBeGreaterThan(0)
})

test('a worker that lost its lease does nothing more, whatever it hears', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const one = payment(1)
  worker.claimed(1, [one])
  worker.on({ kind: 'lost' })
  expect(worker.answer(one, paid)).toEqual([])
  expect(worker.on({ kind: 'tick' })).toEqual([])
})

test('an order that was withheld because the lease was ending was not sent, and what was asked about stays unknown', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const one = payment(1)
  worker.claimed(1, [one])
  worker.on({ kind: 'withheld', payment: one })
  expect(worker.did('write')).toMatchObject([{ payment: one, outcome: { kind: 'unsent' } }])
  const question = asked(1)
  worker.found(question)
  worker.queried(question, { kind: 'not_found' })
  worker.on({ kind: 'withheld', payment: question })
  expect(worker.did('write')).toMatchObject([{ payment: question, outcome: { kind: 'unknown' } }])
  expect(worker.sent()).toEqual([])
})

test('an agency that allows so many orders a second gets no more, and questions beside them', () => {
  const worker = new Worker(round(1))
  worker.state = { ...worker.state, rate: 2 }
  worker.on({ kind: 'tick' })
  worker.claimed(1, [payment(1), payment(1), payment(1)])
  expect(worker.sent()).toHaveLength(1)
  worker.now += 499
  worker.on({ kind: 'tick' })
  expect(worker.sent()).toEqual([])
  worker.now += 1
  worker.found(asked(1))
  expect(worker.sent()).toHaveLength(1)
  expect(worker.did('ask')).toHaveLength(1)
})

test('questions take half of the slots at most while something is to be sent', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  worker.found(asked(1), asked(1), asked(1), asked(1))
  expect(worker.did('ask')).toHaveLength(2)
  worker.claimed(1, [payment(1), payment(1), payment(1)])
  expect(worker.sent()).toHaveLength(2)
})

test('a worker that leaves gives back what it did not send and waits for what it did', () => {
  const worker = new Worker(round(1))
  worker.on({ kind: 'tick' })
  const list = Array.from({ length: 6 }, () => payment(1))
  worker.claimed(1, list)
  const claiming = worker.state.claiming
  worker.on({ kind: 'leave' })
  expect(worker.did('write').map((command) => command.payment)).toEqual(list.slice(4))
  expect(worker.did('release')).toEqual([])
  if (claiming) worker.claimed(1, [])
  worker.on({ kind: 'found', questions: [] })
  for (const one of list.slice(0, 4)) worker.answer(one, paid)
  expect(worker.did('release')).toHaveLength(1)
  expect(worker.state.phase).toBe('left')
})

test('an agency where nothing is to be sent or asked soon is given back', () => {
  const worker = new Worker(round(1, 0))
  worker.on({ kind: 'renewed', rounds: [round(1, 0)], next_question_ms: 20_000 })
  worker.found()
  expect(worker.did('release')).toHaveLength(1)
})
