import type { AttendanceState } from '@portal/contracts/transfers/cohort-attendance'
import { sql } from 'kysely'
import { type Reader, rows } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import { classKeys } from '../../sync/class-keys.service.ts'
import { classAttendance, ofLearners, reportedDays } from './class-attendance.ts'

/** How many days are looked at, the last one included. */
const days = 30

/** SQL: the last day that is looked at, of cohort `c`: today, or the day of its decision. */
const lastDay = sql`coalesce((c.decided_at at time zone 'utc')::date, (now() at time zone 'utc')::date)`
const lastDayOf = (cohortId: number) =>
  sql`(select ${lastDay} from transfer_cohorts c where c.id = ${cohortId})`
const firstDayOf = (cohortId: number) => sql`(${lastDayOf(cohortId)} - ${days - 1}::int)`

/** SQL: the schools of the girls of a list. */
const schoolsOf = (cohortId: number) => sql`
  select s.school_id from transfer_master_list m join students s on s.id = m.student_id where m.cohort_id = ${cohortId}`

/**
 * SQL: the days that are looked at, and how many of them were school days: those from Monday to Friday, before the last
 * one, on which a school of the country reported learners. Holidays are no school days therefore. `offset 0` ends the reading of a day with
 * its first report; joined, all reports ever were read.
 */
export const attendancePeriod = (cohortId: number) => sql`
  select c.name, p.last - ${days - 1}::int as "from", p.last as "to", (
    select count(*) from generate_series(p.last - ${days - 1}::int, p.last - 1, interval '1 day') d (day)
    where extract(isodow from d.day) < 6 and exists (
      select from attendance a join schools sc on sc.id = a.school_id join caps k on k.id = sc.cap_id
        join academies o on o.id = k.academy_id join regions r on r.id = o.region_id
      where a.date = d.day::date and ${ofLearners} and r.country = g.country offset 0)) as school_days
  from transfer_cohorts c join transfer_agencies g on g.id = c.transfer_agency_id, lateral (select ${lastDay} as last) p
  where c.id = ${cohortId} and c.imported_at is not null`

/** SQL: the schools of a list, each with its last report of learners and whether it was silent on the days looked at. */
export const schoolReports = (cohortId: number, schools = schoolsOf(cohortId)) => sql`
  select l.school_id, l.last_report, coalesce(l.last_report < ${firstDayOf(cohortId)}, true) as silent
  from (select x.school_id, (select max(a.date) from attendance a
      where a.school_id = x.school_id and ${ofLearners} and a.date <= ${lastDayOf(cohortId)}) as last_report
    from (select distinct y.school_id from (${schools}) y) x) l`

/** The girls of a list in one class level of a school. `days` and `shares` are sums over the girls. */
export type Group = {
  id: string
  school_id: number
  class_level: string
  state: AttendanceState
  girls: number
  unknown: number
  days: number
  shares: number | null
  last_report: string | null
}

/**
 * Reads the groups of a list, each girl with the figures of her class. All figures of a page are made of them. The girls are
 * counted by class first, because looking each of 150,000 up again for schools and reports takes most of the time.
 */
const readGroups = async (db: Reader, cohortId: number): Promise<Group[]> => {
  const keys = await classKeys(db)
  const schools = sql`select school_id from ${sql.table('girls')}`
  return rows(
    db,
    sql<Group>`
      with girls as materialized (
        select s.school_id, s.class_id, coalesce(s.current_class_level, '') as class_level, count(*) as girls
        from transfer_master_list m join students s on s.id = m.student_id where m.cohort_id = ${cohortId} group by 1, 2, 3)
      select n.school_id || ' ' || n.class_level as id, n.*, r.last_report,
        case when r.silent then 'silent' when n.girls = n.unknown then 'unknown' else 'reported' end as state
      from (
        select g.school_id, g.class_level, sum(g.girls)::bigint as girls,
          coalesce(sum(g.girls) filter (where w.share is null), 0)::bigint as unknown,
          coalesce(sum(g.girls * w.days), 0)::bigint as days, sum(g.girls * w.share) as shares
        from girls g left join (${classAttendance({
          reports: reportedDays({ first: firstDayOf(cohortId), last: lastDayOf(cohortId), schools }),
          schools,
          keys,
        })}) w on w.id = g.class_id
        group by 1, 2
      ) n join (${schoolReports(cohortId, schools)}) r on r.school_id = n.school_id`,
  )
}

export type Period = { name: string; from: string; to: string; school_days: number }
/** The attendance of a list. `counted_at` is the moment that it is of; null for now. */
export type Counted = { period: Period; groups: Group[]; counted_at: string | null }

/** Counts the days that are looked at for a list, and its groups, as they are now. */
export async function countAttendance(db: Reader, cohortId: number): Promise<Counted> {
  const [[period], groups] = await Promise.all([
    rows(db, sql<Period>`${attendancePeriod(cohortId)}`),
    readGroups(db, cohortId),
  ])
  if (!period) throw notFound()
  return { period, groups, counted_at: null }
}
