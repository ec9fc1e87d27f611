import { expect, test } from 'vitest'
import { keepAttendance } from '../../../src/transfers/attendance/kept-attendance.service.ts'
import { recipient, startStage } from '../../cohorts.ts'
import { exported, sheetOf } from '../../exports/workbook.ts'

const stage = await startStage(6)
const { portal, officer, approver, imported, approve } = stage
const { owner } = portal
await portal.worker()
// Girls 1 to 3 are in class 7A of level 7, girls 4 to 6 in class 8A of level 8.
await owner.query(`
  insert into classes (school_id, name) select s.id, v.name from schools s, (values ('7A'), ('8A')) v (name) where s.admin_code = 'KYS-001';
  update students s set current_class_level = v.level, class_id = k.id
    from (select n, case when n <= 3 then '7' else '8' end as level from generate_series(1, 6) n) v
      join classes k on k.name = v.level || 'A'
    where right(s.student_code, 2)::int = v.n`)

const ago = async (days: number): Promise<string> =>
  (await owner.query(`select ((now() at time zone 'utc')::date - $1::int)::text as day`, [days])).rows[0].day
const report = async (daysAgo: number, name: string, present: number) =>
  owner.query(
    `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
     select id, $1, 'learners', $2, 10, $3, now() from schools where admin_code = 'KYS-001'`,
    [await ago(daysAgo), name, present],
  )
const listed = (name: string) =>
  imported(
    name,
    Array.from({ length: 6 }, (_, n) => recipient(n + 1)),
  )
const read = async (id: number) => (await approver.get(`/admin/transfers/cohorts/${id}/attendance`)).body
/** School, level, state, girls and girls whose class was not reported, as the sheet has them. */
async function linesOf(id: number) {
  const file = await exported(officer, '/admin/transfers/cohorts/attendance/export', { cohort_id: id })
  const rows = (await sheetOf(file)).getSheetValues().slice(2) as unknown[][]
  return rows.map((cells) => ({ level: cells[4], state: cells[5], girls: cells[6], unknown: cells[7] }))
}

test('an auditor reads the attendance as of the day of the decision, and a school that reported only later as silent', async () => {
  const id = await listed('Decided')
  expect((await approve(id)).status).toBe(200)
  await owner.query("update transfer_cohorts set decided_at = decided_at - interval '5 days' where id = $1", [
    id,
  ])
  await report(2, '7A', 9)
  const { attendance, levels } = await read(id)
  expect(attendance).toMatchObject({
    from: await ago(34),
    to: await ago(5),
    silent_schools: 1,
    silent_girls: 6,
  })
  expect(levels.data).toMatchObject([
    { state: 'silent', last_report: null },
    { state: 'silent', last_report: null },
  ])
  await report(6, '7A', 9)
  expect((await read(id)).attendance).toMatchObject({ silent_schools: 0, present: 90, unknown: 3 })
})

test('an officer of a large list takes a sheet with the figures of now, although the page has those of the last minutes', async () => {
  const id = await listed('Large')
  await keepAttendance(portal.db, 5)
  const before = await read(id)
  expect(before.levels.data).toMatchObject([
    { class_level: '8', state: 'unknown', girls: 3, unknown: 3 },
    { class_level: '7', state: 'reported', girls: 3, unknown: 0 },
  ])
  await report(3, '8A', 5)
  expect(await read(id)).toEqual(before)
  expect(await linesOf(id)).toEqual([
    { level: '8', state: 'Reported', girls: 3, unknown: 0 },
    { level: '7', state: 'Reported', girls: 3, unknown: 0 },
  ])
  await owner.query("delete from attendance where class = '8A'")
  expect(await linesOf(id)).toEqual([
    { level: '8', state: 'Class not reported', girls: 3, unknown: 3 },
    { level: '7', state: 'Reported', girls: 3, unknown: 0 },
  ])
})

test('no worker counts the attendance of a list that was rejected', async () => {
  const id = await listed('Rejected')
  const rejected = await approver.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'rejected' })
  expect(rejected.status).toBe(200)
  await keepAttendance(portal.db, 5)
  const { rows } = await owner.query('select cohort_id::int as id from kept_attendance order by 1')
  expect(rows.map((row) => row.id)).not.toContain(id)
  expect(rows.length).toBeGreaterThan(0)
})
