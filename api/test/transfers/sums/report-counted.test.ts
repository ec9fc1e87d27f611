import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { addList } from '../../people.ts'
import { copyAgency } from '../agencies/copied.ts'
import { ribOf } from '../banks/rib.ts'
import { startReport } from './report-stage.ts'

const {
  portal,
  uploader,
  noted,
  payAgain,
  approver,
  read,
  releaseAll,
  owner,
  db,
  roundOn,
  lastEvent,
  settleAll,
  firstOf,
} = await startReport()

test('a payment that was written off before it was sent again is no refusal of that day', async () => {
  const { rows: days } = await owner.query("select (now() at time zone 'utc')::date::text as today")
  const { today } = days[0]
  const before = await read(today, today)
  const { rows } = await owner.query(
    "select id from transfer_payrolls where status = 'failed' and written_off_at is null and withheld_at is null order by id limit 1",
  )
  const { id } = rows[0]
  await owner.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", [id])
  await owner.query("update transfer_payrolls set status = 'pending', failure_reason = null where id = $1", [
    id,
  ])
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [id],
    reason: 'She has moved away',
  })
  expect(written.status, JSON.stringify(written.body)).toBe(200)
  const after = await read(today, today)
  expect([after.refused, after.success_rate]).toEqual([before.refused, before.success_rate])
  expect(after.arrears.payments).toBe(before.arrears.payments - 1)
})

/** Puts the girl of a payment on hold while her order is on its way, and the order comes back unsent on that day. */
async function withholdOnItsWay(id: number, day: string) {
  const before = await lastEvent()
  await owner.query(
    `insert into payment_attempts (payroll_id, state, tries, created_at) values ($1, 'sending', 1, $2)`,
    [id, day],
  )
  await owner.query(`update transfer_payrolls set status = 'sending' where id = $1`, [id])
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at)
     select m.student_id, 'Somebody else took it', $2, $3 from transfer_payrolls p
       join transfer_master_list m on m.id = p.master_list_id where p.id = $1`,
    [id, uploader, day],
  )
  await owner.query(`update payment_attempts set state = 'pending' where payroll_id = $1`, [id])
  const { rows } = await owner.query(
    `update transfer_payrolls set status = 'pending' where id = $1 returning status, failure_reason`,
    [id],
  )
  expect(rows).toEqual([{ status: 'failed', failure_reason: 'withheld' }])
  await noted(before, day)
}

test('a girl whose order came back unsent while she was on hold stays in the arrears of that month after she was paid', async () => {
  const held = await firstOf(await roundOn('2025-06-10T08:00:00Z', 0))
  const arrearsOf = async (month: string) => (await read(`${month}-01`, `${month}-30`)).arrears.payments
  expect(await arrearsOf('2025-06')).toBe(0)
  await withholdOnItsWay(held, '2025-06-11T08:00:00Z')
  await settleAll()
  expect(await arrearsOf('2025-06')).toBe(1)
  await releaseAll()
  // She was released, but not paid yet.
  expect(await arrearsOf('2025-07')).toBe(1)
  await payAgain(held, 1, '2025-08-02T09:00:00Z')
  expect([await arrearsOf('2025-06'), await arrearsOf('2025-07')]).toEqual([1, 1])
  expect(await arrearsOf('2025-08')).toBe(0)
})

test('what an agency refused stays in its own report of that month after the cohort moved to another agency', async () => {
  await releaseAll()
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at) select max(id), 'Lost her phone', $1, '2025-01-01' from students`,
    [uploader],
  )
  const round = await roundOn('2025-01-10T08:00:00Z', 2)
  await settleAll()
  const second = await copyAgency(portal, 'Second')
  const january = async (agency: number) =>
    await read('2025-01-01', '2025-01-31', `&transfer_agency_id=${agency}`)
  const before = await january(1)
  expect(before).toMatchObject({ payments: 27, refused: 2, arrears: { payments: 3 } })
  await owner.query(
    `insert into cohort_moves (cohort_id, from_agency_id, to_agency_id, reason, user_id)
     select cohort_id, 1, $2, 'Its contract ends', $3 from transfer_payroll_groups where id = $1`,
    [round, second, uploader],
  )
  await owner.query(
    `update cohort_moves set state = 'approved', two_people = false,
       decided_by = (select id from users where account and id <> $1 limit 1)`,
    [uploader],
  )
  expect(await january(1)).toEqual(before)
  expect(await january(second)).toMatchObject({
    payments: 0,
    refused: 0,
    arrears: { payments: 0, amount: 0 },
  })
  // What was withheld waits, and goes through the other agency from now on.
  const { rows } = await owner.query("select (now() at time zone 'utc')::date::text as today")
  const now = await read('2025-01-01', rows[0].today, `&transfer_agency_id=${second}`)
  expect(now.arrears.payments).toBe(1)
})

test('girls whose grants a bank pays into one account are one recipient, whatever telephone numbers the list has', async () => {
  const bank = await copyAgency(portal, 'Bank', { type: 'bank' })
  await db.transaction().execute(async (tx) => {
    const cohort = await addList(tx, uploader, 30, 'At the bank', undefined, true)
    const accounts = Array.from({ length: 6 }, (_, n) => ribOf(n + 1))
    await sql`
      update transfer_master_list set receiver_account = (${accounts}::text[])[1 + "row" % 6] where cohort_id = ${cohort}`.execute(
      tx,
    )
    await sql`
      update transfer_cohorts set transfer_agency_id = ${bank}, list_hash = transfer_list_hash(id), status = 'approved',
        decided_by = user_id, decided_at = now() where id = ${cohort}`.execute(tx)
    await sql`insert into transfer_rounds (cohort_id, n, due_on) values (${cohort}, 1, current_date)`.execute(
      tx,
    )
    const round = await makeRound(tx, cohort, 1)
    await sql`update transfer_payrolls set created_at = '2025-03-10' where payroll_group_id = ${round}`.execute(
      tx,
    )
  })
  await settleAll()
  // One girl is on hold.
  const report = await read('2025-03-01', '2025-03-31')
  expect(report).toMatchObject({ payments: 29, girls: 29, recipients: 6 })
})
