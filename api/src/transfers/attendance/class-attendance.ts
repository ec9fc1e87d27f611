import { type RawBuilder, sql } from 'kysely'

/**
 * The days that are looked at, both included, the schools if not all (a query of their ids), and the keys of all names of classes. Counting the
 * days of 800,000 reports takes as long as adding them up, so it is left out where nobody asks for them.
 */
type Range = {
  first: RawBuilder<unknown>
  last: RawBuilder<unknown>
  schools?: RawBuilder<unknown> | undefined
  withoutDays?: boolean
  keys: RawBuilder<unknown>
}

/** SQL: a report of learners that counts. */
export const ofLearners = sql`a.who = 'learners' and not a.withdrawn`

/**
 * SQL: the share of learners who were present and the number of days reported, by school and class. The last day is not
 * over, so that it counts for the share only.
 */
const reported = ({ first, last, schools, withoutDays }: Omit<Range, 'keys'>) => sql`
  select a.school_id, a.class, 100.0 * sum(a.present) / nullif(sum(a.enrolled), 0) as share,
    ${withoutDays ? sql`null::bigint` : sql`count(*) filter (where a.date < ${last} and extract(isodow from a.date) < 6)`} as days
  from attendance a where ${ofLearners} and a.date between ${first} and ${last}
    ${schools ? sql`and a.school_id in (${schools})` : sql``}
  group by a.school_id, a.class`

/**
 * SQL: the attendance of each class. Reports name classes by `keys`; one of the whole school counts for the classes that have none
 * of their own (Imports 4.7).
 */
export const classAttendance = (range: Range) => sql`
  with reports as materialized (${reported(range)}),
  wanted as materialized (
    select id, school_id, name from classes ${range.schools ? sql`where school_id in (${range.schools})` : sql``})
  select k.id, coalesce(own.share, every.share) as share, coalesce(own.days, every.days, 0) as days
  from wanted k join ${range.keys} on n.name = k.name
    left join reports own on own.school_id = k.school_id and own.class = n.key
    left join reports every on every.school_id = k.school_id and every.class = 'ALL'`
