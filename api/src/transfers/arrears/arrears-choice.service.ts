import type { QueryOf } from '@portal/contracts/endpoint'
import type { ArrearAge, arrears } from '@portal/contracts/transfers/arrears'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kit/database/db.ts'
import { matches } from '../../kit/database/paging.ts'

/** What the list and its export are filtered by. */
export type ArrearsFilters = Pick<
  QueryOf<typeof arrears.list>,
  'search' | 'cap' | 'school' | 'transfer_agency_id' | 'reason' | 'age'
>

/** SQL: today, in UTC (Money 2.2). */
export const today = sql`(now() at time zone 'utc')::date`

/** SQL: the age of a payment or of a girl's oldest one, by the day on which its round was due. */
export const ageSince = (due: RawBuilder<unknown>) => sql`case when ${today} - ${due} <= 30 then '0-30'
  when ${today} - ${due} <= 60 then '31-60' when ${today} - ${due} <= 90 then '61-90' else 'over-90' end`

type OfPlace = Pick<ArrearsFilters, 'cap' | 'school'>

/**
 * SQL: the payments in arrears, which are kept with their girls (decision 172), with her school, where a filter asks for one: reading each girl
 * takes as long as all the rest.
 */
export const owedOf = ({ cap, school }: OfPlace) =>
  cap || school ? sql`owed_payments o join students s on s.id = o.student_id` : sql`owed_payments o`

/** SQL: the same with their rounds. */
export const owed = (query: OfPlace, rounds: RawBuilder<unknown> = sql`transfer_payroll_groups`) =>
  sql`${owedOf(query)} join ${rounds} g on g.id = o.payroll_group_id`

/**
 * The girls in arrears who are searched by name or code, or by the name of a guardian, in the order of their numbers, once for all sums of
 * the page. The planner knows the words: it looks few up among those in arrears, and joins all of a frequent name with all in arrears.
 */
async function girlsNamed(db: Reader, search: string): Promise<number[] | undefined> {
  const girl = matches(sql`s.search`, search)
  const guardian = matches(sql`k.search`, search)
  if (!girl || !guardian) return undefined
  const found = await Promise.all(
    [
      sql<{ id: number }>`
        select s.id from students s where ${girl} and exists (select from owed_payments o where o.student_id = s.id)`,
      sql<{ id: number }>`
        select l.student_id as id from parents k join parent_students l on l.parent_id = k.id
        where ${guardian} and exists (select from owed_payments o where o.student_id = l.student_id)`,
    ].map((named) => named.execute(db)),
  )
  const ids = new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id)))
  return [...ids].sort((a, b) => a - b)
}

/** The filters with the girls who are searched, if any are. */
export type Chosen = Omit<ArrearsFilters, 'search'> & { girls: number[] | undefined }
export const choose = async (db: Reader, { search, ...filters }: ArrearsFilters): Promise<Chosen> => ({
  ...filters,
  girls: await girlsNamed(db, search),
})

/** More girls than these are compared with each payment, and not looked up one by one in each round. */
const fewGirls = 1000

/** SQL: payments of these girls. No index has the sum. */
const ofGirls = (girls: readonly number[]) =>
  girls.length > fewGirls
    ? sql`o.student_id + 0 = any(${girls}::bigint[])`
    : sql`o.student_id = any(${girls}::bigint[])`

/** The conditions on payments. All sums are of the same payments, so that they agree to the franc. */
export function owedWhere(query: Omit<Chosen, 'age'> & { age?: ArrearAge | undefined }): RawBuilder<unknown> {
  const conditions = [
    query.girls && ofGirls(query.girls),
    query.cap && sql`s.school_id in (select id from schools where cap_id = ${query.cap})`,
    query.school && sql`s.school_id = ${query.school}`,
    query.transfer_agency_id &&
      sql`g.cohort_id in (select id from transfer_cohorts where transfer_agency_id = ${query.transfer_agency_id})`,
    query.reason && sql`o.reason = ${query.reason}`,
    query.age && sql`${ageSince(sql`g.due_on`)} = ${query.age}`,
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}
