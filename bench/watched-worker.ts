import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Context } from '../api/src/kit/context.ts'
import { end } from '../scripts/lib/processes.mjs'
import { programs } from '../scripts/lib/programs.mjs'

/** What a worker used since `start`: resident bytes at the start and at the peak, and the event-loop delay. */
export type Used = { idleBytes: number; peakBytes: number; longestMs: number; p99Ms: number }
export type WatchedWorker = { start(): void; used(): Promise<Used>; stop(): Promise<unknown> }

/** Starts the product's worker as a process that reports its memory and event-loop delay. */
export function startWatchedWorker({ settings }: Context): WatchedWorker {
  const { script, nodeArgs, env } = programs.worker
  const child = fork(script, {
    execArgv: [...nodeArgs, '--import', join(import.meta.dirname, 'watch.ts')],
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: settings.databaseUrl,
      PORTAL_DATA_DIR: settings.dataDir,
      PORTAL_DIST_DIR: settings.distDir,
      PORTAL_DEMO: 'true',
      NODE_ENV: 'production',
      ...env,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    start: () => void child.send('start'),
    async used() {
      child.send('report')
      const [message] = await once(child, 'message')
      return message as Used
    },
    stop: () => end(child.pid ?? 0),
  }
}
