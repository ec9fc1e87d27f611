import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'

const stage = await startStage(40)
const { portal, agency, approver, imported, approve, cohort, progress } = stage
await portal.worker()
let used = 0
const fresh = (count: number) => Array.from({ length: count }, () => recipient(++used))
/** The database role of the api and the worker. */
const app = portal.db.pool
const frozen = { code: '23514', constraint: 'transfer_master_list_frozen' }
const moved = async () =>
  (await agency.ledger()).reduce((sum, { amount, executed }) => sum + amount * executed, 0)

/** Changes a list with the triggers disabled, which only the owner of the database can do. */
async function forge(id: number, change: string) {
  await portal.owner.query('alter table transfer_master_list disable trigger user')
  await portal.owner.query(`update transfer_master_list set ${change} where cohort_id = $1`, [id])
  await portal.owner.query('alter table transfer_master_list enable trigger user')
}

test('someone with the application’s database role cannot change recipients or amounts of an approved list', async () => {
  const id = await imported('Frozen', fresh(2), { from: dayFromNow(5), to: dayFromNow(30) })
  expect((await approve(id)).status).toBe(200)
  for (const change of ['amount = amount * 10', "receiver_phone_number = '+22370000010'", 'fees = 0'])
    await expect(
      app.query(`update transfer_master_list set ${change} where cohort_id = $1`, [id]),
    ).rejects.toMatchObject(frozen)
  await expect(
    app.query('delete from transfer_master_list where cohort_id = $1', [id]),
  ).rejects.toMatchObject({
    code: expect.stringMatching(/^(23514|23503)$/),
  })
  await expect(
    app.query(
      `insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number, student_id,
        student_code, amount, fees) select cohort_id, 99, 'A', 'B', '+22370000010', s.id, s.student_code, 1, 0
       from transfer_master_list m, students s where cohort_id = $1 and s.student_code = 'KYS-000040' limit 1`,
      [id],
    ),
  ).rejects.toMatchObject(frozen)
  await expect(
    app.query("update transfer_cohorts set list_hash = repeat('0', 64) where id = $1", [id]),
  ).rejects.toMatchObject({ code: '23514' })
})

test('a change that arrives while an approver approves the list waits and is then refused', async () => {
  const id = await imported('At once', fresh(1), { from: dayFromNow(5), to: dayFromNow(30) })
  const client = await app.connect()
  await client.query('begin')
  await client.query('update transfer_master_list set amount = 1 where cohort_id = $1', [id])
  const approving = approve(id)
  try {
    // The approval waits for the lock of the cohort, which the change of its list holds.
    await untilLocked(app, { words: 'transfer_cohorts%for update' })
  } finally {
    await client.query('commit')
    client.release()
  }
  expect(await approving).toMatchObject({
    status: 409,
    body: { message: 'The list is no longer the one that was imported. Reject it and upload it again.' },
  })
  expect((await cohort(id)).status).toBe('pending')
})

test('nobody can order a payment with a number or amount that differs from the list', async () => {
  const id = await imported('Copies', fresh(2), { from: dayFromNow(5), to: dayFromNow(30) })
  await approve(id)
  const { rows } = await app.query(
    'select p.id from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = $1',
    [id],
  )
  for (const change of ['amount = 2000000', "receiver_phone_number = '+22370000010'", 'fees = 0'])
    await expect(
      app.query(`update transfer_payrolls set ${change} where id = $1`, [rows[0].id]),
    ).rejects.toMatchObject({ code: '23514' })
  const other = await imported('Other', fresh(1), { from: dayFromNow(5), to: dayFromNow(30) })
  await expect(
    app.query(
      `insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name, receiver_phone_number, amount, fees)
       select g.id, m.id, 'A', 'B', m.receiver_phone_number, m.amount, m.fees
       from transfer_payroll_groups g, transfer_master_list m where g.cohort_id = $1 and m.cohort_id = $2`,
      [id, other],
    ),
  ).rejects.toMatchObject({ code: '23514' })
})

test('nobody is paid from a list that was changed in the database, at approval, in a later round or by hand', {
  timeout: 60_000,
}, async () => {
  const before = await imported('Before', fresh(1))
  await forge(before, 'amount = 2000000')
  expect((await approve(before)).status).toBe(409)

  const id = await imported('Rounds', fresh(2), { to: dayFromNow(59) })
  expect((await approve(id)).status).toBe(200)
  await progress(id, ({ round }) => round?.success === 2)
  const paid = await moved()
  await forge(id, "amount = 2000000, receiver_phone_number = '+22370000010'")
  for (const [table, columns] of [
    ['transfer_cohorts', '"from" = "from" - 30, "to" = "to" - 30'],
    ['transfer_rounds', 'due_on = due_on - 30'],
  ])
    await portal.owner.query(
      `update ${table} set ${columns} where ${table === 'transfer_rounds' ? 'cohort_id' : 'id'} = $1`,
      [id],
    )
  await progress(id, ({ status }) => status === 'error')
  expect((await cohort(id)).error_reason).toBe(
    'The list is no longer the one that was approved. Nothing is sent; tell the administrators.',
  )
  expect(await approve(id)).toMatchObject({
    status: 409,
    body: {
      message: 'The list is no longer the one that was approved. Nothing is sent; tell the administrators.',
    },
  })
  expect(await moved()).toBe(paid)

  const findings = await verifyLedger(portal.db)
  expect(findings.lists).toBeGreaterThan(2)
  expect(findings.faults).toEqual([
    `cohort ${id} "Rounds": its list is not the one that was approved`,
    `cohort ${id} "Rounds": 2 payments differ from their row of the list`,
  ])
})

test('an approver makes no payment again from a list that was changed in the database, and resumes none of it', async () => {
  const rows = [2, 3].map((lastTwo) => recipient(++used, { lastTwo }))
  const id = await imported('Again', rows, { to: dayFromNow(59) })
  await approve(id)
  const { round } = await progress(id, ({ round }) => round?.failed === 2)
  const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${round.id}`)
  const [girl] = body.payrollGroup.transfer_payrolls.data
  const before = await moved()
  await forge(id, 'amount = 2000000')
  const refused = [
    409,
    'The list is no longer the one that was approved. Nothing is sent; tell the administrators.',
  ]
  const retry = async (wanted: object) => {
    const answer = await approver.post('/admin/transfers/payrolls/retry', wanted)
    expect([answer.status, answer.body.message]).toEqual(refused)
  }
  await retry({ payroll_ids: [girl.id] })
  await retry({ cohort_id: id, reason: 'account_blocked' })
  expect((await approver.post(`/admin/transfers/cohorts/${id}/stop`)).status).toBe(200)
  const resumed = await approver.post(`/admin/transfers/cohorts/${id}/resume`)
  expect([resumed.status, resumed.body.message]).toEqual(refused)
  expect(await moved()).toBe(before)
})
