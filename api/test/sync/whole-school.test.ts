import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { expectMonthsKept } from '../transfers/sums/months.ts'
import { dayBack, machine, makeToken, minutesAgo, report, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
await portal.worker()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
})

const of = (school: string, name: string, enrolled: number, present: number, fields: object = {}) =>
  report({ school_admin_code: school, class: name, learners: { enrolled, present } }, fields)
const today = async () => {
  const person = await portal.signedIn()
  const { total_students, total_reports, reported_schools, week_summary } = (
    await person.get('/home/dashboard/attendance')
  ).body
  const month = (await person.get('/home/trends')).body.months.at(-1).student_attendance
  return {
    total_students,
    total_reports,
    reported_schools,
    share: week_summary.at(-1).student_attendance,
    month,
  }
}

test('a person sees each girl of a school once that reports its classes and itself as a whole, in any order', async () => {
  await addSchools(portal, 2)
  const send = machine(portal, await makeToken(portal))
  const whole = { enrolled: 200, present: 180 }
  const classes = (school: string) => [of(school, '7A', 50, 41), of(school, '8A', 40, 30)]
  const all = (school: string) => of(school, 'all', whole.enrolled, whole.present)
  for (const messages of [classes('KIT-1'), [all('KIT-1')], [all('KIT-2')], classes('KIT-2')]) {
    await send({ messages })
    await settled(portal)
  }
  const once = { total_students: 360, total_reports: 2, reported_schools: 2, share: 90, month: 90 }
  expect(await today()).toEqual(once)
  // A class that is corrected afterwards is still a part of the whole.
  await send({ messages: [of('KIT-1', '7A', 50, 50, { created_at: minutesAgo(1) })] })
  await settled(portal)
  expect(await today()).toEqual(once)
  await expectMonthsKept(portal)

  // Once the report of the whole school is taken back, its classes count again.
  const gone = { action: 'delete', created_at: minutesAgo(1) }
  await send({ messages: ['KIT-1', 'KIT-2'].map((school) => of(school, 'ALL', 0, 0, gone)) })
  await settled(portal)
  const share = Math.round((151 * 1000) / 180) / 10
  expect(await today()).toEqual({
    total_students: 151,
    total_reports: 4,
    reported_schools: 2,
    share,
    month: share,
  })
  await expectMonthsKept(portal)
})

test('a person sees each girl once when two workers write the school and one of its classes at the same moment', async () => {
  await addSchools(portal, 1)
  const present = { ALL: [200, 150], '7A': [50, 20] }
  const write = (db: pg.ClientBase, name: keyof typeof present) =>
    db.query(
      `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
       select id, (now() at time zone 'utc')::date, 'learners', $1, $2, $3, now() from schools where admin_code = 'KIT-1'`,
      [name, ...present[name]],
    )
  for (const [first, second] of [['7A', 'ALL'] as const, ['ALL', '7A'] as const]) {
    await owner.query('delete from attendance')
    const [one, other] = [await owner.connect(), await owner.connect()]
    for (const db of [one, other]) await db.query('begin')
    await write(one, first)
    const written = write(other, second)
    // Either it waits for the first one, or it was written without seeing it.
    const waits = untilLocked(portal.db.pool, { lock: 'advisory' })
    await Promise.race([written, waits])
    await one.query('commit')
    await written
    await other.query('commit')
    for (const db of [one, other]) db.release()
    expect(await today()).toMatchObject({ total_students: 150, share: 75, month: 75 })
    await expectMonthsKept(portal)
  }
})

test('a person sees in the month what a school reported as a whole, also of another day', async () => {
  await addSchools(portal, 1)
  const send = machine(portal, await makeToken(portal))
  const before = { date: dayBack(1) }
  await send({
    messages: [
      report({ class: 'ALL', learners: { enrolled: 100, present: 50 } }),
      report({ ...before, class: '7A', learners: { enrolled: 100, present: 100 } }),
    ],
  })
  await settled(portal)
  expect(await today()).toMatchObject({ total_students: 50, share: 50 })
  await expectMonthsKept(portal)
})

test('an operator who upgrades finds the reports of before counted once, also if the upgrade was broken off and runs again', async () => {
  await addSchools(portal, 2)
  const { rows } = await owner.query(
    `select tgname from pg_trigger where tgrelid = 'attendance'::regclass and tgname ~ '^attendance_(alone|superseded)'`,
  )
  for (const { tgname } of rows) await owner.query(`drop trigger ${tgname} on attendance`)
  await owner.query(`
    drop function supersede_classes, one_report_at_a_time;
    alter table attendance drop column superseded;
    alter table attendance disable trigger user;
    insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
      select id, current_date, 'learners', class, enrolled, present, now()
      from schools, (values ('ALL', 200, 180), ('7A', 50, 20)) reports (class, enrolled, present) where admin_code like 'KIT-%';
    insert into attendance_by_month (month, who, present, enrolled)
      select date_trunc('month', date)::date, who, sum(present), sum(enrolled) from attendance group by 1, 2;
    alter table attendance enable trigger user`)
  const file = readFileSync(
    join(import.meta.dirname, '../../migrations/0106_whole_schools_count_once.sql'),
    'utf8',
  )
  for (const statement of [...file.split(/;\s*$/m), ...file.split(/;\s*$/m)])
    if (statement.trim()) await owner.query(statement)
  expect(await today()).toMatchObject({ total_students: 360, share: 90, month: 90 })
  await expectMonthsKept(portal)
})
