import { type RawBuilder, sql } from 'kysely'
import { partsOf } from './parts-of-days.ts'

/** The schools whose reports are read (a query of their ids), if not all. */
type Schools = RawBuilder<unknown> | undefined
const ofSchools = (schools: Schools, id: RawBuilder<unknown>) =>
  schools ? sql`${id} in (${schools})` : sql`true`

/** SQL: a report of learners that counts. */
export const ofLearners = sql`a.who = 'learners' and not a.withdrawn`

/** The days that are looked at, both included. */
type Range = { first: RawBuilder<unknown>; last: RawBuilder<unknown>; schools?: Schools }

/**
 * SQL: the share of learners who were present and the number of days reported, by school and class. The last day is not
 * over, so that it counts for the share only.
 */
export const reportedDays = ({ first, last, schools }: Range) => sql`
  select a.school_id, a.class, 100.0 * sum(a.present) / nullif(sum(a.enrolled), 0) as share,
    count(*) filter (where a.date < ${last} and extract(isodow from a.date) < 6) as days
  from attendance a where ${ofLearners} and a.date between ${first} and ${last} and ${ofSchools(schools, sql`a.school_id`)}
  group by a.school_id, a.class`

/**
 * SQL: the share of learners who were present from one day to another, both `YYYY-MM-DD` and included, by school and class. Most of it is read
 * from sums of months (decision 227). It is one statement, so that sums and reports are of one moment.
 */
export function reportedShares(first: string, last: string, schools: Schools): RawBuilder<unknown> {
  const { months, days } = partsOf(first, last)
  const ofMonths = months && [
    sql`select b.school_id, b.class, b.present, b.enrolled from attendance_by_class b
      where b.month between ${months.from}::date and ${months.to}::date and ${ofSchools(schools, sql`b.school_id`)}`,
  ]
  const ofDays = days.map(
    (part) => sql`
      select a.school_id, a.class, ${sql.lit(part.sign)} * a.present, ${sql.lit(part.sign)} * a.enrolled
      from attendance a where ${ofLearners} and a.date between ${part.from}::date and ${part.to}::date and ${ofSchools(schools, sql`a.school_id`)}`,
  )
  return sql`
    select school_id, class, 100.0 * sum(present) / nullif(sum(enrolled), 0) as share, null::bigint as days
    from (${sql.join([...(ofMonths ?? []), ...ofDays], sql` union all `)}) parts (school_id, class, present, enrolled) group by 1, 2`
}

type Classes = { reports: RawBuilder<unknown>; schools?: Schools; keys: RawBuilder<unknown> }

/**
 * SQL: the attendance of each class. Reports name classes by `keys`; one of the whole school counts for the classes that have none
 * of their own (Imports 4.7).
 */
export const classAttendance = ({ reports, schools, keys }: Classes) => sql`
  with reports as materialized (${reports}),
  wanted as materialized (select id, school_id, name from classes where ${ofSchools(schools, sql`school_id`)})
  select k.id, coalesce(own.share, every.share) as share, coalesce(own.days, every.days, 0) as days
  from wanted k join ${keys} on n.name = k.name
    left join reports own on own.school_id = k.school_id and own.class = n.key
    left join reports every on every.school_id = k.school_id and every.class = 'ALL'`
