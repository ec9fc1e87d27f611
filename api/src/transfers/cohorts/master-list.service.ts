import type { QueryOf } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, MasterListFilters } from '@portal/contracts/transfers/cohorts'
import { differingNames as differing } from '@portal/contracts/transfers/name-outcomes'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { answerOf, isOutdated } from '../names/name-answers.service.ts'
import { shownStatus } from '../payments/shown-status.ts'
import { paidNumber } from '../recipient.ts'
import { rowsOfPayment } from './payment-names.ts'

/** Where the payment `e` of a row `m` stands in the latest round. None is made of a rejected list, nor for an erased recipient. */
export const rowStatus = sql`case when c.status = 'rejected' then 'rejected'
  when e.id is null and m.erased_at is not null then 'erased' else coalesce(${shownStatus(sql`e`)}, 'pending') end`

/**
 * The conditions of the rows of a list, on rows `m`, cohort `c` and payments `e`. The page and its export have them in
 * common.
 */
export const rowsOfList = (
  cohortId: number,
  { search = '', status, shared, names }: MasterListFilters & { search?: string },
): RawBuilder<unknown>[] =>
  [
    sql`m.cohort_id = ${cohortId}`,
    foundInList(cohortId, search),
    status && sql`${rowStatus} = ${status}`,
    shared &&
      sql`${paidNumber(sql`m`)} in (select ${paidNumber(sql`o`)} from transfer_master_list o
        where o.cohort_id = ${cohortId} and ${paidNumber(sql`o`)} is not null group by 1 having count(*) > 1)`,
    names &&
      sql`exists (select from ${answerOf(sql`m.id`, sql`c.transfer_agency_id`)} n where n.outcome = any(${sql.val(differing)}::text[]))`,
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))

/** SQL: the names of recipient `r` of row `m`. An erased recipient has no values in her corrections. */
export const recipientNames = sql`coalesce(r.first_name, m.receiver_first_name) as receiver_first_name,
  coalesce(r.last_name, m.receiver_last_name) as receiver_last_name`

/** SQL: the number or account of row `m` as the list was approved with it, if recipient `r` has another one now. */
export const listedNumber = sql`case when r.phone <> m.receiver_phone_number then m.receiver_phone_number
  when r.account <> m.receiver_account then m.receiver_account end`

/** Counts the recipients of a list whose name differs from what their agency says. */
export async function differingNames(db: Db, cohortId: number): Promise<number> {
  const [found] = await rows(
    db,
    sql<{ count: number }>`
    select count(*)::int as count from transfer_cohorts c
      join transfer_master_list m on m.cohort_id = c.id
      join name_answer_rows l on l.master_list_id = m.id and l.current
      join name_answers a on a.id = l.answer_id and a.agency_id = c.transfer_agency_id
    where c.id = ${cohortId} and a.outcome = any(${sql.val(differing)}::text[]) and not ${isOutdated(sql`l`)}`,
  )
  return found?.count ?? 0
}

/** SQL: name, number and account of a corrected recipient `n`, folded as the text of a row is. */
const corrected = sql`portal_search(concat_ws(' ', n.first_name, n.last_name, n.phone, n.account))`

/**
 * A row is found by what the list says of it, or by that with its corrected recipient. Corrections are few and are looked up
 * apart, so that the payments of the round are not read for a search. So are payments by what agencies call them, and accounts, which only
 * the lists of banks have: no index has them, and the rows of the list alone are compared.
 */
function foundInList(cohortId: number, search: string) {
  const cohort = sql`${cohortId}::bigint`
  const asListed = matches(sql`m.search`, search)
  const asCorrected = matches(sql`(k.search || ' ' || ${corrected})`, search)
  return (
    asListed &&
    asCorrected &&
    sql`(${asListed} or m.id = any(array(select k.id from recipient_corrections r
      join transfer_master_list k on k.id = r.master_list_id cross join lateral recipient_of(k.id) n
      where k.cohort_id = ${cohortId} and r.state = 'approved' and ${asCorrected}
      union ${rowsOfAccount(cohort, search)}
      union ${rowsOfPayment(cohort, sql`e.payroll_group_id in (select g.id from transfer_payroll_groups g where g.cohort_id = ${cohort})`, search)})))`
  )
}

/** SQL: the ids of the rows of a bank's list that have this account, or a part of it, among the words. */
export const rowsOfAccount = (cohort: RawBuilder<unknown>, search: string) => sql`
  select b.id from transfer_master_list b
  where b.cohort_id = ${cohort} and b.receiver_account is not null
    and (select o.type from transfer_cohorts w join transfer_agencies o on o.id = w.transfer_agency_id where w.id = ${cohort}) = 'bank'
    and ${matches(sql`(b.search || ' ' || lower(b.receiver_account))`, search) || sql`true`}`

/** Reads one page of a list with where each payment of its latest round stands. */
export function pageOfList(
  db: Db,
  cohortId: number,
  groupId: number | null,
  query: QueryOf<typeof transfers.summary>,
  total: number,
): Promise<CohortSummary['transfer_master_list']> {
  const narrow = sql`transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    left join transfer_payrolls e on e.master_list_id = m.id and e.payroll_group_id = ${groupId ?? 0}`
  return paged(db, query, {
    columns: sql`m.id, ${recipientNames}, r.phone as receiver_phone_number, r.account as receiver_account,
      ${listedNumber} as listed_number,
      jsonb_build_object('student_code', m.student_code) as student, m.total_amount, m.fees, m.amount,
      (select n.outcome from ${answerOf(sql`m.id`, sql`c.transfer_agency_id`)} n) as name_state, e.external_trx_id as reference_code, ${rowStatus} as status, e.failure_reason, m.created_at,
      coalesce(e.updated_at, m.created_at) as updated_at`,
    from: sql`${narrow} cross join lateral recipient_of(m.id) r`,
    narrow,
    where: rowsOfList(cohortId, query),
    sort: {
      row: sql`m.row`,
      number: paidNumber(sql`m`),
      receiver_last_name: sql`m.receiver_last_name collate "fr-x-icu"`,
      student_code: sql`m.student_code`,
      amount: sql`m.amount`,
      updated_at: sql`coalesce(e.updated_at, m.created_at)`,
    },
    order: query.shared ? 'number' : 'row',
    key: sql`m.id`,
    compared: true,
    ...(!query.search && !query.shared && !query.names && { count: sql`${total}::bigint` }),
  })
}

/** Counts the numbers or accounts that more than one recipient of a list is paid to, and their rows. */
export async function sharedNumbers(
  db: Db,
  cohortId: number,
): Promise<{ shared_numbers: number; shared_rows: number }> {
  const [found] = await rows(
    db,
    sql<{ shared_numbers: number; shared_rows: number }>`
    select count(*) as shared_numbers, coalesce(sum(n), 0)::bigint as shared_rows from (
      select count(*) as n from transfer_master_list o
      where o.cohort_id = ${cohortId} group by ${paidNumber(sql`o`)} having count(*) > 1
    ) shared`,
  )
  return found ?? { shared_numbers: 0, shared_rows: 0 }
}
