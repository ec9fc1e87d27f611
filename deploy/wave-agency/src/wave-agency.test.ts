import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'wave-agency-'))
let child: ChildProcess
let url: string
async function start() {
  const main = join(import.meta.dirname, 'main.ts')
  child = spawn(process.execPath, [main], {
    env: { ...process.env, WAVE_AGENCY_DIR: folder, WAVE_AGENCY_KEY: 'key' },
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

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: 'Bearer key', ...(init.headers as Record<string, string>) },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const pay = (key: string, digits: string, fields: object = {}) =>
  call('/v1/payout', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({
      currency: 'XOF',
      receive_amount: '5000',
      mobile: `+2217712345${digits}`,
      client_reference: `reference of ${key}`,
      ...fields,
    }),
  })
const search = async (key: string) =>
  (await call(`/v1/payouts/search?client_reference=${encodeURIComponent(`reference of ${key}`)}`)).body.result
const set = (switches: object) => call('/switches', { method: 'PUT', body: JSON.stringify(switches) })
const moved = async () => (await call('/ledger')).body.moved as number
beforeEach(() => set({ balance: null, throttled: 0, forgets_keys: false, callback: null }))

test('a key pays once, and with another body it is refused', async () => {
  const before = await moved()
  const first = await pay('a', '00')
  expect(first.body).toMatchObject({ status: 'succeeded', receive_amount: '5000', fee: '50' })
  expect((await pay('a', '00')).body).toEqual(first.body)
  expect(await pay('a', '00', { receive_amount: '6000' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency-mismatch' },
  })
  expect(await search('a')).toEqual([first.body])
  expect((await moved()) - before).toBe(5_000)
})

test.each([
  ['01', 'insufficient-funds'],
  ['02', 'recipient-account-inactive'],
  ['03', 'recipient-account-blocked'],
  ['04', 'recipient-limit-exceeded'],
  ['12', 'recipient-minor'],
])('a number ending in %s is refused with %s, and nothing is stored', async (digits, code) => {
  expect(await pay(`no ${digits}`, digits)).toMatchObject({ status: 422, body: { code } })
  expect(await search(`no ${digits}`)).toEqual([])
})

test('an order is refused while the wallet is empty, and paid with the same key once it is filled', async () => {
  await set({ balance: 1_000 })
  expect(await pay('empty', '00')).toMatchObject({ status: 422, body: { code: 'insufficient-funds' } })
  await set({ balance: 20_000 })
  expect((await pay('empty', '00')).body.status).toBe('succeeded')
  expect((await call('/v1/balance')).body).toEqual({ amount: '14950', currency: 'XOF' })
})

test('throttled, failing and lost first responses are followed by the truth', async () => {
  const throttled = await pay('b', '09')
  expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await pay('b', '09')).status).toBe(200)
  expect((await pay('c', '07')).status).toBe(500)
  expect(await search('c')).toEqual([])
  expect((await pay('c', '07')).status).toBe(200)
  await expect(pay('d', '08')).rejects.toThrow('fetch failed')
  expect(await search('d')).toMatchObject([{ status: 'succeeded' }])
})

test('a slow payout ends although the wallet was killed, and can be reversed', async () => {
  expect((await pay('late', '05')).body.status).toBe('processing')
  await kill()
  await start()
  const ended = async () => (await search('late'))[0]
  await expect.poll(async () => (await ended()).status, { timeout: 5_000 }).toBe('succeeded')
  const { id } = await ended()
  const before = await moved()
  expect((await call(`/v1/payout/${id}/reverse`, { method: 'POST', body: '{}' })).status).toBe(200)
  expect((await call(`/v1/payout/${id}`)).body.status).toBe('reversed')
  expect(before - (await moved())).toBe(5_000)
})

test('a payout that has ended is reported as often as asked, with a signature', async () => {
  const events: { body: string; signature: string }[] = []
  const listener = createServer(async (request, response) => {
    events.push({ body: await text(request), signature: String(request.headers['wave-signature']) })
    response.end()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  await set({ callback: { url: `http://127.0.0.1:${port}`, secret: 'secret', times: 2 } })
  expect((await pay('reported', '05')).body.status).toBe('processing')
  await expect.poll(() => events.length, { timeout: 5_000 }).toBe(2)
  const [, seconds, given] = events[0]?.signature.match(/^t=(\d+),v1=([0-9a-f]{64})$/) ?? []
  expect(given).toBe(createHmac('sha256', 'secret').update(`${seconds}${events[0]?.body}`).digest('hex'))
  listener.close()
  expect(JSON.parse(events[0]?.body ?? '').data).toMatchObject({
    status: 'succeeded',
    client_reference: 'reference of reported',
  })
})

test('names are compared, and a caller without the key is told so', async () => {
  const verify = (digits: string) =>
    call('/v1/verify_recipient/', {
      method: 'POST',
      body: JSON.stringify({ mobile: `+2217712345${digits}`, name: 'Awa' }),
    })
  expect((await verify('00')).body).toMatchObject({ name_match: 'MATCH', within_limits: true })
  expect((await verify('13')).body.name_match).toBe('NO_MATCH')
  expect((await call('/v1/balance', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
})
