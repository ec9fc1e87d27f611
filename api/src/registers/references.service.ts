import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import type { referenceValues } from './places.tables.ts'

type List = (typeof referenceValues.$inferSelect)['list']

/** The active values of closed lists, in one language. */
export async function readReferences<Name extends List>(db: Db, locale: Locale, ...lists: Name[]) {
  const found = await rows<{ list: Name; id: number; name: string }>(
    db,
    sql`select list, id, case ${locale} when 'fr' then fr else en end as name from reference_values
      where list = any(${sql.param(lists)}) and active order by list, position, id`,
  )
  const grouped = Object.groupBy(found, ({ list }) => list)
  return (list: Name) => (grouped[list] ?? []).map(({ id, name }) => ({ id, name }))
}
