import { expect, test } from 'vitest'
import { missOldRounds } from '../../../src/transfers/rounds/rounds.service.ts'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { accountHolder, addBank, bankList } from './bank.ts'
import { readPain001 } from './pain001-rules.ts'

const stage = await startStage(60)
const { portal, officer, approver, progress } = stage
const { owner } = portal
let stopWorker = await portal.worker()
const bank = await addBank(portal)
const otherBank = await addBank(portal, 'Banque de la Brousse')
const today = dayFromNow(0)
const statements = '/admin/transfers/statements'

type Row = (string | number | null)[]
/** A round of a list that waits for its file. */
async function waiting(name: string, rows: Row[]) {
  const upload = await stage.upload(bankList(rows), { name, transfer_agency_id: bank })
  await stage.ended(upload.body.import.id)
  const id: number = upload.body.cohort.id
  expect((await stage.approve(id)).status).toBe(200)
  const { round } = await progress(id, (now) => now.round?.pending === rows.length)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  const files = async () => (await approver.get(`${page}/bank-files`)).body
  return {
    id,
    round: round.id as number,
    files,
    next: async () => (await files()).next,
    make: (payments: number, amount = payments * 10_500) =>
      approver.post(`${page}/bank-files`, { payments, amount }),
    payments: async () => (await approver.get(page)).body.payrollGroup.transfer_payrolls.data,
  }
}
const holders = (...numbers: number[]) => numbers.map((n) => accountHolder(n))

/** Uploads a statement and waits until it is compared. */
async function compared(agency: number, content: string, name: string) {
  const upload = await officer.upload(statements, {
    statement_file: new File([content], name),
    transfer_agency_id: agency,
    from: today,
    to: today,
  })
  const page = `${statements}/${upload.body.statement.id}`
  await until(async () => (await officer.get(page)).body.statement.state === 'open')
  return page
}
const csv = (reference: string, amount: string) =>
  `Client reference;Amount;Date\r\n${reference};${amount};${today}`

test('no file is made while sending is held, while no worker runs, or of a missed round, and whoever asks reads why', async () => {
  const { id, make, next, files } = await waiting('Barred', holders(1, 2))
  const barred = async (sentence: string) => {
    expect((await next()).barred).toContain(sentence)
    const answer = await make(2)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining(sentence)])
  }
  await owner.query("insert into sending_holds (reasons, known_until) values ('{behind}', now())")
  await barred('Sending must be released first')
  await owner.query(
    'update sending_holds set released_at = now(), released_by = $1 where released_at is null',
    [approver.user.id],
  )
  await owner.query("update transfer_rounds set state = 'missed' where cohort_id = $1", [id])
  await barred('This round was missed')
  await owner.query("update transfer_rounds set state = 'made' where cohort_id = $1", [id])
  await stopWorker()
  await owner.query("update sending_marks set at = now() - interval '1 minute'")
  await barred('No worker of the portal has reported')
  stopWorker = await portal.worker()
  await until(async () => (await next()).barred === null)
  expect((await files()).bank_files).toEqual([])
  // As many francs as she saw, and another number of payments.
  expect((await make(1, 21_000)).status).toBe(409)
  expect((await make(2)).status).toBe(200)
})

test('a round of a bank waits for the person who makes its file for days, and is not missed', async () => {
  const { id, make, next } = await waiting('Left for days', holders(12))
  for (const table of ['transfer_rounds', 'transfer_payroll_groups'])
    await owner.query(`update ${table} set due_on = due_on - 5 where cohort_id = $1`, [id])
  await owner.query(
    "update transfer_payroll_groups set called_at = called_at - interval '5 days' where cohort_id = $1",
    [id],
  )
  await missOldRounds(portal.db)
  expect((await next()).barred).toBeNull()
  expect((await make(1)).status).toBe(200)
})

test('an accountant who asks for a file again an hour later is told that nothing waits, and not that it was just made', async () => {
  const { round, make } = await waiting('Asked again', holders(3))
  const made = await make(1)
  expect((await make(1)).body).toMatchObject({ bank_file: { id: made.body.bank_file.id } })
  // Another sum is no file that was just made.
  expect((await make(1, 9_000)).status).toBe(409)
  // Rows of files never change, so that the trigger is left out for the hour that passes.
  await owner.query(
    `begin; set local session_replication_role = replica;
     update bank_files set created_at = created_at - interval '1 hour' where payroll_group_id = ${round}; commit`,
  )
  const late = await make(1)
  expect([late.status, late.body.message]).toEqual([409, 'No payment of this round waits to be sent.'])
})

test('the other girls of a list are paid by a file once the girl whose row names no bank is on hold', async () => {
  await owner.query("update transfer_agencies set protocol = 'sandbox' where id = $1", [bank])
  const upload = await stage.upload(bankList([...holders(4), accountHolder(5, { bank: null })]), {
    name: 'Older list',
    transfer_agency_id: bank,
  })
  await stage.ended(upload.body.import.id)
  await owner.query("update transfer_agencies set protocol = 'file' where id = $1", [bank])
  expect((await stage.approve(upload.body.cohort.id)).status).toBe(200)
  const { round } = await progress(upload.body.cohort.id, (now) => now.round?.pending === 2)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  const { data } = (await approver.get(page)).body.payrollGroup.transfer_payrolls
  const { student_id } = data[1]
  const held = await officer.post('/admin/transfers/payee-holds', {
    student_id,
    reason: 'No bank in the list',
  })
  expect(held.body.withheld).toBe(1)
  const { next } = (await approver.get(`${page}/bank-files`)).body
  expect(next).toMatchObject({ payments: 1, amount: 10_500, barred: null })
  const made = await approver.post(`${page}/bank-files`, { payments: 1, amount: 10_500 })
  expect(made.status).toBe(200)
})

test('a girl whom a signed statement of her bank shows as paid is in no file', async () => {
  const { make, payments } = await waiting('Signed before', holders(6, 7))
  const [paid] = await payments()
  const page = await compared(bank, csv(paid.reference, '-10500'), 'signed.csv')
  const colleague = await portal.signedInAs('Transfer Officer')
  await colleague.post(`${page}/resolve`, { category: 'theirs', reason: 'A file that nobody here knows' })
  const { version } = (await officer.get(page)).body.statement
  expect((await approver.post(`${page}/sign`, { version })).status).toBe(200)
  expect((await make(2)).status).toBe(409)
  expect((await make(1)).status).toBe(200)
  expect(await payments()).toMatchObject([
    { status: 'unknown', failure_reason: 'stated_before' },
    { status: 'sending' },
  ])
})

test('a girl is in the file although her bank’s statement has a return under her reference, or another bank’s has a line', async () => {
  const { make, payments } = await waiting('Not paid before', holders(8, 9))
  const [one, other] = await payments()
  await compared(
    bank,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="XOF">10500</Amt>
     <CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${one.reference}</EndToEndId>
     </Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
    'returned.xml',
  )
  await compared(otherBank, csv(other.reference, '-10500'), 'other.csv')
  expect((await make(2)).status).toBe(200)
  expect(await payments()).toMatchObject([{ status: 'sending' }, { status: 'sending' }])
})

test('no file is made while a statement of the bank waits for a worker, because it may have payments of the round', async () => {
  const { make, next } = await waiting('Statement queued', holders(10))
  await stopWorker()
  const upload = await officer.upload(statements, {
    statement_file: new File([csv('nobody’s', '-10500')], 'queued.csv'),
    transfer_agency_id: bank,
    from: today,
    to: today,
  })
  expect(upload.status).toBe(200)
  await owner.query('update sending_marks set at = now()')
  expect((await next()).barred).toContain('A statement of this bank is being compared')
  expect((await make(1)).status).toBe(409)
  stopWorker = await portal.worker()
  await until(async () => (await next()).barred === null)
  expect((await make(1)).status).toBe(200)
})

test('the order of a payment that is made again is noted with the account that pays it, and the log with the hash of the file', async () => {
  const { round, make, files } = await waiting('Made again', holders(11))
  await make(1)
  const { rows } = await owner.query(
    `with a as (update payment_attempts a set state = 'failed', reason = 'AC04', settled_at = now() from transfer_payrolls p
       where p.id = a.payroll_id and p.payroll_group_id = $1 returning a.payroll_id)
     update transfer_payrolls p set status = 'failed', failure_reason = 'AC04' from a where p.id = a.payroll_id returning p.id::int`,
    [round],
  )
  const retried = await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [rows[0].id] })
  expect(retried.status).toBe(200)
  const second = await make(1)
  expect(second.status).toBe(200)
  const attempts = await owner.query(
    `select a.n, a.state, a.tries, l.protocol, l.account from payment_attempts a left join payment_lines l on l.id = a.line_id
     where a.payroll_id = $1 order by a.n`,
    [rows[0].id],
  )
  expect(attempts.rows).toMatchObject([
    { n: 1, state: 'failed', protocol: 'file' },
    { n: 2, state: 'sending', tries: 1, protocol: 'file', account: attempts.rows[0].account },
  ])
  const file = (await approver.get(second.body.bank_file.download_url)).bytes
  const { orders } = readPain001(file.toString('utf8'))
  const named = await owner.query(
    'select o.end_to_end_id, b.sha256 from bank_file_payments o join bank_files b on b.id = o.bank_file_id where b.id = $1',
    [second.body.bank_file.id],
  )
  const listed = (await files()).bank_files.map((each: { id: number }) => each.id)
  expect(listed[0]).toBe(second.body.bank_file.id)
  expect(listed).toHaveLength(2)
  expect(named.rows).toMatchObject([{ end_to_end_id: orders[0]?.end_to_end_id }])
  const log = await owner.query(
    `select v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'bank file made' and a.auditable_id = $1 order by a.id desc limit 1`,
    [round],
  )
  expect(log.rows[0].new_values).toMatchObject({
    bank_file: second.body.bank_file.id,
    payments: 1,
    amount: 10_500,
    sha256: named.rows[0].sha256,
  })
})

test('a name that is too long for a bank is cut, and no space is left at its end', async () => {
  const [row = []] = holders(13)
  const { make } = await waiting('Long name', [[`${'A'.repeat(69)} Bintou`, ...row.slice(1)]])
  const made = await make(1)
  const file = (await approver.get(made.body.bank_file.download_url)).bytes
  expect(readPain001(file.toString('utf8'))).toMatchObject({ faults: [], orders: [{ name: 'A'.repeat(69) }] })
})

test('an accountant reads that the content of a file for a bank was deleted after its time', async () => {
  const { make, files } = await waiting('Deleted', holders(14))
  const { download_url } = (await make(1)).body.bank_file
  expect((await files()).bank_files).toMatchObject([{ download_url }])
  await owner.query(
    'update files set dropped_at = now() where id = (select file_id from bank_files order by id desc limit 1)',
  )
  expect((await files()).bank_files).toMatchObject([{ download_url: null }])
  expect(await approver.get(download_url)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('was deleted') },
  })
})
