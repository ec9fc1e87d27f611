import type { Pool, PoolClient } from 'pg'

/** The right to send and to write one round's payments. Whoever holds an older fence writes nothing any more. */
export type Lease = { group_id: number; cohort_id: number; agency_id: number; fence: number }

/** Long enough for a pause of the process, short enough that a killed worker's round goes on within seconds. */
export const leaseSeconds = 4

/**
 * Takes a round that has something to send or to ask and that nobody holds. The database's clock only decides when to
 * take over; what may be written is decided by the fence (architecture section 5).
 */
export async function takeLease(pool: Pool, owner: string): Promise<Lease | null> {
  const { rows } = await pool.query<Lease>({
    name: 'take-lease',
    text: `
      update transfer_payroll_groups g
      set lease_owner = $1, lease_until = now() + make_interval(secs => ${leaseSeconds}), fence = g.fence + 1
      from transfer_cohorts c
      where c.id = g.cohort_id and g.id = (
        select g.id from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
        where g.pending + g.sending + g.unknown > 0
          and g.due_on <= (now() at time zone 'utc')::date
          and (g.lease_until is null or g.lease_until < now())
          and ((c.status = 'approved' and c.stopped_at is null) or g.sending + g.unknown > 0)
        order by g.id limit 1 for update of g skip locked)
      returning g.id as group_id, g.cohort_id, c.transfer_agency_id as agency_id, g.fence`,
    values: [owner],
  })
  return rows[0] ?? null
}

/** Keeps the lease and tells what may be done under it; `null` once it is lost. */
export async function renewLease(
  pool: Pool,
  lease: Lease,
): Promise<{ may_send: boolean; pending: number; open: number } | null> {
  const { rows } = await pool.query<{ may_send: boolean; pending: number; open: number }>({
    name: 'renew-lease',
    text: `
      update transfer_payroll_groups g
      set lease_until = now() + make_interval(secs => ${leaseSeconds})
      from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id
      where c.id = g.cohort_id and g.id = $1 and g.fence = $2
      returning c.status = 'approved' and c.stopped_at is null and a.status = 'active' as may_send, g.pending, g.sending + g.unknown as open`,
    values: [lease.group_id, lease.fence],
  })
  return rows[0] ?? null
}

/** Gives the round back, so that the next worker need not wait for the lease to run out. */
export async function releaseLease(pool: Pool, lease: Lease): Promise<void> {
  await pool.query('update transfer_payroll_groups set lease_until = null where id = $1 and fence = $2', [
    lease.group_id,
    lease.fence,
  ])
}

/** Thrown where a write finds that another worker has taken the round over. */
export class LeaseLost extends Error {}

/** One transaction that holds the round's row and is refused once the fence has moved on. */
export async function fenced<T>(
  pool: Pool,
  lease: Lease,
  write: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const held = await client.query({
      name: 'hold-fence',
      text: 'select 1 from transfer_payroll_groups where id = $1 and fence = $2 for no key update',
      values: [lease.group_id, lease.fence],
    })
    if (held.rowCount === 0) throw new LeaseLost(`round ${lease.group_id} was taken over`)
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
