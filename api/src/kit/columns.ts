import { sql } from 'drizzle-orm'
import { bigint, customType, integer } from 'drizzle-orm/pg-core'

/** Primary key: bigint identity, read as a number. */
export const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
/** Foreign key column to an `id()`. */
export const ref = (name: string) => bigint(name, { mode: 'number' })
/** Whole francs (Money 1.1). */
export const francs = (name: string) => bigint(name, { mode: 'number' })
/** A moment: `timestamptz`, read as ISO 8601 in UTC with milliseconds. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** `created_at`, now by default. */
export const createdAt = () => instant('created_at').notNull().default(sql`now()`)
/** Which change of the row this is: a form sends it back, and a later one refuses the older. */
export const version = () => integer('version').notNull().default(1)
/** Bytes. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
/** `text` that folds case and accents, kept by the database from an expression; searched with a trigram index. */
export const searchText = customType<{ data: string }>({ dataType: () => 'text' })
