import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { gsmaAccount, gsmaClient, gsmaKey, startGsma } from '../../../test/transfers/agencies/gsma.ts'
import type { Order } from './connector.ts'
import { gsmaConnector } from './gsma.ts'
import { agencyHttp, always } from './http.ts'

const gsma = await startGsma()
const http = agencyHttp({ connections: 20, timeout_ms: 2_000 })
const connector = gsmaConnector(http)
afterAll(async () => {
  await http.close()
  await gsma.close()
})
beforeEach(() =>
  gsma.set({
    signs_in_by: 'token',
    token_seconds: 3600,
    token_told_seconds: null,
    token_calls: null,
    tokens_failing: false,
    latency_ms: 0,
  }),
)

/** The operator, without any token yet. */
const fresh = (details: Record<string, unknown> = {}) => ({
  id: 7,
  endpoint: gsma.endpoint,
  details: { paying_account: gsmaAccount, token_url: gsma.tokenUrl, ...gsmaClient, ...details },
})
let made = 0
const order = (): Order => ({
  key: randomUUID(),
  reference: `reference ${++made}`,
  phone: '+223761234520',
  account: null,
  bank: null,
  name: 'Awa Diarra',
  amount: 10_500,
  mayLeave: always,
})
const pay = (agency: ReturnType<typeof fresh>, instruction = order()) => connector.send(agency, instruction)
/** How many tokens were given out, and how many calls refused, while `work` ran. */
async function counted(work: () => Promise<unknown>) {
  const before = await gsma.ledger()
  await work()
  const { tokens, strangers } = await gsma.ledger()
  return { given: tokens.given - before.tokens.given, refused: strangers - before.strangers }
}

test('twenty orders at once are paid with one token, which is kept for the calls after them', async () => {
  const agency = fresh()
  const orders = Array.from({ length: 20 }, order)
  const work = async () => {
    const outcomes = await Promise.all(orders.map((each) => pay(agency, each)))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['success']))
    expect(await connector.ask?.(agency, orders[0] as Order)).toMatchObject({ kind: 'success' })
    expect(await connector.balance?.(agency)).toEqual(expect.any(Number))
  }
  expect(await counted(work)).toEqual({ given: 1, refused: 0 })
  await gsma.set({ signs_in_by: 'key' })
  expect(await pay(fresh({ api_key: gsmaKey }))).toMatchObject({ kind: 'success' })
})

test('an order whose token was revoked is sent once more with a new one, and its money moves once', async () => {
  await gsma.set({ token_calls: 3 })
  const agency = fresh()
  const orders = Array.from({ length: 10 }, order)
  const work = async () => {
    for (const each of orders) expect(await pay(agency, each)).toMatchObject({ kind: 'success' })
  }
  expect(await counted(work)).toEqual({ given: 4, refused: 3 })
  const { disbursements } = await gsma.ledger()
  for (const { key } of orders)
    expect(disbursements.filter((each) => each.key === key)).toMatchObject([{ moved: 1, calls: 1 }])
  // Several calls are refused at once, and fetch one token.
  await gsma.set({ token_calls: null })
  const other = fresh()
  await pay(other)
  await gsma.set({ token_calls: 1, latency_ms: 50 })
  expect(await pay(other)).toMatchObject({ kind: 'success' })
  await gsma.set({ token_calls: 0 })
  expect(await counted(() => Promise.all([pay(other), pay(other), pay(other)]))).toEqual({
    given: 1,
    refused: 6,
  })
  expect(await pay(other)).toEqual({ kind: 'unusable', reason: 'credentials' })
})

test('a token is fetched anew before it ends, so that no order is refused because of it', async () => {
  await gsma.set({ token_told_seconds: 0.2 })
  const agency = fresh()
  const { tokens: before, strangers } = await gsma.ledger()
  await expect
    .poll(async () => {
      expect(await pay(agency)).toMatchObject({ kind: 'success' })
      return (await gsma.ledger()).tokens.given - before.given
    })
    .toBeGreaterThan(2)
  expect((await gsma.ledger()).strangers).toBe(strangers)
  // One that ended earlier than it was said to is refused, and the call is made with a new one.
  await gsma.set({ token_seconds: 0, token_told_seconds: 3600 })
  const other = fresh()
  expect(await pay(other)).toEqual({ kind: 'unusable', reason: 'credentials' })
  await gsma.set({ token_seconds: 3600 })
  expect(await pay(other)).toMatchObject({ kind: 'success' })
})

test('an operator that refuses to sign the portal in stops the round, and one that cannot is waited for', async () => {
  const credentials = { kind: 'unusable', reason: 'credentials' }
  for (const wrong of [
    { client_secret: 'another secret of a client' },
    { client_id: 'another' },
    { token_url: `${gsma.endpoint}/nowhere` },
  ]) {
    const agency = fresh(wrong)
    expect(await pay(agency)).toEqual(credentials)
    expect(await connector.ask?.(agency, order())).toEqual(credentials)
    expect(await connector.balance?.(agency)).toEqual(credentials)
  }
  await gsma.set({ tokens_failing: true })
  const agency = fresh()
  expect(await pay(agency)).toEqual({ kind: 'unusable', reason: 'unreachable' })
  await gsma.set({ tokens_failing: false })
  expect(await pay(agency)).toMatchObject({ kind: 'success' })
  expect(await pay(fresh({ token_url: 'http://127.0.0.1:9/' }))).toEqual({
    kind: 'unusable',
    reason: 'unreachable',
  })
})

test('no answer about tokens that the standard does not document makes an order leave', async () => {
  type Told = [status: number, body: unknown, headers?: Record<string, string>]
  let answer = null as Told | null
  const odd = createServer((_, response) => {
    if (answer) response.writeHead(answer[0], answer[2]).end(JSON.stringify(answer[1]))
  })
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  const agency = fresh({ token_url: `http://127.0.0.1:${(odd.address() as AddressInfo).port}` })
  const token = { access_token: 'abc', token_type: 'Bearer', expires_in: 60 }
  const meanings: [Told, object][] = [
    [[200, { ...token, access_token: 'a b\r\nc' }], { kind: 'unusable', reason: 'credentials' }],
    [[200, { ...token, access_token: 7 }], { kind: 'unusable', reason: 'credentials' }],
    [[200, { ...token, token_type: 'mac' }], { kind: 'unusable', reason: 'credentials' }],
    [[200, '<html>'], { kind: 'unusable', reason: 'credentials' }],
    [[302, {}, { location: gsma.tokenUrl }], { kind: 'unusable', reason: 'credentials' }],
    [[400, { error: 'invalid_scope' }], { kind: 'unusable', reason: 'credentials' }],
    [[500, token], { kind: 'unusable', reason: 'unreachable' }],
    [[429, {}, { 'retry-after': '3' }], { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 3_000 }],
    [
      [429, {}, { 'retry-after': '1.2345' }],
      { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 1_235 },
    ],
  ]
  const { calls } = await gsma.ledger()
  for (const [each, meaning] of meanings) {
    answer = each
    expect([each, await pay(agency)]).toEqual([each, meaning])
  }
  // It takes the call and never answers: signing in has no more time than the call.
  answer = null
  const begun = performance.now()
  expect(await pay(agency)).toEqual({ kind: 'unusable', reason: 'unreachable' })
  expect(performance.now() - begun).toBeLessThan(3_500)
  expect((await gsma.ledger()).calls).toBe(calls)
  odd.closeAllConnections()
  odd.close()
})

test('an order that may not leave any more when its token arrives reaches nobody, and counts as not sent', async () => {
  const before = await gsma.ledger()
  const late = { ...order(), mayLeave: () => false }
  expect(await pay(fresh(), late)).toMatchObject({ kind: 'not_sent' })
  const after = await gsma.ledger()
  expect([after.tokens.given, after.calls]).toEqual([before.tokens.given + 1, before.calls])
})
