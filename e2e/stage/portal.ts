import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/lib/ports.mjs'
import { alive, end } from '../../scripts/lib/processes.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Where the portal of this run stands. `ownerUrl` sees every row, past the application's role. */
export type Place = { url: string; agencyUrl: string; ownerUrl: string; folder: string }
type Child = { name: string; pid: number }

/** The built product on free ports, with a small demo in a folder of its own; `stop` ends all of it. */
export async function startPortal(): Promise<{ place: Place; stop(): Promise<void> }> {
  const dist = process.env.PORTAL_DIST_DIR ?? join(root, 'dist')
  if (!existsSync(join(dist, 'modules.json')))
    throw new Error('The browser tests need a build: run npm test, or node shared/build/src/build-all.ts.')
  const folder = mkdtempSync(join(tmpdir(), 'portal-e2e-'))
  const children: Child[] = []
  const postgres = await startPostgres({ dir: join(folder, 'postgres'), durable: false })
  const stop = async () => {
    for (const { pid } of children.toReversed()) await end(pid)
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const port = await freePort()
    const agencyPort = await freePort()
    const analyticsPort = await freePort()
    const url = `http://127.0.0.1:${port}`
    const agencyUrl = `http://127.0.0.1:${agencyPort}`
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      PORTAL_PUBLIC_URL: url,
      PORTAL_DATA_DIR: folder,
      PORTAL_DIST_DIR: dist,
      PORTAL_REGISTRY_DIR: join(folder, 'registry'),
      PORTAL_MODULE_OVERRIDE: 'yes',
      PORTAL_SECRET: randomBytes(32).toString('hex'),
      PORTAL_DEMO: 'true',
      PORTAL_DEMO_SIZE: 'small',
      PORTAL_FOUR_EYES: 'true',
      PORTAL_AGENCY_HOSTS: `127.0.0.1:${agencyPort},localhost:${agencyPort}`,
      SANDBOX_AGENCY_PORT: String(agencyPort),
      ANALYTICS_PORT: String(analyticsPort),
      ANALYTICS_URL: `http://127.0.0.1:${analyticsPort}`,
      ANALYTICS_SECRET: randomBytes(32).toString('hex'),
      ANALYTICS_DASHBOARD: '12',
      SANDBOX_AGENCY_SEED: 'yes',
      DATABASE_URL: postgres.appUrl,
      DATABASE_OWNER_URL: postgres.ownerUrl,
    }
    const start = (name: string, file: string, more: NodeJS.ProcessEnv = {}, args: string[] = []) => {
      const child = startChild(folder, name, [file, ...args], { ...env, ...more })
      children.push(child)
      return child
    }
    const agency = start('agency', 'deploy/sandbox-agency/src/main.ts')
    await answers(`${agencyUrl}/ledger/summary`, agency, folder)
    await ended(start('release', 'deploy/registry/src/command.ts', {}, ['release']), folder)
    await ended(start('prepare', 'api/src/commands/prepare.ts'), folder)
    await cheapenPasswords(postgres.ownerUrl)
    const api = start('api', 'api/src/main.ts', { PORTAL_ROLE: 'api' })
    start('worker', 'api/src/main.ts', { PORTAL_ROLE: 'worker' })
    start('analytics', 'deploy/analytics-host/src/main.ts')
    await answers(`${url}/api/health`, api, folder)
    return { place: { url, agencyUrl, ownerUrl: postgres.ownerUrl, folder }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The demo's password, hashed at the least cost: these journeys sign in some hundreds of times, and what a guess costs is
 * no matter of a browser.
 */
async function cheapenPasswords(ownerUrl: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query("update users set password_hash = $1 where email like '%@portal.example'", [
    '$argon2id$v=19$m=64,t=1,p=1$BG+r5wnyVXxvXw0SdIcNqg$s5wDugT0VsNEP457520ufOFYi9/WRke1CnXlu52pQUc',
  ])
  await client.end()
}

const logFile = (folder: string, name: string) => join(folder, 'logs', `${name}.log`)

function startChild(
  folder: string,
  name: string,
  [file = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
): Child {
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const log = openSync(logFile(folder, name), 'a')
  const child = spawn(process.execPath, [join(root, file), ...args], { env, stdio: ['ignore', log, log] })
  if (!child.pid) throw new Error(`${name} could not be started.`)
  child.on('exit', (code) => {
    if (code) exits.set(child.pid ?? 0, code)
  })
  return { name, pid: child.pid }
}

/** Exit codes of children that failed. */
const exits = new Map<number, number>()

function failed({ name }: Child, folder: string): Error {
  const lines = readFileSync(logFile(folder, name), 'utf8').trim().split('\n').slice(-12).join('\n')
  return new Error(`${name} did not start. The last lines of its log:\n${lines}`)
}

/** Waits until a server answers 200, for a minute at most. */
async function answers(address: string, child: Child, folder: string) {
  for (const until = Date.now() + 60_000; Date.now() < until && alive(child.pid); await pause(50)) {
    const found = await fetch(address).catch(() => undefined)
    if (found?.ok) return
  }
  throw failed(child, folder)
}

/** Waits until a command has done its work, for two minutes at most. */
async function ended(child: Child, folder: string) {
  for (const until = Date.now() + 120_000; Date.now() < until && alive(child.pid); ) await pause(25)
  if (alive(child.pid) || exits.has(child.pid)) throw failed(child, folder)
}
