import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * Sums the differences that triggers add to `list_totals` into one row per table. It is one statement, so that a reader
 * sees the rows either before or after it.
 */
export async function foldTotals(db: Db) {
  await sql`
    with many as (select name from list_totals group by name having count(*) > 1),
      gone as (delete from list_totals where name in (select name from many) returning name, rows)
    insert into list_totals (name, rows) select name, sum(rows) from gone group by name`.execute(db)
}
