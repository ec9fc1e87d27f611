import { sql } from 'drizzle-orm'
import type { Db } from '../kit/db.ts'
import type { RefusedCell } from './imports.jobs.ts'

/** Every refused cell of an import, in the order of the file. */
export async function refusedCells(db: Db, importId: number): Promise<RefusedCell[]> {
  const { rows } = await db.execute<RefusedCell>(
    sql`select "row", "column", value, message from import_errors where import_id = ${importId} order by "row", id`,
  )
  return rows
}
