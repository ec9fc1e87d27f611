import {
  type ChangeKind,
  type CohortChange,
  type CohortComparison,
  changeKinds,
  type cohortChanges,
} from '@portal/contracts/cohort-changes'
import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { sql } from 'kysely'
import { type Db, type Reader, rows } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'
import { notFound } from '../kit/refusals.ts'
import { cohortName } from './transfers.export.ts'

type Earlier = NonNullable<CohortComparison['compared_with']> & { list_amount: number }

/**
 * The earlier list of a cohort, or null: the approved one of the same parameter that begins last before it and has at
 * least half of the girls of the smaller list in common with it. A parameter is used in several regions, and a list of
 * another region is no comparison (Money 5.13).
 */
export async function earlierList(db: Reader, cohortId: number): Promise<Earlier | null> {
  const { rows: found } = await sql<Earlier>`
    select o.id, o.name, o."from", o."to", o.list_amount from transfer_cohorts c
    join transfer_cohorts o on o.transfer_parameter_id = c.transfer_parameter_id and o.status in ('approved', 'error')
      and (o."from", o.id) < (c."from", c.id)
    where c.id = ${cohortId} and (select count(*) from transfer_master_list mine
        join transfer_master_list theirs on theirs.student_id = mine.student_id and theirs.cohort_id = o.id
        where mine.cohort_id = c.id) * 2 >= least(c.master_list_count, o.master_list_count)
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

/**
 * SQL: the differences of a list from the earlier one, one row per girl and kind. Girls are matched by their row in the
 * register, so that another student code is no other girl. The earlier list is taken with its approved corrections,
 * because those numbers were paid to.
 */
export const changesOf = (cohortId: number, earlierId: number) => sql`(
  select coalesce(n.student_id, o.student_id) * 10 + k.place as id, k.kind, coalesce(n.student_code, o.student_code) as student_code,
    coalesce(n.first_name, o.first_name) as first_name, coalesce(n.last_name, o.last_name) as last_name,
    case k.kind when 'number' then ${number('o')} when 'name' then o.first_name || ' ' || o.last_name end as before,
    case k.kind when 'number' then ${number('n')} when 'name' then n.first_name || ' ' || n.last_name end as after,
    o.amount as amount_before, n.amount as amount_after, k.amount
  from (
    select m.student_id, m.student_code, m.amount, m.receiver_first_name as first_name, m.receiver_last_name as last_name,
      m.receiver_phone_number as phone, m.receiver_account as account, m.receiver_bank as bank,
      exists (select from payee_holds h where h.student_id = m.student_id and h.released_at is null
        and (h.ends_on is null or h.ends_on >= (now() at time zone 'utc')::date)) as held
    from transfer_master_list m where m.cohort_id = ${cohortId}
  ) n full join (
    select m.student_id, m.student_code, m.amount, coalesce(r.first_name, m.receiver_first_name) as first_name,
      coalesce(r.last_name, m.receiver_last_name) as last_name, r.phone, r.account, r.bank, p.owed
    from transfer_master_list m cross join lateral recipient_of(m.id) r
    left join (
      select p.master_list_id, sum(p.amount) as owed from transfer_payrolls p
      join transfer_payroll_groups g on g.id = p.payroll_group_id
      where g.cohort_id = ${earlierId} and p.status = 'failed' and p.written_off_at is null group by p.master_list_id
    ) p on p.master_list_id = m.id
    where m.cohort_id = ${earlierId}
  ) o on o.student_id = n.student_id
  cross join lateral (values
    (1, 'joined', o.student_id is null, n.amount),
    (2, 'left', n.student_id is null, -o.amount),
    (3, 'amount', n.amount <> o.amount, n.amount - o.amount),
    (4, 'number', ${number('n')} <> ${number('o')}, n.amount),
    (5, 'name', ${folded('n')} <> ${folded('o')}, n.amount),
    (6, 'held', n.held, n.amount),
    (7, 'owed', o.owed > 0, o.owed::bigint)
  ) k (place, kind, applies, amount)
  where k.applies
)`

/** Counts and sums of the differences, with the two totals that they lead from and to. */
async function compare(db: Db, cohortId: number, earlier: Earlier | null): Promise<CohortComparison> {
  const [found] = await rows(
    db,
    sql<{ amount_after: number; kinds: Record<ChangeKind, { count: number; amount: number }> }>`
    select c.list_amount as amount_after,
      (select coalesce(jsonb_object_agg(k.kind, jsonb_build_object('count', k.count, 'amount', k.amount)), '{}') from (
        select d.kind, count(*) as count, sum(d.amount) as amount from ${changesOf(cohortId, earlier?.id ?? 0)} d
        group by d.kind) k) as kinds
    from transfer_cohorts c where c.id = ${cohortId}`,
  )
  if (!found) throw notFound()
  const none = { count: 0, amount: 0 }
  return {
    compared_with: earlier && { id: earlier.id, name: earlier.name, from: earlier.from, to: earlier.to },
    amount_before: earlier?.list_amount ?? 0,
    amount_after: found.amount_after,
    kinds: changeKinds.map((kind) => ({ kind, ...(found.kinds[kind] ?? none) })),
  }
}

/** Reads what changed since the earlier list: counts, totals, and one page of the rows. */
export async function readChanges(
  db: Db,
  cohortId: number,
  query: QueryOf<typeof cohortChanges.list>,
): Promise<AnswerOf<typeof cohortChanges.list>> {
  const name = await cohortName(db, cohortId)
  const earlier = await earlierList(db, cohortId)
  const [comparison, changes] = await Promise.all([
    compare(db, cohortId, earlier),
    paged<CohortChange>(db, query, {
      columns: sql`d.*`,
      from: sql`${changesOf(cohortId, earlier?.id ?? 0)} d`,
      where: [
        query.kind && sql`d.kind = ${query.kind}`,
        matches(
          sql`portal_search(d.first_name || ' ' || d.last_name || ' ' || d.student_code || ' ' ||
            coalesce(d.before, '') || ' ' || coalesce(d.after, ''))`,
          query.search,
        ),
      ],
      sort: {
        place: sql`d.id % 10`,
        last_name: sql`d.last_name collate "fr-x-icu"`,
        student_code: sql`d.student_code`,
        amount: sql`d.amount`,
      },
      order: 'place',
      key: sql`d.id`,
    }),
  ])
  return { name, comparison, changes }
}
