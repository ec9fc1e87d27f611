import { once } from 'node:events'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '../api-process.ts'
import { dayFromNow, startStage } from '../cohorts.ts'
import { runCommand } from '../commands.ts'
import { untilLocked } from '../locks.ts'
import { until } from '../portal.ts'
import { accountHolder, addBank, bankList, startBank } from '../transfers/banks/bank.ts'
import { readPain001 } from '../transfers/banks/pain001-rules.ts'
import { mortalWorkers } from '../workers.ts'

const stage = await startStage(600)
const { portal, officer, approver, approve, cohort, progress } = stage
const bank = await startBank()
afterAll(() => bank.close())
mortalWorkers(portal.settings).start()
const agency = await addBank(portal)
const sums = { payments: 500, amount: 500 * 10_500 }

/** An api of its own presses the button and is killed after it has claimed the payments, before it commits. */
async function killedWhileMaking(path: string): Promise<void> {
  const { child, url } = await startApiProcess(portal)
  onTestFinished(() => void child.kill('SIGKILL'))
  const headers = {
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
    'x-xsrf-token': decodeURIComponent(approver.cookies.get('XSRF-TOKEN') ?? ''),
    cookie: [...approver.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const listening = () =>
    fetch(`${url}${path}`, { headers }).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(listening, 50_000)
  const holder = await portal.owner.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table bank_file_payments in access exclusive mode')
  const pressed = fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(sums) }).catch(
    () => null,
  )
  await untilLocked(portal.db.pool, { words: 'insert into bank_file_payments' })
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await Promise.all([exited, pressed])
  await holder.query('rollback')
}

async function settledBy(file: File): Promise<void> {
  expect((await officer.upload('/admin/transfers/bank-answers', { answer_file: file })).status).toBe(200)
}

test('the story of a bank: 500 recipients are paid once, whatever is killed, handed in twice or answered in reverse', {
  timeout: 240_000,
}, async () => {
  // The last two digits of an account decide: of 500 five each are closed, unknown, blocked, and shown by the statement alone.
  const rows = Array.from({ length: 500 }, (_, n) => accountHolder(n + 1))
  const upload = await stage.upload(bankList(rows), { name: 'Paid by a bank', transfer_agency_id: agency })
  expect(await stage.ended(upload.body.import.id)).toMatchObject({ state: 'imported' })
  const id = upload.body.cohort.id
  await approve(id)
  const { round } = await progress(id, ({ round }) => round?.pending === 500)
  const path = `/admin/transfers/cohorts/payroll/${round.id}/bank-files`

  await killedWhileMaking(path)
  await until(async () => (await approver.get(path)).body.next.payments === 500)
  expect((await approver.get(path)).body.bank_files).toEqual([])
  const made = await Promise.all([
    approver.post(path, sums),
    officer.post(path, sums),
    approver.post(path, sums),
  ])
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
  const { bank_files } = (await approver.get(path)).body
  expect(bank_files).toMatchObject([{ payments: 500, sending: 500 }])

  const [one, other] = [
    await approver.get(bank_files[0].download_url),
    await officer.get(bank_files[0].download_url),
  ]
  expect(one.bytes.equals(other.bytes)).toBe(true)
  expect(readPain001(one.bytes.toString('utf8'))).toMatchObject({ faults: [], ...sums })
  expect([await bank.take(one.bytes), await bank.take(other.bytes)]).toEqual([true, false])

  const message = bank_files[0].message_id
  for (const which of ['final', 'again', 'received', 'final', 'again'] as const)
    await settledBy(await bank.answer(message, which))
  expect((await progress(id, () => true)).round).toMatchObject({
    success: 480,
    failed: 15,
    pending: 5,
    unknown: 0,
  })

  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: await bank.statement(),
    transfer_agency_id: agency,
    from: dayFromNow(-1),
    to: dayFromNow(0),
  })
  const { id: statementId } = sent.body.statement
  const statement = await until(async () => {
    const { body } = await officer.get(`/admin/transfers/statements/${statementId}`)
    return ['open', 'failed'].includes(body.statement.state) && body.statement
  })
  expect(statement.totals).toMatchObject([{ category: 'matched', count: 485, their_amount: 485 * 10_500 }])
  const person = await portal.signedInAs('Transfer Approver')
  const signed = await person.post(`/admin/transfers/statements/${statementId}/sign`, {
    version: statement.version,
  })
  expect(signed.status).toBe(200)

  const { payments, moved, files } = await bank.ledger()
  expect([payments.length, files]).toEqual([500, 1])
  const now = await cohort(id)
  expect(now.transfer_cohort_stats).toMatchObject({
    total_amount_disbursed: moved,
    total_amount_arrears: 15 * 10_500,
    total_amount_unknown: 0,
  })
  expect([moved, now.total_amount_confirmed]).toEqual([485 * 10_500, 485 * 10_500])
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
})
