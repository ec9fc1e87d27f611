import { expect, test } from 'vitest'
import { atItsEnd, bothAtOnce } from '../../at-once.ts'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { accountHolder, addBank, bankList } from './bank.ts'

const stage = await startStage(10)
const { portal, officer, approver, progress } = stage
await portal.worker()
const agency = await addBank(portal)

test('no file is made of a round of which a payment on a statement is written off at that moment', async () => {
  const upload = await stage.upload(bankList([accountHolder(1), accountHolder(2)]), {
    name: 'Written off at once',
    transfer_agency_id: agency,
  })
  await stage.ended(upload.body.import.id)
  const { id } = upload.body.cohort
  await stage.approve(id)
  const { round } = await progress(id, (now) => now.round?.pending === 2)
  const page = `/admin/transfers/cohorts/payroll/${round.id}`
  const payments = async () => (await approver.get(page)).body.payrollGroup.transfer_payrolls.data
  const make = (size: number) =>
    approver.post(`${page}/bank-files`, { payments: size, amount: size * 10_500 })
  const [paid] = await payments()
  const today = dayFromNow(0)
  // A database that was lost has paid the first girl.
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File(
      [`Client reference;Amount;Date\r\n${paid.reference};10500;${today}`],
      'lost.csv',
    ),
    transfer_agency_id: agency,
    from: today,
    to: today,
  })
  const statement = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(statement)).body.statement.state === 'open')

  const writeOff = () =>
    approver.post('/admin/transfers/arrears/write-off', { payroll_ids: [paid.id], reason: 'Not enrolled' })
  const [writtenOff, made] = await bothAtOnce(portal, atItsEnd, writeOff, () => make(2))
  expect([writtenOff.status, made.status]).toEqual([200, 409])
  expect((await make(1)).status).toBe(200)
  expect(await payments()).toMatchObject([{ state: 'written_off' }, { status: 'sending' }])
})
