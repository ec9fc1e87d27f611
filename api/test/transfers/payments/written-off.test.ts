import { expect, test } from 'vitest'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import type { Entry as Paid } from './retries.ts'
import { startWriteOffs } from './write-off-stage.ts'

const stage = await startWriteOffs()
const {
  portal,
  officer,
  approver,
  imported,
  approve,
  ending,
  settled,
  payments,
  paid,
  progress,
  cohort,
  writeOff,
  roundOf,
  columnOf,
} = stage
type Entry = Paid & { master_list_id: number }
const reason = 'The family moved away'
/** The database role of the api and the worker. */
const app = portal.db.pool
/** Writes a payment off in the database, without the portal. */
const forced = (entry: Entry) =>
  app.query('insert into payment_write_offs (payroll_id, amount, reason, user_id) values ($1, 1, $2, $3)', [
    entry.id,
    reason,
    approver.user.id,
  ])
const refusedByTheDatabase = { code: '23514', constraint: 'payment_write_offs_failed' }

test('an approver corrects the number of a girl one of whose payments was written off, and only the other one goes to it', {
  timeout: 60_000,
}, async () => {
  const id = await imported('Two rounds', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [first] = (await payments(id)) as [Entry]
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  await progress(id, ({ round }) => round?.n === 2 && round.failed === 1)
  const [second] = (await payments(id)) as [Entry]
  expect((await writeOff([first])).status).toBe(200)
  const number = '+22370998811'
  const proposed = await officer.post(`/admin/transfers/master-list/${first.master_list_id}/corrections`, {
    receiver_phone_number: number,
    reason,
  })
  expect(proposed.status).toBe(200)
  const [waiting] = (await approver.get('/admin/transfers/corrections')).body.corrections.data
  const decide = `/admin/transfers/corrections/${waiting.id}/decide`
  expect((await approver.post(decide, { action: 'approved' })).status).toBe(200)
  const { rows } = await portal.owner.query(
    'select receiver_phone_number as number from transfer_payrolls where id = any($1) order by id',
    [[first.id, second.id]],
  )
  expect(rows).toEqual([{ number: first.receiver_phone_number }, { number }])

  // Once both are written off, there is nothing to correct, for the database either.
  expect((await writeOff([second])).status).toBe(200)
  await expect(
    app.query(
      `insert into recipient_corrections (master_list_id, old_values, new_values, reason, user_id)
       values ($1, '{}', '{"receiver_phone_number": "+22370998812"}', $2, $3)`,
      [first.master_list_id, reason, officer.user.id],
    ),
  ).rejects.toMatchObject({ constraint: 'recipient_corrections_failed' })
})

test('nobody writes off a payment that an open statement has as paid, in the portal or in the database', {
  timeout: 60_000,
}, async () => {
  const { entries } = await paid('Stated', 2)
  const [girl] = entries as [Entry]
  const day = dayFromNow(0)
  const sent = await officer.upload('/admin/transfers/statements', {
    statement_file: new File(
      [`Client reference;Transaction id;Amount;Timestamp\r\n${girl.reference};T-1;${girl.amount};${day}`],
      'july.csv',
    ),
    transfer_agency_id: 1,
    from: '2020-01-01',
    to: '2020-01-31',
  })
  const statement = `/admin/transfers/statements/${sent.body.statement.id}`
  await until(async () => (await officer.get(statement)).body.statement.state === 'open')
  expect((await writeOff([girl])).status).toBe(409)
  await expect(forced(girl)).rejects.toMatchObject(refusedByTheDatabase)
  expect((await officer.post(`${statement}/withdraw`, { reason })).status).toBe(200)
  expect((await writeOff([girl])).status).toBe(200)
})

test('nobody writes off a payment of which a hold found another order at the agency, in the portal or in the database', {
  timeout: 60_000,
}, async () => {
  const { entries } = await paid('Found otherwise', 2)
  const [girl] = entries as [Entry]
  const hold = await portal.owner.query(
    `insert into sending_holds (reasons, known_until, released_at, released_by)
     values ('{behind}', now(), now(), $1) returning id`,
    [approver.user.id],
  )
  await portal.owner.query(
    `insert into sending_hold_differences (hold_id, agency_id, kind, payroll_id, key, reference, amount, state)
     values ($1, 1, 'differs', $2, $3, $3, 9000, 'success')`,
    [hold.rows[0].id, girl.id, girl.reference],
  )
  expect((await writeOff([girl])).status).toBe(409)
  await expect(forced(girl)).rejects.toMatchObject(refusedByTheDatabase)
})

test('an approver reads as failed only what was refused and is still owed, on every page, filter and export', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('One word', 2, 3, 10)
  const [gone] = entries as [Entry]
  expect((await writeOff([gone])).status).toBe(200)
  const counts = {
    count: 3,
    successful: 1,
    failed: 1,
    withheld: 0,
    written_off_count: 1,
    pending: 0,
    unknown: 0,
  }
  const group = await roundOf(id)
  const page = (query = '') => approver.get(`/admin/transfers/cohorts/payroll/${group}${query}`)
  const rounds = (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort
  expect(rounds.transfer_payroll_groups.data).toMatchObject([counts])
  expect((await cohort(id)).transfer_payroll_groups.data).toMatchObject([counts])
  expect((await page()).body.payrollGroup).toMatchObject(counts)
  const total = async (query: string) => (await page(query)).body.payrollGroup.transfer_payrolls.total
  expect(await total('?status=failed')).toBe(1)
  expect(await total('?status=written_off')).toBe(1)
  expect(await total('?status=withheld')).toBe(0)
  expect(await total('?status=success')).toBe(1)
  expect(await total(`?status=failed&search=${gone.reference.slice(0, 4)}`)).toBe(0)
  expect(await statesIn({ payroll_id: group, status: 'failed' })).toEqual(['Failed'])
  expect(await statesIn({ payroll_id: group, status: 'written_off' })).toEqual(['Written off'])
})

/** The states that an exported round says of its payments. */
const statesIn = (body: { payroll_id: number; status: string }) =>
  columnOf('cohorts/payroll/export', body, 'Status')
