import { setTimeout as wait } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'

// bigint and count(*) as numbers (ids and whole francs stay far below 2^53), dates as their own text, moments as ISO.
pg.types.setTypeParser(20, Number)
// Percentages, and sums of whole francs: both far from where a double ends.
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString())

/** The pool with Drizzle over it; `$client` is the `pg.Pool`. */
export type Db = NodePgDatabase<Record<string, never>> & { $client: pg.Pool }
/** An open transaction. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Where a read may run: the pool or a transaction. */
export type Reader = Pick<Db, 'select' | 'selectDistinct' | 'execute'>

/** Opens a pool of at most `max` connections; nothing connects before the first query. */
export function openDb(url: string, max = 20): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'portal',
    idleTimeoutMillis: 30_000,
    // A process that is frozen inside a transaction (a paused machine) must not hold a round's row for ever.
    idle_in_transaction_session_timeout: 5_000,
  })
  // A broken connection fails its next query and is replaced; without a listener its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return drizzle(pool)
}

const retried = new Set(['40001', '40P01'])

/** Runs `work` in a transaction and retries it, at most 5 times, after a deadlock or serialization failure. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === 5 || !retried.has(databaseFault(error)?.code ?? '')) throw error
      await wait(Math.random() * 20 * attempt)
    }
  }
}

/** PostgreSQL's own error inside what Drizzle or we threw: SQLSTATE, constraint, table. */
export function databaseFault(error: unknown): pg.DatabaseError | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 4; inner = inner.cause, depth++) {
    if (inner instanceof pg.DatabaseError) return inner
  }
  return undefined
}

const dialect = new PgDialect()
const names = new Map<string, string>()

/**
 * Runs a statement as a named prepared one, twice as fast as Drizzle's own path: for hot reads.
 * Its text must come from few shapes: pass lists as arrays (`= any(…)`), never spread.
 */
export async function rows<Row>(db: Db, statement: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  let name = names.get(text)
  if (!name && names.size < 500) {
    name = `q${names.size}`
    names.set(text, name)
  }
  const result = await db.$client.query({ ...(name && { name }), text, values: params })
  return result.rows as Row[]
}
