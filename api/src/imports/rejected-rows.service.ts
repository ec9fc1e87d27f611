import type { Sheet } from '@portal/contracts/sheet'
import { sql } from 'drizzle-orm'
import { readRows } from '../excel/read.ts'
import type { RejectedRow } from '../excel/rejected.ts'
import type { Db } from '../kit/db.ts'

/** The rejected rows of an import as they stand in its file, each with what was refused, in the file's order. */
export async function* rejectedRows(db: Db, importId: number, path: string, sheet: Sheet): AsyncGenerator<RejectedRow> {
  const { rows } = await db.execute<{ row: number; errors: RejectedRow['errors'] }>(sql`
    select "row", jsonb_agg(jsonb_build_object('column', "column", 'message', message) order by id) as errors
    from import_errors where import_id = ${importId} group by "row"`)
  const errors = new Map(rows.map(({ row, errors: refused }) => [row, refused]))
  if (errors.size === 0) return
  for await (const batch of readRows(path, sheet)) {
    for (const { row, cells } of batch) {
      const refused = errors.get(row)
      if (refused) yield { row, cells, errors: refused }
    }
  }
}
