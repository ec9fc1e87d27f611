import type { Pool } from 'pg'
import type { Instruction } from './connectors/connector.ts'
import { fenced, type Lease } from './round-lease.service.ts'

/** A payment in the worker's hands: committed as `sending` or `unknown` before it is in anybody's memory. */
export type Claimed = Instruction & {
  attempt_id: number
  payroll_id: number
  n: number
  state: 'sending' | 'unknown'
}

const columns = `
  a.id as attempt_id, a.payroll_id, a.n, a.idempotency_key as key, p.reference, a.state,
  p.receiver_phone_number as phone, p.receiver_account as account, p.receiver_bank as bank,
  p.receiver_first_name || ' ' || p.receiver_last_name as name, p.amount`

/**
 * Takes pending payments of the round: the attempt with its key and the intent to send are committed before any call
 * leaves (architecture section 5). An attempt that was put back, or that a person made after a refusal, keeps its key.
 */
export function claimPayments(pool: Pool, lease: Lease, limit: number): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed>({
      name: 'claim-payments',
      text: `
        with may as (
          select 1 from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id
          where c.id = $3 and c.status = 'approved' and c.stopped_at is null and a.status = 'active' for share of c
        ), picked as (
          select id from transfer_payrolls
          where payroll_group_id = $1 and status = 'pending' and exists (select 1 from may)
          order by id limit $2 for update
        ), p as (
          update transfer_payrolls p set status = 'sending', updated_at = now() from picked where p.id = picked.id
          returning p.*
        ), a as (
          insert into payment_attempts (payroll_id, state, tries) select id, 'sending', 1 from p
          on conflict (payroll_id) where state <> 'failed'
          do update set state = 'sending', tries = payment_attempts.tries + 1, ask_at = null
          returning *
        )
        select ${columns} from a join p on p.id = a.payroll_id`,
      values: [lease.group_id, limit, lease.cohort_id],
    })
    return rows
  })
}

/** What a worker that died left behind as `sending` may or may not have been executed: from here on it is asked about. */
export function adoptSending(pool: Pool, lease: Lease): Promise<number> {
  return fenced(pool, lease, async (client) => {
    const { rowCount } = await client.query({
      name: 'adopt-sending',
      text: `
        with p as (
          update transfer_payrolls set status = 'unknown', updated_at = now()
          where payroll_group_id = $1 and status = 'sending' returning id
        )
        update payment_attempts a set state = 'unknown', ask_at = now() from p
        where a.payroll_id = p.id and a.state = 'sending'`,
      values: [lease.group_id],
    })
    return rowCount ?? 0
  })
}

/** Moves every unknown attempt of the round to the front of what is asked about. */
export function askSoon(pool: Pool, lease: Lease): Promise<void> {
  return fenced(pool, lease, async (client) => {
    await client.query({
      name: 'ask-soon',
      text: `
        update payment_attempts a set ask_at = now() from transfer_payrolls p
        where a.payroll_id = p.id and p.payroll_group_id = $1 and p.status = 'unknown'
          and a.state = 'unknown' and a.ask_at > now()`,
      values: [lease.group_id],
    })
  })
}

/** Attempts to ask about now; each is moved on first, so that nobody asks twice at once. */
export function claimQuestions(pool: Pool, lease: Lease, limit: number): Promise<Claimed[]> {
  return fenced(pool, lease, async (client) => {
    const { rows } = await client.query<Claimed>({
      name: 'claim-questions',
      text: `
        with due as (
          select a.id from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
          where p.payroll_group_id = $1 and p.status in ('sending', 'unknown')
            and a.state in ('sending', 'unknown') and a.ask_at <= now()
          order by a.ask_at limit $2
        ), a as (
          update payment_attempts a set tries = a.tries + 1, ask_at = now() + interval '1 minute'
          from due where a.id = due.id returning a.*
        )
        select ${columns} from a join transfer_payrolls p on p.id = a.payroll_id`,
      values: [lease.group_id, limit],
    })
    return rows
  })
}
