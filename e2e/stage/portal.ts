import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { freePort } from '../../scripts/lib/ports.mjs'
import { answers, type ProgramName, startProgram } from '../../scripts/lib/programs.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'

const root = resolve(import.meta.dirname, '../..')

/**
 * Where the portal of this run stands. `ownerUrl` sees every row, past the application's role. `settings` are those of its
 * processes, for a journey that starts another one.
 */
export type Place = {
  url: string
  agencyUrl: string
  ownerUrl: string
  folder: string
  settings: Record<string, string>
}

/** The built product on free ports, with a small demo in a folder of its own; `stop` ends all of it. */
export async function startPortal(): Promise<{ place: Place; stop(): Promise<void> }> {
  const dist = process.env.PORTAL_DIST_DIR ?? join(root, 'dist')
  if (!existsSync(join(dist, 'modules.json')))
    throw new Error('The browser tests need a build: run npm test, or node shared/build/src/build-all.ts.')
  const folder = mkdtempSync(join(tmpdir(), 'portal-e2e-'))
  const started: ReturnType<typeof startProgram>[] = []
  const postgres = await startPostgres({ dir: join(folder, 'postgres'), durable: false })
  const stop = async () => {
    for (const { stop } of started.toReversed()) await stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const port = await freePort()
    const agencyPort = await freePort()
    const analyticsPort = await freePort()
    const url = `http://127.0.0.1:${port}`
    const agencyUrl = `http://127.0.0.1:${agencyPort}`
    const settings = {
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      PORTAL_PUBLIC_URL: url,
      PORTAL_MODULES_URL: `http://*.localhost:${port}`,
      PORTAL_DATA_DIR: folder,
      PORTAL_DIST_DIR: dist,
      PORTAL_REGISTRY_DIR: join(folder, 'registry'),
      PORTAL_MODULE_OVERRIDE: 'yes',
      PORTAL_SECRET: randomBytes(32).toString('hex'),
      PORTAL_DEMO: 'true',
      PORTAL_DEMO_SIZE: 'small',
      PORTAL_FOUR_EYES: 'true',
      PORTAL_AGENCY_HOSTS: `127.0.0.1:${agencyPort},localhost:${agencyPort}`,
      PORTAL_BACKEND_HOSTS: '127.0.0.1',
      SANDBOX_AGENCY_PORT: String(agencyPort),
      ANALYTICS_PORT: String(analyticsPort),
      ANALYTICS_URL: `http://127.0.0.1:${analyticsPort}`,
      ANALYTICS_SECRET: randomBytes(32).toString('hex'),
      ANALYTICS_DASHBOARD: '12',
      SANDBOX_AGENCY_SEED: 'yes',
      DATABASE_URL: postgres.appUrl,
      DATABASE_OWNER_URL: postgres.ownerUrl,
    }
    const env = { ...process.env, ...settings }
    const start = (name: ProgramName) => {
      const program = startProgram(name, { env, log: join(folder, 'logs', `${name}.log`) })
      started.push(program)
      return program
    }
    await start('agency').ready(() => answers(`${agencyUrl}/ledger/summary`))
    await start('release').ended()
    await start('prepare').ended()
    await cheapenPasswords(postgres.ownerUrl)
    const api = start('api')
    start('worker')
    start('analytics')
    await api.ready(() => answers(`${url}/api/health`))
    return { place: { url, agencyUrl, ownerUrl: postgres.ownerUrl, folder, settings }, stop }
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
