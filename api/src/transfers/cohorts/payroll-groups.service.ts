import type { Page, PageQuery } from '@portal/contracts/fields'
import type { ListedPayrollGroup, PayrollEntry, PayrollGroup } from '@portal/contracts/transfers/payrolls'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { paged } from '../../kit/database/paging.ts'

export const groupColumns = sql`g.id, g.n, g.due_on, g.total as count, g.pending + g.sending as pending, g.success as successful, g.failed - g.withheld - g.written_off as failed,
  g.withheld, g.written_off as written_off_count, g.withheld_amount, g.unknown, g.expected_amount as expected, g.success_amount as disbursed, g.failed_amount as arrears, g.pending_amount,
  g.unknown_amount, g.written_off_amount as written_off, g.success_fees as fees, g.executed_at, g.created_at,
  coalesce((select k.count from round_confirmations k where k.payroll_group_id = g.id), 0) as confirmed,
  coalesce((select k.amount from round_confirmations k where k.payroll_group_id = g.id), 0) as confirmed_amount`

/** The cohort `c` of a round. */
export const cohortOfGroup = sql`jsonb_build_object('id', c.id, 'name', c.name, 'from', c."from", 'to', c."to", 'status', c.status)
  as transfer_cohort`

export const entryColumns = sql`e.id, e.reference, e.external_trx_id, e.receiver_first_name, e.receiver_last_name, e.receiver_phone_number,
  e.amount, e.fees, e.status, e.failure_reason, e.created_at, e.updated_at`

/** Payments that come with each round of a list; the call of the round has all of them. */
const firstPage = 15

type Head = Omit<ListedPayrollGroup, 'transfer_payrolls'>

/** One page of a cohort's rounds, latest first, each with its first payments: two queries, whatever the number of either. */
export async function listGroups(
  db: Db,
  cohortId: number,
  query: PageQuery,
): Promise<Page<ListedPayrollGroup>> {
  const groups = await paged<Head>(db, query, {
    columns: sql`${groupColumns}, ${cohortOfGroup}`,
    from: sql`transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id`,
    where: [sql`g.cohort_id = ${cohortId}`],
    sort: { n: sql`g.n` },
    order: '-n',
    key: sql`g.id`,
  })
  const payments = await firstPayments(db, groups.data)
  return {
    ...groups,
    data: groups.data.map((group) => ({ ...group, transfer_payrolls: pageOf(group, payments) })),
  }
}

type Payment = PayrollEntry & { group_id: number }

/** In the order of the list, which the unique index has: by their ids the database would sort whole rounds. */
function firstPayments(db: Db, groups: Pick<PayrollGroup, 'id'>[]): Promise<Payment[]> {
  const ids = groups.map(({ id }) => id)
  if (ids.length === 0) return Promise.resolve([])
  return rows(
    db,
    sql<Payment>`
    select g.id as group_id, ${entryColumns} from unnest(${ids}::bigint[]) as g(id) cross join lateral (
      select p.* from transfer_payrolls p where p.payroll_group_id = g.id
      order by p.master_list_id limit ${firstPage}) e
    order by e.id`,
  )
}

function pageOf({ id, count }: Head, payments: readonly Payment[]): Page<PayrollEntry> {
  const data = payments.filter(({ group_id }) => group_id === id).map(({ group_id: _, ...entry }) => entry)
  const last_page = Math.max(1, Math.ceil(count / firstPage))
  return { data, current_page: 1, last_page, per_page: firstPage, total: count }
}
