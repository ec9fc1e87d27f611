import { expect, test } from 'vitest'
import { asked, round, Worker } from '../../../test/transfers/payments/paying.ts'
import type { Claimed } from './payments.service.ts'

const paid = { kind: 'success', external_trx_id: 't', agency_fees: 0, echo: {} } as const
const noFunds = { kind: 'unusable', reason: 'funds' } as const

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
