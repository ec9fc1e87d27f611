import type { Pool, PoolClient } from 'pg'
import { retriedAfterDeadlock } from '../../kit/database/db.ts'
import { refusedOnce } from '../connectors/connector.ts'

/** A round of the agency with payments to send or to query, as of the last renewal of the lease. */
export type Round = { group_id: number; cohort_id: number; may_send: boolean; pending: number }

/** The right to call an agency and to write its answers. Writes with an older fencing token (`fence`) are refused. */
export type Lease = { agency_id: number; owner: string; fence: number }

/** Outlasts a short pause of its process. After a worker was killed, another one takes over within this time. */
export const leaseSeconds = 4

const mine = 'l.agency_id = $1 and l.owner = $2 and l.fence = $3'
const valuesOf = ({ agency_id, owner, fence }: Lease) => [agency_id, owner, fence]

/** A round that was due more days ago than this and has not begun is missed (Money 2.5). */
export const missedAfterDays = 1

/** SQL: the day on which round `g` was last due: its planned day, or a later one when it was made or resumed. */
export const calledOn = `greatest(g.due_on, (g.called_at at time zone 'utc')::date, (c.reopened_at at time zone 'utc')::date)`

/** SQL: whether a round may start or continue automatically: it has begun, or `calledOn` is recent. */
export const mayBegin = `(not round_is_missed(g.cohort_id, g.n) and g.due_on <= (now() at time zone 'utc')::date and (g.pending + g.withheld + cancelled_payments(g.id, g.written_off) < g.total or
  ${calledOn} >= (now() at time zone 'utc')::date - ${missedAfterDays}))`

/**
 * Leases an agency that has something to send or to query and no holder. The database's clock only decides when a lease
 * may be taken over; the fencing token decides what may be written. `unclean`: the last holder did not release it.
 */
export async function takeLease(pool: Pool, owner: string): Promise<(Lease & { unclean: boolean }) | null> {
  const { rows } = await pool.query<Lease & { unclean: boolean }>({
    name: 'take-lease',
    text: `
      update agency_leases l
      set owner = $1, lease_until = now() + make_interval(secs => ${leaseSeconds}), fence = l.fence + 1
      from (
        select agency_id, lease_until is not null as unclean from agency_leases l
        where not exists (select from transfer_agencies f where f.id = l.agency_id and agency_takes_files(f.protocol))
          and (lease_until is null or lease_until < now()) and (rest_until is null or rest_until <= now())
          and (select sending_allowed()) and (lease_until is not null
            or exists (select 1 from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
              where c.transfer_agency_id = l.agency_id and g.pending + g.sending + g.unknown > 0 and g.pending > 0
                and c.status = 'approved' and c.stopped_at is null and ${mayBegin})
            or exists (select 1 from payment_attempts a
              where a.agency_id = l.agency_id and a.ask_at <= now()))
        order by lease_until nulls first, agency_id limit 1 for update skip locked
      ) free
      where l.agency_id = free.agency_id
      returning l.agency_id, l.owner, l.fence, free.unclean`,
    values: [owner],
  })
  return rows[0] ?? null
}

/** Leases an agency that the open hold has to query and that no worker holds. */
export async function takeHeldAgency(
  pool: Pool,
  owner: string,
): Promise<(Lease & { hold_id: number }) | null> {
  const { rows } = await pool.query<Lease & { hold_id: number }>({
    name: 'take-held-agency',
    text: `
      update agency_leases l
      set owner = $1, lease_until = now() + make_interval(secs => ${leaseSeconds}), fence = l.fence + 1
      from (
        select h.id as hold_id, l.agency_id from sending_holds h cross join agency_leases l
        where h.released_at is null and (lease_until is null or lease_until <= now())
          and exists (select from sending_hold_questions q
            where q.hold_id = h.id and q.agency_id = l.agency_id and ${isDue})
        order by l.agency_id limit 1 for update of l skip locked
      ) free
      where l.agency_id = free.agency_id
      returning l.agency_id, l.owner, l.fence, free.hold_id`,
    values: [owner],
  })
  return rows[0] ?? null
}

/** SQL: whether query `q` of a hold is due. */
export const isDue = `((q.answer is null or q.answer = 'processing') and q.ask_at <= now())`

/** Renews the lease while its agency is queried during a hold. */
export async function extendLease(pool: Pool, lease: Lease): Promise<void> {
  await pool.query(
    `update agency_leases l set lease_until = now() + make_interval(secs => ${leaseSeconds}) where ${mine}`,
    valuesOf(lease),
  )
}

/**
 * Lets the lease expire at once, instead of releasing it: the next worker then takes it as `unclean` and queries the
 * payments that were in flight before the hold.
 */
export async function dropLease(pool: Pool, lease: Lease): Promise<void> {
  await pool.query(`update agency_leases l set lease_until = now() where ${mine}`, valuesOf(lease))
}

/** The state of the agency under a lease. If `opened_with` has changed, the connection must be opened again. */
export type Renewal = { rounds: Round[]; next_question_ms: number | null; opened_with: string }

/** SQL: a fingerprint of the settings that a connection to agency `a` was opened with. */
export const openedWith = `concat_ws(' ', a.updated_at, a.status, a.endpoint,
  md5(a.details::text || coalesce(encode(a.secrets, 'hex'), '')),
  (select max(c.reopened_at) from transfer_cohorts c where c.transfer_agency_id = a.id))`

/** Renews the lease and returns the agency's rounds; `null` if another worker has taken the lease over. */
export async function renewLease(pool: Pool, lease: Lease): Promise<Renewal | null> {
  const { rows } = await pool.query<Renewal>({
    name: 'renew-lease',
    text: `
      with l as (
        update agency_leases l set lease_until = now() + make_interval(secs => ${leaseSeconds})
        where ${mine} returning l.agency_id
      ), open as (
        select g.id as group_id, c.id as cohort_id, g.pending,
          c.status = 'approved' and c.stopped_at is null and a.status = 'active' and sending_allowed() and ${mayBegin} as may_send
        from l join transfer_cohorts c on c.transfer_agency_id = l.agency_id
          join transfer_agencies a on a.id = l.agency_id
          join transfer_payroll_groups g on g.cohort_id = c.id
        where g.pending + g.sending + g.unknown > 0
        union
        -- Of a cohort that was moved, this agency brings what it got to its end, and gets nothing new.
        select g.id, c.id, 0, c.status = 'approved' and c.stopped_at is null and a.status = 'active' and sending_allowed()
        from l join cohort_moves m on m.from_agency_id = l.agency_id and m.state = 'approved'
          join transfer_cohorts c on c.id = m.cohort_id and c.transfer_agency_id <> l.agency_id
          join transfer_agencies a on a.id = l.agency_id
          join transfer_payroll_groups g on g.cohort_id = c.id
        where g.sending + g.unknown > 0
      )
      select
        (select coalesce(jsonb_agg(jsonb_build_object('group_id', group_id, 'cohort_id', cohort_id, 'pending', pending,
          'may_send', may_send) order by group_id), '[]') from open) as rounds,
        (select extract(epoch from min(t.ask_at) - now()) * 1000 from payment_attempts t
          where t.agency_id = l.agency_id)::float as next_question_ms,
        ${openedWith} as opened_with
      from l join transfer_agencies a on a.id = l.agency_id`,
    values: valuesOf(lease),
  })
  return rows[0] ?? null
}

/**
 * Starts the work under a new lease. After an unclean end, payments that were left as `sending` are queried at once.
 * Unknown payments are too, also if the agency's settings changed or a cohort was resumed. Returns how many unknown
 * payments of each round must be queried before more of it is sent.
 */
export function beginTenure(
  pool: Pool,
  lease: Lease & { unclean: boolean },
  openedWith: string,
): Promise<Record<number, number>> {
  return fenced(pool, lease, async (client) => {
    const opened = await client.query<{ fresh: boolean }>(
      `update agency_leases l set opened_with = $4 from agency_leases old
       where ${mine} and old.agency_id = l.agency_id returning old.opened_with is distinct from $4 as fresh`,
      [...valuesOf(lease), openedWith],
    )
    if (lease.unclean) await client.query(adoptText, [lease.agency_id])
    await client.query(leaveText, [lease.agency_id])
    if (!lease.unclean && !opened.rows[0]?.fresh) return {}
    const first = await client.query<{ group_id: number; unknown: number }>(askFirstText, [lease.agency_id])
    return Object.fromEntries(first.rows.map((row) => [row.group_id, row.unknown]))
  })
}

/**
 * Payments of a worker that died may have been executed. They become `unknown` and are queried. One that the agency slowed
 * down may have been sent again since, so that it no longer counts as certainly not executed.
 */
const adoptText = `
  with a as (
    update payment_attempts set state = case when ask_at is null then 'unknown' else state end, ask_at = now(),
      reason = nullif(reason, 'too_many_requests')
    where agency_id = $1 and state = 'sending' returning payroll_id, state
  )
  update transfer_payrolls p set status = 'unknown', updated_at = now()
  from a where p.id = a.payroll_id and a.state = 'unknown' and p.status = 'sending'`

/**
 * Makes payments that were left in flight unknown, if the last holder did not release the lease. For an agency that cannot
 * be called: its lease is released, so that no later holder would know.
 */
export async function adoptInFlight(pool: Pool, lease: Lease & { unclean: boolean }): Promise<void> {
  if (lease.unclean) await fenced(pool, lease, (client) => client.query(adoptText, [lease.agency_id]))
}

/**
 * Lists that were moved to this agency may have payments that another agency reported in a hold. Those are left to that agency: it is
 * queried about them and gets no order, also in rounds that are made later.
 */
const leaveText = `
  select leave_to_reporters(g.id) from cohort_moves m
    join transfer_cohorts c on c.id = m.cohort_id and c.transfer_agency_id = $1
    join transfer_payroll_groups g on g.cohort_id = c.id and g.pending > 0
  where m.state = 'approved' and exists (select from sending_holds)
  group by g.id order by g.id`

/**
 * Makes unknown payments due for a query. Rounds that a lost database had paid are left out, because the portal cannot query them
 * (Money 8.4). The note that a repeated order was refused once is removed: the order may have been sent again since.
 */
const askFirstText = `
  with a as (
    update payment_attempts set ask_at = now(), reason = nullif(reason, '${refusedOnce}')
    where agency_id = $1 and state = 'unknown' and reason is distinct from 'paid_before' returning payroll_id
  )
  select p.payroll_group_id as group_id, count(*)::int as unknown
  from a join transfer_payrolls p on p.id = a.payroll_id group by 1`

/** Releases the lease before it expires, so that no worker has to wait. For `restSeconds` no worker can take it. */
export async function releaseLease(pool: Pool, lease: Lease, restSeconds = 0): Promise<void> {
  await pool.query(
    `update agency_leases l set lease_until = null,
       rest_until = case when $4 > 0 then now() + make_interval(secs => $4) end where ${mine}`,
    [...valuesOf(lease), restSeconds],
  )
}

/** Thrown by a write when another worker has taken over the lease. */
export class LeaseLost extends Error {}

/**
 * Runs a transaction that locks the lease's row, and does it again after a deadlock: otherwise the worker would leave the agency, and its
 * payments under way would be unknown. It is refused if the fencing token is older, or if this run of the database was not compared with
 * the mark: a restored copy has the same token, but lacks the payments made since.
 */
export const fenced = <T>(pool: Pool, lease: Lease, write: (client: PoolClient) => Promise<T>): Promise<T> =>
  retriedAfterDeadlock(() => fencedOnce(pool, lease, write))

async function fencedOnce<T>(
  pool: Pool,
  lease: Lease,
  write: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const renewed = await client.query({
      name: 'hold-fence',
      text: `select 1 from agency_leases l where ${mine}
        and exists (select from sending_marks where incarnation = sending_incarnation()) for no key update`,
      values: valuesOf(lease),
    })
    if (renewed.rowCount === 0) throw new LeaseLost(`agency ${lease.agency_id} was taken over`)
    const result = await write(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason
    })
    throw error
  } finally {
    client.release(broken)
  }
}
