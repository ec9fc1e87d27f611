import type { Logger } from 'pino'
import type { Db } from './db.ts'
import type { Settings } from './settings.ts'
import type { Storage } from './storage.ts'

/** What api and worker share: everything a service or a job may need from outside. */
export type Context = { settings: Settings; db: Db; storage: Storage; log: Logger }
