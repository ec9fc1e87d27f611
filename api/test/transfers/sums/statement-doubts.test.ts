import { Workbook } from 'exceljs'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { untilLocked, waitingForLock } from '../../locks.ts'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from '../payments/retries.ts'

const path = '/admin/transfers/statements'
const stage = await startRetries()
const { portal, approver, paid, retry, settled, payments, correct, atAgency, attemptsOf } = stage
const { agency, approve, ending, imported, killWorker, startWorker } = stage
const officer = await portal.signedInAs('Transfer Officer')
const colleague = await portal.signedInAs('Transfer Officer')
const today = new Date().toISOString().slice(0, 10)
const doubtful =
  /: An answer or a statement of the agency says something else about it and must be looked at first\.$/

/** A payment as a line of a statement has it. */
type Stated = Entry & { transaction?: string }

/** Uploads a statement that has a line with the reference of each payment, and waits until it is compared. */
async function statementWith(
  name: string,
  entries: readonly Stated[],
): Promise<{ id: number; version: number }> {
  const lines = entries.map(({ reference, receiver_phone_number, amount, transaction }, at) =>
    [
      reference,
      transaction ?? `${name} ${at}`,
      receiver_phone_number,
      amount,
      105,
      `${today}T00:00:00Z`,
    ].join(';'),
  )
  const titles = 'Client reference;Transaction id;Mobile;Amount;Fee;Timestamp'
  const sent = await officer.upload(path, {
    statement_file: new File([[titles, ...lines].join('\r\n')], `${name}.csv`),
    transfer_agency_id: 1,
    // A period without payments, so that none is missing in the statement.
    from: '2020-01-01',
    to: '2020-01-31',
  })
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  const { id } = sent.body.statement
  return until(async () => {
    const { statement } = (await officer.get(`${path}/${id}`)).body
    return statement.state === 'open' && statement
  }, 60_000)
}

/** Uploads such a statement and resolves its differences, so that it can be signed. */
async function resolved(name: string, entries: readonly Stated[]): Promise<{ id: number; version: number }> {
  const { id } = await statementWith(name, entries)
  await colleague.post(`${path}/${id}/resolve`, { category: 'theirs', reason: 'The agency says it paid' })
  return (await officer.get(`${path}/${id}`)).body.statement
}
const sign = ({ id, version }: { id: number; version: number }) =>
  approver.post(`${path}/${id}/sign`, { version })

async function signed(name: string, entries: readonly Stated[]): Promise<number> {
  const statement = await resolved(name, entries)
  expect(await sign(statement)).toMatchObject({ status: 200 })
  return statement.id
}

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

type Listed = {
  id: number
  payroll_id: number
  kind: string
  expected: string
  answered: string
  status: string
}
/** The open exceptions of payments, in the order of the payments. */
async function toLookAt(entries: readonly Entry[]): Promise<Listed[]> {
  const { body } = await approver.get('/admin/transfers/exceptions?state=open')
  const open: Listed[] = body.exceptions.data
  return entries.flatMap(({ id }) => open.filter(({ payroll_id }) => payroll_id === id))
}
/** The agency's answers in the Excel file of the open exceptions. */
async function exportedAnswers(): Promise<unknown[]> {
  const asked = await officer.post('/admin/transfers/exceptions/export', { state: 'open' })
  const file = await until(async () => {
    const got = await officer.get(`/storage/exports/${asked.body.file_name}`)
    return got.status === 200 && got
  })
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  const [sheet] = book.worksheets
  const headings = sheet?.getRow(1).values as unknown[]
  return sheet?.getColumn(headings.indexOf('Agency’s answer')).values as unknown[]
}
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
