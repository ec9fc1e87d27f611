import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { migrate } from '../api/src/commands/migrate.ts'
import { type Context, makeContext } from '../api/src/kit/context.ts'
import { readSettings } from '../api/src/kit/settings.ts'
import { startPostgres } from '../scripts/postgres.mjs'

const root = join(import.meta.dirname, '..')

/** A throw-away database with its context, and an agency: what every measurement stands on. */
export type Stage = { context: Context; ownerUrl: string; appUrl: string; agencyUrl: string; close(): Promise<void> }

/** Builds the stage in a temporary folder; the database is durable, as in production. */
export async function buildStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const postgres: { ownerUrl: string; appUrl: string; stop(): Promise<void> } = await startPostgres({ dir: join(folder, 'postgres') })
  const agency = await startAgency(join(folder, 'agency'))
  const settings = readSettings({
    DATABASE_URL: postgres.appUrl,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    PORTAL_DATA_DIR: folder,
    PORTAL_SECRET: 'bench-secret-bench-secret-bench-secret',
    PORTAL_AGENCY_HOSTS: new URL(agency.url).host,
    PORTAL_DEMO: 'true',
    LOG_LEVEL: 'warn',
  })
  await migrate(postgres.ownerUrl, postgres.appUrl)
  const context = makeContext(settings)
  return {
    context,
    ownerUrl: postgres.ownerUrl,
    appUrl: postgres.appUrl,
    agencyUrl: agency.url,
    async close() {
      await context.db.$client.end()
      agency.child.kill('SIGTERM')
      await once(agency.child, 'exit')
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startAgency(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(root, 'deploy/sandbox-agency/src/main.ts')], {
    env: { ...process.env, SANDBOX_AGENCY_PORT: '0', SANDBOX_AGENCY_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string]
  return { child, url: line.slice(line.indexOf('http')) }
}
