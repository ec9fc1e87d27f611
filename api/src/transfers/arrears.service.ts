import {
  type ArrearAge,
  type ArrearsOfAge,
  arrearAges,
  type arrears,
  type GirlInArrears,
} from '@portal/contracts/arrears'
import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { failureReason } from '@portal/contracts/failure-reasons'
import type { Locale } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, rows } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'
import { isCorrecting, isDoubted, isPaidAfterAll } from './failed-payments.service.ts'
import { type ActedOn, stateOf } from './payment-acts.ts'

/** What the list and its export are filtered by. */
export type ArrearsFilters = Pick<
  QueryOf<typeof arrears.list>,
  'search' | 'cap' | 'school' | 'transfer_agency_id' | 'reason' | 'age'
>
type Answer = AnswerOf<typeof arrears.list>

/** SQL: today, in UTC (Money 2.2). */
const today = sql`(now() at time zone 'utc')::date`

/** SQL: the age of a payment or of a girl's oldest one, by the day on which its round was due. */
const ageSince = (due: RawBuilder<unknown>) => sql`case when ${today} - ${due} <= 30 then '0-30'
  when ${today} - ${due} <= 60 then '31-60' when ${today} - ${due} <= 90 then '61-90' else 'over-90' end`

/** SQL: the payments in arrears, which are kept with their girls (decision 172). */
const payments = sql`owed_payments o join transfer_payroll_groups g on g.id = o.payroll_group_id`

/** SQL: the same with her school, where a filter asks for one: reading each girl takes as long as all the rest. */
const owed = ({ cap, school }: Pick<ArrearsFilters, 'cap' | 'school'>) =>
  cap || school ? sql`${payments} join students s on s.id = o.student_id` : payments

/**
 * The girls in arrears who are searched by name or code, or by the name of a guardian. They are few among all girls of that
 * name, so each of them is looked at, once for all sums of the page. `offset 0` keeps the guardians of all others unread.
 */
async function girlsNamed(db: Reader, search: string): Promise<number[] | undefined> {
  const girl = matches(sql`s.search`, search)
  const guardian = matches(sql`k.search`, search)
  if (!girl || !guardian) return undefined
  const { rows: found } = await sql<{ id: number }>`
    with girls as materialized (select distinct student_id as id from owed_payments)
    select s.id from girls join students s on s.id = girls.id where ${girl} or exists (
      select from parent_students l join parents k on k.id = l.parent_id where l.student_id = s.id and ${guardian} offset 0)`.execute(
    db,
  )
  return found.map(({ id }) => id)
}

/** The filters with the girls who are searched, if any are. */
type Chosen = Omit<ArrearsFilters, 'search'> & { girls: number[] | undefined }
const choose = async (db: Reader, { search, ...filters }: ArrearsFilters): Promise<Chosen> => ({
  ...filters,
  girls: await girlsNamed(db, search),
})

/** The conditions on payments. All sums are of the same payments, so that they agree to the franc. */
function owedWhere(query: Omit<Chosen, 'age'> & { age?: ArrearAge | undefined }): RawBuilder<unknown> {
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

/** SQL: one row per girl. */
const girls = (query: Chosen, more?: RawBuilder<unknown>) => sql`(
  select o.student_id as id, sum(o.amount)::bigint as amount, count(*) as payments, min(g.due_on) as since
    ${more ? sql`, ${more}` : sql``}
  from ${owed(query)} where ${owedWhere(query)} group by o.student_id) a`

type Sums = Answer['totals']
type GirlRow = Pick<GirlInArrears, 'id' | 'amount' | 'payments' | 'since' | 'days' | 'age'>
const girlColumns = sql`a.id, a.amount, a.payments, a.since, ${today} - a.since as days, ${ageSince(sql`a.since`)} as age`

/** Lists the girls to whom money is owed over all cohorts and rounds, longest first by default, with the sums of each age. */
export async function listArrears(
  db: Db,
  locale: Locale,
  query: QueryOf<typeof arrears.list>,
): Promise<Answer> {
  const chosen = await choose(db, query)
  const [{ totals, ages }, reasons, schools, missed] = await Promise.all([
    sumByAge(db, chosen),
    rows(
      db,
      sql<{ reason: string }>`
      select distinct reason from owed_payments where reason is not null order by 1`,
    ),
    schoolsOwed(db, query.cap),
    rows(
      db,
      sql<Answer['missed']>`
      select count(*) as rounds, coalesce(sum(c.list_amount), 0)::bigint as amount
      from transfer_rounds r join transfer_cohorts c on c.id = r.cohort_id where r.state = 'missed'`,
    ),
  ])
  const found = await paged<GirlRow>(db, query, {
    columns: girlColumns,
    from: query.sort?.endsWith('last_name')
      ? sql`${girls(chosen)} join students s on s.id = a.id`
      : girls(chosen),
    sort: { since: sql`a.since`, amount: sql`a.amount`, last_name: sql`s.person collate "fr-x-icu"` },
    order: 'since',
    key: sql`a.id`,
    count: sql`${totals.girls}::bigint`,
  })
  return {
    arrears: { ...found, data: await withCauses(db, found.data, chosen) },
    totals,
    ages,
    reasons: reasons.map(({ reason }) => ({ code: reason, name: failureReason(reason, locale) })),
    schools,
    missed: missed[0] ?? { rounds: 0, amount: 0 },
  }
}

/** The sums of each age, whichever the list is filtered by, and those of the list. */
async function sumByAge(
  db: Db,
  { age: wanted, ...query }: Chosen,
): Promise<{ totals: Sums; ages: ArrearsOfAge[] }> {
  const sums = await rows(
    db,
    sql<Sums & { age: ArrearAge | null }>`
    with by_girl as materialized (
      select o.student_id, ${ageSince(sql`g.due_on`)} as age, count(*) as payments, sum(o.amount) as amount
      from ${owed(query)} where ${owedWhere(query)} group by 1, 2)
    select age, count(*) as girls, sum(payments)::bigint as payments, sum(amount)::bigint as amount from by_girl group by age
    union all
    select null, (select count(*) from (select from by_girl group by student_id) girls),
      coalesce(sum(payments), 0)::bigint, coalesce(sum(amount), 0)::bigint from by_girl`,
  )
  const of = (age: ArrearAge | null): Sums => {
    const { girls = 0, payments = 0, amount = 0 } = sums.find((sum) => sum.age === age) ?? {}
    return { girls, payments, amount }
  }
  return { totals: of(wanted ?? null), ages: arrearAges.map((age) => ({ age, ...of(age) })) }
}

/** The schools of a CAP where money is owed to a girl; none without a CAP, because no select has hundreds of schools. */
function schoolsOwed(db: Db, cap: number | undefined): Promise<Answer['schools']> {
  if (!cap) return Promise.resolve([])
  return rows(
    db,
    sql`
    select c.id, c.name from schools c where c.cap_id = ${cap} and exists (
      select from ${owed({ cap })} where s.school_id = c.id) order by c.name collate "fr-x-icu", c.id`,
  )
}

type CauseRow = ActedOn & { id: number; reason: string | null; count: number; amount: number }

/** Adds who the girls are and why their money is owed. */
async function withCauses<Row extends GirlRow>(
  db: Reader,
  found: readonly Row[],
  query: Chosen,
): Promise<(Row & GirlInArrears)[]> {
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  type Who = Pick<
    GirlInArrears,
    'id' | 'first_name' | 'last_name' | 'student_code' | 'school_name' | 'cap_name'
  >
  const { rows: people } = await sql<Who>`
    select s.id, u.first_name, u.last_name, s.student_code, sc.name as school_name, c.name as cap_name
    from students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id join caps c on c.id = sc.cap_id
    where s.id = any(${ids}::bigint[])`.execute(db)
  const { rows: causes } = await sql<CauseRow>`
    select o.*, payee_is_held(o.id) as held from (
      select o.student_id as id, o.reason, p.status, false as written_off, ${isDoubted(sql`p.id`)} as doubted,
        ${isPaidAfterAll(sql`p.id`)} as paid_after_all, ${isCorrecting(sql`p.master_list_id`)} as correcting,
        p.withheld_at is not null as withheld, count(*) as count, sum(o.amount)::bigint as amount
      from ${owed(query)} join transfer_payrolls p on p.id = o.payroll_id
      where ${owedWhere(query)} and o.student_id = any(${ids}::bigint[])
      group by 1, 2, 3, 4, 5, 6, 7, 8) o
    order by o.amount desc, o.reason`.execute(db)
  const who = new Map(people.map((person) => [person.id, person]))
  return found.flatMap((girl) => {
    const person = who.get(girl.id)
    return person
      ? [{ ...girl, ...person, causes: causes.filter(({ id }) => id === girl.id).map(causeOf) }]
      : []
  })
}

const causeOf = (row: CauseRow): GirlInArrears['causes'][number] => ({
  state: stateOf(row),
  reason: row.reason,
  count: row.count,
  amount: row.amount,
})

/** A girl of the export, with the amount of each age. */
export type ExportedArrears = GirlInArrears & { by_age: Record<ArrearAge, number> }

/** How many girls are read at once. */
const batch = 2000

const amountsByAge = sql`jsonb_build_object(${sql.join(
  arrearAges.map(
    (age) =>
      sql`${sql.lit(age)}, coalesce(sum(o.amount) filter (where ${ageSince(sql`g.due_on`)} = ${sql.lit(age)}), 0)`,
  ),
)}) as by_age`

/** Reads all girls that the filters leave, in the order of their number. */
export async function* readArrears(db: Reader, filters: ArrearsFilters): AsyncGenerator<ExportedArrears> {
  const query = await choose(db, filters)
  for (let after = 0; ; ) {
    const { rows: found } = await sql<GirlRow & Pick<ExportedArrears, 'by_age'>>`
      select ${girlColumns}, a.by_age from ${girls(query, amountsByAge)}
      where a.id > ${after} order by a.id limit ${batch}`.execute(db)
    yield* await withCauses(db, found, query)
    const last = found.at(-1)
    if (!last || found.length < batch) return
    after = last.id
  }
}

/** How many girls the export will have. */
export async function countArrears(db: Reader, filters: ArrearsFilters): Promise<number> {
  const query = await choose(db, filters)
  const { rows: counted } = await sql<{
    count: number
  }>`select count(*) as count from ${girls(query)}`.execute(db)
  return counted[0]?.count ?? 0
}
