import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { refusePooler } from '../../src/kit/database/pooler-check.ts'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'
import { freePort } from './debian-postgres.ts'

const portal = await startPortal()
const to = new URL(portal.settings.databaseUrl)

/** Starts Debian's pgbouncer before the database of the test. Returns the address of the same database through it. */
async function startPgbouncer(settings: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const name = to.pathname.slice(1)
  const target = `host=${to.hostname} port=${to.port} dbname=${name} user=${to.username} password=${to.password}`
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n${name} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  const child = spawn('/usr/sbin/pgbouncer', ['-u', 'nobody', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
  })
  const failed = once(child, 'error').then(() => {
    throw new Error('pgbouncer is missing: apt-get install pgbouncer')
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = Object.assign(new URL(to), { host: `127.0.0.1:${port}` }).toString()
  const answers = async () => {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('select')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  await Promise.race([until(answers), failed])
  return url
}

const dropped = {
  ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
}

test('an operator who puts pgbouncer in transaction mode before the database is told at the start what to name instead', async () => {
  const databaseUrl = await startPgbouncer({ pool_mode: 'transaction', ...dropped })
  await expect(refusePooler({ databaseUrl })).rejects.toThrow('gives several connections the same session')
  const through = { DATABASE_URL: databaseUrl, PORTAL_ROLE: 'api', PORT: '0' }
  const { code, err } = await runCommand(portal.settings, 'main', [], '', through)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL leads to a pooler .* name PostgreSQL itself/),
  ])
})

test('an operator whose pooler refuses the time limits of a session is told so', async () => {
  const databaseUrl = await startPgbouncer({ pool_mode: 'session' })
  await expect(refusePooler({ databaseUrl })).rejects.toThrow(
    /that refuses time limits \(.*unsupported startup parameter/,
  )
})

test('PostgreSQL itself is no pooler', async () => {
  await refusePooler(portal.settings)
})
