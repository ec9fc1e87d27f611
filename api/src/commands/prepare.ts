import { StillAway } from '@portal/registry/wait'
import { makeDemo } from '../demo/demo.service.ts'
import { checkDemoMarker, markEmpty } from '../demo/marker.service.ts'
import { refusalOf } from '../kit/database/database-refusal.ts'
import { waitForDatabase } from '../kit/database/database-wait.ts'
import { makeContext } from '../kit/process/context.ts'
import { checkInstallation } from '../kit/process/installation.ts'
import { readSettings, type Settings, SettingsFault } from '../kit/process/settings.ts'
import { checkSecrets } from '../kit/secrets/secret-keys.ts'
import { loadReference } from '../reference/reference.service.ts'
import { migrate } from './migrate.ts'
import { runCommand } from './run-command.ts'

/**
 * Prepares the database before api and worker start: waits for it, runs the migrations, then writes the data that it must
 * contain.
 */
async function run(settings: Settings) {
  if (!settings.databaseOwnerUrl) {
    throw new SettingsFault('DATABASE_OWNER_URL is missing: migrations run as the owner of the database.')
  }
  await findDatabase('DATABASE_OWNER_URL', settings.databaseOwnerUrl, settings.startMs)
  // The migrations give the application's role its rights, so it has to be there, too.
  await findDatabase('DATABASE_URL', settings.databaseUrl, settings.startMs)
  const applied = await migrate(settings.databaseOwnerUrl, settings.databaseUrl)
  if (applied.length) console.log(`Database: applied ${applied.join(', ')}`)
  const context = makeContext({ ...settings, logLevel: 'error' }, 'prepare')
  try {
    await checkInstallation(context.db, settings)
    await checkSecrets(context)
    if (settings.demo) await prepareDemo(context)
    else if (!(await checkDemoMarker(context.db, false))) {
      await loadReference(context.db, 'ml')
      await loadReference(context.db, 'sn')
      await markEmpty(context.db)
    }
  } finally {
    await context.db.pool.end()
  }
}

const findDatabase = (setting: 'DATABASE_URL' | 'DATABASE_OWNER_URL', url: string, limitMs: number) =>
  waitForDatabase(url, limitMs, (line) => console.log(line)).catch((error) => {
    throw refusalOf(error, setting, url)
  })

/** Makes the demo data unless they exist. Each line of progress has the seconds since the start. */
async function prepareDemo(context: ReturnType<typeof makeContext>) {
  const agencyUrl = process.env.SANDBOX_AGENCY_URL ?? `http://127.0.0.1:${context.settings.sandboxAgencyPort}`
  const began = performance.now()
  const tell = (line: string) =>
    console.log(`Demo data, ${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`)
  if (await makeDemo(context, { agencyUrl, tell })) tell('ready')
}

await runCommand(
  () => run(readSettings(process.env)),
  (error) => (error instanceof StillAway ? error.message : undefined),
)
