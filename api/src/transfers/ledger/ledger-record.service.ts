import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'

/** What one run of the ledger check compared and found. `agencies`: how many lists of agencies; null if none was asked for. */
export type LedgerCheck = {
  began_at: Date
  lists: number
  payments: number
  events: number
  agencies: number | null
  differences: number
}

/** Keeps the result of a run, for the page of the portal's state and for monitors. */
export async function recordLedgerCheck(db: Db, check: LedgerCheck): Promise<void> {
  await sql`
    insert into ledger_checks (began_at, lists, payments, events, agencies, differences)
    values (least(${check.began_at}::timestamptz, now()), ${check.lists}, ${check.payments}, ${check.events}, ${check.agencies},
      ${check.differences})`.execute(db)
}
