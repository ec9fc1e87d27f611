import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'

/**
 * Starts one PostgreSQL for the whole run. DATABASE_OWNER_URL and DATABASE_URL of the environment take precedence.
 * The owner may create databases, so that each test file can clone the migrated template, and may set
 * session_replication_role, so that a test begins with empty tables.
 */
export default async function startDatabase() {
  if (process.env.DATABASE_OWNER_URL) return
  const folder = mkdtempSync(join(tmpdir(), 'portal-test-'))
  const log = join(folder, 'postgres.log')
  const server = await startPostgres({
    dir: join(folder, 'postgres'),
    log,
    durable: false,
    createDatabases: true,
  })
  process.env.DATABASE_OWNER_URL = server.ownerUrl
  process.env.DATABASE_URL = server.appUrl
  process.env.PORTAL_TEST_DATABASE_LOG = log
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
