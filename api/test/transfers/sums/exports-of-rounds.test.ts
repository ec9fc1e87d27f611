import { expect, test } from 'vitest'
import { makeDueRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { exported, recordsOf } from '../../exports/workbook.ts'

const stage = await startStage(20)
const { portal, officer, imported, approve, progress } = stage
const { owner } = portal
let stop = await portal.worker()
/** Three girls. The number of the second one is unknown to the agency. */
const id = await imported(
  'Two rounds',
  [1, 2, 3].map((n) => recipient(n, { amount: 1000 * n, ...(n === 2 && { lastTwo: 2 }) })),
  { to: dayFromNow(120) },
)
await approve(id)
const ended = async (n: number) =>
  (await progress(id, ({ round }) => round?.n === n && round.pending === 0)).round
const first = await ended(1)

/** Asks for a file and returns its rows, by the headings of their columns. */
const recordsFrom = async (path: string, body: object) =>
  recordsOf(await exported(officer, `/admin/transfers/${path}`, body))
/** The payments of a round as the database has them, in the order of the list. */
const stored = async (round: number) =>
  (
    await owner.query(
      `select m.student_code, p.amount::int, p.fees::int, p.external_trx_id, p.updated_at from transfer_payrolls p
       join transfer_master_list m on m.id = p.master_list_id where p.payroll_group_id = $1 order by p.master_list_id`,
      [round],
    )
  ).rows

test('an accountant finds in the file of a round the agency’s transaction, fees and moment of each payment', async () => {
  const lines = await recordsFrom('cohorts/payroll/export', { payroll_id: first.id })
  const payments = await stored(first.id)
  expect(payments[0].external_trx_id).toBeTruthy()
  expect(lines).toMatchObject(
    payments.map(({ student_code, amount, fees, external_trx_id }) => ({
      'Transaction id': external_trx_id,
      'Student code': student_code,
      'Amount (XOF)': amount,
      'Fees (XOF)': fees,
    })),
  )
  for (const [n, line] of lines.entries()) {
    const minutes = Math.abs((line.Timestamp as Date).getTime() - Date.parse(payments[n].updated_at)) / 60_000
    expect(minutes).toBeLessThan(1)
  }
})

test('an auditor reads in the log which payments of a round somebody took along', async () => {
  await recordsFrom('cohorts/payroll/export', { payroll_id: first.id, status: 'failed' })
  await recordsFrom('cohorts/export', { cohort_id: id, status: 'failed' })
  const { rows } = await owner.query(
    `select a.auditable_type, a.auditable_id::int, v.new_values->>'status' as status, (v.new_values->>'row_count')::int as n
     from audits a join audit_values v on v.audit_id = a.id where a.event = 'exported' order by a.id desc limit 2`,
  )
  expect(rows).toEqual([
    { auditable_type: 'cohort', auditable_id: id, status: 'failed', n: 1 },
    { auditable_type: 'round', auditable_id: first.id, status: 'failed', n: 1 },
  ])
})

test('an officer’s master list has what became of the latest round, and nothing of a round that was made and missed', async () => {
  const due = (n: number) =>
    owner.query(
      "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = $2",
      [id, n],
    )
  await due(2)
  const second = await ended(2)
  const expected = (await stored(second.id)).map(({ external_trx_id }) => external_trx_id)
  const references = async () =>
    (await recordsFrom('cohorts/export', { cohort_id: id })).map((line) => line['Reference id'])
  expect(await references()).toEqual(expected)
  // Each row has the moment of its payment, although the list is older.
  await owner.query(
    `begin; set local session_replication_role = replica;
     update transfer_master_list set created_at = created_at - interval '1 day' where cohort_id = ${id}; commit`,
  )
  const hoursAgo = (await recordsFrom('cohorts/export', { cohort_id: id })).map(
    (line) => (Date.now() - (line.Timestamp as Date).getTime()) / 3_600_000,
  )
  expect(Math.max(...hoursAgo)).toBeLessThan(12)

  await stop()
  await compareMarks(portal.context)
  await due(3)
  expect(await makeDueRound(portal.db)).toBe(true)
  await owner.query("update transfer_rounds set state = 'missed' where cohort_id = $1 and n = 3", [id])
  stop = await portal.worker()
  expect(await references()).toEqual(expected)
})

test('a person who may no longer export payments cannot fetch the file of a round, and one who may no longer export lists not that of a list', async () => {
  const person = await portal.signedIn('transfers.view', 'payrolls.export', 'cohorts.export')
  const fileOf = async (path: string, body: object) =>
    (await exported(person, `/admin/transfers/${path}`, body)).address
  const take = (permission: string) =>
    owner.query(
      `delete from role_permissions rp using user_roles ur, permissions p
       where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = $2`,
      [person.user.id, permission],
    )
  const round = await fileOf('cohorts/payroll/export', { payroll_id: first.id })
  const list = await fileOf('cohorts/export', { cohort_id: id })
  const answers = async () => [(await person.get(round)).status, (await person.get(list)).status]
  await take('payrolls.export')
  expect(await answers()).toEqual([403, 200])
  await take('cohorts.export')
  expect(await answers()).toEqual([403, 403])
})
