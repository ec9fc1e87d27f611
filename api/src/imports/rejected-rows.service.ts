import type { Sheet } from '@portal/contracts/imports/sheet'
import { sql } from 'kysely'
import type { RejectedRow } from '../excel/rejected.ts'
import type { Db } from '../kit/database/db.ts'
import { batches } from '../kit/database/keyset.ts'

/** The rejected rows of an import with their errors, in the order of the file. Cells contain the last correction. */
export async function* rejectedRows(db: Db, importId: number, sheet: Sheet): AsyncGenerator<RejectedRow> {
  const read = async (after: number) => {
    const { rows } = await sql<RejectedRow>`
      select r."row", r.cells, (select jsonb_agg(jsonb_build_object('column', e."column", 'message', e.message) order by e.id)
        from import_errors e where e.import_id = r.import_id and e."row" = r."row") as errors
      from import_rows r where r.import_id = ${importId} and r.kind = 'rejected' and r."row" > ${after}
      order by r."row" limit 1000`.execute(db)
    return rows
  }
  for await (const rows of batches(read, ({ row }) => row))
    yield* rows.map((row) => ({
      ...row,
      errors: (row.errors ?? []).filter(({ column }) => column === '' || column in sheet.columns),
    }))
}
