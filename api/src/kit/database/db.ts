import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, type LogEvent, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { type CallLimits, type Timeouts, usualTimeouts } from '../http/call-limits.ts'
import { noteStatement, statement } from '../process/telemetry.ts'
import type { DB } from './database.types.ts'

/** As PostgreSQL writes most moments. Cutting such a text takes a tenth of what reading and writing it as a date does. */
const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}\+00$/
// bigint (20) becomes a number, because ids and whole francs stay far below 2^53. A date (1082) stays a text; a moment
// (1184) becomes ISO text.
pg.types.setTypeParser(20, Number)
// numeric (1700) becomes a number: it occurs only for percentages and for sums of whole francs, which stay far below
// 2^53.
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(1184, (text) =>
  inUtc.test(text) ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString(),
)

/** Kysely over the pool, with the pool beside it. */
export type Db = Kysely<DB> & { pool: pg.Pool }
/** An open transaction. */
export type Tx = Transaction<DB>
/** Where a read may run: the pool or a transaction. */
export type Reader = Kysely<DB>

/**
 * Opens a pool for jobs and commands. A statement may take as long as it needs, and so may waiting for one of the
 * connections; only a server that is gone is not waited for. It connects with the first query.
 */
export function openDb(
  url: string,
  connections: number,
  { connectMs, silentMs }: Timeouts = usualTimeouts,
): Db {
  class LimitedClient extends PortalClient {
    constructor(config?: pg.ClientConfig) {
      // As an option of the pool it would also limit how long a job waits for another one.
      super({ ...config, connectionTimeoutMillis: connectMs })
    }
  }
  const pool = poolOf(url, { max: connections, Client: LimitedClient })
  endSilentConnections(pool, silentMs, (client) => isServed(url, client, silentMs))
  return dbOver(pool)
}

/** Opens the pool of the calls. No call waits longer for the database than these limits (decision 73). */
export function openDbForCalls(url: string, limits: CallLimits): Db {
  const pool = poolOf(url, {
    max: limits.connections,
    connectionTimeoutMillis: limits.connectMs,
    // Parallel workers of a few searches would take the cores from all other calls, and starting them takes longer.
    options: '-c max_parallel_workers_per_gather=0',
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleMs,
  })
  endSilentConnections(pool, limits.silentMs)
  return dbOver(pool)
}

/** A pool that notes which errors are those of connecting: nothing was sent to the database then. */
class PortalPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(done: Connected): void
  override connect(done?: Connected): Promise<pg.PoolClient> | undefined {
    if (!done)
      return super.connect().catch((error: Error) => {
        unconnected.add(error)
        throw error
      })
    super.connect((error, client, release) => {
      if (error) unconnected.add(error)
      done(error, client, release)
    })
    return undefined
  }
}
type Connected = Parameters<pg.Pool['connect']>[0]
const unconnected = new WeakSet<object>()

/** Whether this error says that no connection to the database could be had. */
export const couldNotConnect = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unconnected.has(error)

/** The names of prepared statements by their texts. */
const names = new Map<string, string>()

/**
 * A connection that also prepares statements of transactions, if `rows` has named them: Kysely sends a text and its values, and
 * knows no names.
 */
class PortalClient extends pg.Client {
  override query = ((...given: Parameters<pg.Client['query']>) => {
    const [text, values, ...rest] = given as unknown[]
    const name = typeof text === 'string' && Array.isArray(values) ? names.get(text) : undefined
    const prepared = [{ name, text, values }, ...rest] as unknown as typeof given
    return super.query(...(name ? prepared : given))
  }) as pg.Client['query']
}

function poolOf(url: string, limits: pg.PoolConfig): pg.Pool {
  const pool = new PortalPool({
    connectionString: url,
    application_name: 'portal',
    Client: PortalClient,
    idleTimeoutMillis: 30_000,
    // Finds out that the other machine is gone while nothing is sent.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A process that freezes inside a transaction (a paused machine) must not keep its row locks for ever.
    idle_in_transaction_session_timeout: 5_000,
    ...limits,
  })
  // A broken connection fails its next query and is replaced. Without a listener its error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** What the driver knows of a connection and does not declare. */
type Inside = { connection: { stream: Socket }; processID: number }
const socketOf = (client: pg.PoolClient) => (client as unknown as Inside).connection.stream

/**
 * Closes a connection on which nothing has arrived for `ms` while it is used, unless `isAlive` says that its server is at
 * work. The driver's `query_timeout` would give it back to the pool with the answer still to come, and the next call would
 * wait behind it.
 */
function endSilentConnections(
  pool: pg.Pool,
  ms: number,
  isAlive?: (client: pg.PoolClient) => Promise<boolean>,
) {
  const used = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    // Node counts anew from each byte. To set and clear it at each call takes longer than to look here who uses it.
    socket.setTimeout(ms)
    socket.on('timeout', async () => {
      if (!used.has(client)) return
      if (!(await isAlive?.(client))) socket.destroy(new SilentDatabase())
      else socket.setTimeout(ms)
    })
  })
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_error, client) => used.delete(client))
}

/**
 * Asks the database, over a connection of its own, whether it still has the session of this one. A server that has much to
 * do may take long to answer, so the limit is that of silence.
 */
async function isServed(url: string, client: pg.PoolClient, ms: number): Promise<boolean> {
  const asking = new pg.Client({
    connectionString: url,
    application_name: 'portal',
    connectionTimeoutMillis: ms,
    query_timeout: ms,
  })
  asking.on('error', () => {})
  try {
    await asking.connect()
    const { rowCount } = await asking.query('select from pg_stat_activity where pid = $1', [
      (client as unknown as Inside).processID,
    ])
    return rowCount === 1
  } catch (error) {
    // A server without a free connection is there.
    return databaseFault(error)?.code === '53300'
  } finally {
    asking.end().catch(() => {})
  }
}

function dbOver(pool: pg.Pool): Db {
  return Object.assign(new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: noteEvent }), {
    pool,
  })
}

/**
 * Adds the text of the statement to its error, for the log. The values are left out, because they may be personal data.
 */
function noteEvent(event: LogEvent) {
  noteStatement(event.query.sql, event.queryDurationMillis, event.level === 'error' ? event.error : undefined)
  if (event.level === 'error' && event.error instanceof Error)
    Object.assign(event.error, { statement: event.query.sql })
}

const retried = new Set(['40001', '40P01'])

/** Does `work`, which is one transaction, again after a deadlock or serialization failure, at most 5 times. */
export async function retriedAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5 || !retried.has(databaseFault(error)?.code ?? '')) throw error
      await wait(Math.random() * 20 * attempt)
    }
  }
}

/** Runs `work` in a transaction and retries it, at most 5 times, after a deadlock or serialization failure. */
export const transaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retriedAfterDeadlock(async () => {
    let committing = false
    try {
      return await db.transaction().execute(async (tx) => {
        const result = await work(tx)
        committing = true
        return result
      })
    } catch (error) {
      if (committing) throw error
      throwUnsaved(error)
    }
  })

const unsaved = new WeakSet<Error>()

/** Notes that nothing was saved when this error occurred, so that whoever called can be told so. Throws it again. */
export function throwUnsaved(error: unknown): never {
  if (error instanceof Error) unsaved.add(error)
  throw error
}

/** Whether it is known that nothing was saved when this error occurred. */
export const nothingSaved = (error: unknown): boolean => error instanceof Error && unsaved.has(error)

/** A connection was closed, because its server did not answer within the limit of calls. */
export class SilentDatabase extends Error {
  constructor() {
    super('The database did not answer in time')
  }
}

/**
 * Finds PostgreSQL's error (SQLSTATE, constraint, table) among the causes of an error that we or the job queue threw.
 */
export function databaseFault(error: unknown): pg.DatabaseError | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 4; inner = inner.cause, depth++) {
    if (inner instanceof pg.DatabaseError) return inner
  }
  return undefined
}

/**
 * Runs a statement as a named prepared statement, for hot reads and in transactions of people. That takes half as long as
 * `execute`, or less where planning takes longer than reading. Its text must have few variants, because each is kept prepared:
 * pass lists as arrays (`= any(…)`), never spread. It must name its columns, because a release may add some (decision 131).
 */
export async function rows<Row>(db: Reader, query: RawBuilder<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  const { sql: text, parameters } = compiled
  const name = nameStatement(text)
  if (!isDb(db)) return (await db.executeQuery(compiled)).rows
  const values = [...parameters]
  const result = await statement(text, () => db.pool.query({ ...(name && { name }), text, values }))
  return result.rows as Row[]
}

const isDb = (db: Reader): db is Db => 'pool' in db

/** Gives a statement the name under which connections prepare it from then on, also in transactions. */
export function nameStatement(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= 500) return known
  const name = `q${names.size}`
  names.set(text, name)
  return name
}

/**
 * Runs a statement that is planned for its very values. The plan of a prepared search would be one for a word that nobody
 * knows yet: it takes the same index for a name that a tenth of the country has and for a code, and folds the word anew for
 * each row.
 */
export async function searchRows<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(db)
  const result = await statement(text, () => db.pool.query({ text, values: [...parameters] }))
  return result.rows as Row[]
}
