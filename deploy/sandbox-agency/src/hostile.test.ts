import { expect, test } from 'vitest'
import { emptyFolder, startAgency } from '../test/start-agency.ts'

const slowly = { timeout: 10_000, interval: 100 }

test.each([
  ['other_amount', { amount: 10_000 }],
  ['other_reference', { reference: 'entry-1-of-somebody-else' }],
  ['other_phone', { phone: '+22370123477' }],
  ['other_currency', { currency: 'EUR' }],
  ['other_key', { key: 'a-of-somebody-else' }],
  ['repeated_id', { id: 'SA000000001' }],
  ['stale_answer', { id: 'SA000000001', key: 'before', reference: 'entry-0' }],
  ['fraction_fee', { fee: 10.5 }],
  ['nul_id', { id: 'SA000000002\u0000' }],
  ['wrong_types', { id: ['SA000000002'], amount: '1000', fee: {}, reference: 7 }],
])('an agency set to %s moves what it was told to and answers something else', async (mode, answer) => {
  const agency = await startAgency()
  await agency.pay('before', '10', { reference: 'entry-0' })
  await agency.set({ hostile: [{ mode }] })

  expect((await agency.pay('a', '10')).body).toMatchObject(answer)
  expect((await agency.ask('a')).body).toMatchObject(answer)
  const { body } = await agency.call('GET', '/payments?reference=entry-1')
  expect(body.payments[0]).toMatchObject(answer)
  expect(await agency.line('a')).toMatchObject({ amount: 1_000, reference: 'entry-1', executed: 1 })
})

test('an answer that is not JSON, or is cut, comes after the money has moved', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'not_json' }] })
  await expect(agency.pay('a', '10')).rejects.toThrow('JSON')
  await agency.set({ hostile: [{ mode: 'cut_body' }] })
  await expect(agency.pay('b', '10')).rejects.toThrow('terminated')
  await expect(agency.ask('a')).rejects.toThrow('terminated')
  await agency.set({ hostile: [] })
  expect((await agency.ask('b')).body).toMatchObject({ status: 'success', reference: 'entry-1' })
  expect(await agency.summary()).toMatchObject({ executed: 2 })
})

test('a huge answer is the right one behind 64 MiB of padding', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'huge_body' }] })
  const { body } = await agency.pay('a', '10')
  expect(body.padding).toHaveLength(64 << 20)
  expect(body).toMatchObject({ status: 'success', reference: 'entry-1' })
})

test('a dripping answer comes byte by byte, and nobody else waits for it', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'drip', numbers: ['10'], ms: 5 }] })
  const dripping = agency.pay('a', '10')
  expect((await agency.pay('b', '11')).body.status).toBe('success')
  const started = Date.now()
  expect((await dripping).body.status).toBe('success')
  expect(Date.now() - started).toBeGreaterThan(500)
})

test('a slow number waits for its own time, before and after the money moves', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'slow', numbers: ['10'], ms: 600 }] })
  const started = Date.now()
  await Promise.all([agency.pay('a', '10'), agency.pay('b', '11')])
  expect(Date.now() - started).toBeGreaterThanOrEqual(600)
})

test('an agency that always fails has never heard of the payment, until it is honest again', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'error_unpaid' }] })
  for (const received of [1, 2]) {
    expect((await agency.pay('a', '10')).status).toBe(500)
    expect((await agency.ask('a')).status).toBe(404)
    expect(await agency.line('a')).toMatchObject({ received, executed: 0, result: 'error' })
  }
  await agency.set({ hostile: [] })
  expect((await agency.pay('a', '10')).body.status).toBe('success')
})

test('an agency may pay, say that it failed and forget; its own ledger still knows', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'error_paid' }, { mode: 'forgets' }] })
  expect((await agency.pay('a', '10')).status).toBe(500)
  expect((await agency.ask('a')).status).toBe(404)
  expect((await agency.call('GET', '/payments?reference=entry-1')).body).toEqual({ payments: [] })
  expect((await agency.call('GET', '/payments')).body).toEqual({ payments: [], next: null })
  expect((await agency.call('GET', '/movements')).body.movements).toEqual([])
  expect(await agency.line('a')).toMatchObject({ executed: 1, result: 'success' })
  expect((await agency.call('GET', '/ledger/movements')).body.movements).toMatchObject([{ key: 'a' }])
})

test('an agency that forgets keys pays the same one again', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'forgets_keys' }] })
  const ids = [(await agency.pay('a', '10')).body.id, (await agency.pay('a', '10')).body.id]
  expect(ids).toEqual(['SA000000001', 'SA000000001-2'])
  expect(await agency.line('a')).toMatchObject({ received: 2, executed: 2 })
})

test('an agency may carry out another body under a known key, and its statement tells both', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.pay('a', '10')
  expect((await agency.pay('a', '10', { amount: 2_000 })).status).toBe(409)
  await agency.set({ hostile: [{ mode: 'accepts_other_body' }] })
  expect((await agency.pay('a', '11', { amount: 2_000, reference: 'entry-2' })).status).toBe(200)
  const moved = [
    { n: 1, reference: 'entry-1', phone: '+22370123410', amount: 1_000 },
    { n: 2, reference: 'entry-2', phone: '+22370123411', amount: 2_000 },
  ]
  expect((await agency.call('GET', '/movements')).body.movements).toMatchObject(moved)
  expect(await agency.summary()).toEqual({ keys: 1, received: 2, executed: 2, executed_amount: 3_000 })
  await agency.end('SIGKILL')

  const again = await startAgency(folder)
  expect((await again.call('GET', '/movements')).body.movements).toMatchObject(moved)
  expect((await again.call('GET', '/settings')).body.hostile).toEqual([{ mode: 'accepts_other_body' }])
})

test('an agency contradicts itself in either order; the money has moved once', async () => {
  const agency = await startAgency()
  await agency.set({
    hostile: [
      { mode: 'failed_first', numbers: ['10'] },
      { mode: 'failed_later', numbers: ['11'] },
    ],
  })
  expect((await agency.pay('a', '10')).body).toMatchObject({ status: 'failed', fee: 0 })
  expect((await agency.ask('a')).body).toMatchObject({ status: 'success' })
  expect((await agency.pay('b', '11')).body).toMatchObject({ status: 'success' })
  expect((await agency.ask('b')).body).toMatchObject({ status: 'failed' })
  expect(await agency.summary()).toMatchObject({ executed: 2 })
})

test('an agency may claim a success without a movement', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'success_unpaid' }] })
  expect((await agency.pay('a', '10')).body.status).toBe('success')
  expect(await agency.line('a')).toMatchObject({ executed: 0, result: 'success' })
  expect((await agency.call('GET', '/movements')).body).toMatchObject({ movements: [], last: 0 })
})

test('a payment held pending stays so until the agency is honest again, also over a restart', {
  timeout: 30_000,
}, async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.set({ hostile: [{ mode: 'pending_forever' }] })
  expect((await agency.pay('a', '10')).body.status).toBe('pending')
  await agency.end('SIGKILL')

  const again = await startAgency(folder)
  await again.set({ latency_ms: 3_500 })
  expect((await again.ask('a')).body.status).toBe('pending')
  await again.set({ latency_ms: 0, hostile: [] })
  await expect.poll(async () => (await again.ask('a')).body.status, slowly).toBe('success')
})

test('a throttling agency asks to come back, as often as it is asked', async () => {
  const agency = await startAgency()
  await agency.set({ hostile: [{ mode: 'throttles' }] })
  for (const _ of [1, 2]) expect((await agency.pay('a', '10')).status).toBe(429)
  expect(await agency.line('a')).toMatchObject({ executed: 0, result: 'throttled' })
})

test('a percentage strikes the same keys in every run, and a place narrows a rule', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`)
  const struckIn = async (agency: Awaited<ReturnType<typeof startAgency>>) => {
    await agency.set({ hostile: [{ mode: 'other_amount', percent: 30, on: ['send'] }] })
    const answers = await Promise.all(keys.map((key) => agency.pay(key, '10')))
    return keys.filter((_, index) => answers[index]?.body.amount !== 1_000)
  }
  const agency = await startAgency()
  const struck = await struckIn(agency)
  expect(struck.length).toBeGreaterThan(15)
  expect(struck.length).toBeLessThan(45)
  expect(await struckIn(await startAgency())).toEqual(struck)
  expect((await agency.ask(struck[0] as string)).body.amount).toBe(1_000)
})

test('the list and the statement come in pages, from an instant on, with the balance', async () => {
  const agency = await startAgency()
  await agency.set({ float_amount: 10_000 })
  for (const key of ['a', 'b']) await agency.pay(key, '10', { reference: key })
  await agency.pay('refused', '02', { reference: 'refused' })
  const middle = new Date().toISOString()
  await agency.pay('c', '10', { reference: 'c' })
  const get = async (path: string) => (await agency.call('GET', path)).body

  const first = await get('/movements?limit=2')
  expect(first).toMatchObject({ next: 2, last: 3, balance: 7_000 })
  expect(first.movements).toMatchObject([
    { n: 1, id: 'SA000000001', key: 'a', reference: 'a', amount: 1_000, currency: 'XOF', fee: 10 },
    { n: 2, key: 'b' },
  ])
  expect(await get('/movements?limit=2&after=2')).toMatchObject({ movements: [{ key: 'c' }], next: null })
  expect((await get(`/movements?since=${middle}`)).movements).toMatchObject([{ key: 'c' }])
  expect(await get('/payments?limit=3')).toMatchObject({
    payments: [{ n: 1, key: 'a', status: 'success' }, { key: 'b' }, { key: 'refused', status: 'failed' }],
    next: 3,
  })
  expect((await get(`/payments?since=${middle}&after=3`)).payments).toMatchObject([{ n: 4, key: 'c' }])
  expect(await get('/balance')).toEqual({ balance: 7_000, currency: 'XOF' })
  for (const wrong of ['since=yesterday', 'after=-1', 'limit=0', 'limit=1001'])
    expect((await agency.call('GET', `/movements?${wrong}`)).status).toBe(400)
})

test.each([
  [[{ mode: 'nonsense' }]],
  [[{ mode: 'drip', ms: 0 }]],
  [[{ mode: 'drip', percent: 101 }]],
  [[{ mode: 'drip', numbers: ['1'] }]],
  [[{ mode: 'drip', on: ['everywhere'] }]],
  [[{ mode: 'drip', other: 1 }]],
  [{ mode: 'drip' }],
])('the rules %j are refused, and nothing changes', async (hostile) => {
  const agency = await startAgency()
  expect((await agency.set({ hostile })).status).toBe(400)
  expect((await agency.call('GET', '/settings')).body.hostile).toEqual([])
})
