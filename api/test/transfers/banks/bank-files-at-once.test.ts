import { expect, test } from 'vitest'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import { mortalWorkers } from '../../workers.ts'
import { accountHolder, addBank, bankList } from './bank.ts'
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
