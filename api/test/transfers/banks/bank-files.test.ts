import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCommand } from '../../commands.ts'
import { until } from '../../portal.ts'
import { accountHolder, payer } from './bank.ts'
import { startBankFiles } from './bank-file-stage.ts'
import { readPain001 } from './pain001-rules.ts'
import { ribOf } from './rib.ts'

const stage = await startBankFiles()
const { portal, approver, progress, bank, accountant, approved, filesOf, make, refuseAll, download } = stage
const holders = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => accountHolder(from + n))

test('the payments of a bank wait for the person who makes its file, and then no worker sends or asks anything', {
  timeout: 60_000,
}, async () => {
  const special = accountHolder(3, { name: 'Aïssata-Œuvre ɲɛ' })
  const { cohort, round } = await approved('School money', [...holders(1, 2), special, ...holders(4, 17)])
  for (const search of [ribOf(7), ribOf(7).slice(-9), `coulibaly+${ribOf(7).slice(-6)}`]) {
    const { body: list } = await accountant.get(`/admin/transfers/cohorts/${cohort}/summary?search=${search}`)
    const { body: payroll } = await accountant.get(
      `/admin/transfers/cohorts/payroll/${round}?search=${search}`,
    )
    for (const found of [list.cohort.transfer_master_list, payroll.payrollGroup.transfer_payrolls])
      expect([found.total, found.data[0]?.receiver_account], search).toEqual([1, ribOf(7)])
  }
  const before = await filesOf(round)
  expect(before).toEqual({
    bank_files: [],
    next: {
      payments: 20,
      amount: 20 * 10_500,
      agency: 'Banque du Fleuve',
      account: payer.payer_account,
      barred: null,
    },
  })
  const confirmed = { payments: 20, amount: 20 * 10_500 }
  expect((await make(round, { ...confirmed, amount: 1 })).status).toBe(409)

  // Two people press at once.
  const both = await Promise.all([make(round, confirmed), make(round, confirmed, approver)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const [file] = new Set(both.map(({ body }) => body.bank_file.download_url))
  expect(both.map(({ body }) => body.bank_file.download_url)).toEqual([file, file])
  const { bank_files, next } = await filesOf(round)
  expect(next).toMatchObject({ payments: 0, barred: 'No payment of this round waits to be sent.' })
  expect(bank_files).toMatchObject([
    { payments: 20, amount: 210_000, sending: 20, success: 0, failed: 0, unknown: 0 },
  ])

  const first = await download(String(file))
  const again = await download(String(file))
  expect(first.status).toBe(200)
  expect(again.bytes.equals(first.bytes)).toBe(true)
  expect(createHash('sha256').update(first.bytes).digest('hex')).toBe(bank_files[0].sha256)
  const read = readPain001(first.bytes.toString('utf8'))
  expect(read).toMatchObject({
    faults: [],
    payments: 20,
    amount: 210_000,
    message_id: bank_files[0].message_id,
  })
  expect(read.orders.find(({ account }) => account === ribOf(3))?.name).toBe('Aissata-OEuvre ne Coulibaly 3')
  const { rows } = await portal.owner.query(
    `select p.reference, p.status, a.state, a.tries, a.ask_at, l.account, l.protocol
     from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id join payment_lines l on l.id = a.line_id
     where p.payroll_group_id = $1 order by p.id`,
    [round],
  )
  expect(read.orders.map(({ end_to_end_id }) => end_to_end_id)).toEqual(
    rows.map(({ reference }) => reference),
  )
  const line = { account: payer.payer_account, protocol: 'file' }
  for (const row of rows)
    expect(row).toMatchObject({ status: 'sending', state: 'sending', tries: 1, ask_at: null, ...line })

  // A worker that was killed would leave its lease; it asks for nothing, and the bank has days to answer.
  await portal.owner.query(
    "update agency_leases set lease_until = now() - interval '1 hour' where agency_id = $1",
    [bank],
  )
  await portal.owner.query(
    "update agency_leases set open_since = now() - interval '2 hours', settled_at = null where agency_id = $1",
    [bank],
  )
  const later = await approved('Another list', holders(21, 1))
  expect(await progress(cohort, () => true)).toMatchObject({
    not_progressing_since: null,
    round: { pending: 20, unknown: 0 },
  })
  expect((await progress(later.cohort, () => true)).round).toMatchObject({ pending: 1, sending: 0 })
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
  const audit = await portal.owner.query(
    "select event, count(*)::int as n from audits where event in ('bank file made', 'downloaded') group by 1 order by 1",
  )
  expect(audit.rows).toEqual([
    { event: 'bank file made', n: 1 },
    { event: 'downloaded', n: 1 },
  ])
})

test('a payment that the bank refused is in the file of its retry, under another name', {
  timeout: 30_000,
}, async () => {
  const { round } = await approved('Refused once', holders(31, 2))
  const first = await make(round, { payments: 2, amount: 21_000 })
  const { rows } = await portal.owner.query(
    `update payment_attempts a set state = 'failed', reason = 'AC04', settled_at = now() from transfer_payrolls p
     where p.id = a.payroll_id and p.payroll_group_id = $1 returning a.payroll_id::int as id`,
    [round],
  )
  const ids = rows.map(({ id }) => id)
  await portal.owner.query(
    "update transfer_payrolls set status = 'failed', failure_reason = 'AC04' where id = any($1)",
    [ids],
  )
  expect((await approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [ids[0]] })).status).toBe(200)
  const second = await make(round, { payments: 1, amount: 10_500 })
  expect(second.status).toBe(200)
  const [one, other] = await Promise.all(
    [first, second].map(async ({ body }) =>
      readPain001((await download(body.bank_file.download_url)).bytes.toString('utf8')),
    ),
  )
  expect(other).toMatchObject({ faults: [], payments: 1 })
  expect(other?.message_id).not.toBe(one?.message_id)
  expect(other?.orders[0]?.end_to_end_id).toBe(`${one?.orders[0]?.end_to_end_id}-2`)
  expect(other?.orders[0]?.instruction_id).not.toBe(one?.orders[0]?.instruction_id)
})

test('a girl whose account was corrected after a restored backup is paid to the new account, because nobody can ask her bank first', {
  timeout: 60_000,
}, async () => {
  // The bank refused her first round. The second one waits, and the lost database may have made its file.
  const { cohort, round } = await approved('Corrected after a hold', holders(33, 1))
  expect((await make(round, { payments: 1, amount: 10_500 })).status).toBe(200)
  await refuseAll(round)
  await portal.owner.query(
    "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
    [cohort],
  )
  const next = await until(async () => {
    const { rows } = await portal.owner.query(
      'select id::int from transfer_payroll_groups where cohort_id = $1 and n = 2 and pending = 1',
      [cohort],
    )
    return rows[0]?.id as number | undefined
  })
  await portal.owner.query("insert into sending_holds (reasons, known_until) values ('{behind}', now())")
  await portal.owner.query(
    'update sending_holds set released_at = now(), released_by = $1 where released_at is null',
    [approver.user.id],
  )
  const { rows } = await portal.owner.query('select id from transfer_master_list where cohort_id = $1', [
    cohort,
  ])
  const proposed = await stage.officer.post(`/admin/transfers/master-list/${rows[0].id}/corrections`, {
    receiver_account: ribOf(39),
    reason: 'The guardian has another account since June',
  })
  expect(proposed.status).toBe(200)
  const { body } = await approver.get('/admin/transfers/corrections')
  const decide = `/admin/transfers/corrections/${body.corrections.data[0].id}/decide`
  expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)

  const file = await make(next, { payments: 1, amount: 10_500 })
  expect(file.status).toBe(200)
  const read = readPain001((await download(file.body.bank_file.download_url)).bytes.toString('utf8'))
  expect(read).toMatchObject({ faults: [], orders: [{ account: ribOf(39) }] })
})

test('no file is made while it must not be, and whoever asks reads why', { timeout: 30_000 }, async () => {
  const { cohort, round } = await approved('Barred', holders(41, 2))
  const confirmed = { payments: 2, amount: 21_000 }
  const refused = async (change: string, back: string) => {
    await portal.owner.query(change)
    const answer = await make(round, confirmed)
    const { next } = await filesOf(round)
    await portal.owner.query(back)
    expect([answer.status, answer.body.message]).toEqual([409, next.barred])
    return next.barred
  }
  const of = `where id = ${cohort}`
  expect(
    await refused(
      `update transfer_cohorts set stopped_at = now() ${of}`,
      `update transfer_cohorts set stopped_at = null ${of}`,
    ),
  ).toContain('Resume them first')
  const agency = `where id = ${bank}`
  expect(
    await refused(
      `update transfer_agencies set status = 'inactive' ${agency}`,
      `update transfer_agencies set status = 'active' ${agency}`,
    ),
  ).toBe('The transfer agency is not active.')
  expect(
    await refused(
      `update transfer_agencies set details = details - 'payer_bank' ${agency}`,
      `update transfer_agencies set details = details || '{"payer_bank": "BDMAMLBA"}' ${agency}`,
    ),
  ).toContain('paying account')
  expect(
    await refused(
      `update transfer_payroll_groups set due_on = due_on + 1 where id = ${round}`,
      `update transfer_payroll_groups set due_on = due_on - 1 where id = ${round}`,
    ),
  ).toContain('has not come')
  expect((await filesOf(round)).bank_files).toEqual([])
  expect((await progress(cohort, () => true)).round).toMatchObject({ pending: 2, sending: 0 })
})

test('an accountant makes no file that pays from another account than the one she saw', async () => {
  const { round } = await approved('Account', holders(55, 1))
  const sums = { payments: 1, amount: 10_500 }
  const other = await make(round, { ...sums, account: ribOf(56) })
  expect(other).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('account that pays') },
  })
  expect((await filesOf(round)).bank_files).toEqual([])
  const { account } = (await filesOf(round)).next
  expect((await make(round, { ...sums, account })).status).toBe(200)
})

test('only people who may export payments make and have the file of a bank', async () => {
  const { round } = await approved('Whose', holders(51, 1))
  const visitor = await portal.visitor()
  const path = `/admin/transfers/cohorts/payroll/${round}/bank-files`
  const auditor = await portal.signedInAs('Auditor')
  expect((await visitor.get(path)).status).toBe(401)
  expect((await make(round, { payments: 1, amount: 10_500 }, auditor)).status).toBe(403)
  const made = await make(round, { payments: 1, amount: 10_500 })
  expect((await visitor.get(made.body.bank_file.download_url)).status).toBe(401)
  expect((await auditor.get('/storage/bank-files/999999')).status).toBe(
    (await auditor.get(made.body.bank_file.download_url)).status,
  )
  expect((await accountant.get('/storage/bank-files/999999')).status).toBe(404)
  expect((await make(999_999, { payments: 1, amount: 1 })).status).toBe(404)
  const app = portal.db.pool
  for (const change of [
    'update bank_files set payments = 2',
    'delete from bank_files',
    'delete from bank_file_payments',
  ])
    await expect(app.query(change)).rejects.toThrow()
})
