import { join } from 'node:path'
import { openRegistry, type PortalRegistry } from '@portal/registry'
import { storeIn } from '@portal/registry/settings'
import type { Logger } from 'pino'
import { setAuditKey } from '../audit/audit.ts'
import { type Db, openDb, openDbForCalls } from '../database/db.ts'
import { bucketStorage } from '../files/bucket-storage.ts'
import { diskStorage, type Storage } from '../files/storage.ts'
import { makeLog } from './log.ts'
import type { Settings } from './settings.ts'

/** Everything outside of the code that services and jobs need, in api and worker. */
export type Context = {
  settings: Settings
  db: Db
  storage: Storage
  log: Logger
  /** The registry of modules: which builds are live, and the functions that change this. */
  registry: PortalRegistry
}

/** Opens a pool of the application's role with the limits of jobs, the file storage, the log and the registry of modules. */
export function makeContext(settings: Settings, name: string = settings.role): Context {
  setAuditKey(settings.secret)
  const log = makeLog(settings.logLevel, name)
  return {
    settings,
    db: openDb(settings.databaseUrl, settings.jobLimits.connections, settings.jobLimits),
    storage: openStorage(settings),
    log,
    registry: openRegistry({
      store: storeIn(settings.registryDir, settings.registryBucket),
      fault: (message) => log.error(message),
    }),
  }
}

/** Opens the storage of files that the settings name. */
function openStorage({ dataDir, filesBucket }: Settings): Storage {
  return filesBucket ? bucketStorage(filesBucket, join(dataDir, 'files/temp')) : diskStorage(dataDir)
}

/** The same context for calls: their connections have the limits of calls. It opens a pool of its own. */
export const contextForCalls = (context: Context): Context => ({
  ...context,
  db: openDbForCalls(context.settings.databaseUrl, context.settings.callLimits),
})
