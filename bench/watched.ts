import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Context } from '../api/src/kit/process/context.ts'
import { freePort } from '../scripts/lib/ports.mjs'
import { end } from '../scripts/lib/processes.mjs'
import { answers, programs } from '../scripts/lib/programs.mjs'
import { letPeopleFirst } from './process-use.ts'
import { until } from './until.ts'

/** What a process used since `start`: resident bytes at the start and at the peak, and the event-loop delay. */
export type Used = { idleBytes: number; peakBytes: number; longestMs: number; p99Ms: number }
export type Watched = { pid: number; start(): void; used(): Promise<Used>; stop(): Promise<unknown> }

/** Starts the product's worker as a process that reports its memory and event-loop delay. */
export const startWatchedWorker = (context: Context) => startWatched(context, 'worker')

/** Starts the product's api in the same way. Resolves to its address, too, once it is healthy. */
export async function startWatchedApi(context: Context): Promise<Watched & { url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const api = startWatched(context, 'api', { PORT: String(port), PORTAL_PUBLIC_URL: url })
  await until(async () => ((await answers(`${url}/api/health`)) ? true : undefined), 60)
  return { ...api, url }
}

function startWatched(
  { settings }: Context,
  role: 'api' | 'worker',
  more: Record<string, string> = {},
): Watched {
  const { script, nodeArgs, env } = programs[role]
  const child = fork(script, {
    execArgv: [...nodeArgs, '--import', join(import.meta.dirname, 'watch.ts')],
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: settings.databaseUrl,
      PORTAL_DATA_DIR: settings.dataDir,
      PORTAL_DIST_DIR: settings.distDir,
      PORTAL_AGENCY_HOSTS: settings.agencyHosts.join(','),
      PORTAL_CALLS_PER_SECOND: String(settings.callsPerSecond),
      PORTAL_DEMO: 'true',
      NODE_ENV: 'production',
      ...env,
      ...more,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (role === 'worker' && child.pid) letPeopleFirst(child.pid)
  return {
    pid: child.pid ?? 0,
    start: () => void child.send('start'),
    async used() {
      child.send('report')
      const [message] = await once(child, 'message')
      return message as Used
    },
    stop: () => end(child.pid ?? 0),
  }
}
