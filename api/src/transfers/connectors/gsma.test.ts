import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { gsmaAccount, gsmaKey, gsmaSecret, startGsma } from '../../../test/transfers/agencies/gsma.ts'
import { checkAnswer } from './answer-check.ts'
import type { Instruction, Order } from './connector.ts'
import { gsmaConnector } from './gsma.ts'
import { agencyHttp, always } from './http.ts'

const gsma = await startGsma()
const http = agencyHttp({ connections: 4, timeout_ms: 5_000 })
const connector = gsmaConnector(http)
const agency = {
  id: 7,
  endpoint: gsma.endpoint,
  details: { api_key: gsmaKey, paying_account: gsmaAccount, callback_secret: gsmaSecret },
  callbackUrl: 'https://portal.example/api/callbacks/7',
}
afterAll(async () => {
  await http.close()
  await gsma.close()
})
beforeEach(() => gsma.set({ balance: null, throttled: 0, failing: false, fails: [], ends_after_ms: 20 }))

let made = 0
const order = (digits: string, fields: Partial<Order> = {}): Order => ({
  key: randomUUID(),
  reference: `reference ${++made}`,
  phone: `+2237612345${digits}`,
  account: null,
  bank: null,
  name: 'Awa Diarra',
  amount: 10_500,
  mayLeave: always,
  ...fields,
})
const send = (digits: string) => connector.send(agency, order(digits))
const ask = async (instruction: Instruction) => connector.ask?.(agency, instruction)
const ledgerOf = async ({ key }: Instruction) =>
  (await gsma.ledger()).disbursements.filter((each) => each.key === key)
/** The outcome once the request has ended. */
async function ended(instruction: Instruction) {
  await expect.poll(async () => (await ask(instruction))?.kind, { timeout: 5_000 }).not.toBe('processing')
  return ask(instruction)
}

test.each(['20', '21'])(
  'an order to a number ending in %s is paid, with its fee and every part that is repeated',
  async (digits) => {
    const paid = order(digits)
    const first = await connector.send(agency, paid)
    expect(first.kind).toBe(digits === '20' ? 'success' : 'processing')
    const outcome = await ended(paid)
    expect(outcome).toEqual({
      kind: 'success',
      external_trx_id: expect.stringMatching(/^TX/),
      agency_fees: 105,
      echo: { reference: paid.reference, amount: 10_500, currency: 'XOF', recipient: paid.phone },
    })
    if (outcome?.kind !== 'success') throw new Error('it was not paid')
    expect(checkAnswer(paid, outcome).mismatch).toBeNull()
    if (digits === '20') expect(first).toEqual(outcome)
  },
)

test.each([
  ['02', { kind: 'failed', reason: 'identifierError' }],
  ['03', { kind: 'failed', reason: 'incorrectState' }],
  ['04', { kind: 'failed', reason: 'dailyValueLimitExceeded' }],
  ['12', { kind: 'failed', reason: 'maxBalanceExceeded' }],
  ['05', { kind: 'processing' }],
  ['07', { kind: 'unknown', reason: 'http_500' }],
  ['08', { kind: 'unknown' }],
  ['09', { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_000 }],
])('an order to a number ending in %s means %o', async (digits, meaning) => {
  expect(await send(digits)).toMatchObject(meaning)
})

test('a request that was accepted and fails is a definite refusal, with the operator’s code', async () => {
  for (const [digits, reason] of [
    ['06', 'incorrectState'],
    ['01', 'insufficientFunds'],
  ]) {
    const late = order(String(digits))
    expect(await connector.send(agency, late)).toMatchObject({ kind: 'processing' })
    expect(await ended(late)).toEqual({ kind: 'failed', reason, external_trx_id: null, echo: {} })
  }
})

test('a lost reply is found by the correlation id, and the same id is never carried out twice', async () => {
  const lost = order('08')
  expect(await connector.send(agency, lost)).toMatchObject({ kind: 'unknown' })
  expect(await connector.send(agency, lost)).toEqual({ kind: 'unknown', reason: 'duplicateRequest' })
  expect(await connector.send(agency, { ...lost, amount: 9_000 })).toMatchObject({ kind: 'unknown' })
  expect(await ended(lost)).toMatchObject({ kind: 'success' })
  expect(await ledgerOf(lost)).toMatchObject([{ moved: 1, amount: 10_500, calls: 3 }])
  expect(await ask(order('20'))).toEqual({ kind: 'not_found' })
})

test('an empty account and a wrong paying account stop the round, and no order is carried out', async () => {
  await gsma.set({ balance: 10_000 })
  expect(await send('21')).toEqual({ kind: 'unusable', reason: 'funds' })
  await gsma.set({ balance: null })
  const elsewhere = { ...agency, details: { ...agency.details, paying_account: 'organisationid:1' } }
  expect(await connector.send(elsewhere, order('21'))).toEqual({ kind: 'unusable', reason: 'credentials' })
  const wrong = { ...agency, details: { ...agency.details, api_key: 'wrong' } }
  for (const answer of [
    await connector.send(wrong, order('20')),
    await connector.ask?.(wrong, order('20')),
    await connector.balance?.(wrong),
    await connector.verifyName?.(wrong, order('20')),
  ])
    expect(answer).toEqual({ kind: 'unusable', reason: 'credentials' })
})

test('staff learn the balance, and whether a number has an account with that name', async () => {
  await gsma.set({ balance: 123_456 })
  expect(await connector.balance?.(agency)).toBe(123_456)
  const verify = (digits: string) => connector.verifyName?.(agency, order(digits))
  const told = (name: string, holder: string | null, active: boolean) => ({
    name,
    holder,
    within_limits: null,
    active,
  })
  expect(await verify('20')).toEqual(told('match', 'Diarra AWA', true))
  expect(await verify('13')).toEqual(told('different', 'Moussa Traoré', true))
  expect(await verify('14')).toEqual(told('not_told', null, true))
  expect(await verify('03')).toEqual(told('match', 'Diarra AWA', false))
  expect(await verify('02')).toEqual(told('not_told', null, false))
})

test('a payment is taken back once, and counts as refused', async () => {
  const paid = order('20')
  const outcome = await connector.send(agency, paid)
  if (outcome.kind !== 'success') throw new Error('it was not paid')
  for (let n = 0; n < 2; n++) expect(await connector.reverse?.(agency, outcome.external_trx_id)).toBe(true)
  expect(await ask(paid)).toMatchObject({ kind: 'failed', reason: 'reversed' })
  expect(await ledgerOf(paid)).toMatchObject([{ moved: 0 }])
})

test('a payment is reported at an address of its own, which nobody can make for another payment', async () => {
  const paid = order('21')
  await connector.send(agency, paid)
  const [{ callback } = { callback: null }] = await ledgerOf(paid)
  const address = new URL(String(callback))
  expect(`${address.origin}${address.pathname}`).toBe(agency.callbackUrl)
  const query = Object.fromEntries(address.searchParams)
  const report = { headers: {}, text: '{}', now: 0 }
  const read = (more: Record<string, unknown>) =>
    connector.readReport?.(agency.details, { ...report, query: { ...query, ...more } })
  expect(read({})).toEqual([paid.reference])
  for (const other of [
    { payment: 'another' },
    { seal: '0'.repeat(64) },
    { seal: '' },
    { seal: ['a'] },
    { payment: undefined },
  ])
    expect(read(other)).toBeNull()
  expect(connector.readReport?.({}, { ...report, query })).toBeNull()
  const quiet = order('21')
  await connector.send({ ...agency, details: { ...agency.details, callback_secret: undefined } }, quiet)
  expect(await ledgerOf(quiet)).toMatchObject([{ callback: null }])
})

test('no answer that the standard does not document counts as paid, as refused or as not found', async () => {
  let answers: Record<string, [number, unknown]> = {}
  const odd = createServer((request, response) => {
    const kind = request.method === 'POST' ? 'sent' : (request.url?.split('/')[1] ?? '')
    const [status, body] = answers[kind] ?? [404, '<html>']
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const there = { ...agency, endpoint: `http://127.0.0.1:${(odd.address() as AddressInfo).port}` }
  const mine = order('20')
  const transaction = {
    transactionReference: 'TX1',
    transactionStatus: 'completed',
    amount: '10500',
    currency: 'XOF',
    creditParty: [{ key: 'msisdn', value: String(mine.phone).slice(1) }],
  }
  const sent: [number, unknown][] = [
    [201, '<html>'],
    [201, { ...transaction, transactionReference: 7 }],
    [201, { ...transaction, transactionStatus: 'perhaps' }],
    [201, { ...transaction, fees: [{ feeAmount: '10.5', feeCurrency: 'XOF' }] }],
    [201, { ...transaction, fees: [{ feeAmount: '10', feeCurrency: 'GHS' }] }],
    [200, transaction],
    [202, { status: 'pending' }],
    [202, { serverCorrelationId: 's', status: 'completed' }],
    [400, { errorCode: 'somethingNew' }],
    [400, '<html>'],
    [404, '<html>'],
    [503, { errorCode: 'incorrectState' }],
    [503, { errorCode: 'insufficientFunds' }],
  ]
  for (const answer of sent) {
    answers = { sent: answer }
    expect([answer, await connector.send(there, mine)]).toMatchObject([answer, { kind: 'unknown' }])
  }
  const state = (fields: object) => ({ serverCorrelationId: 's', ...fields })
  const asked: Record<string, [number, unknown]>[] = [
    {},
    { responses: [200, { link: 'https://elsewhere.example/' }] },
    { responses: [200, { link: '/transactions/..%2F..%2Fadmin' }] },
    { responses: [200, { link: '/transactions/TX1' }] },
    {
      responses: [200, { link: '/transactions/TX1' }],
      transactions: [404, { errorCode: 'identifierError' }],
    },
    { responses: [400, { errorCode: 'insufficientFunds' }] },
    {
      responses: [200, { link: '/requeststates/s' }],
      requeststates: [404, { errorCode: 'identifierError' }],
    },
    { responses: [200, { link: '/requeststates/s' }], requeststates: [200, state({ status: 'perhaps' })] },
    {
      responses: [200, { link: '/requeststates/s' }],
      requeststates: [200, state({ status: 'failed', error: { errorCode: 'duplicateRequest' } })],
    },
  ]
  for (const each of asked) {
    answers = each
    expect([each, await connector.ask?.(there, mine)]).toMatchObject([each, { kind: 'unknown' }])
  }
  // An order that leaves too often waits, and so does the question about it. Its recipient has done nothing wrong.
  const tooOften: [number, unknown] = [400, { errorCode: 'rateLimitError' }]
  answers = { sent: tooOften, responses: tooOften }
  for (const answer of [await connector.send(there, mine), await connector.ask?.(there, mine)])
    expect(answer).toEqual({ kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_000 })
  // What is reserved cannot be spent.
  answers = { accounts: [200, { currentBalance: '900', availableBalance: '500', currency: 'XOF' }] }
  expect(await connector.balance?.(there)).toBe(500)
  answers = { sent: [404, { errorCode: 'identifierError' }] }
  expect(await connector.reverse?.(there, 'TX1')).toMatchObject({ kind: 'failed' })
  // Our reference may be missing, and the plus of the number. Another amount or recipient is never ours.
  answers = { sent: [201, transaction] }
  const paid = await connector.send(there, mine)
  expect(checkAnswer(mine, paid)).toMatchObject({ outcome: { kind: 'success' }, mismatch: null })
  for (const other of [
    { amount: '10500.50' },
    { amount: 10_500 },
    { creditParty: [] },
    { currency: 'GHS' },
    { requestingOrganisationTransactionReference: 'another' },
  ]) {
    answers = { sent: [201, { ...transaction, ...other }] }
    expect(checkAnswer(mine, await connector.send(there, mine)).outcome.kind).toBe('unknown')
  }
  odd.close()
})

test('an order is paid from the whole account that was typed in, also if its number has a colon', async () => {
  const calls: [string | undefined, string][] = []
  const operator = createServer(async (request, response) => {
    calls.push([request.url, await text(request)])
    response.writeHead(200).end(JSON.stringify({ availableBalance: '500', currency: 'XOF' }))
  })
  operator.listen(0, '127.0.0.1')
  await once(operator, 'listening')
  const there = {
    ...agency,
    endpoint: `http://127.0.0.1:${(operator.address() as AddressInfo).port}`,
    details: { ...agency.details, paying_account: 'accountid:ML:70:01' },
  }
  await connector.send(there, order('20'))
  expect(await connector.balance?.(there)).toBe(500)
  const [sent, asked] = calls
  expect(JSON.parse(sent?.[1] ?? '')).toMatchObject({ debitParty: [{ key: 'accountid', value: 'ML:70:01' }] })
  expect(asked?.[0]).toBe('/accounts/accountid/ML%3A70%3A01/balance')
  operator.close()
})
