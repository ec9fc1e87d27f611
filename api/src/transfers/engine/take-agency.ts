import { sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'

/**
 * Locks the lease of an agency for the caller's transaction, and ends the right of whoever had it before. Under this lock
 * all is written about its payments (Money 4.10).
 */
export async function takeAgency(tx: Tx, agencyId: number): Promise<void> {
  await sql`select from sending_marks for share`.execute(tx)
  await sql`update agency_leases set fence = fence + 1 where agency_id = ${agencyId}`.execute(tx)
}
