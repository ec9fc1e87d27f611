import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import type { Settings } from '../src/kit/settings.ts'
import { spawnWorker } from './agency.ts'

/** Workers that a test may kill during their work. The others are stopped after the tests of the file. */
export function mortalWorkers(settings: Settings, logFile?: string) {
  const workers = new Set<ChildProcess>()
  afterAll(() => {
    for (const worker of workers) worker.kill('SIGKILL')
  })
  return {
    start(): ChildProcess {
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
