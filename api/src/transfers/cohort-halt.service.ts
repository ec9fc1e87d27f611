import { sql } from 'drizzle-orm'
import { notifyHolders } from '../home/notifications.service.ts'
import { audit } from '../kit/audit.ts'
import { type Db, type Tx, transaction } from '../kit/db.ts'
import { portal } from '../kit/session.ts'
import { type HaltReason, haltReasons, say } from './messages.ts'

/** The agency cannot be used at all: approved → error, nothing more is sent until a person retries (Money 5.4). */
export const haltCohort = (db: Db, id: number, reason: HaltReason): Promise<void> =>
  transaction(db, (tx) => haltIn(tx, id, reason))

/** The same in the caller's transaction. */
export async function haltIn(tx: Tx, id: number, reason: HaltReason): Promise<void> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    update transfer_cohorts set status = 'error', error_reason = ${reason} where id = ${id} and status = 'approved'
    returning name`)
  const cohort = rows[0]
  if (!cohort) return
  await audit(tx, portal, 'payment error', 'cohort', id, {
    old: { status: 'approved' },
    new: { status: 'error', reason },
  })
  await notifyHolders(
    tx,
    'cohorts.approve',
    say.cohortHalted,
    [cohort.name, haltReasons[reason]],
    `/admin/transfers/cohorts/${id}/summary`,
  )
}
