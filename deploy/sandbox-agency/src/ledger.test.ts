import { once } from 'node:events'
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { emptyFolder, launchAgency, startAgency } from '../test/start-agency.ts'

const slowly = { timeout: 10_000, interval: 100 }
const ledgerOf = (folder: string) => join(folder, 'ledger.jsonl')

test('an agency that was killed finds its ledger, settings and float again', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.set({ float_amount: 5_000, fee_percent: 2 })
  for (const digits of ['10', '02', '07', '09', '01']) await agency.pay(`key-${digits}`, digits)
  const before = await agency.ledger()
  const paid = (await agency.ask('key-10')).body
  await agency.end('SIGKILL')

  const again = await startAgency(folder)
  expect(await again.ledger()).toEqual(before)
  expect((await again.ask('key-10')).body).toEqual(paid)
  expect((await again.call('GET', '/settings')).body).toMatchObject({ float_amount: 4_000, fee_percent: 2 })
  expect((await again.pay('key-10', '10')).body).toEqual({ ...paid, duplicate: true })
  expect((await again.pay('key-07', '07')).body.status).toBe('success')
  expect((await again.pay('key-09', '09')).body.status).toBe('success')
  expect(await again.summary()).toEqual({ keys: 5, received: 8, executed: 3, executed_amount: 3_000 })
})

test('a caller who got a success before the agency was killed finds it once in the ledger', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.set({ latency_ms: 50 })
  const acknowledged: string[] = []
  const keys = Array.from({ length: 400 }, (_, index) => `key-${index}`)
  const calls = Promise.allSettled(
    keys.map(async (key, index) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * index))
      if ((await agency.pay(key, '10')).body.status === 'success') acknowledged.push(key)
    }),
  )
  await expect.poll(() => acknowledged.length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(50)
  await agency.end('SIGKILL')
  await calls
  expect(acknowledged.length).toBeLessThan(400)

  const again = await startAgency(folder)
  const lines = new Map((await again.ledger()).map((line) => [line.key, line]))
  for (const key of acknowledged) expect(lines.get(key)).toMatchObject({ executed: 1, result: 'success' })

  await Promise.all(keys.map((key) => again.pay(key, '10')))
  expect((await again.ledger()).every(({ executed }) => executed === 1)).toBe(true)
  expect(await again.summary()).toMatchObject({ keys: 400, executed: 400, executed_amount: 400_000 })
})

test('a last line that was cut off is dropped, and what follows is written whole', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.pay('a', '10')
  await agency.end('SIGTERM')
  const whole = readFileSync(ledgerOf(folder), 'utf8')
  truncateSync(ledgerOf(folder), Buffer.byteLength(whole) - 20)

  const second = await startAgency(folder)
  expect(await second.line('a')).toMatchObject({ received: 1, executed: 1, result: 'success' })
  await second.pay('b', '10')
  await second.end('SIGKILL')
  appendFileSync(ledgerOf(folder), '{"event":"received","key":"c","at":"2026-0')

  const third = await startAgency(folder)
  expect((await third.ledger()).map(({ key, executed }) => [key, executed])).toEqual([
    ['a', 1],
    ['b', 1],
  ])
})

test('a ledger damaged in the middle stops the start with a sentence that names the line', async () => {
  const folder = emptyFolder()
  writeFileSync(ledgerOf(folder), '{"event":"settings","settings":{},"at":""}\nnot a line\n')
  const child = launchAgency(folder)
  const [output, [code]] = await Promise.all([
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ])
  expect(code).toBe(1)
  expect(output).toContain('is damaged at line 2')
  expect(readFileSync(ledgerOf(folder), 'utf8')).toContain('not a line')
})

test('a second agency on a taken port says so and leaves the ledger alone', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  const child = launchAgency(folder, { SANDBOX_AGENCY_PORT: new URL(agency.url).port })
  const [output, [code]] = await Promise.all([
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ])
  expect(code).toBe(1)
  expect(output).toMatch(/^Port \d+ is taken: set SANDBOX_AGENCY_PORT\.\n$/)
})

test('pending payments are decided although the agency was killed meanwhile', {
  timeout: 20_000,
}, async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder)
  await agency.set({ float_amount: 10_000 })
  await agency.pay('paid', '05')
  await agency.pay('failed', '06')
  await agency.end('SIGKILL')

  const again = await startAgency(folder)
  expect((await again.ask('paid')).body.status).toBe('pending')
  await expect.poll(async () => (await again.ask('paid')).body.status, slowly).toBe('success')
  await expect.poll(async () => (await again.ask('failed')).body.status, slowly).toBe('failed')
  expect((await again.call('GET', '/settings')).body.float_amount).toBe(9_000)
  expect(await again.summary()).toMatchObject({ executed: 1, executed_amount: 1_000 })
})

test('an agency that is stopped completes its running calls', async () => {
  const agency = await startAgency()
  await agency.set({ latency_ms: 300 })
  const payment = agency.pay('a', '10')
  await expect.poll(agency.ledger, { interval: 10 }).toHaveLength(1)
  expect(await agency.end('SIGTERM')).toBe(0)
  expect((await payment).body.status).toBe('success')
})

test('history is imported once, and without touching the float', async () => {
  const folder = emptyFolder()
  const agency = await startAgency(folder, { SANDBOX_AGENCY_SEED: 'yes' })
  await agency.set({ float_amount: 700 })
  const entries = Array.from({ length: 5_000 }, (_, index) => ({
    key: `old-${index}`,
    reference: String(index),
    phone: '+22370123410',
    amount: 2_000,
    result: index % 10 === 0 ? 'failed' : 'success',
    reason: index % 10 === 0 ? 'account_blocked' : null,
    at: '2026-03-01T08:00:00.000Z',
    fee: index % 10 === 0 ? 0 : 20,
  }))
  const paid = { keys: 5_000, received: 5_000, executed: 4_500, executed_amount: 9_000_000 }

  expect((await agency.call('POST', '/ledger/import', { entries })).body).toEqual({ imported: 5_000 })
  expect((await agency.call('POST', '/ledger/import', { entries })).body).toEqual({ imported: 0 })
  expect(await agency.summary()).toEqual(paid)
  expect((await agency.call('POST', '/ledger/import', { entries: [...entries, entries[0]] })).status).toBe(
    400,
  )
  await agency.end('SIGKILL')

  const again = await startAgency(folder)
  expect(await again.summary()).toEqual(paid)
  expect((await again.call('GET', '/settings')).body.float_amount).toBe(700)
  expect((await again.ask('old-1')).body).toMatchObject({ status: 'success', fee: 20, at: entries[1]?.at })
  expect((await again.call('POST', '/ledger/import', { entries })).status).toBe(403)
})
