import { sql } from 'kysely'
import { withdrawRequests } from '../home/notices.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { transaction } from '../kit/database/db.ts'
import { type SentVersion, versionMark } from '../kit/database/versions.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import {
  addEvent,
  expectCaseVersion,
  isReviewer,
  type LockedCase,
  requests,
  tellReviewer,
} from './case-acts.service.ts'
import { say } from './messages.ts'
import { tellOfUndelivered } from './undelivered.service.ts'

/**
 * Assigns the case to another reviewer. The current reviewer may do so, and everybody with `cases.view` (Cases 2.2).
 * The new one is told, also of a request to an expert that was not delivered (Cases 4.7).
 */
export function assignCase(
  context: Context,
  actor: Actor,
  id: number,
  { reviewer, version }: { reviewer: number; version?: SentVersion },
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const { rows } = await sql<LockedCase & { may_review: boolean }>`
      select id, number, title, status, assigned_id, user_id, ${isReviewer(reviewer)} as may_review
      from cases where id = ${id} for update`.execute(tx)
    const locked = rows[0]
    if (!locked || !(actor.can('cases.view') || actor.id === locked.assigned_id)) throw notFound()
    if (locked.status === 'resolved' || locked.status === 'rejected') throw conflict(say.decided)
    await expectCaseVersion(tx, id, version)
    if (!locked.may_review) throw invalid({ reviewer: 'choose' })
    if (locked.assigned_id === reviewer) return
    await sql`update cases set assigned_id = ${reviewer} where id = ${id}`.execute(tx)
    const event = await addEvent(tx, id, 'assigned', locked.status, { user_id: actor.id })
    await audit(tx, actor, 'assigned', 'case', id, {
      old: { assigned_id: locked.assigned_id },
      new: { assigned_id: reviewer, ...versionMark(version) },
    })
    await withdrawRequests(tx, requests, id)
    await tellReviewer(tx, actor, locked, event)
    await tellOfUndelivered(tx, locked, event)
  })
}
