import { sql } from 'kysely'
import { giveNotice } from '../../home/notices.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { portal } from '../../kit/http/session.ts'
import type { Lease } from '../engine/agency-lease.service.ts'
import { type HaltReason, haltReasons } from '../messages.ts'
import { cohortPage } from '../pages.ts'

/**
 * Puts an approved cohort into error because its agency cannot be used. Nothing more is sent until a person retries
 * (Money 5.4). Nothing happens if the lease was lost, if the cohort was moved to another agency, or if sending is not
 * allowed, as during a hold (Money 8.5).
 */
export const haltCohort = (db: Db, lease: Lease, id: number, reason: HaltReason): Promise<void> =>
  transaction(db, async (tx) => {
    const { rows } = await sql`
      select from agency_leases l join transfer_cohorts c on c.transfer_agency_id = l.agency_id and c.id = ${id}
      where l.agency_id = ${lease.agency_id} and l.owner = ${lease.owner} and l.fence = ${lease.fence} and sending_allowed()
      for key share of l, c`.execute(tx)
    if (rows.length > 0) await haltIn(tx, id, reason)
  })

/** Puts an approved cohort into error in the caller's transaction and tells approvers and uploader. It checks no lease. */
export async function haltIn(tx: Tx, id: number, reason: HaltReason): Promise<void> {
  const { rows } = await sql<{ name: string; since: string }>`
    update transfer_cohorts set status = 'error', error_reason = ${reason} where id = ${id} and status = 'approved'
    returning name, coalesce(decided_at, created_at)::text as since`.execute(tx)
  const cohort = rows[0]
  if (!cohort) return
  await audit(tx, portal, 'payment error', 'cohort', id, {
    old: { status: 'approved' },
    new: { status: 'error', reason },
  })
  // `since` is the latest decision, so that a cohort which stops again after a retry gets another notice.
  await giveNotice(tx, 'cohort-in-error', {
    subject: id,
    link: cohortPage(id),
    occasion: cohort.since,
    parts: [cohort.name, haltReasons[reason]],
    by: null,
  })
}
