import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

const ourFolder = join(import.meta.dirname, '../migrations')

/** A migration waits this long for a lock on a table. Then it fails, so that no query has to wait behind it. */
export const lockTimeout = '5s'

/** A numbered SQL file. `name` contains the beginning of its hash, so that a changed file has another name. */
type SqlFile = { file: string; name: string; text: string }

/**
 * The first line of a file for statements that PostgreSQL refuses inside of a transaction, such as `create index
 * concurrently`. Each ends at the end of a line and runs by itself, so the file must be able to run again after it broke off.
 */
const outsideLine = '-- outside of a transaction'

function readFiles(folder = ourFolder): SqlFile[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}_.*\.sql$/.test(file))
  return files.sort().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return { file, name: `${file} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, text }
  })
}

/** The names of the migrations in order, as the database records them: file name and beginning of the hash. */
export const migrationNames = (): string[] => readFiles().map(({ name }) => name)

/** The file name of a migration. */
export const fileOf = (name: string) => name.split(' ')[0] ?? name

/** A migration, and whether it runs without a transaction. */
type OurMigration = Migration & { outside: boolean }

/** The migrations for Kysely's migrator. They have no `down`, because migrations only go forward. */
export function migrationsIn(folder = ourFolder) {
  // Read once: the migrator asks twice for each step.
  const migrations = Object.fromEntries(
    readFiles(folder).map(({ name, text }): [string, OurMigration] => [
      name,
      text.startsWith(outsideLine)
        ? { outside: true, up: (db) => runOneByOne(db, text) }
        : { outside: false, up: (db) => runAtOnce(db, text) },
    ]),
  )
  return { getMigrations: async () => migrations } satisfies MigrationProvider
}

async function runAtOnce(db: Kysely<unknown>, text: string) {
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db)
  await sql.raw(text).execute(db)
}

/** Building an index concurrently waits for open transactions, and nobody waits behind it. So it has no time limit. */
async function runOneByOne(db: Kysely<unknown>, text: string) {
  for (const statement of text.split(/;\s*$/m)) if (statement.trim()) await sql.raw(statement).execute(db)
}
