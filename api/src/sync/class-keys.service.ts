import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import { classKey } from './report.ts'

/**
 * Returns SQL: the table `n (name, key)` of all names of classes, each with the key under which reports are stored. A country has a few
 * dozen names. PostgreSQL cannot make the keys: `unaccent` turns ɛ, ɲ and ŋ into other letters, which `classKey` keeps.
 */
export async function classKeys(db: Reader): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`select distinct name from classes`.execute(db)
  const names = rows.map(({ name }) => name)
  return sql`unnest(${names}::text[], ${names.map(classKey)}::text[]) as n (name, key)`
}
