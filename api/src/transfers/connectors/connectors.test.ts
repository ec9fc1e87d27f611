import { reasonSentence } from '@portal/contracts/transfers/failure-reasons'
import { expect, test } from 'vitest'
import { outcomeOf } from './agency-payments.ts'
import { type AgencyPayment, type Outcome, repeatHours } from './connector.ts'
import { failureAdvice } from './failure.messages.ts'
import { connectorFacts, connectors, declaredBy, failureClassOf } from './index.ts'

const declared = Object.keys(connectors).map((protocol) => {
  const facts = connectorFacts(protocol)
  if (!facts) throw new Error(`${protocol} declares nothing`)
  return facts
})

test('staff find a sentence and what to do for every code that a connector declares', () => {
  for (const { failures } of declared)
    for (const [code, kind] of Object.entries(failures)) {
      if (kind !== 'funds' && kind !== 'transient') expect(reasonSentence(code, 'fr'), code).toBeDefined()
      expect(failureClassOf(code)).toBe(kind)
      expect(failureAdvice[kind].en).not.toBe(failureAdvice[kind].fr)
    }
  expect(failureClassOf('no_answer_in_time')).toBeUndefined()
})

test('an order whose agency does not prove by "not found" that it has nothing is never sent again', () => {
  for (const facts of declared) {
    expect(repeatHours(facts)).toBe(facts.keyLifeHours)
    expect(repeatHours({ ...facts, notFound: 'nothing' })).toBe(0)
  }
})

test('staff are told what each agency can be asked, and nothing of one that no connector speaks to', () => {
  expect(declaredBy('wave')).toEqual({
    abilities: ['ask_by_reference', 'balance', 'verify_name', 'reverse', 'report'],
    key_life_hours: 12,
    repeat_hours: 12,
  })
  expect(declaredBy('gsma')?.abilities).toEqual(['ask_by_key', 'balance', 'verify_name', 'reverse', 'report'])
  expect(declaredBy('file')).toEqual({ abilities: [], key_life_hours: 0, repeat_hours: 0 })
  expect(declaredBy('telegraph')).toBeNull()
})

const reported = (outcome: Outcome): AgencyPayment => ({
  key: 'pt-1',
  reference: 'reference',
  external_trx_id: 'pt-1',
  phone: null,
  amount: null,
  state: outcome.kind,
  at: null,
  outcome,
})
const failed = reported({ kind: 'failed', reason: 'refused', external_trx_id: 'pt-1', echo: {} })
const paid = reported({ kind: 'success', external_trx_id: 'pt-2', agency_fees: 0, echo: {} })

const order = {
  key: 'key',
  reference: 'reference',
  phone: '+22376123420',
  account: null,
  bank: null,
  name: 'Awa Diarra',
  amount: 10_500,
  n: 1,
}

test('a refusal found by reference ends the first attempt only, because it may be that of an earlier one', () => {
  expect(outcomeOf(order, [failed]).outcome).toEqual(failed.outcome)
  expect(outcomeOf({ ...order, n: 2 }, [failed]).outcome).toEqual({ kind: 'not_found' })
  expect(outcomeOf({ ...order, n: 2 }, [failed, paid])).toEqual({ outcome: paid.outcome, mismatch: null })
})

test('staff learn of every further payment with a reference that moved money or may have', () => {
  const open = {
    ...reported({ kind: 'processing', wait_ms: 1_000, echo: {} }),
    key: 'pt-3',
    external_trx_id: null,
  }
  const again = { ...paid, external_trx_id: 'pt-4' }
  expect(outcomeOf(order, [again, open, failed, paid])).toEqual({
    outcome: again.outcome,
    mismatch: { kind: 'several', expected: 'pt-4', answered: 'pt-1, pt-3' },
  })
  const toAnother = { ...paid, outcome: { ...paid.outcome, echo: { recipient: '+22376123421' } } }
  expect(outcomeOf(order, [toAnother, open])).toMatchObject({
    outcome: { kind: 'unknown', reason: 'recipient_differs' },
    mismatch: { kind: 'recipient' },
  })
})
