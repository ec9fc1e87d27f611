import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startWave, waveKey } from '../../../test/transfers/agencies/wave.ts'
import { checkAnswer } from './answer-check.ts'
import type { Order } from './connector.ts'
import { agencyHttp, always } from './http.ts'
import { waveConnector } from './wave.ts'

const wave = await startWave()
const http = agencyHttp({ connections: 4, timeout_ms: 5_000 })
const connector = waveConnector(http)
const agency = { id: 1, endpoint: wave.url, details: { api_key: waveKey } }
afterAll(async () => {
  await http.close()
  await wave.close()
})
beforeEach(() => wave.set({ balance: null, throttled: 0 }))

let made = 0
const order = (digits: string, fields: Partial<Order> = {}): Order => ({
  key: `key ${++made}`,
  reference: `reference ${made}`,
  phone: `+2237612345${digits}`,
  account: null,
  bank: null,
  name: 'Awa Diarra',
  amount: 10_500,
  mayLeave: always,
  ...fields,
})
const send = (digits: string) => connector.send(agency, order(digits))

test('an order that Wave pays has its fee, and every part that Wave repeats agrees with it', async () => {
  const paid = order('20')
  const outcome = await connector.send(agency, paid)
  expect(outcome).toEqual({
    kind: 'success',
    external_trx_id: expect.stringMatching(/^pt-/),
    agency_fees: 105,
    echo: { reference: paid.reference, amount: 10_500, currency: 'XOF', recipient: paid.phone },
  })
  expect(checkAnswer(paid, outcome).mismatch).toBeNull()
  expect(await connector.send(agency, paid)).toEqual(outcome)
})

test.each([
  ['02', { kind: 'failed', reason: 'recipient-account-inactive' }],
  ['03', { kind: 'failed', reason: 'recipient-account-blocked' }],
  ['04', { kind: 'failed', reason: 'recipient-limit-exceeded' }],
  ['12', { kind: 'failed', reason: 'recipient-minor' }],
  ['01', { kind: 'unusable', reason: 'funds' }],
  ['05', { kind: 'processing' }],
  ['07', { kind: 'unknown', reason: 'http_500' }],
  ['08', { kind: 'unknown' }],
  ['09', { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_000 }],
])('an order to a number ending in %s means %o', async (digits, meaning) => {
  expect(await send(digits)).toMatchObject(meaning)
})

test('a lost response is found by reference, and what Wave never had is an empty list', async () => {
  const lost = order('08')
  expect(await connector.send(agency, lost)).toMatchObject({ kind: 'unknown' })
  const found = await connector.askReference?.(agency, lost.reference)
  expect(found).toMatchObject([
    {
      key: expect.stringMatching(/^pt-/),
      reference: lost.reference,
      amount: 10_500,
      outcome: { kind: 'success' },
    },
  ])
  expect(await connector.askReference?.(agency, 'never sent')).toEqual([])
})

test('a payout that ends with an error, or is taken back, is a definite refusal', async () => {
  const late = order('06')
  await connector.send(agency, late)
  const outcomes = async (reference: string) => {
    const found = await connector.askReference?.(agency, reference)
    return Array.isArray(found) ? found.map(({ outcome }) => outcome) : found
  }
  await expect
    .poll(() => outcomes(late.reference), { timeout: 5_000 })
    .toMatchObject([{ kind: 'failed', reason: 'recipient-account-inactive' }])
  const paid = order('20')
  const outcome = await connector.send(agency, paid)
  if (outcome.kind !== 'success') throw new Error('it was not paid')
  expect(await connector.reverse?.(agency, outcome.external_trx_id)).toBe(true)
  expect(await outcomes(paid.reference)).toMatchObject([{ kind: 'failed', reason: 'reversed' }])
})

test('a key with another body is no refusal: the order may have been carried out', async () => {
  const first = order('20')
  await connector.send(agency, first)
  expect(await connector.send(agency, { ...first, amount: 9_000 })).toEqual({
    kind: 'unknown',
    reason: 'idempotency-mismatch',
  })
})

test('staff learn the balance of the wallet, and whether a name belongs to a number', async () => {
  await wave.set({ balance: 123_456 })
  expect(await connector.balance?.(agency)).toBe(123_456)
  const verify = (digits: string) => connector.verifyName?.(agency, order(digits))
  expect(await verify('20')).toEqual({ name: 'match', holder: null, within_limits: true, active: null })
  expect(await verify('13')).toEqual({ name: 'different', holder: null, within_limits: true, active: null })
  expect(await verify('14')).toEqual({ name: 'not_told', holder: null, within_limits: true, active: null })
})

test('a wrong key stops the round, whatever is called', async () => {
  const wrong = { ...agency, details: { api_key: 'wrong' } }
  const refused = { kind: 'unusable', reason: 'credentials' }
  expect(await connector.send(wrong, order('20'))).toEqual(refused)
  expect(await connector.askReference?.(wrong, 'reference')).toEqual(refused)
  expect(await connector.balance?.(wrong)).toEqual(refused)
})

test('no answer that Wave does not document counts as paid or as refused', async () => {
  let answer = { status: 200, body: '' }
  const odd = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const there = { ...agency, endpoint: `http://127.0.0.1:${(odd.address() as AddressInfo).port}` }
  const payout = { id: 'pt-1', status: 'succeeded', receive_amount: '10500', fee: '105', currency: 'XOF' }
  const answers: [number, unknown][] = [
    [200, '<html>'],
    [200, []],
    [200, { ...payout, id: 7 }],
    [200, { ...payout, fee: '10.5' }],
    [200, { ...payout, status: 'perhaps' }],
    [201, payout],
    [422, { code: 'something-new' }],
    [404, { code: 'not-found' }],
    [408, { code: 'recipient-account-blocked' }],
    [409, { code: 'recipient-account-blocked' }],
    [503, { code: 'recipient-account-blocked' }],
  ]
  for (const [status, body] of answers) {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    expect([status, body, await connector.send(there, order('20'))]).toMatchObject([
      status,
      body,
      { kind: 'unknown' },
    ])
  }
  // Whoever is not found is sent her order again, so that a search counts only if all of it can be read.
  const listed = { ...payout, client_reference: 'reference', mobile: '+22376123420' }
  for (const body of [{ result: [listed, { status: 'succeeded' }] }, { result: null }, {}, []]) {
    answer = { status: 200, body: JSON.stringify(body) }
    expect([body, await connector.askReference?.(there, 'reference')]).toMatchObject([
      body,
      { kind: 'unknown' },
    ])
  }
  answer = { status: 403, body: JSON.stringify({ code: 'disabled-wallet' }) }
  expect(await connector.send(there, order('20'))).toEqual({ kind: 'unusable', reason: 'credentials' })
  // An unreadable amount counts as a different amount.
  answer = { status: 200, body: JSON.stringify({ ...payout, receive_amount: '10500.00' }) }
  const mine = order('20')
  expect(checkAnswer(mine, await connector.send(there, mine)).outcome.kind).toBe('unknown')
  odd.close()
})
