import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { syncPermissions } from '../access/permissions.seed.ts'
import { jobNames } from '../jobs.ts'
import { databaseFault } from '../kit/database/db.ts'
import { jobSchema, makeQueues } from '../kit/jobs/jobs.ts'
import { readSettings, type Settings, SettingsFault } from '../kit/process/settings.ts'
import { fileOf, lockTimeout, migrationNames, migrationsIn } from '../migrations.ts'
import { runCommand } from './run-command.ts'

/** Append-only tables: the application's role may not update, delete or truncate their rows. */
const appendOnly = [
  'audits',
  'audit_links',
  'audit_values',
  'transfer_list_erasures',
  'statement_mappings',
  'statement_resolutions',
  'money_events',
]

/**
 * Columns that decide where money goes. The application's role may not update them; they change only through
 * `apply_agency_change` (Money 6.3).
 */
const agencyTerms = ['endpoint', 'protocol', 'details', 'secrets', 'secret_names']

/**
 * Brings the database up to date as its owner: migrations, job tables, permissions, and the rights of the application's
 * role. It is idempotent. An advisory lock serialises concurrent runs.
 */
export async function migrate(ownerUrl: string, appUrl: string): Promise<string[]> {
  const appRole = decodeURIComponent(new URL(appUrl).username)
  const ownerRole = decodeURIComponent(new URL(ownerUrl).username)
  if (appRole === ownerRole) {
    throw new SettingsFault(
      'DATABASE_URL and DATABASE_OWNER_URL name the same role: the application must not own its tables.',
    )
  }
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query("select pg_advisory_lock(hashtext('portal-migrations'))")
    await expectSameFiles(owner)
    const applied = await applyAll(ownerUrl)
    await makeJobTables(ownerUrl)
    await syncPermissions(owner)
    await grant(owner, appRole)
    return applied
  } finally {
    await owner.end()
  }
}

/**
 * Applies the pending migrations. Each runs in its own transaction, which also records it, unless its file says that it
 * runs outside of one.
 */
export async function applyAll(ownerUrl: string, folder?: string): Promise<string[]> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: ownerUrl, max: 2 }) }),
  })
  const provider = migrationsIn(folder)
  const all = await provider.getMigrations()
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  })
  try {
    const applied: string[] = []
    for (;;) {
      const next = (await migrator.getMigrations()).find(({ executedAt }) => !executedAt)
      const disableTransactions = next !== undefined && all[next.name]?.outside === true
      const { error, results } = await migrator.migrateUp({ disableTransactions })
      const [result] = results ?? []
      if (error) throw failed(fileOf(result?.migrationName ?? ''), error)
      if (!result) return applied
      applied.push(fileOf(result.migrationName))
    }
  } finally {
    await db.destroy()
  }
}

/** SQLSTATE of a statement that waited too long for a lock. */
const lockNotAvailable = '55P03'

function failed(file: string, error: unknown): Error {
  if (databaseFault(error)?.code !== lockNotAvailable)
    return new Error(`The migration ${file} failed`, { cause: error })
  return new SettingsFault(
    `The migration ${file} waited longer than ${lockTimeout} for a lock that another connection has, so it was given up, and nothing of it was done. Start it again. If this repeats, end what runs long, such as a backup or an export: select pid, query from pg_stat_activity.`,
  )
}

/** Refuses a database that was made with other migration files. The differences are neither guessed nor repaired. */
async function expectSameFiles(owner: pg.Client) {
  const { rows: tables } = await owner.query("select where to_regclass('migrations') is not null")
  if (tables.length === 0) return
  const known = migrationNames()
  const { rows: done } = await owner.query<{ name: string }>('select name from migrations order by name')
  const other = done.find(({ name }) => !known.includes(name))
  if (!other) return
  const file = fileOf(other.name)
  throw new SettingsFault(
    file > fileOf(known.at(-1) ?? '')
      ? `The database is that of a newer release, which has the migration ${file}. To go back, start api and worker of this release without this step; to go on, install the newer release.`
      : `The database was made with another version of the migration ${file}: make a new database, or restore the file.`,
  )
}

async function makeJobTables(ownerUrl: string) {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: jobSchema,
    max: 2,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await makeQueues(boss, jobNames)
  await boss.stop({ graceful: false })
}

async function grant(owner: pg.Client, role: string) {
  const app = pg.escapeIdentifier(role)
  for (const schema of ['public', jobSchema]) {
    await owner.query(`grant usage on schema ${schema} to ${app}`)
    await owner.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${app}`)
    await owner.query(`grant usage, select on all sequences in schema ${schema} to ${app}`)
    await owner.query(`grant execute on all functions in schema ${schema} to ${app}`)
  }
  await owner.query(`revoke update, delete, truncate on ${appendOnly.join(', ')} from ${app}`)
  // The end of the chain moves, and only the owner empties values of the log (Access 6.2, 6.3).
  await owner.query(`revoke delete, truncate on audit_head from ${app}`)
  await owner.query(`revoke execute on function erase_audit_values(bigint) from ${app}`)
  // Only the owner erases people; the trigger of lists lets through whoever may set `erased_at` (Access 7.3).
  await owner.query(`revoke execute on function erase_recipients(bigint[], boolean) from ${app}`)
  await owner.query(`revoke insert on transfer_list_erasures from ${app}`)
  // Only triggers write events of money (Money 10.1).
  await owner.query(`revoke insert on money_events from ${app}`)
  await owner.query(`revoke update on import_corrections from ${app}`)
  await owner.query(`revoke insert, update, delete on migrations, migration_lock, secret_keys from ${app}`)
  await keepColumns(owner, app, 'transfer_agencies', agencyTerms)
  await keepColumns(owner, app, 'transfer_agency_changes', ['secrets'])
  for (const table of ['transfer_master_list', 'transfer_payrolls', 'erasure_requests'])
    await keepColumns(owner, app, table, ['erased_at'])
}

/** Lets the application's role update every column of a table but these. */
async function keepColumns(owner: pg.Client, app: string, table: string, kept: readonly string[]) {
  const { rows } = await owner.query(
    `select string_agg(quote_ident(column_name), ', ') as open from information_schema.columns
     where table_schema = 'public' and table_name = $1 and column_name <> all($2)`,
    [table, kept],
  )
  await owner.query(`revoke update on ${table} from ${app}`)
  await owner.query(`grant update (${rows[0].open}) on ${table} to ${app}`)
}

async function run(settings: Settings) {
  if (!settings.databaseOwnerUrl)
    throw new SettingsFault('DATABASE_OWNER_URL is missing: migrations run as the owner of the database.')
  const applied = await migrate(settings.databaseOwnerUrl, settings.databaseUrl)
  console.log(applied.length ? `Database: applied ${applied.join(', ')}.` : 'Database: up to date.')
}

if (import.meta.main) {
  await runCommand(() => run(readSettings(process.env)))
}
