import { readSettings, SettingsFault } from '../kit/settings.ts'
import { migrate } from './migrate.ts'

/** What `npm start` does before api and worker: migrations, then whatever the database must hold. */
try {
  const settings = readSettings(process.env)
  if (!settings.databaseOwnerUrl) {
    throw new SettingsFault('DATABASE_OWNER_URL is missing: migrations run as the owner of the database.')
  }
  const applied = await migrate(settings.databaseOwnerUrl, settings.databaseUrl)
  if (applied.length) console.log(`Database: applied ${applied.join(', ')}`)
} catch (error) {
  console.error(error instanceof SettingsFault ? error.message : error)
  process.exitCode = 1
}
