import type { DonorReport, ReachedPart, ReportFilters } from '@portal/contracts/donor-report'
import { smallCount } from '@portal/contracts/donor-report'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import { hideSmallCounts } from './small-counts.ts'

/** Girls who were paid, of one place and class level. */
type Group = {
  place: number
  place_name: string
  level: string | null
  level_name: string | null
  level_order: number | null
  girls: number
  payments: number
  amount: number
  commission: number
  stated: number
  stated_payments: number
  tariff: number
}
type Sums = {
  groups: Group[]
  recipients: number
  refused: number
  arrears: { amount: number; payments: number; girls: number }
}

/** Reads what a donor is told about a period (Money 3.9). One statement, so that all figures are of one moment. */
export async function readDonorReport(db: Db, locale: Locale, filters: ReportFilters): Promise<DonorReport> {
  const { rows } = await sql<Sums>`
    with paid as materialized (${paidIn(filters)}),
    girls as (
      select student_id, count(*) as payments, sum(amount) as amount, sum(commission) as commission,
        coalesce(sum(stated), 0) as stated, count(stated) as stated_payments,
        coalesce(sum(tariff) filter (where stated is null), 0) as tariff
      from paid group by student_id),
    groups as (
      select ${placeOf(filters)}.id as place, ${placeOf(filters)}.name as place_name, s.current_class_level as level,
        case ${locale} when 'fr' then l.fr else l.en end as level_name, l.position as level_order, count(*) as girls,
        sum(g.payments) as payments, sum(g.amount) as amount, sum(g.commission) as commission, sum(g.stated) as stated,
        sum(g.stated_payments) as stated_payments, sum(g.tariff) as tariff
      from girls g join students s on s.id = g.student_id join schools c on c.id = s.school_id join caps p on p.id = c.cap_id
        left join reference_values l on l.list = 'class_level' and l.code = s.current_class_level
      group by 1, 2, 3, 4, 5)
    select coalesce((select jsonb_agg(to_jsonb(groups) order by place_name collate "fr-x-icu", place) from groups), '[]') as groups,
      (select count(*) from (select distinct recipient from paid) r) as recipients,
      (${refusedIn(filters)}) as refused,
      (${owedAtEnd(filters)}) as arrears`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('The report could not be read')
  return reportOf(filters, sums)
}

const placeOf = ({ cap }: ReportFilters) => (cap ? sql.ref('c') : sql.ref('p'))

/** SQL: the moments at which the period begins, and at which it is over. */
const begins = ({ from }: ReportFilters) => sql`${from}::date::timestamp at time zone 'utc'`
const isOver = ({ to }: ReportFilters) => sql`(${to}::date + 1)::timestamp at time zone 'utc'`

/** SQL: whether a row of a list is of a girl who goes to school in the CAP now, as on the home page. */
const inCap = ({ cap }: ReportFilters) =>
  cap
    ? sql`m.student_id in (select st.id from students st join schools k on k.id = st.school_id where k.cap_id = ${cap})`
    : sql`true`

/** SQL: agencies whose attempts count. The index of settled attempts begins with the agency. */
const agencies = ({ transfer_agency_id }: ReportFilters) =>
  transfer_agency_id
    ? sql`array[${transfer_agency_id}]::bigint[]`
    : sql`array(select id from transfer_agencies)`

/** SQL: payments that succeeded in the period, each with what its agency charged by a signed statement, and by its tariff. */
const paidIn = (filters: ReportFilters) => sql`
  select m.student_id, e.amount, e.fees as commission, f.their_fee as stated,
    (e.amount * round(y.fees * 100)::bigint + 5000) / 10000 as tariff,
    coalesce(e.receiver_phone_number, e.receiver_account, 'girl ' || m.student_id) as recipient
  from payment_attempts a join transfer_agencies y on y.id = a.agency_id
    join transfer_payrolls e on e.id = a.payroll_id join transfer_master_list m on m.id = e.master_list_id
    left join payment_confirmations k on k.payroll_id = e.id
    left join statement_findings f on f.statement_id = k.statement_id and f.payroll_id = k.payroll_id
      and f.category in ('matched', 'fee')
  where a.state = 'success' and a.agency_id = any(${agencies(filters)})
    and a.settled_at >= ${begins(filters)} and a.settled_at < ${isOver(filters)} and ${inCap(filters)}`

/** SQL: how many payments were refused in the period and were not paid before its end. */
const refusedIn = (filters: ReportFilters) => sql`
  select count(distinct a.payroll_id) from payment_attempts a join transfer_payrolls e on e.id = a.payroll_id
    join transfer_master_list m on m.id = e.master_list_id
  where a.state = 'failed' and a.agency_id = any(${agencies(filters)})
    and a.settled_at >= ${begins(filters)} and a.settled_at < ${isOver(filters)} and ${inCap(filters)}
    and not exists (select from payment_attempts b where b.payroll_id = a.payroll_id and b.state = 'success'
      and b.settled_at < ${isOver(filters)})`

/**
 * SQL: what was owed when the period was over: payments whose latest attempt until then had failed, and payments that were
 * withheld, without those that were written off by then.
 */
const owedAtEnd = (filters: ReportFilters) => sql`
  select jsonb_build_object('amount', coalesce(sum(e.amount), 0), 'payments', count(*), 'girls', count(distinct m.student_id))
  from (
    select a.payroll_id from payment_attempts a where a.state = 'failed' and a.settled_at < ${isOver(filters)}
      and not exists (select from payment_attempts b where b.payroll_id = a.payroll_id and b.n > a.n and b.created_at < ${isOver(filters)})
    union
    select w.id from transfer_payrolls w where w.status = 'failed' and w.withheld_at < ${isOver(filters)}
    union
    select w.id from payee_holds h join transfer_master_list l on l.student_id = h.student_id
      join transfer_payrolls w on w.master_list_id = l.id
    where h.created_at < ${isOver(filters)} and w.created_at < ${isOver(filters)}
      and (h.released_at is null or h.released_at > w.created_at)
      and (h.ends_on is null or h.ends_on >= (w.created_at at time zone 'utc')::date)
      and not exists (select from payment_attempts b where b.payroll_id = w.id and b.created_at < ${isOver(filters)})
  ) o join transfer_payrolls e on e.id = o.payroll_id join transfer_master_list m on m.id = e.master_list_id
    join transfer_payroll_groups g on g.id = e.payroll_group_id join transfer_cohorts t on t.id = g.cohort_id
  where (e.written_off_at is null or e.written_off_at >= ${isOver(filters)})
    and t.transfer_agency_id = any(${agencies(filters)}) and ${inCap(filters)}`

/** Puts the groups together, and hides small counts of girls. */
function reportOf(filters: ReportFilters, { groups, recipients, refused, arrears }: Sums): DonorReport {
  const sum = (
    name: 'girls' | 'payments' | 'amount' | 'commission' | 'stated' | 'stated_payments' | 'tariff',
  ) => groups.reduce((so, group) => so + group[name], 0)
  const places = partsOf(groups, ({ place, place_name }) => ({ key: String(place), name: place_name }))
  const inOrder = groups.toSorted(
    (a, b) => placeInList(a) - placeInList(b) || (a.level ?? '').localeCompare(b.level ?? ''),
  )
  const levels = partsOf(inOrder, ({ level, level_name }) => ({ key: level, name: level_name ?? level }))
  const girls = places.map(({ key }) =>
    levels.map(
      (level) => groups.find((group) => String(group.place) === key && group.level === level.key)?.girls ?? 0,
    ),
  )
  const guarded = hideSmallCounts(girls)
  const guard = (parts: readonly ReachedPart[], shown: readonly (number | null)[]) =>
    parts.map((part, at) =>
      shown[at] === null ? { ...part, girls: null, payments: null, amount: null } : part,
    )
  const small = (count: number) => (count > 0 && count < smallCount ? null : count)
  const payments = sum('payments')
  return {
    disbursed: sum('amount'),
    payments,
    recipients: small(recipients),
    girls: guarded.all,
    refused,
    success_rate: payments + refused > 0 ? payments / (payments + refused) : null,
    arrears: { ...arrears, girls: small(arrears.girls) },
    stated_fees: { payments: sum('stated_payments'), amount: sum('stated') },
    tariff_fees: { payments: payments - sum('stated_payments'), amount: sum('tariff') },
    commission: sum('commission'),
    place: filters.cap ? 'school' : 'cap',
    places: guard(places, guarded.rows),
    levels: guard(levels, guarded.columns),
    girls_by_place_and_level: guarded.cells,
  }
}

/** Girls of no known class level stand last. */
const placeInList = ({ level, level_order }: Group) => level_order ?? (level === null ? 2e6 : 1e6)

type Part = Pick<ReachedPart, 'key' | 'name'> & { girls: number; payments: number; amount: number }

/** The sums of the groups by place or by level, in the order in which they come. */
function partsOf(
  groups: readonly Group[],
  name: (group: Group) => Pick<ReachedPart, 'key' | 'name'>,
): Part[] {
  const parts = new Map<string | null, Part>()
  for (const group of groups) {
    const { key, name: called } = name(group)
    const part = parts.get(key) ?? { key, name: called, girls: 0, payments: 0, amount: 0 }
    parts.set(key, {
      ...part,
      girls: part.girls + group.girls,
      payments: part.payments + group.payments,
      amount: part.amount + group.amount,
    })
  }
  return [...parts.values()]
}
