import { expect, test } from 'vitest'
import { checkAnswer, storable } from './answer-check.ts'
import type { Outcome } from './connector.ts'

const order = {
  key: 'key',
  reference: 'reference',
  phone: '+22370000010',
  account: null,
  bank: null,
  name: 'Awa',
  amount: 10_500,
}
const paid = (more: object = {}): Outcome => ({
  kind: 'success',
  external_trx_id: 'T1',
  agency_fees: 105,
  echo: { reference: 'reference', amount: 10_500, currency: 'XOF', recipient: '+22370000010' },
  ...more,
})

test('an answer that agrees with its order counts, and what it does not repeat is not missed', () => {
  for (const answer of [paid(), paid({ echo: {} }), paid({ agency_fees: null })])
    expect(checkAnswer(order, answer)).toEqual({ outcome: answer, mismatch: null })
})

test.each([
  ['key', 'other', 'key', 'other'],
  ['reference', 'other', 'reference', 'other'],
  ['amount', 105_000, '10500', '105000'],
  ['amount', null, '10500', 'nothing'],
  ['currency', 'EUR', 'XOF', 'EUR'],
  ['recipient', '+22370000077', '+22370000010', '+22370000077'],
])(
  'an answer with another %s leaves the payment unknown, whatever it says became of it',
  (kind, value, expected, answered) => {
    const echo = { [kind]: value }
    for (const answer of [
      paid({ echo }),
      { kind: 'failed', reason: 'refused', external_trx_id: null, echo },
      { kind: 'processing', wait_ms: 1, echo },
    ] as Outcome[])
      expect(checkAnswer(order, answer)).toEqual({
        outcome: { kind: 'unknown', reason: `${kind}_differs` },
        mismatch: { kind, expected, answered },
      })
  },
)

test('an answer to an order with a telephone is compared by it, although the recipient has an account, too', () => {
  const both = { ...order, account: 'ML13ML016012010000000000001' }
  expect(checkAnswer(both, paid()).mismatch).toBeNull()
  const toAccount = paid({ echo: { recipient: both.account } })
  expect(checkAnswer(both, toAccount).mismatch).toMatchObject({ kind: 'recipient', expected: order.phone })
  const byAccount = { ...both, phone: null }
  expect(checkAnswer(byAccount, toAccount).mismatch).toBeNull()
})

test.each([
  ['fee_unreadable', { agency_fees: 105.5 }],
  ['fee_unreadable', { agency_fees: -1 }],
  ['fee_unreadable', { agency_fees: 1e300 }],
  ['id_unreadable', { external_trx_id: '' }],
  ['id_unreadable', { external_trx_id: 'T\u0000' }],
  ['id_unreadable', { external_trx_id: 'T\ud800' }],
  ['id_unreadable', { external_trx_id: 'T'.repeat(201) }],
])('what the database could not keep is unknown: %s', (reason, more) => {
  expect(checkAnswer(order, paid(more)).outcome).toEqual({ kind: 'unknown', reason })
})

test('a reason for a refusal is kept as text that the database takes', () => {
  const refused: Outcome = { kind: 'failed', reason: 'no\u0000such', external_trx_id: null, echo: {} }
  expect(checkAnswer(order, refused).outcome).toMatchObject({ kind: 'failed', reason: 'no\u{fffd}such' })
  expect(storable('x'.repeat(500))).toHaveLength(200)
})
