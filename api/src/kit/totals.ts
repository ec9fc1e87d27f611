import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { id } from './columns.ts'
import type { Db } from './db.ts'

/** Cached totals of big tables: each statement adds a row with its difference, so that no writer waits for another. */
export const listTotals = pgTable(
  'list_totals',
  { id: id(), name: text('name').notNull(), rows: bigint('rows', { mode: 'number' }).notNull() },
  (t) => [index('list_totals_name_index').on(t.name)],
)

/** Folds the differences of every table into one row; a reader sees the rows before or the row after. */
export async function foldTotals(db: Db) {
  await db.execute(sql`
    with many as (select name from list_totals group by name having count(*) > 1),
      gone as (delete from list_totals where name in (select name from many) returning name, rows)
    insert into list_totals (name, rows) select name, sum(rows) from gone group by name`)
}
