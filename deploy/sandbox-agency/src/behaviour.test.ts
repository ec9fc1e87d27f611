import { expect, test } from 'vitest'
import { startAgency } from '../test/start-agency.ts'

const slowly = { timeout: 10_000, interval: 100 }

test('numbers ending in 00 and in 10 to 99 are paid, at a fee of 1 % rounded up', async () => {
  const agency = await startAgency()
  const digits = ['00', ...Array.from({ length: 90 }, (_, index) => String(index + 10))]

  const answers = await Promise.all(digits.map((last) => agency.pay(`key-${last}`, last, { amount: 1_001 })))

  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'success', fee: 11, reason: null, reference: 'entry-1' })
    expect(answer.body).not.toHaveProperty('duplicate')
  }
  expect(await agency.summary()).toEqual({ keys: 91, received: 91, executed: 91, executed_amount: 91_091 })
})

test('a fee of 1.1 % on 10,000 francs is 110, not 111', async () => {
  const agency = await startAgency()
  await agency.set({ fee_percent: 1.1 })
  expect((await agency.pay('a', '10', { amount: 10_000 })).body.fee).toBe(110)
})

test('a number ending in 01 meets an empty paying account, however often it is tried', async () => {
  const agency = await startAgency()
  for (const received of [1, 2]) {
    const answer = await agency.pay('a', '01')
    expect([answer.status, answer.body.code]).toEqual([402, 'insufficient_funds_payer'])
    expect(await agency.line('a')).toMatchObject({ received, executed: 0, result: 'refused' })
  }
  expect((await agency.ask('a')).status).toBe(404)
})

test.each([
  ['02', 'account_unknown'],
  ['03', 'account_blocked'],
  ['04', 'limit_exceeded'],
])('a number ending in %s fails for good with %s', async (digits, reason) => {
  const agency = await startAgency()
  const failed = { status: 'failed', reason, fee: 0 }

  const first = await agency.pay('a', digits)
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject(failed)
  expect((await agency.pay('a', digits)).body).toMatchObject({ ...failed, duplicate: true })
  expect((await agency.ask('a')).body).toMatchObject(failed)
  expect(await agency.line('a')).toMatchObject({ received: 2, executed: 0, result: 'failed' })
})

test('a corrected number is paid with a new key, and the refused payment stays refused', async () => {
  const agency = await startAgency()
  const refused = (await agency.pay('a', '02')).body
  await agency.set({ corrected: [refused.phone] })

  expect((await agency.pay('a', '02')).body).toMatchObject({ status: 'failed', duplicate: true })
  expect((await agency.pay('b', '02')).body).toMatchObject({ status: 'success' })
  expect(await agency.summary()).toMatchObject({ keys: 2, executed: 1 })
})

test('a number ending in 05 is pending, and paid three seconds later', { timeout: 15_000 }, async () => {
  const agency = await startAgency()
  const started = Date.now()

  expect((await agency.pay('a', '05')).body).toMatchObject({ status: 'pending' })
  expect((await agency.pay('a', '05')).body).toMatchObject({ status: 'pending', duplicate: true })
  expect(await agency.line('a')).toMatchObject({ executed: 0, result: 'pending' })

  await expect.poll(async () => (await agency.ask('a')).body.status, slowly).toBe('success')
  expect(Date.now() - started).toBeGreaterThan(2_900)
  expect((await agency.pay('a', '05')).body).toMatchObject({ status: 'success', fee: 10, duplicate: true })
  expect(await agency.line('a')).toMatchObject({ received: 3, executed: 1, result: 'success' })
})

test('a number ending in 06 is pending, then fails, and its money is free again', {
  timeout: 15_000,
}, async () => {
  const agency = await startAgency()
  await agency.set({ float_amount: 1_000 })

  expect((await agency.pay('a', '06')).body).toMatchObject({ status: 'pending' })
  expect((await agency.pay('b', '10')).status).toBe(402)
  await expect.poll(async () => (await agency.ask('a')).body.status, slowly).toBe('failed')
  expect((await agency.ask('a')).body.reason).toBe('recipient_unreachable')
  expect((await agency.pay('b', '10')).body.status).toBe('success')
  expect(await agency.line('a')).toMatchObject({ executed: 0, result: 'failed' })
})

test('a number ending in 07 fails with 500 before it is paid, and is paid when sent again', async () => {
  const agency = await startAgency()

  expect((await agency.pay('a', '07')).status).toBe(500)
  expect(await agency.line('a')).toMatchObject({ received: 1, executed: 0, result: 'error' })
  expect((await agency.ask('a')).status).toBe(404)

  expect((await agency.pay('a', '07')).body).toMatchObject({ status: 'success' })
  expect((await agency.pay('a', '07')).body).toMatchObject({ status: 'success', duplicate: true })
  expect(await agency.line('a')).toMatchObject({ received: 3, executed: 1, result: 'success' })
})

test('a number ending in 08 is paid and the reply is lost, as a query and a repeated order show', async () => {
  const agency = await startAgency()

  await expect(agency.pay('a', '08')).rejects.toThrow('fetch failed')
  expect((await agency.ask('a')).body).toMatchObject({ status: 'success', fee: 10 })
  expect((await agency.pay('a', '08')).body).toMatchObject({ status: 'success', duplicate: true })
  expect(await agency.line('a')).toMatchObject({ received: 2, executed: 1, result: 'success' })
})

test('a number ending in 09 is throttled for a second, then paid', async () => {
  const agency = await startAgency()

  const first = await agency.pay('a', '09')
  expect(first.status).toBe(429)
  expect(first.headers.get('retry-after')).toBe('1')
  expect(await agency.line('a')).toMatchObject({ received: 1, executed: 0, result: 'throttled' })
  expect((await agency.pay('a', '09')).body).toMatchObject({ status: 'success' })
  expect(await agency.line('a')).toMatchObject({ received: 2, executed: 1 })
})

test('the lost replies are those of the same keys in every run, and each was paid once', async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`)
  const lostIn = async (agency: Awaited<ReturnType<typeof startAgency>>) => {
    await agency.set({ lost_reply_percent: 30 })
    const sent = await Promise.allSettled(keys.map((key) => agency.pay(key, '10')))
    return keys.filter((_, index) => sent[index]?.status === 'rejected')
  }
  const agency = await startAgency()

  const lost = await lostIn(agency)
  expect(lost.length).toBeGreaterThan(40)
  expect(lost.length).toBeLessThan(80)
  expect(await lostIn(await startAgency())).toEqual(lost)

  for (const key of lost) {
    expect((await agency.pay(key, '10')).body).toMatchObject({ status: 'success', duplicate: true })
    expect(await agency.line(key)).toMatchObject({ received: 2, executed: 1 })
  }
})
