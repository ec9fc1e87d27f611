import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { migrate } from '../api/src/commands/migrate.ts'
import { type Context, makeContext } from '../api/src/kit/process/context.ts'
import { readSettings } from '../api/src/kit/process/settings.ts'
import { checkSecrets } from '../api/src/kit/secrets/secret-keys.ts'
import { type Agency, startAgency } from '../api/test/transfers/agencies/agency.ts'
import { freePort } from '../scripts/lib/ports.mjs'
import { answers, startProgram } from '../scripts/lib/programs.mjs'
import { startPostgres } from '../scripts/postgres.mjs'

const root = join(import.meta.dirname, '..')

/** A temporary portal: a database with fsync, an agency, and processes of the product on demand. */
export type Stage = {
  context: Context
  /** Signs in as the owner of the database, for tables that only the benchmark uses. */
  ownerUrl: string
  /** Signs in as the superuser of the database, to fill it without its triggers. */
  superuserUrl: string
  /** Cleans and analyses all tables, as autovacuum does within a minute. The application may not, and PostgreSQL only warns. */
  vacuum(): Promise<void>
  /** The log of the database. */
  databaseLog: string
  agency: Agency
  /** Makes the built modules live, for measurements in a browser. */
  releaseModules(): Promise<void>
  /** Starts the api as a process. Resolves to its address once it is healthy. */
  startApi(): Promise<string>
  /** The processes of the api and the worker that were started last, and of the database's server. */
  pids(): { api: number; worker: number; database: number }
  /** Starts a worker as a process; the returned function stops it. */
  startWorker(): Promise<() => Promise<void>>
}

const open = new Set<() => Promise<void>>()

/** Stops everything that still runs, newest first. */
export async function closeAll() {
  for (const close of [...open].toReversed()) await close()
}

/** Runs a function and then the clean-up. The clean-up runs exactly once, also after an error or a signal. */
export async function closeAtEnd<T>(end: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const close = async () => {
    if (open.delete(close)) await end()
  }
  open.add(close)
  try {
    return await work()
  } finally {
    await close()
  }
}

/**
 * Runs a measurement on a stage of its own. `databaseSettings` replace those of the database's server. `keep` is a folder
 * that stays, with its database, for the next run.
 */
export function onStage<T>(
  measure: (stage: Stage) => Promise<T>,
  databaseSettings: Record<string, string> = {},
  keep?: string,
): Promise<T> {
  const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'portal-bench-'))
  mkdirSync(folder, { recursive: true })
  const ends: (() => Promise<unknown>)[] = keep
    ? []
    : [async () => rmSync(folder, { recursive: true, force: true })]
  const closeStage = async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  return closeAtEnd(closeStage, async () =>
    measure(await buildStage(folder, databaseSettings, (end) => ends.push(end))),
  )
}

async function buildStage(
  folder: string,
  settings: Record<string, string>,
  atEnd: (task: () => Promise<unknown>) => void,
): Promise<Stage> {
  const databaseLog = join(folder, 'postgres.log')
  const postgres = await startPostgres({ dir: join(folder, 'postgres'), log: databaseLog, settings })
  atEnd(() => postgres.stop())
  const agency = await startAgency()
  atEnd(() => agency.close())
  await migrate(postgres.ownerUrl, postgres.appUrl)
  const shared = {
    DATABASE_URL: postgres.appUrl,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    PORTAL_DATA_DIR: folder,
    PORTAL_DIST_DIR: process.env.PORTAL_DIST_DIR ?? join(root, 'dist'),
    PORTAL_AGENCY_HOSTS: agency.host,
    PORTAL_DEMO: 'true',
    // One session stands for 500 people. Its rate limiter is off, because it is not what is measured.
    PORTAL_CALLS_PER_SECOND: '1000000',
  }
  const context = makeContext(readSettings({ ...shared, LOG_LEVEL: 'warn' }))
  atEnd(() => context.db.pool.end())
  await checkSecrets(context)
  /** Starts a process with the log level of production; its log goes to a file, as with `npm start`. */
  const start = (role: 'api' | 'worker' | 'release', settings: Record<string, string> = {}) => {
    const { PATH = '' } = process.env
    const env = { PATH, ...shared, NODE_ENV: 'production', ...settings }
    const program = startProgram(role, { env, log: join(folder, `${role}.log`) })
    atEnd(program.stop)
    return program
  }
  let apiPid = 0
  let workerPid = 0
  return {
    context,
    pids: () => ({
      api: apiPid,
      worker: workerPid,
      database: Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10),
    }),
    async vacuum() {
      const client = new pg.Client({ connectionString: postgres.superuserUrl })
      await client.connect()
      await client.query('vacuum (analyze)')
      await client.end()
    },
    ownerUrl: postgres.ownerUrl,
    superuserUrl: postgres.superuserUrl,
    databaseLog,
    agency,
    async releaseModules() {
      if (!existsSync(join(shared.PORTAL_DIST_DIR, 'modules.json')))
        throw new Error('This part needs a build: run npm start once, or node shared/build/src/build-all.ts.')
      await start('release').ended()
    },
    async startApi() {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const api = start('api', { PORT: String(port), PORTAL_PUBLIC_URL: url })
      await api.ready(() => answers(`${url}/api/health`))
      apiPid = api.child.pid ?? 0
      return url
    },
    async startWorker() {
      const worker = start('worker')
      await worker.ready(() => worker.output().includes('"started"'))
      workerPid = worker.child.pid ?? 0
      return worker.stop
    },
  }
}
