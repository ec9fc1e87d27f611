import { CompiledQuery, sql } from 'kysely'
import type { Pool } from 'pg'
import { databaseFault, type Tx } from '../../kit/database/db.ts'
import type { Mismatch } from '../connectors/answer-check.ts'
import type { Outcome } from '../connectors/connector.ts'
import { fenced, type Lease } from './agency-lease.service.ts'
import type { Claimed } from './payments.service.ts'

/** A bank may say that it paid, and give its own id only with its statement. */
type PaidByFile = Omit<Extract<Outcome, { kind: 'success' }>, 'external_trx_id'> & {
  external_trx_id: string | null
}

/** The outcome of an attempt. `mismatch` is what a person has to look at. */
export type Settled = {
  payment: Pick<Claimed, 'attempt_id' | 'n' | 'key'>
  outcome: Outcome | { kind: 'unsent' } | PaidByFile
  mismatch: Mismatch | null
}

/**
 * Writes outcomes, up to some hundred in one transaction. If one of them cannot be written, the others are written, and
 * that one becomes unknown with the reason.
 */
export async function settlePayments(pool: Pool, lease: Lease, settled: readonly Settled[]): Promise<void> {
  try {
    await writeAll(pool, lease, settled)
  } catch (error) {
    if (!isAboutTheData(error)) throw error
    for (const one of settled) await writeAlone(pool, lease, one)
  }
}

async function writeAlone(pool: Pool, lease: Lease, settled: Settled): Promise<void> {
  try {
    await writeAll(pool, lease, [settled])
  } catch (error) {
    if (!isAboutTheData(error)) throw error
    const outcome = { kind: 'unknown', reason: 'answer_unreadable' } as const
    await writeAll(pool, lease, [{ payment: settled.payment, outcome, mismatch: null }])
  }
}

/** Whether the database refused a value (classes 22 and 23), as opposed to a failure of the database. */
function isAboutTheData(error: unknown): boolean {
  return /^2[23]/.test(databaseFault(error)?.code ?? '')
}

/**
 * SQL: seconds until an attempt is queried again, with exponential backoff up to 30. If the agency gave a waiting time,
 * half of the backoff is the minimum.
 */
const backOff = 'least(30, 0.5 * power(2, least(a.tries, 10)))'

/**
 * Attempts are looked up one by one (`offset 0`), because a plan that was cached while the table was small would scan
 * all of it. A final attempt never changes: a contradiction becomes an exception for a person (Money 4.8). A
 * transaction id settles one payment only. It leaves the payment unknown if another attempt has it, if the agency
 * reported it with another reference, or if an earlier attempt of this batch has it. A trigger updates the round's
 * counters.
 */
const settleText = `
  with own as (
    select s.*, a.payroll_id, a.agency_id, a.was
    from unnest($1::bigint[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[],
        $9::text[], $10::text[], $11::text[])
      as s (attempt_id, n, key, state, external_trx_id, reason, agency_fees, wait_ms, kind, expected, answered),
    lateral (
      select payroll_id, agency_id, state as was from payment_attempts
      where id = s.attempt_id and n = s.n and idempotency_key = s.key offset 0
    ) a
  ), taken as (
    select o.attempt_id from own o join payment_attempts other
      on other.agency_id = o.agency_id and other.external_trx_id = o.external_trx_id and other.id <> o.attempt_id
    union
    select o.attempt_id from own o join transfer_payrolls p on p.id = o.payroll_id join reported_payments t
      on t.agency_id = o.agency_id and t.external_trx_id = o.external_trx_id
      and t.reference is distinct from p.reference and t.key <> o.key::text
    union
    select attempt_id from (
      select attempt_id, min(attempt_id) over (partition by external_trx_id) as first
      from own where external_trx_id is not null
    ) batch where first <> attempt_id
  ), against as (
    insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
    select payroll_id, attempt_id, kind, expected, answered from own where kind is not null
    union all
    select payroll_id, attempt_id, 'contradiction', was, concat_ws(': ', state, reason) from own
      where was in ('success', 'failed') and state in ('success', 'failed') and was <> state
    union all
    select payroll_id, attempt_id, 'transaction', null, external_trx_id from own join taken using (attempt_id)
      where was in ('sending', 'unknown')
    on conflict do nothing
  ), asked_on as (
    -- People settled these as not paid. The agency is asked for a month whether it paid them after all.
    update payment_attempts a set ask_at = case when o.state not in ('success', 'failed') and exists (
        select from payment_settlements s where s.attempt_id = a.id and s.decided_at > now() - interval '30 days'
      ) then now() + interval '6 hours' end
    from own o where a.id = o.attempt_id and a.state = 'failed' and a.ask_at is not null
  ), a as (
    update payment_attempts a set
      state = case when t.attempt_id is null then o.state else 'unknown' end,
      external_trx_id = case when t.attempt_id is null then coalesce(o.external_trx_id, a.external_trx_id) else a.external_trx_id end,
      reason = case when t.attempt_id is null then o.reason else 'transaction_differs' end,
      first_asked = case when o.state = 'pending' and a.first_asked = 'due' then 'clear' else a.first_asked end,
      ask_at = case
        when o.wait_ms is not null then now() + make_interval(secs => greatest(o.wait_ms / 1000.0, ${backOff} / 2))
        when o.state = 'unknown' or t.attempt_id is not null then now() + make_interval(secs => ${backOff})
      end,
      settled_at = case when t.attempt_id is null and o.state in ('success', 'failed') then now() end
    from own o left join taken t using (attempt_id)
    where a.id = o.attempt_id and a.state in ('sending', 'unknown')
    returning a.id, a.payroll_id, a.state, a.external_trx_id, a.reason, o.agency_fees
  ), answered as (
    update payment_settlements s set state = 'answered', decided_at = now()
    from a where s.attempt_id = a.id and s.state = 'proposed' and a.state in ('success', 'failed', 'pending')
  )
  update transfer_payrolls p set
    status = a.state,
    external_trx_id = coalesce(a.external_trx_id, p.external_trx_id),
    failure_reason = case when a.state in ('failed', 'unknown') then a.reason end,
    set_aside = case when a.state = 'pending' and a.reason = 'funds' then p.set_aside + 1 else p.set_aside end,
    agency_fees = case when a.state = 'success' then coalesce(a.agency_fees, p.agency_fees) else p.agency_fees end,
    updated_at = now()
  from a where p.id = a.payroll_id`

/**
 * Writes outcomes in the caller's transaction, which has locked the agency's lease. A value that the database refuses rolls
 * back all of it.
 */
export async function settleIn(tx: Tx, agencyId: number, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return
  await sql`update agency_leases set settled_at = now(), stalled_at = null where agency_id = ${agencyId}`.execute(
    tx,
  )
  for (let from = 0; from < settled.length; from += settledAtOnce) {
    const { text, values } = settleQuery(settled.slice(from, from + settledAtOnce))
    await tx.executeQuery(CompiledQuery.raw(text, values))
  }
}

const settledAtOnce = 500

function writeAll(pool: Pool, lease: Lease, settled: readonly Settled[]): Promise<void> {
  const rows = settled.map(({ outcome }) => asRow(outcome))
  return fenced(pool, lease, async (client) => {
    // A settled payment shows that the agency makes progress.
    if (rows.some(({ state }) => state === 'success' || state === 'failed'))
      await client.query(
        'update agency_leases set settled_at = now(), stalled_at = null where agency_id = $1',
        [lease.agency_id],
      )
    await client.query(settleQuery(settled))
  })
}

function settleQuery(settled: readonly Settled[]) {
  const rows = settled.map(({ outcome }) => asRow(outcome))
  return {
    name: 'settle-payments',
    text: settleText,
    values: [
      settled.map(({ payment }) => payment.attempt_id),
      settled.map(({ payment }) => payment.n),
      settled.map(({ payment }) => payment.key),
      rows.map((row) => row.state),
      rows.map((row) => row.external_trx_id),
      rows.map((row) => row.reason),
      rows.map((row) => row.agency_fees),
      rows.map((row) => row.wait_ms),
      settled.map(({ mismatch }) => mismatch?.kind),
      settled.map(({ mismatch }) => mismatch?.expected),
      settled.map(({ mismatch }) => mismatch?.answered),
    ],
  }
}

type Row = {
  state: 'pending' | 'sending' | 'success' | 'failed' | 'unknown'
  external_trx_id: string | null
  reason: string | null
  agency_fees: number | null
  wait_ms: number | null
}

const nothing = { external_trx_id: null, reason: null, agency_fees: null, wait_ms: null }

function asRow(outcome: Settled['outcome']): Row {
  switch (outcome.kind) {
    case 'success': {
      const { external_trx_id, agency_fees } = outcome
      return { ...nothing, state: 'success', external_trx_id, agency_fees }
    }
    case 'failed':
      return { ...nothing, state: 'failed', external_trx_id: outcome.external_trx_id, reason: outcome.reason }
    case 'processing':
      return { ...nothing, state: 'sending', wait_ms: outcome.wait_ms }
    case 'unknown':
      return { ...nothing, state: 'unknown', reason: outcome.reason, wait_ms: outcome.wait_ms ?? null }
    case 'not_sent':
      // Waits with its key for as long as the agency asked. The query then finds nothing, and the order is sent again.
      return { ...nothing, state: 'sending', reason: outcome.reason, wait_ms: outcome.wait_ms }
    case 'unusable':
      return { ...nothing, state: 'pending', reason: outcome.reason }
    case 'unsent':
      return { ...nothing, state: 'pending' }
  }
}
