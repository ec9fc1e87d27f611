import type { Pool, PoolClient } from 'pg'
import { reportedJson } from '../connectors/agency-payments.ts'
import type { AgencyPayment, Instruction } from '../connectors/connector.ts'
import { fenced, type Lease, openedWith } from './agency-lease.service.ts'

/** A claimed payment. It was committed as `sending` or `unknown` before the worker got it. */
export type Claimed = Instruction & {
  attempt_id: number
  payroll_id: number
  group_id: number
  n: number
  state: 'sending' | 'unknown'
  /** The reason of its last outcome. */
  reason: string | null
  /** Whether it was sent before and must be queried. */
  asked: boolean
  /** Whether it was sent to the current address. */
  same_line: boolean
  /**
   * `due`: a lost database may have sent it, so the agency is queried by reference before the first sending. `held`:
   * the agency reported that it has the payment, so it is only queried.
   */
  first_asked: 'due' | 'held' | null
  /** Keys of the attempts that the agency refused, and its own ids of them. */
  refused: string[]
  /**
   * Whether people settle it or have settled it, have to decide about an order before it, or have to sign a statement that has it as
   * paid, so that it is only queried, never sent again (Money 4.8, 4.18, 9.7).
   */
  settling: boolean
  /**
   * Whether "not found" allows sending it again with its key: the address is the same, and the agency still recognises
   * the key (Money 4.6).
   */
  repeatable: boolean
  /** The trace of the call that asked for its round last. */
  trace: string | null
  /** When the worker began to claim it for a query, by its monotonic clock in ms. */
  looked_at?: number
}

/**
 * The address of orders, as an attempt records it, and for how many hours an order that is not found there may be sent
 * again.
 */
export type Line = { id: number; repeat_hours: number }

/** A key must be valid until a repeated order arrives. The query and the order may each take until their timeout. */
const twoCalls = '1 minute'

const columns = `
  a.id as attempt_id, a.payroll_id, p.payroll_group_id as group_id, a.n, a.idempotency_key as key,
  p.reference, case when a.state = 'sending' then 'sending' else 'unknown' end as state, a.reason, p.receiver_phone_number as phone, p.receiver_account as account,
  p.receiver_bank as bank, p.receiver_first_name || ' ' || p.receiver_last_name as name, p.amount`

/**
 * Claims pending payments of a round. Their attempts are committed with idempotency key, address and state `sending`
 * before any call (Money 4.1). An attempt that is pending already keeps its key. The recipient is that of the row which was
 * updated: a correction may have been approved while this query waited for the lock of its cohort. Payments that must be queried first
 * are not returned; they are due for a query at once.
 */
export function claimPayments(
  pool: Pool,
  lease: Lease,
  line: Line,
  groupId: number,
  limit: number,
): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed & { after_hold: boolean }>({
      name: 'claim-payments',
      text: `
        with may as (
          select 1 from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
            join transfer_agencies a on a.id = c.transfer_agency_id
          where g.id = $1 and c.status = 'approved' and c.stopped_at is null and a.status = 'active' and a.id = $3
            and not agency_takes_files(a.protocol)
            and (select sending_allowed())
            and not exists (select from agency_leases l where l.agency_id = a.id and l.opened_with <> ${openedWith})
          for share of c
        ), picked as (
          select id from transfer_payrolls
          where payroll_group_id = $1 and status = 'pending' and exists (select 1 from may)
          order by set_aside, id limit $2 for no key update
        ), p as (
          update transfer_payrolls p set status = 'sending', updated_at = now() from picked where p.id = picked.id
          returning p.*
        ), a as (
          insert into payment_attempts (payroll_id, state, tries, agency_id, line_id, sent_at)
          select id, 'sending', 1, $3, $4, now() from p
          on conflict (payroll_id) where state <> 'failed'
          do update set state = 'sending', tries = payment_attempts.tries + 1, ask_at = null, line_id = excluded.line_id,
            sent_at = excluded.sent_at
          returning *
        )
        select ${columns}, false as asked, true as same_line, true as repeatable, null as first_asked, '{}'::text[] as refused, false as settling,
          (select trace from transfer_payroll_groups where id = $1) as trace, (select exists (select from sending_holds)) as after_hold
        from a join p on p.id = a.payroll_id`,
      values: [groupId, limit, lease.agency_id, line.id],
    })
    const claimed = rows.map(({ after_hold, ...payment }) => payment)
    return rows[0]?.after_hold ? askFirst(client, claimed) : claimed
  })
}

/** Leaves out payments that the agency has, or may have from a lost database. They become due for a query. */
async function askFirst(client: PoolClient, claimed: readonly Claimed[]): Promise<Claimed[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'ask-first',
    text: `
      with mine as (
        select a.id, case
          -- The indexes of what was reported begin with the agency. Agencies are few.
          when exists (select from transfer_agencies o join reported_payments t on t.agency_id = o.id
            and (t.reference = p.reference or t.key = a.idempotency_key::text) where report_stands(t, p.id)) then 'held'
          when a.first_asked is null and payment_is_asked_first(p.id, p.payroll_group_id) then 'due'
        end as first_asked
        from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id where a.id = any($1::bigint[])
      )
      update payment_attempts a set first_asked = m.first_asked, ask_at = now()
      from mine m where a.id = m.id and m.first_asked is not null returning a.id`,
    values: [claimed.map(({ attempt_id }) => attempt_id)],
  })
  const first = new Set(rows.map(({ id }) => id))
  return claimed.filter(({ attempt_id }) => !first.has(attempt_id))
}

/**
 * Claims attempts that are due for a query. Their next query time is set first, so that no two workers query them at
 * once.
 */
export function claimQuestions(pool: Pool, lease: Lease, line: Line, limit: number): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed>({
      name: 'claim-questions',
      text: `
        with due as (
          select id from payment_attempts
          where agency_id = $1 and ask_at <= now()
          order by ask_at limit $2
        ), a as (
          update payment_attempts a set tries = a.tries + 1, ask_at = now() + interval '1 minute'
          from due where a.id = due.id returning a.*
        )
        select ${columns}, true as asked, a.line_id is not distinct from $3 as same_line,
          a.line_id is not distinct from $3 and a.first_asked is distinct from 'held'
            and a.sent_at > now() - make_interval(hours => $4) + interval '${twoCalls}' as repeatable,
          case when a.state <> 'failed' then nullif(a.first_asked, 'clear') end as first_asked,
          a.state = 'failed' or exists (
            select from payment_settlements s where s.attempt_id = a.id and s.state = 'proposed') or exists (
            select from payment_exceptions e join payment_attempts f on f.id = e.attempt_id and f.state = 'failed'
            where e.payroll_id = a.payroll_id and not e.resolved) or stated_as_paid(a.payroll_id) as settling,
          array(select k from payment_attempts f, unnest(array[f.idempotency_key::text, f.external_trx_id]) k
            where f.payroll_id = a.payroll_id and f.state = 'failed' and k is not null) as refused,
          (select trace from transfer_payroll_groups where id = p.payroll_group_id) as trace
        from a join transfer_payrolls p on p.id = a.payroll_id`,
      values: [lease.agency_id, limit, line.id, line.repeat_hours],
    })
    return rows
  })
}

/** Records that the agency has a payment with this reference. From now on it is only queried, never sent. */
export function notePayments(
  pool: Pool,
  lease: Lease,
  { attempt_id, n, key }: Claimed,
  payments: readonly AgencyPayment[],
): Promise<void> {
  return fenced(pool, lease, async (client) => {
    await client.query('select note_reported($1, $2)', [lease.agency_id, reportedJson(payments)])
    await client.query(
      `update payment_attempts set first_asked = 'held'
       where id = $1 and n = $2 and idempotency_key = $3 and first_asked = 'due'`,
      [attempt_id, n, key],
    )
  })
}

/** Returns the row of an address that orders are sent to. A new address gets a row. */
export async function recordLine(
  pool: Pool,
  line: { agency_id: number; endpoint: string; account: string; protocol: string; version: number },
): Promise<number> {
  const values = [line.agency_id, line.endpoint, line.account, line.protocol, line.version]
  const where =
    'agency_id = $1 and endpoint = $2 and account = $3 and protocol = $4 and connector_version = $5'
  await pool.query(
    `insert into payment_lines (agency_id, endpoint, account, protocol, connector_version)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    values,
  )
  const { rows } = await pool.query<{ id: number }>(`select id from payment_lines where ${where}`, values)
  if (!rows[0]) throw new Error(`the address of agency ${line.agency_id} was not recorded`)
  return rows[0].id
}
