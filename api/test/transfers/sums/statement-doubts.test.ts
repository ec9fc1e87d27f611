import { expect, test } from 'vitest'
import { exported, recordsOf } from '../../exports/workbook.ts'
import { waitingForLock } from '../../locks.ts'
import { until } from '../../portal.ts'
import type { Entry } from '../payments/retries.ts'
import { path, startDoubts } from './doubt-stage.ts'

const {
  portal,
  approver,
  paid,
  retry,
  settled,
  payments,
  correct,
  atAgency,
  agency,
  approve,
  ending,
  imported,
  killWorker,
  startWorker,
  officer,
  doubtful,
  statementWith,
  resolved,
  sign,
  signed,
  toLookAt,
} = await startDoubts()

/** A payment that its agency holds without an outcome until it is made honest again; it refuses it then. */
async function sentOne(name: string): Promise<{ id: number; one: Entry }> {
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['06'] }] })
  const id = await imported(name, ending(6))
  await approve(id)
  const one = await until(async () => {
    const [entry] = await payments(id).catch(() => [])
    return entry?.status === 'sending' && entry
  }, 30_000)
  return { id, one }
}
/** The agency's answers in the Excel file of the open exceptions. */
async function exportedAnswers(): Promise<unknown[]> {
  const file = await exported(officer, '/admin/transfers/exceptions/export', { state: 'open' })
  return (await recordsOf(file)).map((line) => line['Agency’s answer'])
}
const close = (id: number | undefined, decision: string) =>
  approver.post(`/admin/transfers/exceptions/${id}/close`, { decision, reason: 'The agency confirmed it' })

test('a failed payment that a signed statement has as paid is made again only after somebody has decided about it', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('On a statement', 2, 2, 2)
  const [family, mistake, other] = entries as [Entry, Entry, Entry]
  await correct(...entries)
  const statement = await signed('signed', [family, mistake])

  const open = await toLookAt(entries)
  const doubt = { kind: 'statement', expected: 'failed: account_unknown' }
  expect(open).toMatchObject([
    { ...doubt, payroll_id: family.id, answered: `${statement}: 2` },
    { ...doubt, payroll_id: mistake.id, answered: `${statement}: 3` },
  ])
  expect(await exportedAnswers()).toContain(`Statement ${statement}, row 2`)
  expect(await retry([family])).toMatchObject({
    status: 409,
    body: { errors: { [`payroll_ids.${family.id}`]: [expect.stringMatching(doubtful)] } },
  })
  const all = { cohort_id: id, reason: 'account_unknown' }
  expect(await approver.post('/admin/transfers/payrolls/retry', all)).toMatchObject({
    status: 200,
    body: { retried: 1, left_out: 2 },
  })
  expect(await close(open[0]?.id, 'money_moved')).toMatchObject({ status: 200 })
  expect(await close(open[1]?.id, 'status_stands')).toMatchObject({ status: 200 })
  expect((await retry([family])).status).toBe(409)
  expect((await retry([mistake])).status).toBe(200)
  await settled(id)
  expect((await payments(id)).map(({ status }) => status)).toEqual(['failed', 'success', 'success'])
  expect(await Promise.all([family, mistake, other].map(async (one) => (await atAgency(one)).moved))).toEqual(
    [0, 1, 1],
  )
})

test('a failed payment that a statement has as paid waits until the statement is signed or withdrawn', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('On an open statement', 3)
  await correct(...entries)
  const statement = await statementWith('open', entries)
  expect(await retry(entries)).toMatchObject({
    status: 409,
    body: { errors: { [`payroll_ids.${entries[0]?.id}`]: [expect.stringMatching(doubtful)] } },
  })
  const writeOff = { payroll_ids: entries.map((entry) => entry.id), reason: 'Given up' }
  expect(await approver.post('/admin/transfers/arrears/write-off', writeOff)).toMatchObject({ status: 409 })
  expect(await toLookAt(entries)).toEqual([])
  // The database refuses it, too.
  const { pool } = portal.db
  const payment = [entries[0]?.id]
  await pool.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", payment)
  await expect(
    pool.query("update transfer_payrolls set status = 'pending' where id = $1", payment),
  ).rejects.toThrow('cannot go from failed to pending')
  await pool.query(
    "update payment_attempts set state = 'failed', reason = 'cancelled', settled_at = now() where payroll_id = $1 and n = 2",
    payment,
  )
  const reason = 'The statement of another programme'
  expect((await officer.get(`${path}/${statement.id}/withdrawal`)).body).toEqual({
    lines: 1,
    resolved: 0,
    settled: 0,
    freed: 1,
    waiting: 0,
    barred: null,
  })
  expect((await officer.post(`${path}/${statement.id}/withdraw`, { reason })).status).toBe(200)
  expect((await retry(entries)).status).toBe(200)
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'success' }])
})

test('a payment that was made again and paid is looked at only if a line may be about its first order', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Second orders', 2, 2, 2, 2, 2)
  const [byKey, byTransaction, byReference, first, twice] = entries as [Entry, Entry, Entry, Entry, Entry]
  await correct(...entries)
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['02'] }] })
  expect((await retry(entries)).status).toBe(200)
  await until(async () => (await payments(id)).every(({ status }) => status === 'sending'))
  const order = async ({ id: payment }: Entry, n: number): Promise<string> => {
    const { rows } = await portal.owner.query(
      'select idempotency_key as key from payment_attempts where payroll_id = $1 and n = $2',
      [payment, n],
    )
    return rows[0].key
  }
  const answer = await fetch(`${agency.url}/payments/${await order(byTransaction, 2)}`)
  const statement = await resolved('second orders', [
    { ...byKey, reference: await order(byKey, 2) },
    { ...byTransaction, transaction: (await answer.json()).id },
    byReference,
    { ...first, reference: await order(first, 1) },
    { ...twice, reference: await order(twice, 2) },
    { ...twice, reference: await order(twice, 1) },
  ])
  await agency.set({ hostile: [] })
  await settled(id)
  expect((await payments(id)).map(({ status }) => status)).toEqual(entries.map(() => 'success'))
  expect((await sign(statement)).status).toBe(200)
  const open = (await toLookAt(entries)).map(({ payroll_id, answered }) => [payroll_id, answered])
  expect(open.toSorted()).toEqual(
    [
      [byReference.id, `${statement.id}: 4`],
      [first.id, `${statement.id}: 5`],
      [twice.id, `${statement.id}: 6`],
      [twice.id, `${statement.id}: 7`],
    ].toSorted(),
  )
})

test('a payment whose second order fails after a statement was signed that has this order as paid is in doubt', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Second order fails', 6)
  const [one] = entries as [Entry]
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['06'] }] })
  expect((await retry([one])).status).toBe(200)
  await until(async () => (await payments(id))[0]?.status === 'sending')
  const { rows } = await portal.owner.query(
    'select idempotency_key as key from payment_attempts where payroll_id = $1 and n = 2',
    [one.id],
  )
  await signed('second order fails', [{ ...one, reference: rows[0].key }])
  expect(await toLookAt([one])).toEqual([])
  await agency.set({ hostile: [] })
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'failed', state: 'doubted' }])
  expect(await toLookAt([one])).toMatchObject([{ kind: 'statement', status: 'failed' }])
})

test('a payment that fails after a statement was signed that has it as paid is in doubt at once', {
  timeout: 120_000,
}, async () => {
  const { id, one } = await sentOne('Fails later')
  const statement = await signed('later', [one])
  expect(await toLookAt([one])).toEqual([])
  await agency.set({ hostile: [] })
  await settled(id)
  expect(await toLookAt([one])).toMatchObject([
    { payroll_id: one.id, kind: 'statement', answered: `${statement}: 2`, status: 'failed' },
  ])
  expect((await retry([one])).status).toBe(409)
})

test('a payment that fails at the moment at which a statement is signed that has it as paid is in doubt', {
  timeout: 120_000,
}, async () => {
  const { one } = await sentOne('Fails meanwhile')
  const statement = await resolved('meanwhile', [one])
  await killWorker()
  const refusal = await portal.db.pool.connect()
  try {
    await refusal.query('begin')
    const { own } = (await refusal.query('select pg_backend_pid() as own')).rows[0]
    for (const change of [
      "payment_attempts set state = 'failed', reason = 'recipient_unreachable', settled_at = now() where payroll_id = $1",
      "transfer_payrolls set status = 'failed', failure_reason = 'recipient_unreachable' where id = $1",
    ])
      await refusal.query(`update ${change}`, [one.id])
    let answered = false
    const signature = sign(statement).finally(() => {
      answered = true
    })
    // The signature waits for the refusal, or it does not and is over.
    await until(async () => answered || (await waitingForLock(portal.owner, { behind: own })).length)
    await refusal.query('commit')
    expect((await signature).status).toBe(200)
  } finally {
    refusal.release()
  }
  startWorker()
  expect(await toLookAt([one])).toMatchObject([{ payroll_id: one.id, kind: 'statement' }])
})

test('an officer reads that her statement failed on our side when a worker was killed on its last try', async () => {
  await killWorker()
  const sent = await officer.upload(path, {
    statement_file: new File(
      ['Client reference;Amount;Timestamp\r\nnone;10500;2020-01-02T00:00:00Z'],
      'lost.csv',
    ),
    transfer_agency_id: 1,
    from: '2020-01-01',
    to: '2020-01-31',
  })
  const { id } = sent.body.statement
  await portal.owner.query("update agency_statements set state = 'reading' where id = $1", [id])
  // A killed worker leaves a claimed job whose heartbeat has stopped.
  const { rowCount } = await portal.owner.query(
    `update pgboss.job set state = 'active', retry_count = retry_limit, started_on = now(), heartbeat_on = now()
     where name = 'statement' and data->>'id' = $1`,
    [String(id)],
  )
  expect(rowCount).toBe(1)
  await startWorker()
  const failed = await until(async () => {
    const { statement } = (await officer.get(`${path}/${id}`)).body
    return statement.state === 'failed' && statement
  }, 60_000)
  expect(failed.problem).toBe(
    'The statement could not be compared because of an error of the portal. Upload it again.',
  )
})
