import { refusalOf } from '../kit/database/database-refusal.ts'
import { type Db, openDb } from '../kit/database/db.ts'
import { type Context, makeContext } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { checkSecrets } from '../kit/secrets/secret-keys.ts'

/** Some commands connect as the owner of the database, and with its address. */
const check = (context: Pick<Context, 'db' | 'settings'>) =>
  checkSecrets(context).catch((error) => {
    const { databaseUrl, databaseOwnerUrl } = context.settings
    const setting = databaseUrl === databaseOwnerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'
    throw refusalOf(error, setting, databaseUrl)
  })

/** Does `work` with a connection to a database that knows the portal's secret, and closes it however the work ends. */
export async function withDatabase<T>(
  settings: Settings,
  connections: number,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = openDb(settings.databaseUrl, connections, settings.jobLimits)
  try {
    await check({ db, settings })
    return await work(db)
  } finally {
    await db.pool.end()
  }
}

/** The same with all that a service needs. Only errors are logged, because the command itself says what it did. */
export async function withContext<T>(
  settings: Settings,
  name: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const context = makeContext({ ...settings, logLevel: 'error' }, name)
  try {
    await check(context)
    return await work(context)
  } finally {
    await context.db.pool.end()
  }
}
