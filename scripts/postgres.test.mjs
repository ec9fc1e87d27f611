import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { alive, until } from './lib/processes.mjs'
import { startPostgres } from './postgres.mjs'

const pg = createRequire(new URL('../api/package.json', import.meta.url))('pg')

let folder = ''
/** @type {number[]} */
let pids = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-postgres-'))
  pids = []
})

afterEach(async () => {
  for (const pid of pids) if (alive(pid)) process.kill(pid, 'SIGQUIT')
  await until(() => !pids.some(alive), 5_000)
  rmSync(folder, { recursive: true, force: true })
})

async function start() {
  const server = await startPostgres({ dir: join(folder, 'postgres'), log: join(folder, 'postgres.log') })
  pids.push(server.pid)
  return server
}

/** @param {string} connectionString @param {string} sql */
async function ask(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('the application reads its database and cannot make tables in it; the owner can', async () => {
  const server = await start()
  await ask(server.ownerUrl, 'CREATE TABLE kept (n int)')
  await expect(ask(server.appUrl, 'CREATE TABLE mine (n int)')).rejects.toThrow(/permission denied/)
  const [app] = await ask(
    server.appUrl,
    "SELECT rolsuper, rolcreatedb, 'é' COLLATE \"fr-x-icu\" < 'z' AS sorted FROM pg_roles WHERE rolname = current_user",
  )
  expect(app).toEqual({ rolsuper: false, rolcreatedb: false, sorted: true })
  const [settings] = await ask(
    server.ownerUrl,
    "SELECT current_setting('listen_addresses') AS at, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync",
  )
  expect(settings).toEqual({ at: '127.0.0.1', fsync: 'on', sync: 'on' })
  expect(server.port).not.toBe(5432)
})

test('only its owner can read the file that holds the passwords', async () => {
  await start()
  expect(statSync(join(folder, 'postgres', 'portal-connection.json')).mode & 0o777).toBe(0o600)
})

test('a second start adopts the server that already runs on the folder', async () => {
  const first = await start()
  const second = await start()
  expect(second).toMatchObject({ pid: first.pid, adopted: true, appUrl: first.appUrl })
})

test('committed rows survive kill -9 of the server and a stale lock file', async () => {
  const first = await start()
  await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS n')
  process.kill(first.pid, 'SIGKILL')
  await until(() => !alive(first.pid), 5_000)
  const second = await start()
  expect(second.adopted).toBe(false)
  expect(await ask(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a server starts once the last process of a killed one has ended', async () => {
  const first = await start()
  const client = new pg.Client({ connectionString: first.ownerUrl })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  process.kill(rows[0].pid, 'SIGSTOP')
  process.kill(first.pid, 'SIGKILL')
  await until(() => !alive(first.pid), 5_000)
  const starting = start()
  await until(() => readFileSync(join(folder, 'postgres.log'), 'utf8').includes('is still in use'), 20_000)
  process.kill(rows[0].pid, 'SIGKILL')
  expect((await starting).adopted).toBe(false)
})

test('a stopped server starts again on the same port', async () => {
  const first = await start()
  await first.stop()
  expect(alive(first.pid)).toBe(false)
  const second = await start()
  expect(second.port).toBe(first.port)
})

test('after a killed initdb the next start makes the data folder again', async () => {
  mkdirSync(join(folder, 'postgres.new', 'base'), { recursive: true })
  const server = await start()
  expect(readFileSync(join(folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe('18\n')
  expect(await ask(server.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})
