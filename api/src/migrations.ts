import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

const folder = join(import.meta.dirname, '../migrations')

/** A migration waits this long for a lock on a table. Then it fails, so that no query has to wait behind it. */
const lockTimeout = '5s'

/** A numbered SQL file. `name` contains the beginning of its hash, so that a changed file has another name. */
type SqlFile = { file: string; name: string; text: string }

function readFiles(): SqlFile[] {
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

/** The migrations for Kysely's migrator. They have no `down`, because migrations only go forward. */
export const migrations: MigrationProvider = {
  getMigrations: async () =>
    Object.fromEntries(
      readFiles().map(({ name, text }): [string, Migration] => [
        name,
        {
          up: async (db) => {
            await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db)
            await sql.raw(text).execute(db)
          },
        },
      ]),
    ),
}
