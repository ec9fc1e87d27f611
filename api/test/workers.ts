import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, TestRunner } from 'vitest'
import type { Settings } from '../src/kit/process/settings.ts'
import { spawnWorker } from './transfers/agencies/agency.ts'

/** Workers that a test may kill during their work. The others are stopped after the tests of the file, also if one of them failed. */
export function mortalWorkers(settings: Settings, logFile?: string) {
  const workers = mortalWorkersOfMany()
  return { start: () => workers.start(settings, logFile), end: workers.end }
}

/** The same for a file with several portals. */
export function mortalWorkersOfMany() {
  // Vitest ignores an `afterAll` inside a test, and a worker that is left keeps the run from ending.
  if (TestRunner.getCurrentTest()) throw new Error('Workers that a test may kill are made outside of tests.')
  const workers = new Set<ChildProcess>()
  afterAll(() => {
    for (const worker of workers) worker.kill('SIGKILL')
  })
  return {
    start(settings: Settings, logFile?: string): ChildProcess {
      const worker = spawnWorker(settings, logFile)
      workers.add(worker)
      worker.once('exit', () => workers.delete(worker))
      return worker
    },
    async end(worker: ChildProcess, signal: NodeJS.Signals) {
      const exited = once(worker, 'exit')
      worker.kill(signal)
      await exited
    },
  }
}
