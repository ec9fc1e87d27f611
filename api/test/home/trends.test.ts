import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foldMonths } from '../../src/home/trends.service.ts'
import { addRound } from '../people.ts'
import { dayBack, machine, makeToken, minutesAgo, settled as processed, report } from '../sync/sync.ts'
import { type Entry, startRetries } from '../transfers/payments/retries.ts'
import { expectMonthsKept } from '../transfers/sums/months.ts'

const { portal, officer, paid, settled, correct, retry, killWorker } = await startRetries()
const { owner } = portal
await portal.worker()

type Month = { month: string; payments: number; disbursed: number; student_attendance: number | null }
const trends = async (): Promise<Month[]> => {
  const { status, body } = await (await portal.signedIn()).get('/home/trends')
  expect(status).toBe(200)
  return body.months
}
const thisMonth = async () => (await trends()).at(-1)
/** The first day of the month that is `back` months ago, by the clock of the database. */
const monthBack = async (back: number): Promise<string> =>
  (
    await owner.query(
      `select (date_trunc('month', now() at time zone 'utc') - make_interval(months => $1))::date::text as month`,
      [back],
    )
  ).rows[0].month

test('a person sees twelve months without a payment or a report before there are any, and a visitor none', async () => {
  const months = await trends()
  expect(months).toHaveLength(12)
  expect(months[0]).toEqual({
    month: await monthBack(11),
    payments: 0,
    disbursed: 0,
    student_attendance: null,
  })
  expect(months.at(-1)?.month).toBe(await monthBack(0))
  expect((await (await portal.visitor()).get('/home/trends')).status).toBe(401)
})

test('a person sees the money of a month grow by what arrived, also after a retry, and never by what failed', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Kita', 2, 10, 11)
  expect(await thisMonth()).toMatchObject({ payments: 2, disbursed: 21_000 })
  await expectMonthsKept(portal)
  const wrong = entries[0] as Entry
  await correct(wrong)
  await retry([wrong])
  await settled(id)
  expect(await thisMonth()).toMatchObject({ payments: 3, disbursed: 31_500 })
  await expectMonthsKept(portal)
  const home = (await officer.get('/home/statistics')).body
  expect(home).toMatchObject({ totalDisbursed: 31_500, totalBeneficiaries: 3 })
})

test('a person sees the attendance of a month from the reports that count: corrected, withdrawn and deleted', async () => {
  const send = machine(portal, await makeToken(portal))
  const of = (learners: object, minutes: number, fields: object = {}) =>
    report(
      { school_admin_code: 'KYS-001', learners, teachers: { enrolled: 6, present: 5 } },
      { created_at: minutesAgo(minutes), ...fields },
    )
  await send({ messages: [of({ enrolled: 50, present: 40 }, 30)] })
  await processed(portal)
  expect(await thisMonth()).toMatchObject({ student_attendance: 80 })
  await send({ messages: [of({ enrolled: 50, present: 45 }, 20)] })
  await send({ messages: [of({ enrolled: 50, present: 1 }, 25)] })
  await processed(portal)
  expect(await thisMonth()).toMatchObject({ student_attendance: 90 })
  await expectMonthsKept(portal)
  await send({ messages: [of({ enrolled: 50, present: 45 }, 5, { action: 'delete' })] })
  await processed(portal)
  expect(await thisMonth()).toMatchObject({ student_attendance: null })
  await expectMonthsKept(portal)
  await owner.query(
    `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
     select id, d::date, 'learners', c, 40, 30, now() from schools, unnest(array['7A', '8A']) c,
       unnest(array[$1::date - 40, $1::date - 400]) d`,
    [dayBack(0)],
  )
  await owner.query(`update attendance set date = date - 31 where class = '8A'`)
  await expectMonthsKept(portal)
  expect((await trends()).filter(({ student_attendance }) => student_attendance === 75)).toHaveLength(2)
  await owner.query('delete from attendance')
  await expectMonthsKept(portal)
  expect((await trends()).every(({ student_attendance }) => student_attendance === null)).toBe(true)
})

test('a person sees a payment in the month of its settlement, and one of thirteen months ago no more', async () => {
  await killWorker()
  const { id } = (await owner.query('select id from users where account limit 1')).rows[0]
  const { round } = await addRound(portal.db, Number(id), 3, 'Long ago')
  await owner.query(`update transfer_payrolls set status = 'sending' where payroll_group_id = $1`, [round])
  // The last moment of a month, the first one of it, and a month that is no longer shown.
  await owner.query(
    `insert into payment_attempts (payroll_id, state, settled_at)
     select id, 'success', (array[$2::timestamp - interval '1 microsecond', $2::timestamp, $3::timestamp])[row_number() over (order by id)]
       at time zone 'utc'
     from transfer_payrolls where payroll_group_id = $1`,
    [round, await monthBack(2), await monthBack(13)],
  )
  await owner.query(`update transfer_payrolls set status = 'success' where payroll_group_id = $1`, [round])
  const months = await trends()
  expect(months.slice(-4, -1).map(({ payments }) => payments)).toEqual([1, 1, 0])
  expect(months.reduce((sum, { payments }) => sum + payments, 0)).toBe(5)
  await expectMonthsKept(portal)
})

test('the totals of months are the same before and after they are added up, also twice at once', async () => {
  const before = await trends()
  await Promise.all([foldMonths(portal.db), foldMonths(portal.db)])
  expect(await trends()).toEqual(before)
  await expectMonthsKept(portal)
  const { rows } = await owner.query(
    'select count(*)::int as parts, count(distinct (cap_id, cohort_id, month))::int as totals from payment_totals',
  )
  expect(rows[0].parts).toBe(rows[0].totals)
})

test('an operator who upgrades finds the payments and reports of before in the totals', async () => {
  const before = await trends()
  const file = (name: string) => readFileSync(join(import.meta.dirname, '../../migrations', name), 'utf8')
  await owner.query(`
    drop function count_reported, count_unreported, count_reported_again, forget_months, count_paid_in_places, hold_places,
      month_paid, move_paid, student_moves_paid, school_moves_paid, recount_payments cascade;
    drop function utc_month;
    drop table payments_by_month, attendance_by_month, payment_totals;
    insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
      select id, current_date, 'learners', '9A', 20, 15, now() from schools`)
  await owner.query(`begin; ${file('0012_monthly_totals.sql')}; ${file('0036_payment_totals.sql')}; commit`)
  await expectMonthsKept(portal)
  // The application's role was granted the dropped tables, so they are read as the owner here.
  const { rows } = await owner.query('select sum(payments)::int as payments from payment_totals')
  expect(rows).toEqual([{ payments: before.reduce((sum, { payments }) => sum + payments, 1) }])
})
