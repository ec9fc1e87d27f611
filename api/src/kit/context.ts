import { join } from 'node:path'
import type { Logger } from 'pino'
import { setAuditKey } from './audit.ts'
import { type Db, openDb } from './db.ts'
import { makeLog } from './log.ts'
import type { Settings } from './settings.ts'
import { diskStorage, type Storage } from './storage.ts'

/** What api and worker share: everything a service or a job may need from outside. */
export type Context = { settings: Settings; db: Db; storage: Storage; log: Logger }

/** Opens it: the pool of the application's role, the files, the log. */
export function makeContext(settings: Settings, name: string = settings.role): Context {
  setAuditKey(settings.secret)
  return {
    settings,
    db: openDb(settings.databaseUrl),
    storage: diskStorage(join(settings.dataDir, 'files')),
    log: makeLog(settings.logLevel, name),
  }
}
