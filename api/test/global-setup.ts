import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alive, readPid } from '../../scripts/lib/processes.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'

const memory = '/dev/shm'
const prefix = 'portal-test-'
const gigabyte = 2 ** 30

/**
 * Starts one PostgreSQL for the whole run. DATABASE_OWNER_URL and DATABASE_URL of the environment take precedence.
 * The owner may create databases, so that each test file can clone the migrated template, and may set
 * session_replication_role, so that a test begins with empty tables.
 */
export default async function startDatabase() {
  if (process.env.DATABASE_OWNER_URL) return
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), prefix))
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

/**
 * Whether the files of the database fit into memory. A clone of the template has more than a thousand files, and there they
 * take a third of the processor time. A run needs less than two gigabytes.
 */
function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  removeLeft()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * gigabyte && process.availableMemory() > 8 * gigabyte
}

/** Removes what runs left in memory that were killed. */
function removeLeft() {
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    const pid = readPid(join(memory, name, 'postgres/postmaster.pid'))
    if (pid && !alive(pid)) rmSync(join(memory, name), { recursive: true, force: true })
  }
}
