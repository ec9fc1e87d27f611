import { expect, test } from 'vitest'
import { asked, payment, round, Worker } from '../../../test/transfers/payments/paying.ts'
import type { Claimed } from './payments.service.ts'

const paid = { kind: 'success', external_trx_id: 't', agency_fees: 0, echo: {} } as const
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
