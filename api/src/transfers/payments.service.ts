import type { Pool } from 'pg'
import { fenced, type Lease } from './agency-lease.service.ts'
import type { Instruction } from './connectors/connector.ts'

/** A payment in the worker's hands: committed as `sending` or `unknown` before it is in anybody's memory. */
export type Claimed = Instruction & {
  attempt_id: number
  payroll_id: number
  group_id: number
  n: number
  state: 'sending' | 'unknown'
  /** What was last found out about it. */
  reason: string | null
  /** It was sent before, and is in hand to be asked about. */
  asked: boolean
  /** It went to the address that is spoken to now. */
  same_line: boolean
  /** "Not found" allows to send it again with its key: same address, and the agency still knows its keys (Money 4.6). */
  repeatable: boolean
}

/** Where orders go now, as an attempt records it. */
export type Line = { id: number; key_life_hours: number }

const columns = `
  a.id as attempt_id, a.payroll_id, p.payroll_group_id as group_id, a.n, a.idempotency_key as key,
  p.reference, a.state, a.reason, p.receiver_phone_number as phone, p.receiver_account as account,
  p.receiver_bank as bank, p.receiver_first_name || ' ' || p.receiver_last_name as name, p.amount`

/**
 * Takes pending payments of a round: the attempt with its key, where it goes and the intent to send are committed
 * before any call leaves (Money 4.1). An attempt that was put back, or that a person made after a refusal,
 * keeps its key.
 */
export function claimPayments(
  pool: Pool,
  lease: Lease,
  line: Line,
  groupId: number,
  limit: number,
): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed>({
      name: 'claim-payments',
      text: `
        with may as (
          select 1 from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
            join transfer_agencies a on a.id = c.transfer_agency_id
          where g.id = $1 and c.status = 'approved' and c.stopped_at is null and a.status = 'active' and a.id = $3
            and (select sending_allowed())
          for share of c
        ), picked as (
          select id from transfer_payrolls
          where payroll_group_id = $1 and status = 'pending' and exists (select 1 from may)
          order by set_aside, id limit $2 for update
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
        select ${columns}, false as asked, true as same_line, true as repeatable
        from a join p on p.id = a.payroll_id`,
      values: [groupId, limit, lease.agency_id, line.id],
    })
    return rows
  })
}

/** Attempts to ask about now; each is moved on first, so that nobody asks twice at once. */
export function claimQuestions(pool: Pool, lease: Lease, line: Line, limit: number): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed>({
      name: 'claim-questions',
      text: `
        with due as (
          select id from payment_attempts
          where agency_id = $1 and state in ('sending', 'unknown') and ask_at <= now()
          order by ask_at limit $2
        ), a as (
          update payment_attempts a set tries = a.tries + 1, ask_at = now() + interval '1 minute'
          from due where a.id = due.id returning a.*
        )
        select ${columns}, true as asked, a.line_id is not distinct from $3 as same_line,
          a.line_id is not distinct from $3 and a.sent_at > now() - make_interval(hours => $4) as repeatable
        from a join transfer_payrolls p on p.id = a.payroll_id`,
      values: [lease.agency_id, limit, line.id, line.key_life_hours],
    })
    return rows
  })
}

/** The row of an address that orders are sent to from now on; made when it is new. */
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
