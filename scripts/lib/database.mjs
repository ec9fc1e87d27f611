import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres, stopServer } from '../postgres.mjs'
import { dataDir } from './paths.mjs'
import { alive, removeFile, writePid } from './processes.mjs'
import { say } from './say.mjs'
import { logFile, pidFile } from './supervisor.mjs'

/** The database of DATABASE_URL, or the embedded one, which is restarted when it dies. */
export function watchedDatabase() {
  const file = pidFile(dataDir, 'postgres')
  let pid = 0
  let stopping = false
  /** @type {Promise<unknown>} */
  let beginning = Promise.resolve()
  const begin = () => {
    const started = startPostgres({ dir: join(dataDir, 'postgres'), log: logFile(dataDir, 'postgres'), say })
    beginning = started.then(
      (server) => {
        pid = server.pid
        writePid(file, pid)
      },
      () => {},
    )
    return started
  }
  const watch = async () => {
    while (!stopping) {
      await sleep(500, undefined, { ref: false })
      if (stopping || alive(pid)) continue
      say('postgres ended; starting it again')
      await begin().catch((error) => say(error.message))
      await beginning
    }
  }
  return {
    /** @param {NodeJS.ProcessEnv} env @returns {Promise<NodeJS.ProcessEnv>} */
    async start(env) {
      if (env.DATABASE_URL || env.DATABASE_URL_FILE) return { ...env }
      const server = await begin()
      await beginning
      if (server.adopted) say('Took over the database that was still running')
      void watch()
      return { ...env, DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl }
    },
    async stop() {
      stopping = true
      await beginning
      if (pid) await stopServer(pid)
      removeFile(file)
    },
  }
}
