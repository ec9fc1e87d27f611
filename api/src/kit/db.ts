import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, type LogEvent, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database.types.ts'

// bigint and count(*) as numbers (ids and whole francs stay far below 2^53), dates as their own text, moments as ISO.
pg.types.setTypeParser(20, Number)
// Percentages, and sums of whole francs: both far from where a double ends.
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString())

/** Kysely over the pool, with the pool beside it. */
export type Db = Kysely<DB> & { pool: pg.Pool }
/** An open transaction. */
export type Tx = Transaction<DB>
/** Where a read may run: the pool or a transaction. */
export type Reader = Kysely<DB>

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
  return Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: noteStatement }), {
    pool,
  })
}

/** A failure carries the text of its statement, so that the log can show it; its values stay out. */
function noteStatement(event: LogEvent) {
  if (event.level === 'error' && event.error instanceof Error)
    Object.assign(event.error, { statement: event.query.sql })
}

const retried = new Set(['40001', '40P01'])

/** Runs `work` in a transaction and retries it, at most 5 times, after a deadlock or serialization failure. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === 5 || !retried.has(databaseFault(error)?.code ?? '')) throw error
      await wait(Math.random() * 20 * attempt)
    }
  }
}

/** PostgreSQL's own error inside what a job queue or we threw: SQLSTATE, constraint, table. */
export function databaseFault(error: unknown): pg.DatabaseError | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 4; inner = inner.cause, depth++) {
    if (inner instanceof pg.DatabaseError) return inner
  }
  return undefined
}

const names = new Map<string, string>()

/**
 * Runs a statement as a named prepared one, twice as fast as `execute`: for hot reads.
 * Its text must come from few shapes: pass lists as arrays (`= any(…)`), never spread.
 */
export async function rows<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(db)
  let name = names.get(text)
  if (!name && names.size < 500) {
    name = `q${names.size}`
    names.set(text, name)
  }
  const result = await db.pool.query({ ...(name && { name }), text, values: [...parameters] })
  return result.rows as Row[]
}
