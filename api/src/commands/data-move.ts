import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { verifyAudits } from '../kit/audit/audit-chain.ts'
import { readSettings, type Settings, SettingsFault } from '../kit/process/settings.ts'
import { verifyLedger } from '../transfers/ledger/ledger-check.service.ts'
import { withDatabase } from './connected.ts'
import { copyTables } from './copy-tables.ts'
import { migrate } from './migrate.ts'
import { runCommand } from './run-command.ts'

/** Stands on the target's schema from the first migration to the end of the copy, so that a broken move can be repeated. */
const unfinished = 'npm run data:move has not finished here'

/**
 * npm run data:move -- --to FOLDER: copies the database of the settings to the empty one of another server. FOLDER has the
 * addresses of the two roles there in the files `database` and `database-owner`. The portal has to be stopped.
 */
async function run() {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  const settings = readSettings(process.env)
  if (!settings.databaseOwnerUrl)
    throw new SettingsFault('DATABASE_OWNER_URL is missing: the database is read as its owner.')
  const [appUrl, ownerUrl] = targetIn(values.to)
  const source = await connected(settings.databaseOwnerUrl, 'The database to move')
  const target = await connected(ownerUrl, 'The target')
  try {
    await expectStopped(source)
    await expectEmpty(target)
    await target.query(`comment on schema public is '${unfinished}'`)
    await migrate(ownerUrl, appUrl)
    await expectSameRelease(source, target)
    const counts = await copyTables(source, target)
    await target.query("comment on schema public is 'standard public schema'")
    await target.query('analyze')
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    console.log(
      `Moved ${rows} rows of ${Object.keys(counts).length} tables; each table has as many as before.`,
    )
  } finally {
    await source.end()
    await target.end()
  }
  await verify({ ...settings, databaseUrl: appUrl })
}

/** The addresses of the application's role and of the owner at the target. */
function targetIn(folder: string | undefined): [string, string] {
  if (!folder)
    throw new SettingsFault(
      'Write: npm run data:move -- --to FOLDER, with the files database and database-owner in it, each with an address such as postgresql://role:password@host/portal',
    )
  const read = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8').trim()
    } catch {
      throw new SettingsFault(`${join(folder, name)} cannot be read: write the address of that role into it.`)
    }
  }
  return [read('database'), read('database-owner')]
}

async function connected(url: string, what: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'portal data:move' })
  await client.connect().catch((error: Error) => {
    throw new SettingsFault(`${what} cannot be reached: ${error.message}`)
  })
  return client
}

/** What is written during the copy would be missing at the target. */
async function expectStopped(source: pg.Client) {
  const { rows } = await source.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  if (rows.length > 0)
    throw new SettingsFault(
      `Somebody is connected to the database (${rows.length} connections): stop the portal first.`,
    )
}

async function expectEmpty(target: pg.Client) {
  const { rows } = await target.query<{ mark: string | null; tables: number }>(
    `select obj_description('public'::regnamespace, 'pg_namespace') as mark, count(*)::int as tables
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  if (rows[0]?.tables && rows[0].mark !== unfinished)
    throw new SettingsFault(
      `The target has ${rows[0].tables} tables already: nothing was copied. Make an empty database for it (createdb).`,
    )
}

async function expectSameRelease(source: pg.Client, target: pg.Client) {
  const names = async (client: pg.Client) =>
    (await client.query<{ name: string }>('select name from migrations order by name')).rows.map(
      ({ name }) => name,
    )
  const [here, there] = [await names(source), await names(target)]
  if (here.join() !== there.join())
    throw new SettingsFault(
      `The database is at ${here.at(-1)}, and this release at ${there.at(-1)}: start the portal once with this release, stop it, and move then.`,
    )
}

/** Verifies what arrived, as the portal will read it. */
async function verify(settings: Settings) {
  await withDatabase(settings, 2, async (db) => {
    const audit = await verifyAudits(db, settings.secret)
    const ledger = await verifyLedger(db)
    const faults = [...(audit.fault ? [`audit log: ${audit.fault}`] : []), ...ledger.faults]
    if (faults.length > 0) {
      console.error(`What arrived does not hold:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
      process.exitCode = 1
    } else
      console.log(
        `Audit log (${audit.linked} linked rows) and ledger (${ledger.payments} payments, ${ledger.events} events) hold there.`,
      )
  })
}

await runCommand(run)
