import type { ArrearAge, arrears } from '@portal/contracts/arrears'
import type { QueryOf } from '@portal/contracts/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { matches } from '../kit/paging.ts'

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

/** SQL: the payments in arrears, which are kept with their girls (decision 172). */
const payments = (rounds: RawBuilder<unknown>) =>
  sql`owed_payments o join ${rounds} g on g.id = o.payroll_group_id`

/** SQL: the same with her school, where a filter asks for one: reading each girl takes as long as all the rest. */
export const owed = (
  { cap, school }: Pick<ArrearsFilters, 'cap' | 'school'>,
  rounds: RawBuilder<unknown> = sql`transfer_payroll_groups`,
) => (cap || school ? sql`${payments(rounds)} join students s on s.id = o.student_id` : payments(rounds))

/**
 * The girls in arrears who are searched by name or code, or by the name of a guardian, once for all sums of the page.  Up to `fewNames`
 * are found in the registers. Of a frequent name each girl in arrears is looked at: they are fewer than all of that name. `offset 0`
 * keeps the guardians of all others unread.
 */
export async function girlsNamed(
  db: Reader,
  search: string,
  fewNames = 40_000,
): Promise<number[] | undefined> {
  const girl = matches(sql`s.search`, search)
  const guardian = matches(sql`k.search`, search)
  if (!girl || !guardian) return undefined
  const { rows: named } = await sql<{ few: boolean; id: number | null }>`
    with named as materialized (select s.id from students s where ${girl} limit ${fewNames + 1}),
    guardians as materialized (select k.id from parents k where ${guardian} limit ${fewNames + 1})
    select t.few, f.id from (select
        (select count(*) from named) <= ${fewNames} and (select count(*) from guardians) <= ${fewNames} as few) t
      left join lateral (select distinct n.id from (
          select id from named union all select l.student_id from guardians k join parent_students l on l.parent_id = k.id) n
        where t.few and exists (select from owed_payments o where o.student_id = n.id)) f on true`.execute(db)
  if (named[0]?.few) return named.flatMap(({ id }) => id ?? [])
  const { rows: found } = await sql<{ id: number }>`
    with girls as materialized (select distinct student_id as id from owed_payments)
    select s.id from girls join students s on s.id = girls.id where ${girl} or exists (
      select from parent_students l join parents k on k.id = l.parent_id where l.student_id = s.id and ${guardian} offset 0)`.execute(
    db,
  )
  return found.map(({ id }) => id)
}

/** The filters with the girls who are searched, if any are. */
export type Chosen = Omit<ArrearsFilters, 'search'> & { girls: number[] | undefined }
export const choose = async (db: Reader, { search, ...filters }: ArrearsFilters): Promise<Chosen> => ({
  ...filters,
  girls: await girlsNamed(db, search),
})

/** The conditions on payments. All sums are of the same payments, so that they agree to the franc. */
export function owedWhere(query: Omit<Chosen, 'age'> & { age?: ArrearAge | undefined }): RawBuilder<unknown> {
  const conditions = [
    query.girls && sql`o.student_id = any(${query.girls}::bigint[])`,
    query.cap && sql`s.school_id in (select id from schools where cap_id = ${query.cap})`,
    query.school && sql`s.school_id = ${query.school}`,
    query.transfer_agency_id &&
      sql`g.cohort_id in (select id from transfer_cohorts where transfer_agency_id = ${query.transfer_agency_id})`,
    query.reason && sql`o.reason = ${query.reason}`,
    query.age && sql`${ageSince(sql`g.due_on`)} = ${query.age}`,
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}
