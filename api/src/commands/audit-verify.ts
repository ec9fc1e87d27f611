import { verifyAudits } from '../kit/audit-chain.ts'
import { openDb } from '../kit/db.ts'
import { readSettings, SettingsFault } from '../kit/settings.ts'

/** npm run audit:verify: proves the audit log and names the first broken row; ends with 1 when there is one. */
try {
  const settings = readSettings(process.env)
  const db = openDb(settings.databaseUrl, 1)
  const { linked, unlinked, fault } = await verifyAudits(db, settings.secret)
  await db.$client.end()
  if (fault) {
    console.error(`The audit log is broken: ${fault}. ${linked} links before it hold.`)
    process.exitCode = 1
  } else console.log(`The audit log holds: ${linked} linked rows, ${unlinked} not linked yet.`)
} catch (error) {
  console.error(error instanceof SettingsFault ? error.message : error)
  process.exitCode = 1
}
