import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { startProgram } from '../../scripts/lib/programs.mjs'
import type { Portal } from './portal.ts'

/** A loopback port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts the api as a process of its own, as in production, over the database of a test's portal. It may not listen yet.
 * `folder` has the sources of another version, and `log` is the file of its output.
 */
export async function startApiProcess(
  { settings }: Portal,
  env: Record<string, string> = {},
  folder?: string,
  log?: string,
): Promise<{ child: ChildProcess; url: string; readyz: string }> {
  const [port, machinePort] = [await freePort(), await freePort()]
  const { child } = startProgram('api', {
    ...(folder && { folder }),
    ...(log && { log }),
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORTAL_DEMO: 'true',
      PORT: String(port),
      PORTAL_MACHINE_PORT: String(machinePort),
      PORTAL_DB_LOCK_SECONDS: '60',
      PORTAL_DB_STATEMENT_SECONDS: '60',
      DATABASE_URL: settings.databaseUrl,
      PORTAL_DATA_DIR: settings.dataDir,
      PORTAL_DIST_DIR: settings.dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  return { child, url: `http://127.0.0.1:${port}/api`, readyz: `http://127.0.0.1:${machinePort}/readyz` }
}
