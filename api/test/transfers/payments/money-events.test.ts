import { Kysely, PostgresDialect, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { DB } from '../../../src/kit/database/database.types.ts'
import type { Reader } from '../../../src/kit/database/db.ts'
import { verifyAgencies } from '../../../src/transfers/agencies/ledger-agencies.service.ts'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { verifyEvents } from '../../../src/transfers/ledger/ledger-events.service.ts'
import { runCommand } from '../../commands.ts'
import { type Entry, startRetries } from './retries.ts'

const stage = await startRetries()
const {
  portal,
  agency,
  officer,
  approver,
  cohort,
  imported,
  approve,
  ending,
  progress,
  payments,
  paid,
  correct,
  retry,
  settled,
} = stage

/** The database role of the api and the worker. */
const app = portal.db.pool
const faults = async () => (await verifyLedger(portal.db)).faults
const eventsOf = async ({ id }: { id: number }) =>
  (
    await portal.owner.query(
      `select e.kind, e.status_before, e.status, e.amount, e.agency_fees is not null as charged, e.external_trx_id is not null as moved,
         e.reason, (select a.n from payment_attempts a where a.id = e.attempt_id) as attempt
       from money_events e where e.payroll_id = $1 order by e.id`,
      [id],
    )
  ).rows
const kindsOf = async (entry: { id: number }) => (await eventsOf(entry)).map(({ kind }) => kind)

test('an auditor reads the way of each payment: paid at once, failed and made again, failed and written off', {
  timeout: 60_000,
}, async () => {
  const { id, entries } = await paid('Every way', 10, 2, 3)
  const [made, again, gone] = entries as [Entry, Entry, Entry]
  expect(await eventsOf(made)).toMatchObject([
    { kind: 'expected', status_before: null, status: 'pending', amount: 10_500, attempt: null },
    { kind: 'instructed', status_before: 'pending', status: 'sending', attempt: 1, moved: false },
    {
      kind: 'paid',
      status_before: 'sending',
      status: 'success',
      attempt: 1,
      moved: true,
      charged: true,
      reason: null,
    },
  ])
  await correct(again)
  expect((await retry([again])).status).toBe(200)
  await settled(id)
  expect(await eventsOf(again)).toMatchObject([
    { kind: 'expected' },
    { kind: 'instructed', attempt: 1 },
    { kind: 'failed', attempt: 1, reason: 'account_unknown' },
    { kind: 'retried', attempt: 2, status_before: 'failed', status: 'pending' },
    { kind: 'instructed', attempt: 2 },
    { kind: 'paid', attempt: 2 },
  ])
  await approver.post('/admin/transfers/arrears/write-off', { payroll_ids: [gone.id], reason: 'Moved away' })
  expect(await kindsOf(gone)).toEqual(['expected', 'instructed', 'failed', 'written_off'])
  expect(await faults()).toEqual([])
})

test('an auditor reads that a payment was of unknown outcome before the agency answered', async () => {
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await imported('No answer', ending(32))
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  await agency.set({ hostile: [] })
  await settled(id)
  const [payment] = await payments(id)
  expect(await kindsOf(payment as Entry)).toEqual(['expected', 'instructed', 'unknown', 'paid'])
  expect(await faults()).toEqual([])
})

test('an auditor reads that a girl on hold was not paid, and was paid after her release', async () => {
  const rows = ending(10)
  const { rows: girls } = await portal.owner.query('select id::int from students where student_code = $1', [
    rows[0]?.[3],
  ])
  await officer.post('/admin/transfers/payee-holds', { student_id: girls[0].id, reason: 'Two guardians' })
  const id = await imported('On hold', rows)
  await approve(id)
  await settled(id)
  const [payment] = (await payments(id)) as [Entry]
  expect(await kindsOf(payment)).toEqual(['expected', 'withheld'])
  const { body } = await approver.get('/admin/transfers/payee-holds?state=open')
  await approver.post(`/admin/transfers/payee-holds/${body.holds.data[0].id}/release`)
  await retry([payment])
  await settled(id)
  expect(await kindsOf(payment)).toEqual(['expected', 'withheld', 'released', 'instructed', 'paid'])
  expect(await faults()).toEqual([])
})

test('an auditor reads that an agency’s fee of a paid payment was corrected', async () => {
  const { entries } = await paid('Fee corrected', 10)
  const [payment] = entries as [Entry]
  await portal.owner.query('update transfer_payrolls set agency_fees = agency_fees where id = $1', [
    payment.id,
  ])
  expect(await kindsOf(payment)).toEqual(['expected', 'instructed', 'paid'])
  await portal.owner.query('update transfer_payrolls set agency_fees = agency_fees + 5 where id = $1', [
    payment.id,
  ])
  expect((await eventsOf(payment)).at(-1)).toMatchObject({
    kind: 'fee_corrected',
    status_before: 'success',
    status: 'success',
    attempt: 1,
  })
  await portal.owner.query('update transfer_payrolls set agency_fees = agency_fees - 5 where id = $1', [
    payment.id,
  ])
  expect(await faults()).toEqual([])
})

test('nobody can write, change or delete an event', async () => {
  const copy = `insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status, amount, fees)
    select 'expected', payroll_id, payroll_group_id, agency_id, 'pending', amount, fees from money_events limit 1`
  for (const attack of [
    copy,
    'update money_events set amount = 1',
    'delete from money_events',
    'truncate money_events',
  ])
    await expect(app.query(attack)).rejects.toMatchObject({ code: '42501' })
  for (const attack of [
    'update money_events set amount = 1',
    'delete from money_events',
    'truncate money_events',
  ])
    await expect(portal.owner.query(attack)).rejects.toThrow('only ever added to')
})

/** Looks after a change by the owner of the database with the triggers disabled. Nothing of it stays. */
async function changedBehind<T>(change: string, { id }: Entry, look: (tx: Reader) => Promise<T>): Promise<T> {
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: portal.owner }) })
  const tx = await owner.startTransaction().execute()
  try {
    for (const table of ['money_events', 'transfer_payrolls', 'transfer_payroll_groups', 'payment_attempts'])
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await sql.raw(change.replaceAll('$1', String(id))).execute(tx)
    return await look(tx)
  } finally {
    await tx.rollback().execute()
  }
}

test('an operator compares the agency’s own list, and finds what it paid without an order and what it did not pay', {
  timeout: 60_000,
}, async () => {
  const { entries } = await paid('At the agency', 10, 2)
  const [made] = entries as [Entry, Entry]
  const verify = () =>
    runCommand(portal.settings, 'ledger-verify', ['--agencies'], '', { PORTAL_AGENCY_HOSTS: agency.host })
  const verified = await verify()
  expect(verified).toMatchObject({ code: 0, err: '' })
  expect(verified.out).toMatch(/^Sandbox: \d+ payments in its list\.\nThe ledger holds: /)
  // The key of another order: ours is not in the list, and theirs is not here.
  const forged = await changedBehind(
    'update payment_attempts set idempotency_key = gen_random_uuid(), external_trx_id = null where payroll_id = $1',
    made,
    async (tx) => (await verifyAgencies(tx, portal.settings)).flatMap((agency) => agency.faults),
  )
  expect(forged).toEqual([
    expect.stringContaining(`paid an order that no attempt here has: reference ${made.reference}`),
    '1 payments that count as made are not in its list',
  ])
  await fetch(`${agency.url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-nobody' },
    body: JSON.stringify({
      reference: 'nobody',
      phone: '+22370000010',
      amount: 500,
      currency: 'XOF',
      name: 'Nobody',
    }),
  })
  expect(await verify()).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'agency "Sandbox": it paid an order that is not known here: reference nobody, key a-key-of-nobody',
    ),
  })
  const { rows: kept } = await portal.owner.query(
    'select agencies, differences, payments > 0 as compared from ledger_checks order by id',
  )
  expect(kept).toEqual([
    { agencies: 1, differences: 0, compared: true },
    { agencies: 1, differences: 1, compared: true },
  ])
})

test('an auditor finds each change that somebody made behind the back of the portal, with the payment', {
  timeout: 60_000,
}, async () => {
  const { id, entries } = await paid('Forged', 10, 2)
  const [made, failed] = entries as [Entry, Entry]
  await stage.killWorker()
  const of = (rest: string) => `cohort ${id} "Forged": ${rest}`
  const one = (entry: Entry, rest: string) => of(`1 payments (${entry.id}) ${rest}`)
  const forgeries: [change: string, entry: Entry, found: string[]][] = [
    [
      "delete from money_events where payroll_id = $1 and kind = 'instructed'",
      made,
      [one(made, 'have events that do not follow from each other')],
    ],
    [
      "delete from money_events where payroll_id = $1 and kind = 'paid'",
      made,
      [
        one(made, 'are not as their last event left them'),
        one(made, 'have an attempt with an outcome that no event has'),
        of('round 1 has 10500 francs disbursed, its events give 0'),
        of('round 1 has 210 francs fees, its events give 0'),
        of('round 1 has 0 francs pending and unknown, its events give 10500'),
      ],
    ],
    [
      'update money_events set amount = 10600 where payroll_id = $1',
      made,
      [
        one(made, 'are not as their last event left them'),
        of('round 1 has 21000 francs expected, its events give 21100'),
        of('round 1 has 10500 francs disbursed, its events give 10600'),
      ],
    ],
    [
      "update money_events set external_trx_id = 'X' where payroll_id = $1 and kind = 'paid'",
      made,
      [one(made, 'were paid by another attempt, agency or transaction than their event says')],
    ],
    [
      "update transfer_payrolls set status = 'success', failure_reason = null where id = $1",
      failed,
      [one(failed, 'are not as their last event left them')],
    ],
    [
      'update transfer_payrolls set written_off_at = now() where id = $1',
      failed,
      [one(failed, 'are not written off as their events say')],
    ],
    [
      `insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status, amount, fees)
       select 'expected', id + 1000000, payroll_group_id, 1, 'pending', amount, fees from transfer_payrolls where id = $1`,
      made,
      [
        of(`1 payments (${made.id + 1_000_000}) have events but do not exist`),
        of('round 1 has 21000 francs expected, its events give 31500'),
        of('round 1 has 0 francs pending and unknown, its events give 10500'),
      ],
    ],
    [
      'update transfer_payroll_groups set failed_amount = failed_amount - 500, pending_amount = pending_amount + 500 where id = (select payroll_group_id from transfer_payrolls where id = $1)',
      failed,
      [
        of('round 1 has 500 francs pending and unknown, its events give 0'),
        of('round 1 has 10000 francs arrears, its events give 10500'),
      ],
    ],
    [
      `insert into money_events (kind, payroll_id, payroll_group_id, agency_id, status_before, status, amount, fees, agency_fees,
         source_id)
       select 'confirmed', id, payroll_group_id, 1, 'success', 'success', amount, fees, agency_fees, 7 from transfer_payrolls where id = $1`,
      made,
      [one(made, 'are not confirmed by the statement that their events say')],
    ],
  ]
  for (const [change, entry, found] of forgeries)
    expect(await changedBehind(change, entry, async (tx) => (await verifyEvents(tx)).faults), change).toEqual(
      found,
    )
  expect(await faults()).toEqual([])
  expect((await cohort(id)).status).toBe('approved')
})
