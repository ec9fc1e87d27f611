import { join } from 'node:path'
import { openRegistry, type PortalRegistry } from '@portal/registry'
import { storeIn } from '@portal/registry/settings'
import type { Logger } from 'pino'
import { setAuditKey } from './audit.ts'
import { type Db, openDb } from './db.ts'
import { makeLog } from './log.ts'
import type { Settings } from './settings.ts'
import { diskStorage, type Storage } from './storage.ts'

/** What api and worker share: everything a service or a job may need from outside. */
export type Context = {
  settings: Settings
  db: Db
  storage: Storage
  log: Logger
  /** The modules that are live, and what may become of them. */
  registry: PortalRegistry
}

/** Opens it: the pool of the application's role, the files, the log, the registry of modules. */
export function makeContext(settings: Settings, name: string = settings.role): Context {
  setAuditKey(settings.secret)
  const log = makeLog(settings.logLevel, name)
  return {
    settings,
    db: openDb(settings.databaseUrl),
    storage: diskStorage(join(settings.dataDir, 'files')),
    log,
    registry: openRegistry({
      store: storeIn(settings.registryDir, settings.registryBucket),
      fault: (message) => log.error(message),
    }),
  }
}
