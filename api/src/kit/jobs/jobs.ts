import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueueName } from '@portal/contracts/home/system'
import { type RawBuilder, sql } from 'kysely'
import { fromKysely, type Db as JobDatabase, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { queuePool } from '../database/connections.ts'
import { nameStatement, type Tx } from '../database/db.ts'
import type { JobLimits } from '../http/call-limits.ts'
import type { Settings } from '../process/settings.ts'
import { traced, traceparent } from '../process/telemetry.ts'

/**
 * Schema of the job tables. `migrate` creates it as the owner, because the application's role may not change schemas.
 */
export const jobSchema = 'pgboss'

/**
 * After this many seconds without a heartbeat a worker loses its job. pg-boss accepts no less than 10 as an option, so
 * `makeQueues` sets it in the table.
 */
const heartbeatSeconds = 4

/**
 * `signal` is aborted when another worker has taken over the job; the handler must stop writing then. `last` is true
 * for the last try: a failure is not retried after it, so the handler must report it.
 */
export type JobHandler<Data> = (data: Data, signal: AbortSignal, last: boolean) => Promise<void>
type JobQueue = { name: string; concurrency: number; handler: JobHandler<never> }

const queues = new Map<string, JobQueue>()

/**
 * Registers the handler of the jobs of one name. It must be idempotent, because it is called again with the same data
 * after a crash or a failure, up to 20 times; letters more often.
 */
export function work<Data>(name: QueueName, handler: JobHandler<Data>, concurrency = 1) {
  queues.set(name, { name, handler: handler as JobHandler<never>, concurrency })
}

/** The transaction of the call that queues a job. */
const caller = new AsyncLocalStorage<JobDatabase>()

/**
 * Queues jobs for all calls of the process. It is never started, so it has no connection and no timers: each statement runs where
 * its caller is. It keeps the table of each queue, which a migration made.
 */
const sender = new PgBoss({
  schema: jobSchema,
  db: {
    executeSql(text, values) {
      // Planning the insert of a job takes longer than the insert. There is one text for each queue.
      nameStatement(text)
      const database = caller.getStore()
      if (!database) throw new Error('A job is queued in a transaction')
      return database.executeSql(text, values)
    },
  },
})

/**
 * Queues a job in the caller's transaction, so that it exists if and only if the transaction commits. `retries` replaces the 20 of
 * its queue.
 */
export async function enqueue(
  tx: Tx,
  name: string,
  data: object,
  options: { after?: string; key?: string; retries?: number } = {},
) {
  const job = { ...data, ...traceparent() }
  await caller.run(fromKysely(tx), () =>
    sender.send(name, job, {
      ...(options.after && { startAfter: options.after }),
      ...(options.key && { singletonKey: options.key }),
      ...(options.retries && { retryLimit: options.retries }),
    }),
  )
}

/**
 * SQL: whether a job about the row with this id is queued or runs. A worker that is killed on the last try of a job leaves none, and
 * tells nobody.
 */
export const isUnderWay = (names: readonly string[], id: RawBuilder<unknown>) => sql<boolean>`exists (
  select from pgboss.job where name = any(${[...names]}::text[]) and state in ('created', 'retry', 'active')
    and data->>'id' = ${id}::text)`

/** How often a failed job is tried again: the pauses double up to the longest one, in seconds. */
const retries = { retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }
/** A mail server may be away for a night or a weekend: about two days, at last once an hour. */
const retriesOf: Partial<Record<string, typeof retries>> = {
  mail: { ...retries, retryLimit: 58, retryDelayMax: 3600 },
} satisfies Partial<Record<QueueName, typeof retries>>

/** Creates the queues, so that `enqueue` works before the first worker has started. Called by `migrate`. */
export async function makeQueues(boss: PgBoss, names: readonly string[]) {
  for (const name of names) {
    const options = {
      ...(retriesOf[name] ?? retries),
      expireInSeconds: 3600,
      heartbeatSeconds: 10,
      notify: true,
      deleteAfterSeconds: 7 * 86_400,
    }
    await boss.createQueue(name, options)
    // A queue that is there already is not changed by creating it.
    await boss.updateQueue(name, options)
  }
  const { rows } = await boss
    .getDb()
    .executeSql(
      `update ${jobSchema}.queue set heartbeat_seconds = ${heartbeatSeconds}, notify = true where name = any($1) returning name`,
      [names],
    )
  if (rows.length !== names.length) throw new Error('A job queue was not made')
}

/** Statements of the queue are short, and its pool drops a connection whose statement was given up. */
const limitsOf = ({ connectMs, silentMs }: JobLimits) => ({
  connectionTimeoutMillis: connectMs,
  query_timeout: silentMs,
  keepAlive: true,
})

/** Starts working on every registered queue. Returns the function that stops it and waits for running jobs. */
export async function startJobs(
  { databaseUrl, jobLimits }: Pick<Settings, 'databaseUrl' | 'jobLimits'>,
  log: Logger,
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: jobSchema,
    max: queuePool,
    ...limitsOf(jobLimits),
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 1,
    reindex: false,
    monitorVacuum: false,
    // A notification starts a new job without waiting for the next poll. Jobs that become due later still need the
    // poll.
    useListenNotify: true,
  })
  boss.on('error', (error) => log.error({ err: error }, 'jobs'))
  await boss.start()
  for (const { name, handler, concurrency } of queues.values()) {
    const options = {
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
      localConcurrency: concurrency,
      heartbeatRefreshSeconds: 1,
    }
    await boss.work(name, { ...options, includeMetadata: true }, async ([job]: JobWithMetadata<object>[]) => {
      if (!job) return
      try {
        const { traceparent: parent } = job.data as { traceparent?: string }
        const last = job.retryCount >= job.retryLimit
        const run = () => handler(job.data as never, job.signal, last)
        await traced(`job ${name}`, 'consumer', { 'portal.try': job.retryCount + 1 }, run, parent)
      } catch (error) {
        log.error({ err: error, job: name, id: job.id }, 'job failed')
        throw error
      }
    })
  }
  return () => boss.stop({ graceful: true, timeout: 8000 })
}
