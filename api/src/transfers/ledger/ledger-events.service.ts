import { sql } from 'kysely'
import type { Reader } from '../../kit/database/db.ts'
import { type Booked, balanceOf, totalsOf } from './money-lines.ts'

type Found = { cohort_id: number | null; name: string | null; n: number; ids: string[] }

/** The last event of each payment, from which its state is read. */
const last = sql`(select distinct on (payroll_id) * from money_events order by payroll_id, id desc)`

const cohorts = sql`left join transfer_payroll_groups g on g.id = b.payroll_group_id
  left join transfer_cohorts c on c.id = g.cohort_id`

/** Each query finds payments whose events break one rule: `b` has their ids and rounds. */
const checks = [
  {
    find: sql`select p.id, p.payroll_group_id from transfer_payrolls p left join ${last} e on e.payroll_id = p.id
      where (p.status, p.amount, p.fees, p.payroll_group_id, p.agency_fees)
        is distinct from (e.status, e.amount, e.fees, e.payroll_group_id, e.agency_fees)`,
    tell: 'are not as their last event left them',
  },
  {
    find: sql`select p.id, p.payroll_group_id from transfer_payrolls p
      left join (select payroll_id, count(*) as n from money_events where kind = 'written_off' group by payroll_id) e on e.payroll_id = p.id
      where coalesce(e.n, 0) <> case when p.written_off_at is null then 0 else 1 end`,
    tell: 'are not written off as their events say',
  },
  {
    // A payment begins with one event that expects it; each later one continues from the status before.
    find: sql`select payroll_id as id, min(payroll_group_id) as payroll_group_id from (
        select payroll_id, payroll_group_id, status_before, amount, fees,
          lag(status) over w as due, lag(amount) over w as amount_due, lag(fees) over w as fees_due, row_number() over w as place
        from money_events window w as (partition by payroll_id order by id)) e
      where status_before is distinct from due or place > 1 and (amount, fees) <> (amount_due, fees_due) group by payroll_id`,
    tell: 'have events that do not follow from each other',
  },
  {
    find: sql`select e.payroll_id as id, min(e.payroll_group_id) as payroll_group_id from money_events e
      where not exists (select from transfer_payrolls p where p.id = e.payroll_id) group by e.payroll_id`,
    tell: 'have events but do not exist',
  },
  {
    find: sql`select p.id, p.payroll_group_id from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
      where a.state in ('success', 'failed') and not exists (
        select from money_events e where e.payroll_id = p.id
          and (e.kind = 'opening' or e.attempt_id = a.id and (
            -- An attempt that waits ends when its payment is corrected, whether that waits or is withheld, or written off.
            e.kind = 'corrected' and a.reason = 'cancelled'
            or e.status = a.state and e.kind in ('paid', 'failed', 'settled', 'corrected', 'written_off'))))
      group by p.id`,
    tell: 'have an attempt with an outcome that no event has',
  },
  {
    find: sql`select e.payroll_id as id, e.payroll_group_id from money_events e
      left join payment_attempts a on a.id = e.attempt_id and a.payroll_id = e.payroll_id
      where e.status = 'success' and e.kind in ('paid', 'settled', 'opening')
        and (e.status, e.agency_id, e.external_trx_id) is distinct from (a.state, a.agency_id, a.external_trx_id)`,
    tell: 'were paid by another attempt, agency or transaction than their event says',
  },
  {
    find: sql`select p.id, p.payroll_group_id from transfer_payrolls p left join payment_confirmations k on k.payroll_id = p.id
      left join (select distinct on (payroll_id) payroll_id, kind, source_id from money_events
        where kind in ('confirmed', 'unconfirmed') order by payroll_id, id desc) e on e.payroll_id = p.id
      where k.statement_id is distinct from case e.kind when 'confirmed' then e.source_id end`,
    tell: 'are not confirmed by the statement that their events say',
  },
]

type RoundSum = Booked & { round: number }
type Round = {
  id: number
  cohort_id: number
  name: string
  n: number
  expected: number
  success: number
  fees: number
  open: number
  arrears: number
  written_off: number
}

/** What a round's counters say, and the balance of the accounts that must be the same. */
const balances = [
  ['expected', (t) => balanceOf(t, 'programme')],
  ['success', (t) => -balanceOf(t, 'float') - balanceOf(t, 'fees')],
  ['fees', (t) => balanceOf(t, 'fees')],
  ['open', (t) => -balanceOf(t, 'recipients')],
  ['arrears', (t) => -balanceOf(t, 'arrears')],
  ['written_off', (t) => -balanceOf(t, 'written_off')],
] as const satisfies [keyof Round, (totals: ReturnType<typeof totalsOf>) => number][]

const words: Record<(typeof balances)[number][0], string> = {
  expected: 'expected',
  success: 'disbursed',
  fees: 'fees',
  open: 'pending and unknown',
  arrears: 'arrears',
  written_off: 'written off',
}

/** Compares events with payments, attempts, confirmations and the counters of rounds. Returns a sentence for each fault. */
export async function verifyEvents(db: Reader): Promise<{ events: number; faults: string[] }> {
  const faults: string[] = []
  for (const { find, tell } of checks) {
    const { rows } = await sql<Found>`
      select c.id as cohort_id, c.name, count(*)::int as n, (array_agg(b.id::text order by b.id))[1:5] as ids
      from (${find}) b ${cohorts} group by c.id, c.name order by c.id`.execute(db)
    for (const { cohort_id, name, n, ids } of rows)
      faults.push(
        `${cohort_id === null ? 'no cohort' : `cohort ${cohort_id} "${name}"`}: ${paymentsOf(n, ids)} ${tell}`,
      )
  }
  const { rows } = await sql<{ events: number }>`select count(*)::int as events from money_events`.execute(db)
  return { events: rows[0]?.events ?? 0, faults: [...faults, ...(await roundFaults(db))] }
}

const paymentsOf = (n: number, ids: string[]) =>
  `${n} payments (${ids.join(', ')}${n > ids.length ? ', …' : ''})`

/** Recomputes the figures of each round from its events alone. */
async function roundFaults(db: Reader): Promise<string[]> {
  const { rows: sums } = await sql<RoundSum>`
    select payroll_group_id as round, kind, status, sum(amount)::bigint as amount, sum(fees)::bigint as fees
    from money_events group by payroll_group_id, kind, status`.execute(db)
  const { rows: rounds } = await sql<Round>`
    select g.id, g.cohort_id, c.name, g.n, g.expected_amount as expected, g.success_amount as success, g.success_fees as fees,
      g.pending_amount + g.unknown_amount as open, g.failed_amount as arrears, g.written_off_amount as written_off
    from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id order by g.cohort_id, g.n`.execute(
    db,
  )
  const byRound = Map.groupBy(sums, ({ round }) => round)
  return rounds.flatMap((round) => {
    const totals = totalsOf(byRound.get(round.id) ?? [])
    return balances.flatMap(([figure, of]) =>
      of(totals) === round[figure]
        ? []
        : [
            `cohort ${round.cohort_id} "${round.name}": round ${round.n} has ${round[figure]} francs ${words[figure]}, its events give ${of(totals)}`,
          ],
    )
  })
}
