import { eraseAuditsOf } from '../kit/audit/audit.ts'
import { transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run audit:erase -- TYPE ID: erases the old and new values in all audit rows about one thing. The hash chain stays
 * valid. It runs as the owner of the database, because the application's role may not empty values.
 */
async function run() {
  const [type, id] = process.argv.slice(2)
  if (!type || !/^[1-9]\d*$/.test(id ?? '')) throw new SettingsFault('Write: npm run audit:erase -- user 12')
  const settings = readSettings(process.env)
  if (!settings.databaseOwnerUrl)
    throw new SettingsFault('DATABASE_OWNER_URL is missing: values are erased as the owner of the database.')
  const asOwner = { ...settings, databaseUrl: settings.databaseOwnerUrl }
  await withContext(asOwner, 'audit-erase', async (context) => {
    const rows = await transaction(context.db, (tx) => eraseAuditsOf(tx, portal, type, Number(id)))
    console.log(
      `The values of ${rows} audit rows about ${type} ${id} are gone; that they were erased is logged.`,
    )
  })
}

await runCommand(run)
