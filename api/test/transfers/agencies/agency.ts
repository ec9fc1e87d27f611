import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startProgram } from '../../../../scripts/lib/programs.mjs'
import type { Settings } from '../../../src/kit/process/settings.ts'

/** One line of the agency's ledger. */
export type LedgerLine = {
  key: string
  reference: string
  phone: string
  amount: number
  received: number
  executed: number
  result: string
}
export type Agency = {
  url: string
  host: string
  /** Its process. */
  pid(): number
  set(settings: Record<string, unknown>): Promise<void>
  ledger(): Promise<LedgerLine[]>
  /** Kills its process. Its ledger stays. */
  kill(): Promise<void>
  /** Starts it again at the same address with the same ledger. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts a simulator, and returns once it listens. */
export async function launchAgency(
  env: Record<string, string>,
  program: 'agency' | 'wave' | 'gsma' | 'bank' | 'store' = 'agency',
) {
  const { child } = startProgram(program, { env: { ...process.env, ...env }, stdout: 'pipe' })
  if (!child.stdout) throw new Error('The agency could not be started.')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url: line.slice(line.indexOf('http')) }
}

export async function endAgency(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Starts the sandbox agency as a process with a ledger. The money tests compare the portal with this ledger. */
export async function startAgency(env: Record<string, string> = {}): Promise<Agency> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-agency-'))
  const place = { SANDBOX_AGENCY_PORT: '0', SANDBOX_AGENCY_DIR: folder, ...env }
  const first = await launchAgency(place)
  const { url } = first
  let { child } = first
  return {
    url,
    host: new URL(url).host,
    pid: () => child.pid ?? 0,
    async set(settings) {
      const answer = await fetch(`${url}/settings`, { method: 'PUT', body: JSON.stringify(settings) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    ledger: async () => ((await (await fetch(`${url}/ledger`)).json()) as { entries: LedgerLine[] }).entries,
    kill: () => endAgency(child, 'SIGKILL'),
    async restart() {
      child = (await launchAgency({ ...place, SANDBOX_AGENCY_PORT: new URL(url).port })).child
    },
    async close() {
      await endAgency(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a worker as a process, as in production. Its errors go to the terminal or to a file; `folder` has the sources of another version. */
export function spawnWorker(
  settings: Settings,
  logFile?: string,
  folder?: string,
  more: Record<string, string> = {},
): ChildProcess {
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    PORTAL_DEMO: 'true',
    DATABASE_URL: settings.databaseUrl,
    PORTAL_DATA_DIR: settings.dataDir,
    PORTAL_AGENCY_HOSTS: settings.agencyHosts.join(','),
    LOG_LEVEL: 'error',
    ...more,
  }
  return startProgram('worker', { env, ...(logFile && { log: logFile }), ...(folder && { folder }) }).child
}
