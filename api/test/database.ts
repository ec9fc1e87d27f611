import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../src/commands/migrate.ts'
import { migrationNames } from '../src/migrations.ts'

const at = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).toString()

/** Makes a database for one test file, cloned from the migrated template. The first caller makes the template. */
export async function cloneDatabase() {
  const ownerUrl = process.env.DATABASE_OWNER_URL ?? ''
  const appUrl = process.env.DATABASE_URL ?? ''
  const server = new pg.Client({ connectionString: ownerUrl })
  await server.connect()
  const hash = createHash('sha256')
  for (const name of migrationNames()) hash.update(name)
  const template = `portal_template_${hash.digest('hex').slice(0, 12)}`
  const name = `portal_test_${randomBytes(6).toString('hex')}`
  await server.query("select pg_advisory_lock(hashtext('portal-test-template'))")
  try {
    const { rowCount } = await server.query('select from pg_database where datname = $1', [template])
    if (!rowCount) {
      await server.query(`drop database if exists ${template}_new`)
      await server.query(`create database ${template}_new`)
      await migrate(at(ownerUrl, `${template}_new`), at(appUrl, `${template}_new`))
      await clearLine(at(ownerUrl, `${template}_new`))
      await server.query(`alter database ${template}_new rename to ${template}`)
    }
    await server.query(`create database ${name} template ${template}`)
  } finally {
    await server.query("select pg_advisory_unlock(hashtext('portal-test-template'))")
  }
  return {
    ownerUrl: at(ownerUrl, name),
    appUrl: at(appUrl, name),
    drop: async () => {
      // A closing connection still counts, and the owner may not terminate connections of the application's role.
      for (let tries = 0; tries < 50; tries++) {
        const dropped = await server.query(`drop database ${name}`).then(
          () => true,
          () => wait(100, false),
        )
        if (dropped) break
      }
      await server.end()
    },
  }
}

/** A hold asks without delay, because in tests no order stays in flight for the longest possible time. */
export async function clearLine(ownerUrl: string, seconds = 0): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('update sending_marks set line_seconds = $1', [seconds])
  await client.end()
}
