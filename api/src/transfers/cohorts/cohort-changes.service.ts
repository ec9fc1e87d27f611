import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import {
  type ChangeKind,
  type CohortChange,
  type CohortComparison,
  changeKinds,
  type cohortChanges,
} from '@portal/contracts/transfers/cohort-changes'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, searchRows } from '../../kit/database/db.ts'
import { envelopeOf, matches } from '../../kit/database/paging.ts'
import { notFound } from '../../kit/http/refusals.ts'
import { cohortName } from '../export-names.ts'

type Earlier = NonNullable<CohortComparison['compared_with']> & { list_amount: number }

/**
 * The earlier list of a cohort, or null: the approved one of the same parameter that begins last before it and has at
 * least half of the girls of the smaller list in common with it. A parameter is used in several regions, and a list of
 * another region is no comparison (Money 5.13). The girls are looked up once for all lists, however many there are.
 */
export async function earlierList(db: Reader, cohortId: number): Promise<Earlier | null> {
  const { rows: found } = await sql<Earlier>`
    select o.id, o.name, o."from", o."to", o.list_amount from transfer_cohorts c
    join transfer_cohorts o on o.transfer_parameter_id = c.transfer_parameter_id and o.status in ('approved', 'error')
      and (o."from", o.id) < (c."from", c.id)
    left join (
      select theirs.cohort_id, count(*) as girls from transfer_master_list mine
      join transfer_master_list theirs on theirs.student_id = mine.student_id
      where mine.cohort_id = ${cohortId} group by theirs.cohort_id) common on common.cohort_id = o.id
    where c.id = ${cohortId} and coalesce(common.girls, 0) * 2 >= least(c.master_list_count, o.master_list_count)
    order by o."from" desc, o.id desc limit 1`.execute(db)
  return found[0] ?? null
}

/** A bank pays to the account, other agencies to the phone number. */
const number = (of: string) => {
  const [account, bank, phone] = ['account', 'bank', 'phone'].map((column) => sql.ref(`${of}.${column}`))
  return sql`case when ${account} is not null then concat_ws(' ', ${account}, ${bank}) else ${phone} end`
}
const folded = (of: string) =>
  sql`portal_search(${sql.ref(`${of}.first_name`)} || ' ' || ${sql.ref(`${of}.last_name`)})`

/** SQL: the girls who may not be paid today. */
const heldGirls = sql`select h.student_id from payee_holds h
  where h.released_at is null and (h.ends_on is null or h.ends_on >= (now() at time zone 'utc')::date)`

/** SQL: the recipients of a list who have an approved correction. They are few, and only they are looked up. */
const correctedOf = (cohortId: number) => sql`
  select k.id, r.first_name, r.last_name, r.phone, r.account, r.bank
  from (select distinct m.id from recipient_corrections c join transfer_master_list m on m.id = c.master_list_id
    where m.cohort_id = ${cohortId} and c.state = 'approved') k cross join lateral recipient_of(k.id) r`

/** SQL: what the rounds of a list owe now, by girl. */
const owedOf = (cohortId: number) => sql`
  select o.student_id, sum(o.amount)::bigint as owed from owed_payments o
  where o.payroll_group_id in (select g.id from transfer_payroll_groups g where g.cohort_id = ${cohortId}) group by o.student_id`

/** SQL: what a row of the earlier list says, or its correction. */
const corrected = (listed: string, column: string) =>
  sql`case when r.id is null then ${sql.ref(`m.${listed}`)} else ${sql.ref(`r.${column}`)} end as ${sql.ref(column)}`

/** SQL: the kind of a difference, by its place among the kinds. */
const kindAt = sql`(array[${sql.join(changeKinds.map((kind) => sql.lit(kind)))}])[k.place::int]`

/**
 * SQL: the differences of a list from the earlier one, one row per girl and kind. Girls are matched by their row in the
 * register, so that another student code is no other girl. The earlier list is taken with its approved corrections,
 * because those numbers were paid to. Most girls have no difference and are left out first; names are folded only where they differ.
 */
export const changesOf = (cohortId: number, earlierId: number) => sql`(
  select coalesce(n.student_id, o.student_id) * 10 + k.place as id, ${kindAt} as kind, coalesce(n.student_code, o.student_code) as student_code,
    coalesce(n.first_name, o.first_name) as first_name, coalesce(n.last_name, o.last_name) as last_name,
    case ${kindAt} when 'number' then ${number('o')} when 'name' then o.first_name || ' ' || o.last_name end as before,
    case ${kindAt} when 'number' then ${number('n')} when 'name' then n.first_name || ' ' || n.last_name end as after,
    o.amount as amount_before, n.amount as amount_after,
    case ${kindAt} when 'left' then -o.amount when 'amount' then n.amount - o.amount when 'owed' then o.owed else n.amount end as amount
  from (
    select m.student_id, m.student_code, m.amount, m.receiver_first_name as first_name, m.receiver_last_name as last_name,
      m.receiver_phone_number as phone, m.receiver_account as account, m.receiver_bank as bank,
      m.student_id in (${heldGirls}) as held
    from transfer_master_list m where m.cohort_id = ${cohortId}
  ) n full join (
    select m.student_id, m.student_code, m.amount, coalesce(r.first_name, m.receiver_first_name) as first_name,
      coalesce(r.last_name, m.receiver_last_name) as last_name, ${corrected('receiver_phone_number', 'phone')},
      ${corrected('receiver_account', 'account')}, ${corrected('receiver_bank', 'bank')}, p.owed
    from transfer_master_list m left join (${correctedOf(earlierId)}) r on r.id = m.id
    left join (${owedOf(earlierId)}) p on p.student_id = m.student_id
    where m.cohort_id = ${earlierId}
  ) o on o.student_id = n.student_id
  cross join lateral unnest(array[
    o.student_id is null,
    n.student_id is null,
    n.amount <> o.amount,
    ${number('n')} <> ${number('o')},
    (n.first_name, n.last_name) <> (o.first_name, o.last_name) and ${folded('n')} <> ${folded('o')},
    n.held,
    o.owed > 0
  ]) with ordinality k (applies, place)
  where k.applies and (o.student_id is null or n.student_id is null or n.held or o.owed > 0
    or (n.amount, n.phone, n.account, n.bank, n.first_name, n.last_name)
      is distinct from (o.amount, o.phone, o.account, o.bank, o.first_name, o.last_name))
)`

const orders: Record<string, RawBuilder<unknown>> = {
  last_name: sql`d.last_name collate "fr-x-icu"`,
  student_code: sql`d.student_code`,
  amount: sql`d.amount`,
}

type Query = QueryOf<typeof cohortChanges.list>
type Found = {
  amount_after: number
  kinds: Record<ChangeKind, { count: number; amount: number }>
  total: number
  page: CohortChange[]
}

/** Counts and sums of the differences, and one page of them. The lists are compared once for both, so that they agree. */
async function findChanges(
  db: Db,
  cohortId: number,
  earlierId: number,
  { page, per_page, search, kind, sort }: Query,
): Promise<Found> {
  const text = sql`portal_search(d.first_name || ' ' || d.last_name || ' ' || d.student_code || ' ' ||
    coalesce(d.before, '') || ' ' || coalesce(d.after, ''))`
  const wanted = sql`${kind ? sql`d.kind = ${kind}` : sql`true`} and ${matches(text, search) || sql`true`}`
  const direction = sql.raw(sort?.startsWith('-') ? 'desc' : 'asc')
  const order = sort ? orders[sort.replace(/^-/, '')] : sql`d.id % 10`
  const [found] = await searchRows(
    db,
    sql<Found>`
    with changes as materialized (select d.* from ${changesOf(cohortId, earlierId)} d)
    select c.list_amount as amount_after,
      (select coalesce(jsonb_object_agg(k.kind, jsonb_build_object('count', k.count, 'amount', k.amount)), '{}') from (
        select d.kind, count(*) as count, sum(d.amount) as amount from changes d group by d.kind) k) as kinds,
      (select count(*) from changes d where ${wanted}) as total,
      (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from (
        select d.* from changes d where ${wanted} order by ${order} ${direction}, d.id ${direction}
        limit ${per_page} offset ${(page - 1) * per_page}) p) as page
    from transfer_cohorts c where c.id = ${cohortId}`,
  )
  if (!found) throw notFound()
  return found
}

/** The girl of a change, whose id is hers with the place of its kind as the last digit. */
export const girlOfChange = (id: number): number => Math.floor(id / 10)

/** Reads what changed since the earlier list: counts, totals, and one page of the rows. */
export async function readChanges(
  db: Db,
  cohortId: number,
  query: Query,
): Promise<AnswerOf<typeof cohortChanges.list>> {
  const name = await cohortName(db, cohortId)
  const earlier = await earlierList(db, cohortId)
  const { amount_after, kinds, total, page } = await findChanges(db, cohortId, earlier?.id ?? 0, query)
  const none = { count: 0, amount: 0 }
  const comparison: CohortComparison = {
    compared_with: earlier && { id: earlier.id, name: earlier.name, from: earlier.from, to: earlier.to },
    amount_before: earlier?.list_amount ?? 0,
    amount_after,
    kinds: changeKinds.map((kind) => ({ kind, ...(kinds[kind] ?? none) })),
  }
  return { name, comparison, changes: envelopeOf(query, page, total) }
}
