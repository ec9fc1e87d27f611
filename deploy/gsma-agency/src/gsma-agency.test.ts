import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'gsma-agency-'))
let child: ChildProcess
let url: string
async function start() {
  child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      GSMA_AGENCY_PORT: '0',
      GSMA_AGENCY_DIR: folder,
      GSMA_AGENCY_KEY: 'key',
      GSMA_AGENCY_CLIENT: 'client:a secret',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string]
  url = line.slice(line.indexOf('http'))
}
async function kill() {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
beforeAll(start)
afterAll(async () => {
  await kill()
  rmSync(folder, { recursive: true, force: true })
})

async function call(path: string, body?: object, headers: Record<string, string> = {}) {
  const text = body && JSON.stringify(body)
  const response = await fetch(`${url}/v1.2/mm${path}`, {
    method: text ? 'POST' : 'GET',
    headers: {
      'x-api-key': 'key',
      ...(text && { 'x-content-hash': createHash('sha256').update(text).digest('hex') }),
      ...headers,
    },
    ...(text && { body: text }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const pay = (key: string, digits: string, fields: object = {}, headers: Record<string, string> = {}) =>
  call(
    '/transactions/type/disbursement',
    {
      amount: '5000',
      currency: 'XOF',
      creditParty: [{ key: 'msisdn', value: `+2237612345${digits}` }],
      debitParty: [{ key: 'organisationid', value: '7001' }],
      requestingOrganisationTransactionReference: `reference of ${key}`,
      ...fields,
    },
    { 'x-correlationid': key, ...headers },
  )
/** Follows the response of a correlation id to its state or its transaction. */
async function look(key: string) {
  const { status, body } = await call(`/responses/${key}`)
  return status === 200 ? (await call(body.link)).body : { status }
}
const tell = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).json()
const set = (switches: object) => tell('/switches', { method: 'PUT', body: JSON.stringify(switches) })
const moved = async () => (await tell('/ledger')).moved as number
beforeEach(() => set({ balance: null, throttled: 0, forgets_keys: false, callbacks: 0, ends_after_ms: 20 }))

test('an order is accepted, carried out later, and refused when its correlation id comes again', async () => {
  const [key, before] = [randomUUID(), await moved()]
  const first = await pay(key, '00')
  expect(first).toMatchObject({ status: 202, body: { status: 'pending', notificationMethod: 'polling' } })
  await expect.poll(() => look(key)).toMatchObject({ transactionStatus: 'completed' })
  expect(await look(key)).toMatchObject({
    amount: '5000.00',
    creditParty: [{ key: 'msisdn', value: '+223761234500' }],
    requestingOrganisationTransactionReference: `reference of ${key}`,
    fees: [{ feeAmount: '50', feeCurrency: 'XOF' }],
  })
  const state = await call(`/requeststates/${first.body.serverCorrelationId}`)
  expect(state.body).toMatchObject({ status: 'completed', objectReference: expect.stringMatching(/^TX/) })
  expect(await pay(key, '00', { amount: '6000' })).toMatchObject({
    status: 400,
    body: { errorCategory: 'businessRule', errorCode: 'duplicateRequest' },
  })
  expect((await moved()) - before).toBe(5_000)
})

test.each([
  ['02', 404, 'identifierError'],
  ['03', 400, 'incorrectState'],
  ['04', 400, 'dailyValueLimitExceeded'],
  ['12', 400, 'maxBalanceExceeded'],
])(
  'a number ending in %s is refused with %d %s, and nothing is stored',
  async (digits, status, errorCode) => {
    const key = randomUUID()
    expect(await pay(key, digits)).toMatchObject({ status, body: { errorCode } })
    expect(await look(key)).toEqual({ status: 404 })
  },
)

test.each([
  ['an amount with a blank', { amount: '5 000' }, 'formatError'],
  ['another currency', { currency: 'GHS' }, 'currencyNotSupported'],
  ['no recipient', { creditParty: undefined }, 'mandatoryValueNotSupplied'],
  ['another payer', { debitParty: [{ key: 'organisationid', value: '1' }] }, 'identifierError'],
])('an order with %s is refused', async (_, fields, errorCode) => {
  expect((await pay(randomUUID(), '00', fields)).body).toMatchObject({ errorCode })
})

test('an accepted order can fail, and its money comes back', async () => {
  await set({ balance: 10_000 })
  const key = randomUUID()
  await pay(key, '06')
  await expect
    .poll(() => look(key))
    .toMatchObject({ status: 'failed', error: { errorCode: 'incorrectState' } })
  expect((await call('/accounts/organisationid/7001/balance')).body).toMatchObject({
    availableBalance: '10000.00',
  })
  await set({ balance: 1_000 })
  expect((await pay(randomUUID(), '00')).body.errorCode).toBe('insufficientFunds')
})

test('throttled, failing and lost first responses are followed by the truth', async () => {
  const [throttled, failing, lost] = [randomUUID(), randomUUID(), randomUUID()]
  const first = await pay(throttled, '09')
  expect([first.body.errorCode, first.headers.get('retry-after')]).toEqual(['rateLimitError', '1'])
  expect((await pay(throttled, '09')).status).toBe(202)
  expect((await pay(failing, '07')).status).toBe(500)
  expect(await look(failing)).toEqual({ status: 404 })
  expect((await pay(failing, '07')).status).toBe(202)
  await expect(pay(lost, '08')).rejects.toThrow('fetch failed')
  await expect.poll(() => look(lost)).toMatchObject({ transactionStatus: 'completed' })
})

test('a slow order ends although the operator was killed, and is put to its address as often as asked', async () => {
  const reports: { method: string | undefined; body: unknown }[] = []
  const listener = createServer(async (request, response) => {
    reports.push({ method: request.method, body: await json(request) })
    response.writeHead(204).end()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/report`
  const late = randomUUID()
  expect((await pay(late, '05', {}, { 'x-callback-url': address })).body.notificationMethod).toBe('callback')
  await kill()
  await start()
  await expect
    .poll(() => reports, { timeout: 5_000 })
    .toMatchObject([{ method: 'PUT', body: { transactionStatus: 'completed' } }])
  await set({ callbacks: 2, ends_after_ms: 20 })
  await pay(randomUUID(), '06', {}, { 'x-callback-url': address })
  await expect.poll(() => reports.length, { timeout: 5_000 }).toBe(3)
  expect(reports.at(-1)?.body).toMatchObject({ errorCode: 'incorrectState' })
  listener.close()
  const before = await moved()
  const { transactionReference } = await look(late)
  const back = { 'x-correlationid': randomUUID() }
  expect(
    (await call(`/transactions/${transactionReference}/reversals`, { type: 'reversal' }, back)).status,
  ).toBe(201)
  expect(before - (await moved())).toBe(5_000)
})

test('names and states of accounts are told, and a caller without the key or the hash is refused', async () => {
  const about = (digits: string, what: string) => call(`/accounts/msisdn/%2B2237612345${digits}/${what}`)
  expect((await about('00', 'accountname')).body).toEqual({ name: { fullName: 'Diarra AWA' } })
  expect((await about('03', 'status')).body).toEqual({ status: 'unavailable' })
  expect((await about('02', 'status')).status).toBe(404)
  expect((await call('/heartbeat', undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  expect((await pay(randomUUID(), '00', {}, { 'x-content-hash': 'wrong' })).body.errorCode).toBe(
    'formatError',
  )
})

test('a client that must sign in gets tokens, which end, are revoked after so many calls, and at a restart', async () => {
  await set({ signs_in_by: 'token', token_calls: 2 })
  const sign = async (secret: string, body = 'grant_type=client_credentials') => {
    const basic = Buffer.from(`client:${encodeURIComponent(secret)}`).toString('base64')
    const headers = {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', headers, body })
    return { status: response.status, body: await response.json() }
  }
  expect(await sign('another')).toEqual({ status: 401, body: { error: 'invalid_client' } })
  expect((await sign('a secret', 'grant_type=password')).status).toBe(400)
  const beat = async (token: string) =>
    (await call('/heartbeat', undefined, { authorization: `Bearer ${token}` })).status
  expect(await beat('none')).toBe(401)
  const first = (await sign('a secret')).body
  expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  expect([
    await beat(first.access_token),
    await beat(first.access_token),
    await beat(first.access_token),
  ]).toEqual([200, 200, 401])
  await set({ token_seconds: 0 })
  expect(await beat((await sign('a secret')).body.access_token)).toBe(401)
  await set({ token_seconds: 3600, tokens_failing: true })
  expect((await sign('a secret')).status).toBe(503)
  await set({ tokens_failing: false })
  const last = (await sign('a secret')).body.access_token
  expect((await tell('/ledger')).tokens).toMatchObject({ given: 3 })
  await kill()
  await start()
  await set({ signs_in_by: 'token' })
  expect(await beat(last)).toBe(401)
  await set({ signs_in_by: 'key' })
})
