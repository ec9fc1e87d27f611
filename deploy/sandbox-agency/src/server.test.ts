import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, paymentTo, startAgency } from '../test/start-agency.ts'

test('fifty callers with one key at once move the money once', async () => {
  const agency = await startAgency()
  await agency.set({ latency_ms: 40 })

  const answers = await Promise.all(Array.from({ length: 50 }, () => agency.pay('a', '10')))

  expect(answers.every(({ status, body }) => status === 200 && body.status === 'success')).toBe(true)
  expect(answers.filter(({ body }) => body.duplicate).length).toBe(49)
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await agency.line('a')).toMatchObject({ received: 50, executed: 1, result: 'success' })
  expect(await agency.summary()).toEqual({ keys: 1, received: 50, executed: 1, executed_amount: 1_000 })
})

test.each([
  ['amount', { amount: 1_001 }],
  ['reference', { reference: 'entry-2' }],
  ['phone', { phone: '+22370123411' }],
  ['name', { name: 'Awa Traoré' }],
])('a key is refused with another %s than it had', async (_, change) => {
  const agency = await startAgency()
  await agency.pay('a', '10')

  const other = await agency.pay('a', '10', change)

  expect([other.status, other.body.code]).toEqual([409, 'key_mismatch'])
  expect(await agency.line('a')).toMatchObject({ amount: 1_000, received: 1, executed: 1 })
})

test('an invalid payment is refused with a sentence and is not recorded', async () => {
  const agency = await startAgency()
  const faults = [
    { amount: 0 },
    { amount: -5 },
    { amount: 10.5 },
    { amount: '1000' },
    { phone: '70123410' },
    { phone: undefined },
    { currency: 'EUR' },
    { reference: '' },
    { reference: 7 },
    { name: 7 },
  ]
  for (const fault of faults) {
    const answer = await agency.pay('a', '10', fault)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toContain(Object.keys(fault)[0])
  }
  const withoutKey = await agency.call('POST', '/payments', paymentTo('10'))
  expect([withoutKey.status, withoutKey.body.code]).toEqual([400, 'invalid_request'])
  const notJson = await fetch(`${agency.url}/payments`, {
    method: 'POST',
    body: '{',
    headers: { 'Idempotency-Key': 'a' },
  })
  expect(notJson.status).toBe(400)
  expect(await agency.ledger()).toEqual([])
})

test('a key that was never sent is not found, and all keys of a reference are', async () => {
  const agency = await startAgency()
  await agency.pay('first/key?1', '02')
  await agency.pay('second', '10')
  await agency.pay('third', '01')
  await agency.pay('other', '10', { reference: 'entry-2' })

  expect((await agency.ask('first/key?1')).body.reason).toBe('account_unknown')
  const unknown = await agency.ask('never')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  const { body } = await agency.call('GET', '/payments?reference=entry-1')
  expect(
    body.payments.map((payment: { key: string; status: string }) => [payment.key, payment.status]),
  ).toEqual([
    ['first/key?1', 'failed'],
    ['second', 'success'],
    ['third', 'none'],
  ])
})

test('concurrent payments never take more from the float than it holds, and a refused key is paid later', async () => {
  const agency = await startAgency()
  await agency.set({ float_amount: 10_500, latency_ms: 20 })
  const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`)

  const answers = await Promise.all(keys.map((key) => agency.pay(key, '10')))

  expect(answers.filter(({ status }) => status === 200).length).toBe(10)
  expect(
    answers.filter(({ status, body }) => status === 402 && body.code === 'insufficient_funds_payer').length,
  ).toBe(40)
  expect((await agency.call('GET', '/settings')).body.float_amount).toBe(500)
  expect(await agency.summary()).toMatchObject({ executed: 10, executed_amount: 10_000 })

  await agency.set({ float_amount: null })
  const again = await Promise.all(keys.map((key) => agency.pay(key, '10')))
  expect(again.every(({ body }) => body.status === 'success')).toBe(true)
  expect(await agency.summary()).toEqual({ keys: 50, received: 100, executed: 50, executed_amount: 50_000 })
})

test('a thousand payments wait for the latency at the same time', async () => {
  const agency = await startAgency()
  await agency.set({ latency_ms: 6_000 })
  const started = Date.now()
  const slow = Array.from({ length: 1_000 }, (_, index) => agency.pay(`key-${index}`, '10'))

  await expect
    .poll(async () => (await agency.summary()).executed, { timeout: 20_000, interval: 20 })
    .toBe(1_000)
  const answers = await Promise.all(slow)
  expect((await agency.call('GET', '/ledger/load')).body).toEqual({ orders: 0, most: 1_000 })

  expect(Date.now() - started).toBeGreaterThanOrEqual(6_000)
  expect(answers.every(({ body }) => body.status === 'success')).toBe(true)
})

test('an agency with a token refuses payments and questions without it', async () => {
  const agency = await startAgency(undefined, { SANDBOX_AGENCY_TOKEN: 'open sesame' })
  const bearer = (token: string) => ({ 'Idempotency-Key': 'a', Authorization: `Bearer ${token}` })

  expect((await agency.pay('a', '10')).status).toBe(401)
  expect((await agency.ask('a')).status).toBe(401)
  expect((await agency.call('POST', '/payments', paymentTo('10'), bearer('wrong'))).status).toBe(401)
  expect(await agency.ledger()).toEqual([])
  expect((await agency.call('POST', '/payments', paymentTo('10'), bearer('open sesame'))).status).toBe(200)
})

test('an unreachable agency cuts every payment call and still shows its ledger', async () => {
  const agency = await startAgency()
  await agency.set({ unreachable: true })

  await expect(agency.pay('a', '10')).rejects.toThrow('fetch failed')
  await expect(agency.ask('a')).rejects.toThrow('fetch failed')
  expect(await agency.ledger()).toEqual([])
  await agency.set({ unreachable: false })
  expect((await agency.pay('a', '10')).status).toBe(200)
})

test.each([
  ['latency_ms', -1],
  ['lost_reply_percent', 101],
  ['float_amount', 0.5],
  ['fee_percent', 0.001],
  ['toString', 1],
])('the setting %s is refused as %s, and nothing changes', async (name, value) => {
  const agency = await startAgency()
  const before = (await agency.call('GET', '/settings')).body

  expect((await agency.set({ unreachable: true, [name]: value })).status).toBe(400)
  expect((await agency.call('GET', '/settings')).body).toEqual(before)
})

test('the real port stands in the file that was asked for', async () => {
  const file = join(emptyFolder(), 'port')
  const agency = await startAgency(undefined, { SANDBOX_AGENCY_PORT_FILE: file })
  expect(agency.url).toBe(`http://127.0.0.1:${readFileSync(file, 'utf8').trim()}`)
  expect((await agency.call('GET', '/health')).body).toMatchObject({
    status: 'ok',
    service: 'sandbox-agency',
  })
})
