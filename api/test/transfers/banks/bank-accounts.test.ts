import { expect, test } from 'vitest'
import { dayFromNow } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { until } from '../../portal.ts'
import { startAnswers } from './answer-stage.ts'
import { pain002, tx, why } from './answers.ts'
import { accountHolder, bankList } from './bank.ts'
import { readPain001 } from './pain001-rules.ts'
import { ribOf } from './rib.ts'

const stage = await startAnswers()
const { portal, officer, approver, approve, progress, bank, agency, answerWith, sent } = stage

test('an approver sees whose account is another than at the last payment, although the phone number is the same', async () => {
  const holder = (n: number, account: string) =>
    accountHolder(n).map((cell, at) => (at === 2 ? '+22370112233' : at === 5 ? account : cell))
  const listed = async (name: string, account: string, dates = {}) => {
    const file = bankList([holder(250, account)])
    const upload = await stage.upload(file, { name, transfer_agency_id: agency, ...dates })
    expect(await stage.ended(upload.body.import.id)).toMatchObject({ state: 'imported' })
    return upload.body.cohort.id as number
  }
  const paid = await listed('Paid to an account', ribOf(250))
  await approve(paid)
  const { round } = await progress(paid, ({ round }) => round?.pending === 1)
  const made = await approver.post(`/admin/transfers/cohorts/payroll/${round.id}/bank-files`, {
    payments: 1,
    amount: 10_500,
  })
  const file = (await approver.get(made.body.bank_file.download_url)).bytes
  await bank.take(file)
  const { message_id } = readPain001(file.toString('utf8'))
  expect((await answerWith(await bank.answer(message_id, 'final'))).status).toBe(200)
  await progress(paid, ({ round }) => round?.success === 1)
  const later = { from: dayFromNow(40), to: dayFromNow(60) }
  const changed = await listed('Another account', ribOf(251), later)
  const { flags } = (await approver.get(`/admin/transfers/cohorts/${changed}/flags`)).body
  expect(flags.find(({ kind }: { kind: string }) => kind === 'number_changed')).toMatchObject({
    count: 1,
    rows: [{ row: 2, value: ribOf(251), compared: ribOf(250) }],
  })

  // A payment that no line of a statement shows is found there by the account that the page shows.
  const day = dayFromNow(0)
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File([`Reference;Amount;Date\nX-1;100;${day}`], 'other.csv'),
    transfer_agency_id: agency,
    from: day,
    to: day,
  })
  const statement = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(statement)).body.statement.state === 'open')
  const found = await officer.get(`${statement}/findings?category=ours&search=${ribOf(250).toLowerCase()}`)
  expect(found.body.findings.data).toMatchObject([{ category: 'ours', number: ribOf(250) }])
})

test('the erasure of a girl whom an earlier file paid leaves the file that the bank has yet to get', {
  timeout: 60_000,
}, async () => {
  const made = await sent('Two files', [261, 262])
  const [first, second] = made.names
  const answer = pain002(made.message, tx(first, 'ACSC') + tx(second, 'RJCT', why('AC04')))
  expect((await answerWith(answer)).status).toBe(200)
  const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${made.round}`)
  const refused = body.payrollGroup.transfer_payrolls.data.find(
    ({ status }: { status: string }) => status === 'failed',
  )
  expect((await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [refused.id] })).status).toBe(
    200,
  )
  const next = await approver.post(`/admin/transfers/cohorts/payroll/${made.round}/bank-files`, {
    payments: 1,
    amount: 10_500,
  })
  expect(next.status).toBe(200)
  const paid = (
    await portal.owner.query(
      `select m.student_code from transfer_master_list m join transfer_payrolls p on p.master_list_id = m.id
       where p.payroll_group_id = $1 and p.status = 'success'`,
      [made.round],
    )
  ).rows[0].student_code
  const erased = await runCommand(portal.settings, 'person-erase', ['--student', paid, '--stop-paying'])
  expect(erased).toMatchObject({ code: 0, err: '' })
  // The file that paid her is gone. The one that pays the other girl is still to be given to the bank.
  const { bank_files } = (await officer.get(`/admin/transfers/cohorts/payroll/${made.round}/bank-files`)).body
  expect(bank_files).toMatchObject([
    { payments: 1, sending: 1 },
    { payments: 2, download_url: null },
  ])
  expect((await approver.get(next.body.bank_file.download_url)).status).toBe(200)
})
