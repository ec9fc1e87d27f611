import type pg from 'pg'
import { until } from './portal.ts'

/** Which connections wait: without a field, every one of this database. */
export type Waiting = {
  /** Words of the statement that waits. A role sees only the statements of its own connections. */
  words?: string
  /** What the lock is on, such as a key of the application. */
  lock?: 'advisory'
  /** The table that is locked as a whole. */
  table?: string
  /** The connection that is in the way, by its process id. */
  behind?: number
}

/**
 * The connections of this database that wait for a lock of another one, by their process ids. Ask by a connection outside of a
 * transaction: inside one, PostgreSQL shows the list of connections as it was first read.
 */
export async function waitingForLock(pool: pg.Pool | pg.Client, of: Waiting = {}): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_locks join pg_stat_activity using (pid)
     where not granted and datname = current_database()
       and ($1::text is null or query like '%' || $1 || '%')
       and ($2::text is null or locktype = $2)
       and ($3::text is null or relation = $3::regclass)
       and ($4::int is null or $4 = any (pg_blocking_pids(pid)))`,
    [of.words, of.lock, of.table, of.behind],
  )
  return rows.map(({ pid }) => pid)
}

/** Waits until as many connections wait for a lock, and returns their process ids. */
export const untilLocked = (
  pool: pg.Pool | pg.Client,
  { count = 1, ms, ...of }: Waiting & { count?: number; ms?: number } = {},
): Promise<number[]> =>
  until(async () => {
    const pids = await waitingForLock(pool, of)
    return pids.length >= count && pids
  }, ms)
