import { expect, test } from 'vitest'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { accountHolder, addBank, bankList, type SentFile, sentFile } from './bank.ts'
import { camtFile, type Entry } from './camt-file.ts'
import { ribOf } from './rib.ts'

const stage = await startStage(300)
const { portal, officer, approver, progress } = stage
mortalWorkers(portal.settings).start()
const agency = await addBank(portal)
const colleague = await portal.signedInAs('Transfer Officer')
const sent = (name: string, numbers: number[]) => sentFile(stage, agency, name, numbers)
const now = async ({ cohort: id }: SentFile) => (await progress(id, () => true)).round
const path = '/admin/transfers/statements'
const today = dayFromNow(0)

/** Uploads a statement of the bank, and waits until it is compared. */
async function compared(file: File) {
  const upload = await officer.upload(path, {
    statement_file: file,
    transfer_agency_id: agency,
    from: today,
    to: today,
  })
  return until(async () => {
    const { body } = await officer.get(`${path}/${upload.body.statement.id}`)
    return ['open', 'failed'].includes(body.statement.state) && body.statement
  })
}
const csv = (name: string, lines: string[]) =>
  compared(new File([['Client reference;Amount;Date', ...lines].join('\r\n')], `${name}.csv`))

const camt = (entries: Entry[]) => compared(camtFile(entries, today))
/** Resolves the differences of a statement and signs it. */
async function signed({ id }: { id: number }) {
  for (const category of ['theirs', 'amount', 'fee', 'ours'])
    await colleague.post(`${path}/${id}/resolve`, { category, reason: 'The bank says so' })
  const { statement } = (await officer.get(`${path}/${id}`)).body
  const { status, body } = await approver.post(`${path}/${id}/sign`, { version: statement.version })
  expect([status, body.message]).toEqual([200, expect.any(String)])
}
const countsOf = (statement: { totals: { category: string; count: number }[] }) =>
  Object.fromEntries(statement.totals.map(({ category, count }) => [category, count]))
const confirmedOf = async ({ round }: SentFile) => {
  const { rows } = await portal.owner.query(
    'select p.reference from payment_confirmations c join transfer_payrolls p on p.id = c.payroll_id where p.payroll_group_id = $1',
    [round],
  )
  return rows.length
}
type Finding = { payroll_id: number | null; problem: string | null }
const exceptionsOf = async ({ round }: SentFile) =>
  (await approver.get(`/admin/transfers/exceptions?state=open&payroll_group_id=${round}`)).body.exceptions
    .data

test('money that came in does not count as paid, whatever file the bank writes it in', async () => {
  const made = await sent('Given back', [1, 2, 3])
  const [a, b, c] = made.names
  const statement = await csv('given back', [
    `${a};-10500;${today}`,
    `${b};+10500;${today}`,
    `${c};10 500;${today}`,
    `${a};10500;${today}`,
  ])
  // Of the first girl the file has the payment and its return, of the others the return alone.
  expect(await now(made)).toMatchObject({ pending: 3, success: 0 })
  expect(countsOf(statement)).toEqual({ theirs: 4 })
  const more = await csv('paid', [`${b};-10500;${today}`, `${c};-10500;${today}`])
  expect(countsOf(more)).toEqual({ matched: 2 })
  expect(await now(made)).toMatchObject({ pending: 1, success: 2 })
})

test('a person looks at the second line of a payment in a file without signs, which may be its return', async () => {
  const made = await sent('Without signs', [141])
  const statement = await csv('without signs', [
    `${made.names[0]};10500;${today}`,
    `${made.names[0]};10 500;${today}`,
  ])
  expect(await now(made)).toMatchObject({ success: 1 })
  expect(countsOf(statement)).toEqual({ matched: 1, theirs: 1 })
  const { version } = (await officer.get(`${path}/${statement.id}`)).body.statement
  expect((await approver.post(`${path}/${statement.id}/sign`, { version })).status).toBe(409)
  expect(await confirmedOf(made)).toBe(0)
})

test('a payment that the bank gave back in the same statement stays open, and nothing confirms it', async () => {
  const made = await sent('Returned at once', [11, 12])
  const [a = '', b = ''] = made.names
  const statement = await camt([{ name: a }, { name: b }, { name: a, side: 'CRDT' }])
  expect(await now(made)).toMatchObject({ pending: 1, success: 1 })
  await signed(statement)
  expect(await confirmedOf(made)).toBe(1)
  expect(await exceptionsOf(made)).toEqual([])
})

test('a person decides about a payment that counts as paid once a signed statement says that the bank gave it back', async () => {
  const made = await sent('Returned later', [21, 22])
  const [a = '', b = ''] = made.names
  const first = await camt([{ name: a }, { name: b }])
  expect(await now(made)).toMatchObject({ success: 2 })
  await signed(first)
  expect(await confirmedOf(made)).toBe(2)
  const later = await camt([{ name: a, side: 'CRDT' }])
  expect(await exceptionsOf(made)).toEqual([])
  await signed(later)
  const open = await exceptionsOf(made)
  expect(open).toMatchObject([
    { kind: 'returned', status: 'success', expected: 'success', answered: `${later.id}: 1` },
  ])
  const closing = { decision: 'money_missing', reason: 'The account was closed' }
  expect((await approver.post(`/admin/transfers/exceptions/${open[0].id}/close`, closing)).status).toBe(200)
})

test('an accountant reads of a donor’s transfer that money came in, and of one with a payment’s reference that it was given back', async () => {
  const made = await sent('And a transfer', [101, 102])
  const [a = '', b = ''] = made.names
  await signed(await camt([{ name: a }, { name: b }]))
  const statement = await camt([
    { name: 'DONOR-2026-17', side: 'CRDT', amount: 5_000_000 },
    { name: a, side: 'CRDT' },
    // Banks keep a charge from what they give back.
    { name: b, side: 'CRDT', amount: 10_300 },
  ])
  const { findings } = (await officer.get(`${path}/${statement.id}/findings`)).body
  expect(
    findings.data.map(({ payroll_id, problem }: Finding) => [payroll_id !== null, problem?.split('.')[0]]),
  ).toEqual([
    [false, 'Money came in with a reference that no payment here has'],
    [true, 'The bank gave this payment back or cancelled its entry'],
    [true, 'The bank gave this payment back or cancelled its entry'],
  ])
  await signed(statement)
  expect(await exceptionsOf(made)).toMatchObject([{ kind: 'returned' }, { kind: 'returned' }])
})

test('an officer reads before she withdraws a statement what goes with it and which payments stay paid', async () => {
  const made = await sent('Taken back', [111, 112, 113])
  const [a = '', b = ''] = made.names
  const entries = [{ name: a }, { name: b }, { name: 'NOBODY', id: 'Nobody’s', amount: 9_000 }]
  const statement = await camt(entries)
  const withdrawal = async () => (await officer.get(`${path}/${statement.id}/withdrawal`)).body
  const nothing = { resolved: 0, freed: 0, waiting: 0, barred: null }
  const auditor = await portal.signedInAs('Auditor')
  expect((await auditor.get(`${path}/${statement.id}/withdrawal`)).status).toBe(403)
  expect((await officer.get(`${path}/999/withdrawal`)).status).toBe(404)
  expect(await withdrawal()).toEqual({ ...nothing, lines: 3, settled: 2 })
  await officer.post(`${path}/${statement.id}/resolve`, { category: 'theirs', reason: 'Of somebody else' })
  expect(await withdrawal()).toEqual({ ...nothing, lines: 3, settled: 2, resolved: 1 })
  const withdrawn = await officer.post(`${path}/${statement.id}/withdraw`, { reason: 'Wrong period' })
  expect(withdrawn.status).toBe(200)
  expect(await now(made)).toMatchObject({ pending: 1, success: 2 })
  expect(await confirmedOf(made)).toBe(0)
  expect((await officer.get(`${path}/${statement.id}/findings`)).body.findings.total).toBe(0)
  expect((await withdrawal()).barred).toBe('This statement is not open. Reload the page.')
  // The same file is compared again, and has nothing left to settle.
  const again = await camt(entries)
  expect(again.id).not.toBe(statement.id)
  expect(countsOf(again)).toEqual({ matched: 2, theirs: 1 })
})

test('an officer who withdraws a statement that kept girls from a bank’s file reads who is in the file again and who waits for evidence', async () => {
  const { files, payments } = await waiting('Not of this bank', [121, 122, 123])
  const [first, second] = await payments()
  const before = await camt([{ name: first.reference }])
  const of = async ({ id }: { id: number }) => (await officer.get(`${path}/${id}/withdrawal`)).body
  expect(await of(before)).toMatchObject({ lines: 1, settled: 0, waiting: 0 })
  await officer.post(`${path}/${before.id}/withdraw`, { reason: 'Another bank’s' })
  expect((await approver.get(files)).body.next).toMatchObject({ payments: 3 })
  // Whom the making of the file found on a statement waits for evidence, whatever becomes of the statement.
  const other = await camt([{ name: second.reference }])
  expect((await approver.post(files, { payments: 3, amount: 31_500 })).status).toBe(409)
  expect(await of(other)).toMatchObject({ settled: 0, waiting: 1 })
  await officer.post(`${path}/${other.id}/withdraw`, { reason: 'Another bank’s' })
  expect((await payments()).map(({ status }: { status: string }) => status)).toEqual([
    'pending',
    'unknown',
    'pending',
  ])
  expect((await approver.get(files)).body.next).toMatchObject({ payments: 2 })
})

test('a statement of a day before the file was made says nothing of how fast the bank pays', async () => {
  const made = await sent('Dated back', [51])
  await csv('dated back', [`${made.names[0]};10500;${dayFromNow(-1)}`])
  expect(await now(made)).toMatchObject({ success: 1 })
  const { agencies } = (await approver.get('/admin/transfers/dashboard')).body
  expect(agencies.find(({ id }: { id: number }) => id === agency)).toMatchObject({ seconds_to_pay: null })
})

/** A round of the bank that waits for its file, with its payments. */
async function waiting(name: string, numbers: number[]) {
  const list = bankList(numbers.map((n) => accountHolder(n)))
  const upload = await stage.upload(list, { name, transfer_agency_id: agency })
  await stage.ended(upload.body.import.id)
  const { id } = upload.body.cohort
  await stage.approve(id)
  const { round } = await progress(id, (each) => each.round?.pending === numbers.length)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  const payments = async () => (await approver.get(page)).body.payrollGroup.transfer_payrolls.data
  return { files: `${page}/bank-files`, payments }
}

test('a girl whom a lost file has paid is not in the file that is made after the backup was restored', async () => {
  // The backup is older than the file, so the portal knows no file. The bank's statement has one of three payments of it.
  const { files, payments } = await waiting('Lost file', [61, 62, 63])
  const [paid] = await payments()
  await camt([{ name: paid.reference }])
  expect((await approver.post(files, { payments: 3, amount: 31_500 })).status).toBe(409)
  expect(await payments()).toMatchObject([
    { id: paid.id, status: 'unknown', failure_reason: 'stated_before' },
    { status: 'pending' },
    { status: 'pending' },
  ])
  expect((await approver.get(files)).body.next).toMatchObject({ payments: 2, amount: 21_000 })
  expect((await approver.post(files, { payments: 2, amount: 21_000 })).status).toBe(200)
  // Two people settle it with the line, once the bank has had its time.
  await portal.owner.query(
    "update payment_attempts set created_at = now() - interval '30 days' where payroll_id = $1",
    [paid.id],
  )
  const { lines } = (await officer.get(`/admin/transfers/payments/${paid.id}/evidence`)).body
  expect(lines).toMatchObject([{ reference: paid.reference }])
  const proposed = await officer.upload(`/admin/transfers/payments/${paid.id}/settlements`, {
    outcome: 'paid',
    reason: 'The statement has it',
    line_id: lines[0].id,
  })
  expect(proposed.status).toBe(200)
})

test('nobody makes the file of a round while a statement of its bank is being compared', async () => {
  const { files, payments } = await waiting('Compared meanwhile', [71, 72])
  const [paid] = await payments()
  const lock = await portal.owner.connect()
  await lock.query('begin')
  await lock.query('lock table statement_lines in exclusive mode')
  const statement = camt([{ name: paid.reference }])
  const barred = await until(async () => {
    const { next } = (await approver.get(files)).body
    return next?.barred && next
  })
  expect(barred.barred).toBe(
    'A statement of this bank is being compared, and may have payments of this round. Make the file once it is done.',
  )
  const early = await approver.post(files, { payments: 2, amount: 21_000 })
  expect([early.status, early.body.message]).toEqual([409, barred.barred])
  await lock.query('commit')
  lock.release()
  await statement
  expect((await approver.post(files, { payments: 2, amount: 21_000 })).status).toBe(409)
  expect((await approver.post(files, { payments: 1, amount: 10_500 })).status).toBe(200)
})

test('the account of a girl is the same as an IBAN and as a RIB', async () => {
  const made = await sent('By IBAN', [31, 32])
  const [a = '', b = ''] = made.names
  const statement = await camt([
    { name: a, account: `ML13${ribOf(31)}` },
    { name: b, account: `ML13${ribOf(39)}` },
  ])
  expect(await now(made)).toMatchObject({ success: 1, pending: 1 })
  expect(countsOf(statement)).toEqual({ matched: 1, theirs: 1 })
})

test('the bank’s charge under the reference of a payment is not taken for the payment', async () => {
  const made = await sent('With a charge', [41])
  const [a = ''] = made.names
  const statement = await camt([{ name: a, amount: 105, id: 'charge' }, { name: a }])
  expect(await now(made)).toMatchObject({ success: 1 })
  expect(countsOf(statement)).toEqual({ matched: 1, theirs: 1 })
})

test('an officer withdraws a statement with another fee and a return, and the payments stay paid as the dialog said', async () => {
  const made = await sent('Another fee', [131, 132])
  const [a = '', b = ''] = made.names
  const first = await compared(
    new File(
      [
        ['Client reference;Amount;Fee;Date', `${a};-10500;250;${today}`, `${b};-10500;79;${today}`].join(
          '\r\n',
        ),
      ],
      'another fee.csv',
    ),
  )
  expect(countsOf(first)).toEqual({ fee: 1, matched: 1 })
  const of = async ({ id }: { id: number }) => (await officer.get(`${path}/${id}/withdrawal`)).body
  expect(await of(first)).toMatchObject({ lines: 2, settled: 2 })
  // The return is on another statement, which settles nothing itself.
  const later = await camt([{ name: a, side: 'CRDT' }])
  expect(await of(later)).toMatchObject({ lines: 1, settled: 0, waiting: 0, freed: 0 })
  for (const { id } of [later, first])
    expect((await officer.post(`${path}/${id}/withdraw`, { reason: 'Another bank’s' })).status).toBe(200)
  expect(await now(made)).toMatchObject({ success: 2 })
  expect(await exceptionsOf(made)).toEqual([])
  expect(await confirmedOf(made)).toBe(0)
})
