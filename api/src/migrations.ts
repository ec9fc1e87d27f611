import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the migrations stand. */
export const migrationsFolder = join(import.meta.dirname, '../migrations')

/** The migrations in their order; a file that is not named in `order.json` is never applied. */
export const migrationNames = () =>
  JSON.parse(readFileSync(join(migrationsFolder, 'order.json'), 'utf8')) as string[]
