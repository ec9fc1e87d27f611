import { searchWords } from '@portal/contracts/search-words'
import { sql } from 'kysely'
import { auditSearch } from '../kit/audit/reads.ts'
import { type Db, rows } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'

type Found = { data: { id: number }[]; total: number }

/** SQL: the row of a master list that a listed id is about. */
const listRowOf = {
  listRow: sql`found.id`,
  payment: sql`(select p.master_list_id from transfer_payrolls p where p.id = found.id)`,
}

/**
 * Audits a search for recipients by the girls of the rows that it found first (Access 6.8): recipients are in no register, and a girl is
 * forgotten in the log with her register. The ids are those of rows of master lists or of payments.
 */
export async function auditPayeeSearch(
  db: Db,
  actor: Actor,
  search: string,
  of: keyof typeof listRowOf,
  { data, total }: Found,
): Promise<void> {
  if (searchWords(search).length === 0) return
  const ids = data.map(({ id }) => id)
  const girls = await rows<{ id: number }>(
    db,
    sql`select payee_of(${listRowOf[of]}) as id from unnest(${ids}::bigint[]) with ordinality found (id, n) order by n`,
  )
  await auditSearch(db, actor, 'student', search, { data: girls, total })
}
