import type { AttendanceSummary, SilentSchool } from '@portal/contracts/attendance'
import type { ListQuery, Page } from '@portal/contracts/fields'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'

/** Days are those of UTC, which is the time of both countries. */
const today = sql`(now() at time zone 'utc')::date`
const monday = sql`date_trunc('week', now() at time zone 'utc')::date`
/** SQL: a report that counts. One of a class does not where the school has reported as a whole, which contains it (Messages 2.1). */
const counts = sql`not withdrawn and not superseded`

type DayRow = {
  date: string
  reported_schools: number
  teachers: number
  learners: number
  reports: number
  teacher_attendance: number | null
  student_attendance: number | null
  absenteeism_rate: number | null
}

/** Returns the figures of the attendance dashboard. Its attendance is read from one index. */
export async function attendanceSummary(db: Db): Promise<AttendanceSummary> {
  const [days, [total]] = await Promise.all([
    rows(
      db,
      sql<DayRow>`
        select d.day::date as date, coalesce(a.schools, 0) as reported_schools, coalesce(a.teachers, 0) as teachers,
          coalesce(a.learners, 0) as learners,
          (select count(distinct message_id) from attendance where date = ${today} and date = d.day::date and ${counts}) as reports,
          ${percent(sql`a.teachers`, sql`a.all_teachers`)} as teacher_attendance,
          ${percent(sql`a.learners`, sql`a.all_learners`)} as student_attendance,
          100 - ${percent(sql`a.learners`, sql`a.all_learners`)} as absenteeism_rate
        from generate_series(${monday}, ${today}, interval '1 day') d (day)
        left join (select date, count(distinct school_id) as schools, sum(present) filter (where who = 'teachers') as teachers,
            sum(enrolled) filter (where who = 'teachers') as all_teachers, sum(present) filter (where who = 'learners') as learners,
            sum(enrolled) filter (where who = 'learners') as all_learners
          from attendance where date between ${monday} and ${today} and ${counts} group by date) a on a.date = d.day::date
        order by d.day`,
    ),
    rows(
      db,
      sql<{ schools: number }>`
        select coalesce(sum(rows), 0)::bigint as schools from list_totals where name = 'schools'`,
    ),
  ])
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) throw new Error('A week has at least one day')
  return {
    reported_schools: last.reported_schools,
    total_teachers: last.teachers,
    total_students: last.learners,
    total_reports: last.reports,
    schools: total?.schools ?? 0,
    current_week: { from: first.date, to: last.date },
    week_summary: days.map(({ teachers, learners, reports, ...day }) => day),
  }
}

/** SQL: a percentage with one decimal. It is null if nobody is enrolled, which means that no school reported. */
const percent = (part: ReturnType<typeof sql>, whole: ReturnType<typeof sql>) =>
  sql`round(100.0 * ${part} / nullif(${whole}, 0), 1)`

const lastReport = sql`(select max(a.date) from attendance a where a.school_id = s.id and not a.withdrawn)`

/** Lists the schools without a report this week. Schools that never reported come first. */
export async function listSilentSchools(db: Db, query: ListQuery): Promise<Page<SilentSchool>> {
  return paged<SilentSchool>(db, query, {
    columns: sql`s.id, s.name, s.admin_code, c.name as admin_district_as_cap, ${lastReport} as last_report`,
    from: sql`schools s join caps c on c.id = s.cap_id`,
    where: [
      sql`not exists (select from attendance a where a.school_id = s.id and a.date between ${monday} and ${today} and not a.withdrawn)`,
      matches(sql`s.search`, query.search),
    ],
    sort: {
      name: sql`s.name collate "fr-x-icu"`,
      admin_code: sql`s.admin_code`,
      last_report: sql`coalesce(${lastReport}, '-infinity'::date)`,
    },
    order: 'last_report',
    key: sql`s.id`,
    // Each school is looked up once, for the page and the total.
    planned: true,
    compared: true,
  })
}
