import { expect, test } from 'vitest'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { accountHolder, addBank, bankList } from './bank.ts'
import { readPain001 } from './pain001-rules.ts'
import { ribOf } from './rib.ts'

const stage = await startStage(40)
const { portal, officer, approver, progress } = stage
mortalWorkers(portal.settings).start()
const agency = await addBank(portal)
const today = dayFromNow(0)
const statements = '/admin/transfers/statements'

/** A round of two payments that waits for its file. */
async function waiting(name: string, numbers: [number, number]) {
  const list = bankList(numbers.map((n) => accountHolder(n)))
  const upload = await stage.upload(list, { name, transfer_agency_id: agency })
  await stage.ended(upload.body.import.id)
  const { id } = upload.body.cohort
  await stage.approve(id)
  const { round } = await progress(id, (now) => now.round?.pending === 2)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  return {
    id,
    make: (payments = 2) => approver.post(`${page}/bank-files`, { payments, amount: payments * 10_500 }),
    payments: async () => (await approver.get(page)).body.payrollGroup.transfer_payrolls.data,
    files: async () => (await approver.get(`${page}/bank-files`)).body.bank_files,
  }
}

/** Asks for a file, does something else once the file is written and waits for a lock, and returns the answer. */
async function whileItWaits(
  lock: string,
  make: () => ReturnType<typeof approver.post>,
  meanwhile: () => Promise<unknown>,
) {
  const other = await portal.owner.connect()
  await other.query('begin')
  await other.query(lock)
  const asked = make()
  try {
    await untilLocked(portal.db.pool)
    await meanwhile()
  } finally {
    await other.query('commit')
    other.release()
  }
  return asked
}
/** A lock for which the file waits after it was written, and no approver. */
const line = 'lock table payment_lines in exclusive mode'
/** The lock under which the payments of a file are claimed. */
const lease = `select from agency_leases where agency_id = ${agency} for update`

test('no file is made of a cohort that an approver stops at that moment', async () => {
  const { id, make, payments, files } = await waiting('Stopped at once', [1, 2])
  const stop = `update transfer_cohorts set stopped_at = now() where id = ${id}`
  const answer = await whileItWaits(stop, make, async () => {})
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Resume them first')])
  expect(await payments()).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  expect(await files()).toEqual([])
})

test('no file is made of a cohort that an approver stops while it is written', async () => {
  const { id, make, files } = await waiting('Stopped meanwhile', [3, 4])
  const stop = async () =>
    expect((await approver.post(`/admin/transfers/cohorts/${id}/stop`)).status).toBe(200)
  expect((await whileItWaits(lease, make, stop)).status).toBe(409)
  expect(await files()).toEqual([])
})

test('no file pays a girl who is put on hold while it is written', async () => {
  const { make, payments, files } = await waiting('On hold meanwhile', [5, 6])
  const [girl] = await payments()
  const hold = async () => {
    const { student_id } = girl
    const held = await officer.post('/admin/transfers/payee-holds', { student_id, reason: 'Two guardians' })
    expect(held.body.withheld).toBe(1)
  }
  expect((await whileItWaits(lease, make, hold)).status).toBe(409)
  expect(await files()).toEqual([])
  expect((await make(1)).status).toBe(200)
  expect(await payments()).toMatchObject([{ state: 'held' }, { status: 'sending' }])
})

test('no file is made that pays from an account that is not the bank’s any more', async () => {
  const { make, files } = await waiting('Another account', [7, 8])
  const change = () =>
    portal.owner.query(
      `update transfer_agencies set details = details || jsonb_build_object('payer_account', $2::text) where id = $1`,
      [agency, ribOf(998)],
    )
  expect((await whileItWaits(lease, make, change)).status).toBe(409)
  expect(await files()).toEqual([])
})

test('a girl is in no file if a statement that shows her as paid was compared while the file was written', async () => {
  const { make, payments, files } = await waiting('Compared meanwhile', [9, 10])
  const [paid] = await payments()
  const compare = async () => {
    const sent = await officer.upload(statements, {
      statement_file: new File(
        [`Client reference;Amount;Date\r\n${paid.reference};10500;${today}`],
        'lost.csv',
      ),
      transfer_agency_id: agency,
      from: today,
      to: today,
    })
    const page = `${statements}/${sent.body.statement.id}`
    await until(async () => (await officer.get(page)).body.statement.state === 'open')
  }
  expect((await whileItWaits(lease, make, compare)).status).toBe(409)
  expect(await files()).toEqual([])
  expect((await make()).status).toBe(409)
  expect((await make(1)).status).toBe(200)
  expect(await payments()).toMatchObject([{ status: 'unknown' }, { status: 'sending' }])
})

test('no file has a payment that stops waiting at the moment at which the payments are claimed', async () => {
  const { make, payments, files } = await waiting('On hold at once', [11, 12])
  const [girl] = await payments()
  const holding = await portal.owner.connect()
  try {
    await holding.query('begin')
    const { rows } = await holding.query('select pg_backend_pid() as pid')
    // The hold is written while the file is, and ends when the payments are being claimed.
    const hold = () =>
      holding.query('insert into payee_holds (student_id, reason, user_id) values ($1, $2, $3)', [
        girl.student_id,
        'Two guardians',
        officer.user.id,
      ])
    const asked = whileItWaits(lease, make, hold)
    await untilLocked(portal.db.pool, { behind: rows[0].pid })
    await holding.query('commit')
    expect((await asked).status).toBe(409)
  } finally {
    holding.release()
  }
  expect(await files()).toEqual([])
  expect(await payments()).toMatchObject([{ state: 'held' }, { status: 'pending' }])
})

test('no file has a payment that another call leaves to evidence at the moment at which the payments are claimed', async () => {
  const { make, payments, files } = await waiting('Left to evidence at once', [17, 18])
  const [girl] = await payments()
  const leaving = await portal.owner.connect()
  try {
    await leaving.query('begin')
    const { rows } = await leaving.query('select pg_backend_pid() as pid')
    // Another call for this file has found her order on a statement. Such a call does not lock the cohort.
    const leave = async () => {
      await leaving.query(
        "insert into payment_attempts (payroll_id, n, state, first_asked, reason) values ($1, 1, 'unknown', 'held', 'stated_before')",
        [girl.id],
      )
      await leaving.query("update transfer_payrolls set status = 'sending' where id = $1", [girl.id])
      await leaving.query(
        "update transfer_payrolls set status = 'unknown', failure_reason = 'stated_before' where id = $1",
        [girl.id],
      )
    }
    const asked = whileItWaits(lease, make, leave)
    await untilLocked(portal.db.pool, { behind: rows[0].pid })
    await leaving.query('commit')
    expect((await asked).status).toBe(409)
  } finally {
    leaving.release()
  }
  expect(await files()).toEqual([])
  expect(await payments()).toMatchObject([{ status: 'unknown' }, { status: 'pending' }])
})

test('no file has a payment that another agency reports while it is written', async () => {
  const { make, payments, files } = await waiting('Reported meanwhile', [19, 20])
  const [girl] = await payments()
  const other = await addBank(portal, 'Banque des Dunes')
  const report = () =>
    portal.owner.query('select note_reported($1, $2)', [
      other,
      JSON.stringify([{ key: 'T-19', reference: girl.reference, refused: false }]),
    ])
  expect((await whileItWaits(lease, make, report)).status).toBe(409)
  expect(await files()).toEqual([])
  expect((await make()).status).toBe(409)
  expect((await make(1)).status).toBe(200)
})

test('no file of a bank pays a list that two people moved to another bank while it was written', async () => {
  const { id, make, payments, files } = await waiting('Moved meanwhile', [13, 14])
  // The programme pays from the same account, so that only the bank is another one.
  const second = await addBank(portal, 'Banque de la Brousse')
  const move = async () => {
    const page = `/admin/transfers/cohorts/${id}/move`
    const asked = { transfer_agency_id: second, reason: 'The contract has ended' }
    expect((await officer.post(page, asked)).status).toBe(200)
    const { proposal } = (await approver.get(page)).body
    const decide = `/admin/transfers/cohort-moves/${proposal.id}/decide`
    expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)
  }
  expect((await whileItWaits(line, make, move)).status).toBe(409)
  expect(await files()).toEqual([])
  expect(await payments()).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
})

test('no file pays the account that a girl had before a correction that was approved while it was written', async () => {
  const { id, make } = await waiting('Corrected meanwhile', [15, 16])
  expect((await make()).status).toBe(200)
  // The bank refuses the first round, and the second one waits.
  await portal.owner.query(
    `with a as (update payment_attempts a set state = 'failed', reason = 'AC04', settled_at = now() from transfer_payrolls p, transfer_payroll_groups g
       where p.id = a.payroll_id and g.id = p.payroll_group_id and g.cohort_id = $1 returning a.payroll_id)
     update transfer_payrolls p set status = 'failed', failure_reason = 'AC04' from a where p.id = a.payroll_id`,
    [id],
  )
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [id],
  )
  const { round } = await progress(id, (now) => now.round?.n === 2 && now.round.pending === 2)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  const [girl, other] = (await approver.get(page)).body.payrollGroup.transfer_payrolls.data
  const proposed = await officer.post(`/admin/transfers/master-list/${girl.master_list_id}/corrections`, {
    receiver_account: ribOf(39),
    reason: 'The guardian has another account since June',
  })
  expect(proposed.status).toBe(200)
  const correct = async () => {
    const { body } = await approver.get('/admin/transfers/corrections')
    const decide = `/admin/transfers/corrections/${body.corrections.data[0].id}/decide`
    expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)
  }
  const next = () => approver.post(`${page}/bank-files`, { payments: 2, amount: 21_000 })
  expect((await whileItWaits(line, next, correct)).status).toBe(409)
  const made = await next()
  expect(made.status).toBe(200)
  const file = (await approver.get(made.body.bank_file.download_url)).bytes
  const accounts = readPain001(file.toString('utf8')).orders.map(({ account }) => account)
  expect(accounts).toEqual([ribOf(39), other.receiver_account])
})
