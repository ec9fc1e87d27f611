import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Tx } from './db.ts'

/** Schema of the job tables; the owner makes it in `migrate`, the application only works in it. */
export const jobSchema = 'pgboss'

/** A worker that stops answering for this many seconds has lost its job; pg-boss itself accepts no less than 10. */
const heartbeatSeconds = 4

/**
 * A job's data, a signal that fires when another worker holds the job now (stop writing then), and whether this is the
 * last try: what fails now is not tried again, so it must be said.
 */
export type JobHandler<Data> = (data: Data, signal: AbortSignal, last: boolean) => Promise<void>
type JobQueue = { name: string; concurrency: number; handler: JobHandler<never> }

const queues = new Map<string, JobQueue>()

/**
 * Registers what a worker does with the jobs of one name. A handler may be called again with the same data (after a
 * crash, or a failure, up to 20 times): it must be idempotent.
 */
export function work<Data>(name: string, handler: JobHandler<Data>, concurrency = 1) {
  queues.set(name, { name, handler: handler as JobHandler<never>, concurrency })
}

/** Puts a job in the queue with the caller's transaction: it is there if and only if that commits. */
export async function enqueue(
  tx: Tx,
  name: string,
  data: object,
  options: { after?: string; key?: string } = {},
) {
  const boss = new PgBoss({ schema: jobSchema, db: fromKysely(tx) })
  await boss.send(name, data, {
    ...(options.after && { startAfter: options.after }),
    ...(options.key && { singletonKey: options.key }),
  })
}

/** Makes the queues, so that `enqueue` finds them before any worker ran. Called by `migrate`. */
export async function makeQueues(boss: PgBoss, names: readonly string[]) {
  for (const name of names) {
    await boss.createQueue(name, {
      retryLimit: 20,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: 3600,
      heartbeatSeconds: 10,
      notify: true,
      deleteAfterSeconds: 7 * 86_400,
    })
  }
  const { rows } = await boss
    .getDb()
    .executeSql(
      `update ${jobSchema}.queue set heartbeat_seconds = ${heartbeatSeconds}, notify = true where name = any($1) returning name`,
      [names],
    )
  if (rows.length !== names.length) throw new Error('A job queue was not made')
}

/** Starts working on every registered queue; returns the function that stops it and waits for what is running. */
export async function startJobs(databaseUrl: string, log: Logger): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: jobSchema,
    max: 4,
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 1,
    reindex: false,
    monitorVacuum: false,
    // A new job is started by a notification, without waiting for the next poll. Polling goes on for jobs that are due later.
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
        await handler(job.data as never, job.signal, job.retryCount >= job.retryLimit)
      } catch (error) {
        log.error({ err: error, job: name, id: job.id }, 'job failed')
        throw error
      }
    })
  }
  return () => boss.stop({ graceful: true, timeout: 8000 })
}
