import { expect, test } from 'vitest'
import { keepAttendance } from '../../../src/transfers/attendance/kept-attendance.service.ts'
import { recipient, startStage } from '../../cohorts.ts'
import { exported, sheetOf } from '../../exports/workbook.ts'
import { waitingForLock } from '../../locks.ts'
import { until } from '../../portal.ts'

const stage = await startStage(14)
const { portal, officer, approver, imported, approve } = stage
const { owner } = portal
await portal.worker()

/**
 * Kayes Khasso 1 has girls 1 to 8 in class 7A of level 7, girls 9 and 10 in class 8A of level 8, and girls 11 and 12 in no
 * class. Girls 13 and 14 are in Kita 1. Kayes Plateau has none of them, and Kolda is in Senegal.
 */
await owner.query(`
  insert into regions (country, name) values ('sn', 'KOLDA');
  insert into academies (region_id, name) select id, 'IA KOLDA' from regions where name = 'KOLDA';
  insert into caps (academy_id, name) select id, 'IEF KOLDA' from academies where name = 'IA KOLDA';
  insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select v.name, v.code, 'primary', c.id, '2026-2027' from caps c join (values ('Kita 1', 'KIT-1', 'CAP KAYES'),
      ('Kayes Plateau', 'KYS-002', 'CAP KAYES'), ('Kolda 1', 'KOL-1', 'IEF KOLDA')) v (name, code, cap) on v.cap = c.name;
  insert into classes (school_id, name) select s.id, v.name from schools s join (values ('KYS-001', '7 A'), ('KYS-001', '8A'),
    ('KIT-1', '7A')) v (code, name) on v.code = s.admin_code;
  update students s set current_class_level = v.level, class_id = k.id, school_id = sc.id
    from (select n, case when n <= 8 or n > 12 then '7' when n <= 10 then '8' end as level,
        case when n <= 8 then '7 A' when n <= 10 then '8A' when n > 12 then '7A' end as class,
        case when n > 12 then 'KIT-1' else 'KYS-001' end as school from generate_series(1, 14) n) v
      join schools sc on sc.admin_code = v.school left join classes k on k.school_id = sc.id and k.name = v.class
    where right(s.student_code, 2)::int = v.n`)

/** The last four days from Monday to Friday before today, newest first, and a weekend day. */
const { rows: days } = await owner.query(`
  select d::date::text as day, extract(isodow from d) > 5 as weekend
  from generate_series((now() at time zone 'utc')::date - 9, (now() at time zone 'utc')::date - 1, interval '1 day') d order by d desc`)
const weekdays: string[] = days.filter(({ weekend }) => !weekend).map(({ day }) => day)
const [one = '', two = '', three = '', four = ''] = weekdays
const weekend: string = days.find((day) => day.weekend).day
const ago = async (n: number): Promise<string> =>
  (await owner.query(`select ((now() at time zone 'utc')::date - $1::int)::text as day`, [n])).rows[0].day

const report = (school: string, day: string, kind: string, [present, enrolled]: [number, number]) =>
  owner.query(
    `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
      select id, $2, 'learners', $3, $5, $4, now() from schools where admin_code = $1`,
    [school, day, kind, present, enrolled],
  )
const read = async (id: number, query = '') =>
  (await approver.get(`/admin/transfers/cohorts/${id}/attendance${query}`)).body
const flagOf = async (id: number) =>
  (await approver.get(`/admin/transfers/cohorts/${id}/flags`)).body.flags.find(
    ({ kind }: { kind: string }) => kind === 'silent_school',
  )

const list = await imported(
  'Term 1',
  Array.from({ length: 14 }, (_, n) => recipient(n + 1)),
)
/** Who looked before anybody of the country had reported. */
await report('KOL-1', one, '7A', [5, 10])
const unheard = { answer: await read(list), flag: await flagOf(list) }

const today = await ago(0)
const longAgo = await ago(30)
for (const day of [one, two, three, four, weekend]) await report('KYS-002', day, 'ALL', [90, 100])
await report('KYS-001', one, '7A', [9, 10])
await report('KYS-001', two, '7A', [7, 10])
await report('KYS-001', weekend, '7A', [8, 10])
await report('KYS-001', today, '7A', [10, 10])
await report('KIT-1', longAgo, '7A', [10, 10])

test('where nobody of the country reported, an approver reads that nothing is known, and no school is flagged', () => {
  expect(unheard.flag).toBeUndefined()
  expect(unheard.answer.attendance).toMatchObject({
    school_days: 0,
    girls: 14,
    unknown: 14,
    reported: null,
    present: null,
  })
})

test('an approver reads on which share of school days each girl’s class was reported, and how many were present', async () => {
  const { name, attendance, levels } = await read(list)
  expect(name).toBe('Term 1')
  // Eight girls on two of four days. The weekend and today, which is not over, count for who was present only.
  expect(attendance).toEqual({
    from: await ago(29),
    to: today,
    school_days: 4,
    girls: 14,
    unknown: 6,
    reported: 28.6,
    present: 85,
    schools: 2,
    silent_schools: 1,
    silent_girls: 2,
    counted_at: null,
  })
  expect(levels.data).toMatchObject([
    {
      school_name: 'Kita 1',
      class_level: '7',
      state: 'silent',
      girls: 2,
      reported: 0,
      last_report: longAgo,
    },
    { admin_code: 'KYS-001', class_level: '', state: 'unknown', girls: 2, unknown: 2, present: null },
    { admin_code: 'KYS-001', class_level: '8', state: 'unknown', girls: 2, reported: 0, present: null },
    {
      class_level: '7',
      state: 'reported',
      girls: 8,
      unknown: 0,
      reported: 50,
      present: 85,
      last_report: today,
    },
  ])
})

test('an approver filters, searches and sorts the class levels, page by page', async () => {
  const levelsOf = async (query: string) =>
    (await read(list, query)).levels.data.map(({ class_level }: { class_level: string }) => class_level)
  expect(await levelsOf('?state=unknown')).toEqual(['', '8'])
  expect(await levelsOf('?search=khasso')).toEqual(['', '8', '7'])
  // Each word is in the school, its code, its CAP or the level.
  expect(await levelsOf('?search=khasso%208')).toEqual(['8'])
  expect(await levelsOf('?search=CAP%20KÀYES%207')).toEqual(['7', '7'])
  expect(await levelsOf('?search=kit-1%208')).toEqual([])
  expect(await levelsOf('?sort=-girls&per_page=1')).toEqual(['7'])
  expect((await read(list, '?per_page=1&page=4')).levels).toMatchObject({
    total: 4,
    last_page: 4,
    data: [{ state: 'reported' }],
  })
})

test('girls in a silent school are flagged with the school and its last report, and the list can be approved', async () => {
  expect(await flagOf(list)).toMatchObject({
    count: 2,
    rows: [
      { row: 14, student_code: 'KYS-000013', value: 'Kita 1', compared: longAgo },
      { row: 15, student_code: 'KYS-000014', value: 'Kita 1', compared: longAgo },
    ],
  })
  await owner.query('delete from attendance where date = $1', [longAgo])
  expect((await flagOf(list)).rows).toMatchObject([{ compared: 'never' }, { compared: 'never' }])
  // A report that was taken back is none.
  await report('KIT-1', one, '7A', [10, 10])
  expect(await flagOf(list)).toBeUndefined()
  await owner.query(
    `update attendance set withdrawn = true from schools s where s.id = school_id and s.admin_code = 'KIT-1'`,
  )
  expect(await flagOf(list)).toMatchObject({ count: 2 })
  expect((await approve(list)).status).toBe(200)
})

test('a report of the whole school counts for a class without one of its own, and the sheet has the rows of the page', async () => {
  await report('KYS-001', three, 'ALL', [50, 100])
  const { levels } = await read(list)
  expect(levels.data.find(({ class_level: level }: { class_level: string }) => level === '8')).toMatchObject({
    state: 'reported',
    reported: 25,
    present: 50,
  })
  const file = await exported(officer, '/admin/transfers/cohorts/attendance/export', { cohort_id: list })
  const sheet = await sheetOf(file)
  const rows = sheet.getSheetValues().slice(2) as unknown[][]
  expect(rows.map((cells) => [cells[1], cells[4] ?? '', cells[6], cells[8], cells[9] ?? null])).toEqual(
    levels.data.map((row: Record<string, unknown>) => [
      row.school_name,
      row.class_level,
      row.girls,
      row.reported,
      row.present,
    ]),
  )
  // Excel shows the decimal of a share, as the page does.
  const shown = sheet.getRow(2)
  expect([8, 9].map((column) => shown.getCell(column).numFmt)).toEqual(['#,##0.00', '#,##0.00'])
})

test('an approver of a large list reads the figures of the last minutes with their moment, and after the decision those of then', async () => {
  const large = await imported(
    'Term 2',
    Array.from({ length: 14 }, (_, n) => recipient(n + 1)),
  )
  const keep = () => keepAttendance(portal.db, 13)
  const aged = (minutes: number) =>
    owner.query('update kept_attendance set counted_at = now() - make_interval(mins => $1)', [minutes])
  const now = await read(large)
  await keep()
  const kept = await read(large)
  expect(kept).toEqual({
    ...now,
    attendance: { ...now.attendance, counted_at: expect.stringMatching(/^20.*Z$/) },
  })
  expect((await read(list)).attendance.counted_at).not.toBeNull()

  await report('KIT-1', two, '7A', [10, 10])
  await keep()
  expect(await read(large)).toEqual(kept)
  await aged(11)
  expect(await read(large)).toMatchObject({ attendance: { silent_schools: 1 } })
  await keep()
  expect((await read(large)).attendance).toMatchObject({ silent_schools: 0, counted_at: expect.any(String) })

  // A worker that counts no more.
  await aged(61)
  expect((await read(large)).attendance).toMatchObject({ silent_schools: 0, counted_at: null })

  await keep()
  await aged(5)
  expect((await approve(large, { confirmed_overlaps: [list] })).status).toBe(200)
  expect((await read(large)).attendance.counted_at).toBeNull()
  await keep()
  expect((await read(large)).attendance.counted_at).toEqual(expect.any(String))
  // A report of those days that arrives after the decision.
  await owner.query(`update transfer_cohorts set decided_at = now() - interval '2 days' where id = $1`, [
    large,
  ])
  await owner.query(`update kept_attendance set counted_at = now() - interval '25 hours'`)
  await report('KIT-1', four, '7A', [5, 10])
  const before = (await read(large)).attendance.present
  await keep()
  expect((await read(large)).attendance.present).toBeLessThan(before)
})

test('an approver’s large list is counted once when two workers find it at the same time', async () => {
  const large = await imported(
    'Term 3',
    Array.from({ length: 14 }, (_, n) => recipient(n + 1)),
  )
  await owner.query(`
    create table countings (cohort_id bigint);
    grant insert on countings to portal_app;
    create function note_counting() returns trigger language plpgsql as
      $$ begin insert into countings values (new.cohort_id); return null; end $$;
    create trigger note_counting after insert or update on kept_attendance for each row execute function note_counting()`)
  const waiting = async () => (await waitingForLock(portal.db.pool, { table: 'attendance' })).length
  const worker = () => keepAttendance(portal.db, 13)
  await owner.query('begin; lock table attendance in access exclusive mode')
  const first = worker()
  const ofFirst = await until(waiting)
  const second = worker()
  const outcome = await Promise.race([
    second.then(() => 'leaves the list to the first one'),
    until(async () => Number(await waiting()) > ofFirst && 'counts the list, too'),
  ])
  await owner.query('commit')
  await Promise.all([first, second])
  expect(outcome).toBe('leaves the list to the first one')
  await worker()
  const { rows: countings } = await owner.query('select cohort_id from countings')
  expect(countings).toEqual([{ cohort_id: large }])
})

test('whoever may not see transfers reads no attendance, and a list that is not there is not found', async () => {
  const path = `/admin/transfers/cohorts/${list}/attendance`
  expect((await (await portal.visitor()).get(path)).status).toBe(401)
  const other = await portal.signedIn('schools.view')
  expect((await other.get(path)).status).toBe(403)
  const sheet = await other.post('/admin/transfers/cohorts/attendance/export', { cohort_id: list })
  expect(sheet.status).toBe(403)
  expect((await approver.get('/admin/transfers/cohorts/999999/attendance')).status).toBe(404)
  expect(
    (await officer.post('/admin/transfers/cohorts/attendance/export', { cohort_id: 999_999 })).status,
  ).toBe(404)
})

test('a class with letters of Bambara has the attendance that its school reported', async () => {
  await owner.query("update classes set name = 'Kalanso ɲɛ ŋ' where name = '8A'")
  await report('KYS-001', one, 'KALANSOƝƐŊ', [6, 10])
  const again = await imported(
    'Term 4',
    Array.from({ length: 14 }, (_, n) => recipient(n + 1)),
  )
  const { levels } = await read(again, '?search=khasso%208')
  expect(levels.data).toMatchObject([{ class_level: '8', state: 'reported', unknown: 0, present: 60 }])
})
