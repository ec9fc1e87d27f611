import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from './retries.ts'

const stage = await startRetries()
const { portal, agency, paid, retry, payments } = stage
const { correct, atAgency, attemptsOf } = stage

/** Makes a failed payment again and waits until its second order is on its way. */
async function sentAgain(name: string, behaviour: object): Promise<{ id: number; one: Entry }> {
  const { id, entries } = await paid(name, 2)
  const [one] = entries as [Entry]
  await correct(one)
  await agency.set({ ...behaviour })
  expect((await retry([one])).status).toBe(200)
  await until(async () => ['sending', 'unknown'].includes((await payments(id))[0]?.status ?? ''))
  return { id, one }
}
/** The agency says after all that it paid the order that it had refused. */
const isPaidAfterAll = ({ id }: Entry) =>
  portal.owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1 and n = 1`,
    [id],
  )

test('a payment that comes back unsent while an answer about its first order is in doubt does not wait to be sent again', {
  timeout: 120_000,
}, async () => {
  const { id, one } = await sentAgain('Comes back', { latency_ms: 3_000, float_amount: 0 })
  await isPaidAfterAll(one)
  await until(async () => (await payments(id))[0]?.status !== 'sending', 60_000)
  await agency.set({ latency_ms: 0, float_amount: null })
  expect(await payments(id)).toMatchObject([{ status: 'failed', failure_reason: 'account_unknown' }])
  expect(await attemptsOf(one)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  expect((await retry([one])).status).toBe(409)
  expect((await atAgency(one)).moved).toBe(0)
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('an order that its agency does not know is not sent again while an answer about the order before it is in doubt', {
  timeout: 120_000,
}, async () => {
  const { id, one } = await sentAgain('Not known', { hostile: [{ mode: 'error_unpaid' }] })
  await isPaidAfterAll(one)
  const tries = async () =>
    (await portal.owner.query('select tries from payment_attempts where payroll_id = $1 and n = 2', [one.id]))
      .rows[0].tries
  // A call that began before has ended once the agency is asked again.
  const before = await tries()
  await until(async () => (await tries()) > before, 60_000)
  await agency.set({ hostile: [] })
  await until(async () => (await payments(id))[0]?.failure_reason !== 'http_500', 60_000)
  expect((await atAgency(one)).moved).toBe(0)
  expect(await payments(id)).toMatchObject([{ status: 'unknown', failure_reason: 'not_found_settling' }])
})
