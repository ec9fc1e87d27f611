import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import {
  type ArrearAge,
  arrearAges,
  type arrears,
  type GirlInArrears,
} from '@portal/contracts/transfers/arrears'
import { failureReason } from '@portal/contracts/transfers/failure-reasons'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, rows, searchRows } from '../../kit/database/db.ts'
import { envelopeOf, paged } from '../../kit/database/paging.ts'
import { isCorrecting, isDoubted, isPaidAfterAll } from '../payments/failed-payments.service.ts'
import { type ActedOn, stateOf } from '../payments/payment-acts.ts'
import {
  type ArrearsFilters,
  ageSince,
  type Chosen,
  choose,
  owed,
  owedOf,
  owedWhere,
  today,
} from './arrears-choice.service.ts'
import { sumByAge } from './arrears-sums.service.ts'

type Answer = AnswerOf<typeof arrears.list>

/** SQL: one row per girl. */
const girls = (query: Chosen, columns?: RawBuilder<unknown>) => sql`(
  select o.student_id as id, sum(o.amount)::bigint as amount, count(*) as payments, min(g.due_on) as since
    ${columns ? sql`, ${columns}` : sql``}
  from ${owed(query)} where ${owedWhere(query)} group by o.student_id) a`

type GirlRow = Pick<GirlInArrears, 'id' | 'amount' | 'payments' | 'since' | 'days' | 'age'>
const girlColumns = sql`a.id, a.amount, a.payments, a.since, ${today} - a.since as days, ${ageSince(sql`a.since`)} as age`

/** Lists the girls to whom money is owed over all cohorts and rounds, longest first by default, with the sums of each age. */
export async function listArrears(
  db: Db,
  locale: Locale,
  query: QueryOf<typeof arrears.list>,
): Promise<Answer> {
  const chosen = await choose(db, query)
  const [{ totals, ages }, first, reasons, schools, missed] = await Promise.all([
    sumByAge(db, chosen),
    firstOfGirls(db, chosen, query),
    reasonsOwed(db),
    schoolsOwed(db, query.cap),
    rows(
      db,
      sql<Answer['missed']>`
      select count(*) as rounds, coalesce(sum(l.amount), 0)::bigint as amount
      from transfer_rounds r join transfer_cohorts c on c.id = r.cohort_id cross join lateral payable_of_list(c.id) l
      where r.state = 'missed' and not exists (select from cohort_closings k where k.cohort_id = c.id)`,
    ),
  ])
  const found = first
    ? envelopeOf(query, first, totals.girls)
    : await paged<GirlRow>(db, query, {
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
    arrears: { ...found, data: first ?? (await withCauses(db, found.data, chosen)) },
    totals,
    ages,
    reasons: reasons.map(({ reason }) => ({ code: reason, name: failureReason(reason, locale) })),
    schools,
    missed: missed[0] ?? { rounds: 0, amount: 0 },
  }
}

type Page = Pick<QueryOf<typeof arrears.list>, 'page' | 'per_page' | 'sort'>

/** The girls of one of the first pages, in their order, while all are added up; undefined if another page is asked for. */
async function firstOfGirls(db: Db, chosen: Chosen, page: Page): Promise<GirlInArrears[] | undefined> {
  const ids = (await longestOwed(db, chosen, page)) ?? (await mostOwed(db, chosen, page))
  if (!ids) return undefined
  const found = await rows(
    db,
    sql<GirlRow>`
    select ${girlColumns} from ${girls({ ...chosen, girls: ids })} order by array_position(${ids}::bigint[], a.id)`,
  )
  return withCauses(db, found, chosen)
}

/** Pages behind this many girls are found by the sums of all girls. */
const deep = 1000

/**
 * The girls of one of the first pages, longest first; undefined if another page is asked for. A girl stands where her oldest
 * payment does, so the oldest payments have the page, unless too many of them are of the same girls.
 */
async function longestOwed(
  db: Db,
  chosen: Chosen,
  { page, per_page: take, sort = 'since' }: Page,
): Promise<number[] | undefined> {
  const skip = (page - 1) * take
  // The girls of a place are few, and each round would be read to its end for them.
  if (sort !== 'since' || skip + take > deep || chosen.cap || chosen.school) return undefined
  const oldest = 4 * (skip + take)
  // The first of each round are read by its index, so that those of the others are left.
  const round = sql`(select * from transfer_payroll_groups where id = r.id)`
  const read = chosen.girls ? searchRows : rows
  const found = await read(
    db,
    sql<{ id: number | null; payments: number }>`
    with oldest as materialized (
      select owed.id, owed.due_on from transfer_payroll_groups r cross join lateral (
        select o.student_id as id, g.due_on from ${owed(chosen, round)} where ${owedWhere(chosen)}
        order by o.student_id limit ${oldest}) owed
      order by owed.due_on, owed.id limit ${oldest})
    select a.id, t.payments from (select count(*) as payments from oldest) t left join lateral (
      select id from oldest group by id order by min(due_on), id limit ${take} offset ${skip}) a on true`,
  )
  const ids = found.flatMap(({ id }) => id ?? [])
  return ids.length === take || (found[0]?.payments ?? 0) < oldest ? ids : undefined
}

/**
 * The girls of a page by what they are owed; undefined if it has another order, or a filter of rounds. They are added up in the order of an
 * index, without their rounds.
 */
async function mostOwed(
  db: Db,
  chosen: Chosen,
  { page, per_page: take, sort }: Page,
): Promise<number[] | undefined> {
  if (!sort?.endsWith('amount') || chosen.age || chosen.transfer_agency_id) return undefined
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const found = await searchRows(
    db,
    sql<{ id: number }>`
    select a.id from (
      select o.student_id as id, sum(o.amount)::bigint as amount from (select o.student_id, o.amount from ${owedOf(chosen)} where ${owedWhere(chosen)} order by o.student_id offset 0) o
      group by 1) a
    order by a.amount ${direction}, a.id ${direction} limit ${take} offset ${(page - 1) * take}`,
  )
  return found.map(({ id }) => id)
}

/** The reasons of all that is owed. A loose index scan finds them. */
const reasonsOwed = (db: Db) =>
  rows(
    db,
    sql<{ reason: string }>`
    with recursive seen as (
      (select reason from owed_payments where reason is not null order by reason limit 1)
      union all select (select o.reason from owed_payments o where o.reason > seen.reason order by o.reason limit 1) from seen
        where seen.reason is not null)
    select reason from seen where reason is not null order by 1`,
  )

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
