import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, onTestFinished, TestRunner } from 'vitest'
import { hashPassword } from '../src/access/passwords.ts'
import { registerDomains, registerKinds } from '../src/app.ts'
import type { Db } from '../src/kit/database/db.ts'
import { makeServer } from '../src/kit/http/server.ts'
import { type Context, contextForCalls, makeContext } from '../src/kit/process/context.ts'
import { readSettings, type Settings } from '../src/kit/process/settings.ts'
import { checkSecrets } from '../src/kit/secrets/secret-keys.ts'
import { migrationNames } from '../src/migrations.ts'
import { startWorker } from '../src/worker.ts'
import { Client } from './client.ts'
import { cloneDatabase } from './database.ts'

export const password = 'a long enough password'

export type Portal = {
  http: FastifyInstance
  context: Context
  settings: Settings
  /** Connections with the application's role, to read what was stored. */
  db: Db
  /** The connections of the calls, to count what a call asks. */
  callsDb: Db
  /** Connections with the owner's role, for what the application may not do. */
  owner: pg.Pool
  /** All endpoints that the api serves. */
  endpoints: readonly Endpoint[]
  /** A browser without a signed-in person. */
  visitor(): Promise<Client>
  /** Makes a person with a role of exactly these permissions, and signs her in through the sign-in call. */
  signedIn(...permissions: Permission[]): Promise<Client & { user: Account }>
  /** Makes a person with a shipped role and signs her in. */
  signedInAs(role: string): Promise<Client & { user: Account }>
  /** Makes an account with the password `password`. */
  account(role?: number | string): Promise<Account>
  /** Starts to listen and returns the base address, for what `inject` cannot do. */
  listen(): Promise<string>
  /** Starts the worker in this process. It stops with the returned function or with the portal. */
  worker(): Promise<() => Promise<void>>
  /** Empties all tables except permissions, shipped roles and reference lists. */
  clear(): Promise<void>
}
export type Account = { id: number; email: string; password: string }

/** One for all portals of a process, because the audit log's key belongs to the process. */
const secret = randomBytes(32).toString('base64url')
let people = 0
const kept = [
  'migrations',
  'migration_lock',
  'secret_keys',
  'permissions',
  'roles',
  'role_permissions',
  'reference_values',
]

type Database = Awaited<ReturnType<typeof cloneDatabase>>

/** Starts the api on a new database or on the given one. Everything is stopped after the test that starts it, or after those of the file. */
export async function startPortal(changes: Partial<Settings> = {}, given?: Database): Promise<Portal> {
  const database = given ?? (await cloneDatabase())
  const ownDir = mkdtempSync(join(tmpdir(), 'portal-data-'))
  writeFileSync(join(ownDir, 'secret'), secret, { mode: 0o600 })
  // The secret is a file of the data folder, which processes that the test starts read as well.
  const dataDir = changes.dataDir ?? ownDir
  const settings: Settings = {
    ...readSettings({
      DATABASE_URL: database.appUrl,
      PORTAL_DATA_DIR: dataDir,
      PORTAL_DEMO: 'true',
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
    }),
    passwordCost: { memory: 64, time: 1 },
    callsPerSecond: 100_000,
    databaseOwnerUrl: database.ownerUrl,
    ...changes,
  }
  const context = makeContext(settings)
  const calls = contextForCalls(context)
  await checkSecrets(context)
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  let clearing: string | undefined
  const endpoints: Endpoint[] = []
  registerKinds()
  const http = await makeServer(calls, { draining: false }, migrationNames(), (app) => {
    registerDomains(app)
    endpoints.push(...app.endpoints)
  })
  await http.ready()
  const workers: (() => Promise<void>)[] = []
  // Vitest ignores an `afterAll` inside a test, and connections that are left keep their database from being dropped.
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  atEnd(async () => {
    await Promise.all(workers.map((stop) => stop()))
    await http.close()
    await calls.db.pool.end()
    await context.db.pool.end()
    await owner.end()
    await database.drop()
    rmSync(ownDir, { recursive: true, force: true })
  })

  const visitor = async () => {
    const client = new Client(http, settings.apiBase)
    await client.get('/session')
    return client
  }
  const account = async (role?: number | string): Promise<Account> => {
    const email = `person${++people}@test.example`
    const { rows } = await owner.query(
      `insert into users (first_name, last_name, email, type, account, password_hash)
       values ('Awa', $1, $2, 'developer', true, $3) returning id`,
      [`Diarra ${people}`, email, await hashPassword(password, settings.passwordCost)],
    )
    if (role !== undefined) {
      const by = typeof role === 'number' ? 'id' : 'name'
      await owner.query(
        `insert into user_roles (user_id, role_id) select $1, id from roles where ${by} = $2`,
        [rows[0].id, role],
      )
    }
    return { id: rows[0].id, email, password }
  }
  const enter = async (user: Account) => {
    const client = await visitor()
    const answer = await client.post('/login', { email: user.email, password })
    if (answer.status !== 200)
      throw new Error(`${user.email} could not sign in: ${JSON.stringify(answer.body)}`)
    return Object.assign(client, { user })
  }

  return {
    http,
    context,
    settings,
    db: context.db,
    callsDb: calls.db,
    owner,
    endpoints,
    visitor,
    account,
    async signedIn(...permissions) {
      const { rows } = await owner.query('insert into roles (name) values ($1) returning id', [
        `Role ${++people}`,
      ])
      await owner.query(
        'insert into role_permissions (role_id, permission_id) select $1, id from permissions where name = any($2)',
        [rows[0].id, permissions],
      )
      return enter(await account(rows[0].id))
    },
    signedInAs: async (role) => enter(await account(role)),
    listen: async () => (await http.listen({ port: 0, host: '127.0.0.1' })) + settings.apiBase,
    async worker() {
      const end = await startWorker(context)
      let ended: Promise<void> | undefined
      // A test may stop it before the portal does.
      const stop = () => {
        ended ??= end()
        return ended
      }
      workers.push(stop)
      return stop
    },
    async clear() {
      clearing ??= await clearingOf(owner)
      // A running worker may deadlock with this transaction.
      for (let tries = 1; !(await emptied(owner, clearing, tries === 5)); tries++);
    },
  }
}

/**
 * SQL that empties all tables but `kept`, and starts their numbers again. Deleting without triggers took 6 ms of processor
 * time, and truncating 240 ms, because that makes five hundred new files. Large tables are truncated before it. Without
 * autovacuum rows stay in the order in which they came.
 */
async function clearingOf(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ name: string; numbers: string | null }>(
    `select t.oid::regclass as name, s.objid::regclass as numbers from pg_class t
       left join (pg_depend s join pg_class q on q.oid = s.objid and q.relkind = 'S')
         on s.refobjid = t.oid and s.refclassid = 'pg_class'::regclass and s.deptype in ('a', 'i')
       where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname <> all($1)`,
    [kept],
  )
  const tables = [...new Set(rows.map(({ name }) => name))]
  const sequences = rows.flatMap(({ numbers }) => numbers ?? [])
  await owner.query(tables.map((name) => `alter table ${name} set (autovacuum_enabled = false)`).join(';'))
  // The lock waits for whoever still writes, as truncating does.
  return `lock table ${tables.join(', ')} in exclusive mode;
    set local session_replication_role = replica;
    ${tables.map((name) => `delete from ${name}`).join(';')};
    select ${sequences.map((name) => `setval('${name}', 1, false)`).join(', ')};
    set local session_replication_role = origin;
    delete from roles where name like 'Role %'; delete from pgboss.job`
}

/** True when all rows are deleted; false when the database aborted this transaction because of a deadlock. */
async function emptied(owner: pg.Pool, clearing: string, last: boolean): Promise<boolean> {
  const client = await owner.connect()
  try {
    const { rows } = await client.query(
      `select string_agg(oid::regclass::text, ', ') as large from pg_class where relkind = 'r'
         and relnamespace = 'public'::regnamespace and relname <> all($1) and pg_relation_size(oid) > 1e6`,
      [kept],
    )
    const { large } = rows[0]
    await client.query(`begin; set local portal.maintenance = 'on';
      ${large ? `truncate ${large} cascade;` : ''} ${clearing}; commit`)
    return true
  } catch (error) {
    await client.query('rollback')
    if (last || (error as pg.DatabaseError).code !== '40P01') throw error
    return false
  } finally {
    client.release()
  }
}

/** Waits until a condition is true. Tests never sleep for a fixed time. */
export async function until<T>(look: () => Promise<T | undefined | false | null>, ms = 25_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error('What was waited for did not happen')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
