import { afterAll, expect, test } from 'vitest'
import { addPeople, addRound } from '../../../test/people.ts'
import { startPortal, until } from '../../../test/portal.ts'
import { startAgency } from '../../../test/transfers/agencies/agency.ts'
import { Worker } from '../../../test/transfers/payments/paying.ts'
import { mortalWorkers } from '../../../test/workers.ts'
import { beginTenure, LeaseLost, renewLease, takeLease } from './agency-lease.service.ts'
import { claimPayments, claimQuestions, recordLine } from './payments.service.ts'
import { settlePayments } from './settlement.service.ts'

const agency = await startAgency()
afterAll(() => agency.close())
const portal = await startPortal({ agencyHosts: [agency.host] })
const { officer } = await addPeople(portal.db, 2000, agency.url)
const workers = mortalWorkers(portal.settings)

type Counters = {
  total: number
  pending: number
  sending: number
  success: number
  failed: number
  unknown: number
  success_amount: number
}
async function counters(round: number): Promise<Counters> {
  const { rows } = await portal.db.pool.query<Counters>(
    'select * from transfer_payroll_groups where id = $1',
    [round],
  )
  return rows[0] as Counters
}

/** Waits until the round's counters satisfy a condition. */
const reached = (round: number, holds: (now: Counters) => boolean) =>
  until(async () => {
    const now = await counters(round)
    return holds(now) && now
  }, 90_000)

/** Compares the portal's round with the agency's own ledger, payment by payment (Money 4.1). */
async function expectPaidExactlyOnce(round: number) {
  const { rows: payments } = await portal.db.pool.query<{
    reference: string
    status: string
    amount: number
  }>('select reference, status, amount from transfer_payrolls where payroll_group_id = $1', [round])
  const executed = new Map<string, number>()
  const keys = new Map<string, Set<string>>()
  let moved = 0
  const ours = new Set(payments.map((payment) => payment.reference))
  for (const line of await agency.ledger()) {
    if (!ours.has(line.reference)) continue
    executed.set(line.reference, (executed.get(line.reference) ?? 0) + line.executed)
    keys.set(line.reference, (keys.get(line.reference) ?? new Set()).add(line.key))
    if (line.executed > 0) moved += line.amount
  }
  const wrong = payments.filter(
    (payment) => (executed.get(payment.reference) ?? 0) !== (payment.status === 'success' ? 1 : 0),
  )
  expect(wrong).toEqual([])
  expect([...keys.values()].filter((used) => used.size > 1)).toEqual([])
  expect(payments.filter((payment) => payment.status === 'pending' || payment.status === 'sending')).toEqual(
    [],
  )
  const now = await counters(round)
  expect(now.success_amount).toBe(moved)
  expect(payments.filter((payment) => payment.status === 'success')).toHaveLength(now.success)
}

/**
 * The simulator answers by the last two digits. All are used except 01 ("account empty"), which would halt the cohort.
 */
const everyKind = (n: number) => (n % 100 === 1 ? 11 : n % 100)

test('a worker killed five times during a round of 2,000 pays everybody at most once and leaves nobody out', {
  timeout: 150_000,
}, async () => {
  await agency.set({ latency_ms: 250, lost_reply_percent: 3 })
  const { round } = await addRound(portal.db, officer, 2000, 'Killed', everyKind)
  for (let kill = 1; kill <= 6; kill++) {
    const worker = workers.start()
    const before = await counters(round)
    const at = await reached(round, (now) => now.success >= before.success + 100)
    await workers.end(worker, 'SIGKILL')
    expect(at.pending, `kill ${kill} lands inside the round`).toBeGreaterThan(0)
  }
  await agency.set({ latency_ms: 5, lost_reply_percent: 3 })
  const worker = workers.start()
  const done = await reached(round, (now) => now.pending + now.sending + now.unknown === 0)
  await workers.end(worker, 'SIGTERM')
  // Of each hundred numbers 02, 03, 04 and 06 are refused by the agency.
  expect(done).toMatchObject({ total: 2000, failed: 80, success: 1920 })
  await expectPaidExactlyOnce(round)
})

test('two workers that share a round never pay the same person', { timeout: 60_000 }, async () => {
  await agency.set({ latency_ms: 20, lost_reply_percent: 0 })
  const { round } = await addRound(portal.db, officer, 600, 'Shared')
  const first = workers.start()
  const second = workers.start()
  await reached(round, (now) => now.success > 50)
  // Either worker may have the lease, so both are frozen in turn, for longer than the lease lasts.
  for (const worker of [first, second]) {
    worker.kill('SIGSTOP')
    await reached(round, (now) => now.success > 300 || now.pending + now.sending + now.unknown === 0)
    worker.kill('SIGCONT')
  }
  const done = await reached(round, (now) => now.pending + now.sending + now.unknown === 0)
  expect(done.success).toBe(600)
  await Promise.all([workers.end(first, 'SIGTERM'), workers.end(second, 'SIGTERM')])
  await expectPaidExactlyOnce(round)
})

/** Leases the agency like a worker, and records the address that it would send to. */
async function takeAgency(owner: string) {
  const lease = await takeLease(portal.db.pool, owner)
  if (!lease) throw new Error('the agency was not to be had')
  const id = await recordLine(portal.db.pool, {
    agency_id: lease.agency_id,
    endpoint: agency.url,
    account: '',
    protocol: 'sandbox',
    version: 1,
  })
  return { lease, line: { id, repeat_hours: 1 } }
}
const letRunOut = () => portal.db.pool.query('update agency_leases set lease_until = now()')

test('a worker whose agency was taken over cannot claim or write anything more', async () => {
  const { round } = await addRound(portal.db, officer, 10, 'Fenced')
  const pool = portal.db.pool
  const { lease: old, line } = await takeAgency('old')
  const claimed = await claimPayments(pool, old, line, round, 5)
  expect(claimed).toHaveLength(5)
  await letRunOut()
  const { lease: next } = await takeAgency('new')
  expect(next).toMatchObject({ fence: old.fence + 1, unclean: true })
  const outcome = { kind: 'success', external_trx_id: 'late', agency_fees: null, echo: {} } as const
  await expect(
    settlePayments(
      pool,
      old,
      claimed.map((payment) => ({ payment, outcome, mismatch: null })),
    ),
  ).rejects.toBeInstanceOf(LeaseLost)
  await expect(claimPayments(pool, old, line, round, 5)).rejects.toBeInstanceOf(LeaseLost)
  expect(await counters(round)).toMatchObject({ pending: 5, sending: 5, success: 0 })
})

test('an order that was slowed down and sent again by a worker that died is not taken for one that was not sent', async () => {
  const { round } = await addRound(portal.db, officer, 1, 'Slowed down')
  const pool = portal.db.pool
  await letRunOut()
  const { lease: old, line } = await takeAgency('slowed')
  const [payment] = await claimPayments(pool, old, line, round, 1)
  if (!payment) throw new Error('nothing was claimed')
  const outcome = { kind: 'not_sent', reason: 'too_many_requests', wait_ms: 0 } as const
  await settlePayments(pool, old, [{ payment, outcome, mismatch: null }])
  const due = () =>
    pool.query('update payment_attempts set ask_at = now() where id = $1', [payment.attempt_id])
  await due()
  // It is asked about and then sent again. The worker dies before the agency answers.
  const asked = async (...by: [typeof old, typeof line]) =>
    (await claimQuestions(pool, ...by, 100)).find(({ attempt_id }) => attempt_id === payment.attempt_id)
  expect(await asked(old, line)).toMatchObject({ reason: 'too_many_requests' })
  await letRunOut()
  const { lease, line: same } = await takeAgency('next')
  await beginTenure(pool, lease, (await renewLease(pool, lease))?.opened_with ?? '')
  const question = await asked(lease, same)
  if (!question) throw new Error('nothing is asked about')
  // The cohort was stopped, and the agency does not find the order that is still on its way.
  const worker = new Worker({ group_id: round, cohort_id: 1, may_send: false, pending: 0 })
  worker.found(question)
  worker.queried(question, { kind: 'not_found' })
  await settlePayments(pool, lease, worker.did('write'))
  expect(await counters(round)).toMatchObject({ pending: 0, unknown: 1 })
})

/**
 * A comparison of a statement that locks a payment and, once the worker has waited for it for half a second, runs a second statement that
 * waits for the worker. The server looks for a deadlock when somebody has waited for a second, so the worker is found first, on a busy
 * machine too. It has locked the payment when this resolves to what ends with the comparison.
 */
async function comparedAgainstWorker(payrollId: number, then: string) {
  const ended = portal.owner.query(`do $$ begin
    perform from transfer_payrolls where id = ${payrollId} for no key update;
    while not exists (select from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid)) and waitstart < clock_timestamp() - interval '0.5 s') loop
      perform pg_sleep(0.01);
    end loop;
    ${then};
  end $$`)
  await until(
    async () =>
      (await portal.owner.query("select from pg_stat_activity where wait_event = 'PgSleep'")).rowCount,
  )
  return { ended }
}

test('a worker that loses a deadlock with a statement’s comparison writes its outcomes once more', async () => {
  const { round } = await addRound(portal.db, officer, 1, 'Deadlock')
  await letRunOut()
  const { lease, line } = await takeAgency('deadlocked')
  const [payment] = await claimPayments(portal.db.pool, lease, line, round, 1)
  if (!payment) throw new Error('nothing was claimed')
  const { ended } = await comparedAgainstWorker(
    payment.payroll_id,
    `perform from payment_attempts where id = ${payment.attempt_id} for no key update`,
  )
  const outcome = { kind: 'success', external_trx_id: 'once more', agency_fees: null, echo: {} } as const
  await settlePayments(portal.db.pool, lease, [{ payment, outcome, mismatch: null }])
  await ended
  expect(await counters(round)).toMatchObject({ sending: 0, success: 1 })
})

test('a worker that loses a deadlock with a statement’s comparison claims its payments once more, and keeps its agency', async () => {
  const { round } = await addRound(portal.db, officer, 2, 'Claimed in a deadlock')
  await letRunOut()
  const { lease, line } = await takeAgency('claiming')
  const { rows } = await portal.owner.query<{ id: number }>(
    'select id from transfer_payrolls where payroll_group_id = $1 order by id',
    [round],
  )
  const [first, last] = rows.map(({ id }) => id)
  if (!first || !last) throw new Error('there are no payments')
  const { ended } = await comparedAgainstWorker(
    last,
    `perform from transfer_payrolls where id = ${first} for no key update`,
  )
  expect(await claimPayments(portal.db.pool, lease, line, round, 2)).toHaveLength(2)
  await ended
  expect(await counters(round)).toMatchObject({ pending: 0, sending: 2 })
})

test('nobody can make a second attempt, change a key or reopen a final payment, not even in the database', async () => {
  const { round } = await addRound(portal.db, officer, 3, 'Guarded')
  const pool = portal.db.pool
  await letRunOut()
  const { lease, line } = await takeAgency('guard')
  const [first, second] = await claimPayments(pool, lease, line, round, 2)
  if (!first || !second) throw new Error('nothing was claimed')
  await settlePayments(pool, lease, [
    {
      payment: first,
      outcome: { kind: 'success', external_trx_id: 'one', agency_fees: 1, echo: {} },
      mismatch: null,
    },
    { payment: second, outcome: { kind: 'unknown', reason: 'silence' }, mismatch: null },
  ])
  const refused = async (statement: string, ...values: unknown[]) =>
    expect(pool.query(statement, values)).rejects.toMatchObject({
      code: expect.stringMatching(/^(23514|23505|42501)$/),
    })
  await refused("update transfer_payrolls set status = 'failed' where id = $1", first.payroll_id)
  await refused("update payment_attempts set state = 'failed' where id = $1", first.attempt_id)
  await refused(
    'update payment_attempts set idempotency_key = gen_random_uuid() where id = $1',
    second.attempt_id,
  )
  await refused('insert into payment_attempts (payroll_id, n) values ($1, 2)', second.payroll_id)
  await refused('insert into payment_attempts (payroll_id, n) values ($1, 2)', first.payroll_id)
  await refused("update transfer_payrolls set status = 'pending' where id = $1", second.payroll_id)
  await refused('update transfer_payrolls set amount = amount + 1 where id = $1', second.payroll_id)
  await refused('delete from payment_attempts where id = $1', first.attempt_id)
  await refused('delete from transfer_payrolls where id = $1', first.payroll_id)
  await refused('update transfer_payroll_groups set success = success + 1 where id = $1', round)
})
