import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { until } from '../portal.ts'

const installed = '/usr/lib/postgresql'

/** The programs of Debian's PostgreSQL. */
export function postgresPrograms(): string {
  const version = existsSync(installed)
    ? readdirSync(installed).sort((a, b) => Number(b) - Number(a))[0]
    : undefined
  if (!version) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  return join(installed, version, 'bin')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An empty database of a server. */
export type EmptyDatabase = { ownerUrl: string; appUrl: string; drop(): Promise<void> }

type More = {
  /** Like `archive_mode=on`. */
  settings?: string[]
  /** What its commands are given, which may need to know its data folder. */
  env?: (data: string) => Record<string, string>
  /** The data folder of a cluster that was restored, with its roles, instead of a new one. */
  restored?: string
}

/**
 * Starts a new server of Debian's PostgreSQL with the two roles of docs/operating/systemd.md. It is stopped after the tests of the
 * file. `database` makes an empty database as docs/operating/systemd.md does.
 */
export async function startDebianPostgres(more: More = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-debian-'))
  const [uid, gid] = ['-u', '-g'].map((word) => Number(execFileSync('id', [word, 'postgres'])))
  chownSync(folder, uid ?? 0, gid ?? 0)
  const data = more.restored ?? join(folder, 'data')
  const account = { uid, gid }
  const programs = postgresPrograms()
  if (!more.restored)
    execFileSync(
      join(programs, 'initdb'),
      ['--pgdata', data, '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
      { ...account, stdio: 'ignore' },
    )
  const port = await freePort()
  const words = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'fsync=off',
    ...(more.settings ?? []).flatMap((setting) => ['-c', setting]),
  ]
  const env = { ...process.env, ...more.env?.(data) }
  const server = spawn(join(programs, 'postgres'), words, { ...account, env, stdio: 'ignore' })
  const superuser = new pg.Pool({
    connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    max: 1,
  })
  superuser.on('error', () => {})
  afterAll(async () => {
    // A pool that has ended still closes its connections, and would take their end for a fault.
    await until(async () => {
      const { rowCount } = await superuser.query(
        "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
      return rowCount === 0
    }, 10_000).catch(() => {})
    await superuser.end()
    server.kill('SIGINT')
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
    // After a test that failed its connections are waited for first.
  }, 30_000)
  const isReady = () => superuser.query('select pg_is_in_recovery() as r').then(({ rows }) => !rows[0].r)
  await until(() => isReady().catch(() => false), 60_000)
  if (!more.restored) {
    await superuser.query("create role portal_owner login password 'owner'")
    await superuser.query("create role portal_app login password 'app'")
  }
  const url = (role: string, password: string, name: string) =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${name}`
  const addresses = (name: string): EmptyDatabase => ({
    ownerUrl: url('portal_owner', 'owner', name),
    appUrl: url('portal_app', 'app', name),
    drop: async () => {},
  })
  return {
    port,
    /** Of the data, and of the socket. */
    data,
    folder,
    account,
    superuser,
    addresses,
    async database(name: string): Promise<EmptyDatabase> {
      await superuser.query(`create database ${name} owner portal_owner encoding 'UTF8' template template0`)
      return addresses(name)
    },
  }
}
