import {
  type LeftOutReason,
  leftOutReasons,
  type Selection,
} from '@portal/contracts/transfers/target-selection'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import { classKeys } from '../../sync/class-keys.service.ts'
import { classAttendance, reportedShares } from '../attendance/class-attendance.ts'

/** The day in UTC, which is the time of both countries. */
const today = sql`(now() at time zone 'utc')::date`

/** SQL: whether a school `sc` of region `g` lies in the place of a selection. */
export const placed = ({ region, cap }: Selection) =>
  sql`((${region ?? null}::bigint is null or g.id = ${region ?? null}) and (${cap ?? null}::bigint is null or sc.cap_id = ${cap ?? null}))`

export const schoolTables = sql`schools sc join caps c on c.id = sc.cap_id join academies a on a.id = c.academy_id
  join regions g on g.id = a.region_id`

/** SQL: whether a school `sc` is one of those that a selection names, or the selection names none. */
export const isNamed = ({ schools = [] }: Selection) =>
  schools.length > 0 ? sql`sc.id = any(${schools}::bigint[])` : sql`true`

/** SQL: whether a class level is one of those of a selection, or the selection has none. */
export const hasLevel = ({ levels = [] }: Selection, level: RawBuilder<unknown>) =>
  levels.length > 0 ? sql`${level} = any(${levels}::text[])` : sql`true`

/** SQL: the ids of the schools of a selection. */
export const schoolsOf = (selection: Selection) =>
  sql`select sc.id from ${schoolTables}
    where g.country = ${selection.country} and ${placed(selection)} and ${isNamed(selection)}`

/** SQL: the column of guardians with a number of the country. */
export const numberOf = { ml: sql.ref('number_ml'), sn: sql.ref('number_sn') }

/** SQL: the students on hold today. */
export const onHold = sql`select h.student_id from payee_holds h
  where h.released_at is null and (h.ends_on is null or h.ends_on >= ${today})`

/** SQL: students `st` with the share `w` of their class (`sharesOf`), and the condition that belongs to them. */
export type Students = { from: RawBuilder<unknown>; where: RawBuilder<unknown> }

/** SQL: all students, as they are now. */
export const liveStudents: Students = {
  from: sql`live_students st left join shares w on w.id = st.class_id`,
  where: sql`true`,
}

/**
 * SQL: what `query` finds among the students as they were counted, and among those who have changed since as they are now (decision 225).
 * Both are read in one statement, so no student is in both or in neither.
 */
export const amongStudents = (query: (students: Students) => RawBuilder<unknown>) => sql`
  ${query({
    from: sql`counted_students st left join shares w on w.id = st.class_id`,
    where: sql`not exists (select from changed_students x where x.student_id = st.student_id)`,
  })}
  union all
  ${query({ ...liveStudents, where: sql`st.student_id in (select student_id from changed_students)` })}`

/** SQL: whether student `st` is in one of the schools of a selection, or of those `schools`, and has one of its levels. */
export const isWanted = (selection: Selection, schools = sql`in (${schoolsOf(selection)})`) =>
  sql`(st.school_id ${schools} and ${hasLevel(selection, sql`st.level`)})`

/** The first and the last day of a selection. */
type Days = { first: string; last: string }

/**
 * Finds the share of learners who were present, by class, over the days of a selection. Returns SQL for `with`. The shares are found once, for all
 * statements of a call. If a place or schools are chosen, only their reports are read, and none if the selection has no condition on attendance.
 */
export async function sharesOf(db: Db, selection: Selection): Promise<RawBuilder<unknown>> {
  const { attendance, attendance_days, region, cap, schools = [] } = selection
  if (attendance === undefined)
    return sql`shares (id, share) as (select null::bigint, null::numeric where false)`
  const ofSchools = region || cap || schools.length > 0 ? schoolsOf(selection) : undefined
  const [days] = await rows(
    db,
    sql<Days>`select ${today} - ${attendance_days - 1}::int as first, ${today} as last`,
  )
  if (!days) throw new Error('The database does not say which day it is')
  const classes = classAttendance({
    reports: reportedShares(days.first, days.last, ofSchools),
    schools: ofSchools,
    keys: await classKeys(db),
  })
  // As texts, which are handed back as they are: there may be 45,000 classes.
  const [found] = await searchRows(
    db,
    sql<{ ids: string; shares: string }>`
      select coalesce(array_agg(w.id), '{}')::text as ids, coalesce(array_agg(w.share), '{}')::text as shares
      from (${classes}) w where w.share is not null`,
  )
  // Grouped, so that PostgreSQL knows that a class is there once, and looks classes up for students and not students for classes.
  return sql`shares (id, share) as materialized (
    select w.id, min(w.share) from unnest(${found?.ids ?? '{}'}::bigint[], ${found?.shares ?? '{}'}::numeric[]) w (id, share) group by 1)`
}

/** SQL: why student `st` is left out, or null. The order is that of `leftOutReasons`. */
export function reasonOf({ country, guardian, not_held, attendance }: Selection): RawBuilder<unknown> {
  const when: Partial<Record<LeftOutReason, RawBuilder<unknown>>> = {
    not_a_girl: sql`not st.girl`,
    ...(guardian && { no_guardian: sql`not st.guardian`, no_number: sql`not st.${numberOf[country]}` }),
    ...(not_held && { held: sql`st.student_id in (${onHold})` }),
    ...(attendance !== undefined && {
      attendance_unknown: sql`w.share is null`,
      attendance_low: sql`w.share < ${attendance}::int`,
    }),
  }
  const cases = leftOutReasons.flatMap((reason) => {
    const applies = when[reason]
    return applies ? [sql`when ${applies} then ${sql.lit(reason)}`] : []
  })
  return sql`case ${sql.join(cases, sql` `)} end`
}
