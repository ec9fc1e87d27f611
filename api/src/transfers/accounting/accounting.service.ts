import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import {
  type accounting,
  type CohortBalances,
  type MoneyAccount,
  moneyAccounts,
  type TrialBalanceRow,
} from '@portal/contracts/transfers/accounting'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { type Booked, balanceOf, bookedKinds, type Totals, totalsOf } from '../ledger/money-lines.ts'

/** What the page and its exports are filtered by. */
export type AccountingFilters = Pick<
  QueryOf<typeof accounting.list>,
  'search' | 'transfer_agency_id' | 'from' | 'to'
>

/** SQL: the first moment of a day of UTC. */
const beginOf = (day: string) => sql`(${day}::date::timestamp at time zone 'utc')`

/** SQL: events with their round and cohort. */
export const booked = sql`money_events e join transfer_payroll_groups g on g.id = e.payroll_group_id
  join transfer_cohorts c on c.id = g.cohort_id`

const searched = ({ search }: AccountingFilters) =>
  matches(sql`portal_search(c.name || ' ' || c.description)`, search)

/**
 * SQL: whether an agency has a part in a cohort. All events of such a cohort count, of other agencies too: what is owed through one
 * agency may be paid by the next one (decision 222).
 */
const isOfAgency = ({ transfer_agency_id: agency }: AccountingFilters) =>
  agency &&
  sql`c.id in (select of.cohort_id from money_totals t join transfer_payroll_groups of on of.id = t.payroll_group_id
    where t.agency_id = ${agency})`

/** SQL: the conditions on events that have lines, until the end of the period. */
export const bookedWhere = (query: AccountingFilters) => bookedUntil(query, () => isUntil(query))

/** SQL: whether an event was before the end of the period. */
export const isUntil = ({ to }: AccountingFilters) =>
  to ? sql`e.created_at < ${beginOf(to)} + interval '1 day'` : sql`true`

/** SQL: the same on sums of events. */
const summedWhere = (query: AccountingFilters) => bookedUntil(query, (to) => sql`e.day <= ${to}::date`)

function bookedUntil(
  query: AccountingFilters,
  isUntil: (day: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [
    sql`e.kind = any(${bookedKinds}::text[])`,
    searched(query),
    isOfAgency(query),
    query.to && isUntil(query.to),
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  return sql.join(conditions, sql` and `)
}

/** SQL: whether an event is in the period, or was before it. */
export const isInPeriod = ({ from }: AccountingFilters) =>
  from ? sql`e.created_at >= ${beginOf(from)}` : sql`true`

/** SQL: sums of events with their round and cohort, by days (decision 160). */
const summed = sql`money_totals e join transfer_payroll_groups g on g.id = e.payroll_group_id
  join transfer_cohorts c on c.id = g.cohort_id`

/** How many events the journal of a period has, from the sums of days. */
export async function eventsOf(db: Reader, query: AccountingFilters): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`
    select coalesce(sum(e.events), 0)::bigint as count from ${summed}
    where ${summedWhere(query)} and ${query.from ? sql`e.day >= ${query.from}::date` : sql`true`}`.execute(db)
  return counted[0]?.count ?? 0
}

type Sum = Booked & { agency_id: number; agency_name: string; in_period: boolean }

/**
 * The trial balance, from the sums of events by kind and status. Only the float is told apart by agency. Accounts
 * without a line are there, too.
 */
export async function trialBalance(db: Reader, query: AccountingFilters): Promise<TrialBalanceRow[]> {
  const { rows: sums } = await sql<Sum>`
    select s.*, a.name as agency_name from (
      select e.agency_id, e.kind, e.status, ${query.from ? sql`e.day >= ${query.from}::date` : sql`true`} as in_period,
        sum(e.amount)::bigint as amount, sum(e.fees)::bigint as fees
      from ${summed} where ${summedWhere(query)} group by 1, 2, 3, 4) s
    join transfer_agencies a on a.id = s.agency_id order by a.name collate "fr-x-icu", a.id`.execute(db)
  const agencies = new Map(sums.map(({ agency_id: id, agency_name: name }) => [id, { id, name }]))
  const rowOf = (account: MoneyAccount, agency: TrialBalanceRow['agency'], of: Sum[]): TrialBalanceRow => {
    const opening = balanceOf(totalsOf(of.filter(({ in_period }) => !in_period)), account)
    const { debit, credit } = totalsOf(of.filter(({ in_period }) => in_period))[account]
    return { account, agency, opening, debit, credit, closing: opening + debit - credit }
  }
  return moneyAccounts.flatMap((account) =>
    account === 'float' && agencies.size > 0
      ? [...agencies.values()].map((agency) =>
          rowOf(
            account,
            agency,
            sums.filter(({ agency_id }) => agency_id === agency.id),
          ),
        )
      : [rowOf(account, null, sums)],
  )
}

/** The trial balance and the balances of each cohort that has payments, newest first by default. */
export async function readAccounting(
  db: Db,
  query: QueryOf<typeof accounting.list>,
): Promise<AnswerOf<typeof accounting.list>> {
  const found = await paged<Pick<CohortBalances, 'id' | 'name'>>(db, query, {
    columns: sql`c.id, c.name`,
    from: sql`transfer_cohorts c`,
    where: [
      sql`exists (select from transfer_payroll_groups g where g.cohort_id = c.id)`,
      searched(query),
      isOfAgency(query),
    ],
    sort: { created_at: sql`c.created_at`, name: sql`c.name collate "fr-x-icu"` },
    order: '-created_at',
    key: sql`c.id`,
  })
  const [accounts, sums] = await Promise.all([
    trialBalance(db, query),
    rows(
      db,
      sql<Booked & { cohort_id: number }>`
      select g.cohort_id, e.kind, e.status, sum(e.amount)::bigint as amount, sum(e.fees)::bigint as fees
      from ${summed} where ${summedWhere(query)} and g.cohort_id = any(${found.data.map(({ id }) => id)}::bigint[])
      group by 1, 2, 3`,
    ),
  ])
  const byCohort = Map.groupBy(sums, ({ cohort_id }) => cohort_id)
  const data = found.data.map((cohort) => ({
    ...cohort,
    ...balancesOf(totalsOf(byCohort.get(cohort.id) ?? [])),
  }))
  return { accounts, cohorts: { ...found, data } }
}

const balancesOf = (totals: Totals) =>
  Object.fromEntries(moneyAccounts.map((account) => [account, balanceOf(totals, account)])) as Record<
    MoneyAccount,
    number
  >
