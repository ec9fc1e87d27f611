import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import type { Entry } from '../payments/retries.ts'
import { path, startDoubts } from './doubt-stage.ts'

const {
  portal,
  paid,
  retry,
  settled,
  payments,
  correct,
  atAgency,
  attemptsOf,
  agency,
  killWorker,
  startWorker,
  officer,
  colleague,
  doubtful,
  statementWith,
  sign,
  signed,
  toLookAt,
} = await startDoubts()

const faultsOf = async (cohort: string) =>
  (await verifyLedger(portal.db)).faults.filter((fault) => fault.includes(cohort))
/** Stops a cohort, or lets it go on. */
const stopped = (id: number, stop: boolean) =>
  portal.owner.query(`update transfer_cohorts set stopped_at = ${stop ? 'now()' : 'null'} where id = ${id}`)
/** Makes failed payments again that then wait, because their cohort is stopped before a worker can send them. */
async function waiting(id: number, entries: readonly Entry[]) {
  await killWorker()
  expect((await retry(entries)).status).toBe(200)
  await stopped(id, true)
  startWorker()
}
/** Does something while a statement with these payments is compared, which has locked all of them but the last one. */
async function whileCompared(
  name: string,
  entries: readonly Entry[],
  act: (comparing: number) => Promise<unknown>,
) {
  const lock = await portal.owner.connect()
  try {
    await lock.query('begin')
    const { own } = (await lock.query('select pg_backend_pid()::int as own')).rows[0]
    await lock.query('select from transfer_payrolls where id = $1 for no key update', [entries.at(-1)?.id])
    const compared = statementWith(name, entries)
    const [comparing = 0] = await untilLocked(portal.owner, { behind: own, ms: 60_000 })
    await act(comparing)
    await lock.query('commit')
    await compared
  } finally {
    lock.release(true)
  }
}

test('a payment that was made again and waits is not sent once a statement is signed that has its first order as paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Waits again', 2)
  const [one] = entries as [Entry]
  await correct(one)
  await waiting(id, [one])
  const statement = await signed('waits', [one])
  expect(await toLookAt([one])).toMatchObject([
    { payroll_id: one.id, kind: 'statement', answered: `${statement}: 2`, status: 'failed' },
  ])
  await stopped(id, false)
  expect(await payments(id)).toMatchObject([{ status: 'failed', failure_reason: 'account_unknown' }])
  expect(await attemptsOf(one)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  expect((await atAgency(one)).moved).toBe(0)
})

test('a payment that was made again and waits is not sent while an open statement has its first order as paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Waits for a signature', 2, 2)
  const [kept, withdrawn] = entries as [Entry, Entry]
  await correct(...entries)
  await waiting(id, entries)
  const statement = await statementWith('first orders', [kept])
  const other = await statementWith('of another programme', [withdrawn])
  expect(await payments(id)).toMatchObject([
    { status: 'failed', failure_reason: 'account_unknown', state: 'doubted' },
    { status: 'failed', failure_reason: 'account_unknown', state: 'doubted' },
  ])
  expect(await attemptsOf(kept)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  // Nobody has to close an exception while the statement can still be withdrawn.
  expect(await toLookAt(entries)).toEqual([])
  await stopped(id, false)
  expect((await retry(entries)).status).toBe(409)

  const reason = 'The statement of another programme'
  expect((await officer.post(`${path}/${other.id}/withdraw`, { reason })).status).toBe(200)
  expect((await retry([withdrawn])).status).toBe(200)
  await settled(id)
  await colleague.post(`${path}/${statement.id}/resolve`, { category: 'theirs', reason })
  expect((await sign((await officer.get(`${path}/${statement.id}`)).body.statement)).status).toBe(200)
  expect(await toLookAt(entries)).toMatchObject([
    { payroll_id: kept.id, kind: 'statement', expected: 'failed: account_unknown' },
  ])
  expect(await Promise.all([kept, withdrawn].map(async (one) => (await atAgency(one)).moved))).toEqual([0, 1])
  expect(await faultsOf('Waits for a signature')).toEqual([])
})

test('a payment that a worker claims at the moment at which a statement is compared that has it as paid is not sent', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Claimed meanwhile', 2, 2)
  const [one] = entries as [Entry, Entry]
  await correct(...entries)
  await waiting(id, [one])
  await whileCompared('claimed', entries, async (comparing) => {
    await stopped(id, false)
    await untilLocked(portal.owner, { behind: comparing, ms: 60_000 })
  })
  await settled(id)
  expect(await payments(id)).toMatchObject([{ state: 'doubted' }, { state: 'doubted' }])
  expect((await atAgency(one)).moved).toBe(0)
})

test('a person who makes a payment again at the moment at which a statement is compared that has it as paid is refused', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Retried meanwhile', 2, 2)
  const [one] = entries as [Entry, Entry]
  await correct(...entries)
  let answer: ReturnType<typeof retry> | undefined
  await whileCompared('retried', entries, async (comparing) => {
    answer = retry([one])
    await untilLocked(portal.owner, { behind: comparing })
  })
  expect(await answer).toMatchObject({
    status: 409,
    body: { errors: { [`payroll_ids.${one.id}`]: [expect.stringMatching(doubtful)] } },
  })
  await settled(id)
  expect((await atAgency(one)).moved).toBe(0)
})

test('a payment that comes back from its worker unsent is not sent again while an open statement has its first order as paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Comes back', 2)
  const [one] = entries as [Entry]
  await correct(one)
  await waiting(id, [one])
  const { pool } = portal.db
  // As a worker claims it, and gives it back, because the agency cannot be called.
  const move = (from: string, to: string) =>
    pool.query(
      `with a as (update payment_attempts set state = '${to}' where payroll_id = $1 and state = '${from}' returning payroll_id)
       update transfer_payrolls p set status = '${to}' from a where p.id = a.payroll_id`,
      [one.id],
    )
  // A worker that takes the agency meanwhile would call the order unknown.
  const leased = (seconds: number) =>
    portal.owner.query(
      `update agency_leases set lease_until = now() + interval '${seconds} seconds' where agency_id = 1`,
    )
  await leased(60)
  await move('pending', 'sending')
  await statementWith('comes back', [one])
  expect(await payments(id)).toMatchObject([{ status: 'sending' }])
  await move('sending', 'pending')
  await leased(0)
  expect(await payments(id)).toMatchObject([{ status: 'failed', failure_reason: 'account_unknown' }])
  expect(await attemptsOf(one)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  expect(await faultsOf('Comes back')).toEqual([])
})

test('an order that its agency does not know is not sent again while an open statement has the order before it as paid', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Not known meanwhile', 2)
  const [one] = entries as [Entry]
  await correct(one)
  await agency.set({ hostile: [{ mode: 'error_unpaid' }] })
  expect((await retry([one])).status).toBe(200)
  const again = async () => (await payments(id))[0]
  await until(async () => ['sending', 'unknown'].includes((await again())?.status ?? ''))
  const { id: statement } = await statementWith('Of its first order', [one])
  const tries = async () =>
    (await portal.owner.query('select tries from payment_attempts where payroll_id = $1 and n = 2', [one.id]))
      .rows[0].tries
  // A call that began before has ended once the agency is asked again.
  const before = await tries()
  await until(async () => (await tries()) > before, 60_000)
  await agency.set({ hostile: [] })
  await until(async () => (await again())?.failure_reason !== 'http_500', 60_000)
  expect((await atAgency(one)).moved).toBe(0)
  expect(await again()).toMatchObject({ status: 'unknown', failure_reason: 'not_found_settling' })
  await officer.post(`${path}/${statement}/withdraw`, { reason: 'The file of another month' })
  await until(async () => (await again())?.status === 'success', 60_000)
})

test('a payment that was made again and is on its way when a statement is compared is brought to its end', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('On its way', 2)
  const [one] = entries as [Entry]
  await correct(one)
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['02'] }] })
  expect((await retry([one])).status).toBe(200)
  await until(async () => (await payments(id))[0]?.status === 'sending')
  await statementWith('on its way', [one])
  expect(await payments(id)).toMatchObject([{ status: 'sending' }])
  await agency.set({ hostile: [] })
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'success' }])
  expect((await atAgency(one)).moved).toBe(1)
})
