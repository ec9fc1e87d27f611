import type { Permission } from '@portal/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'
import { holdersOf } from '../../home/notifications.service.ts'
import type { Tx } from '../../kit/database/db.ts'
import { francsOfApproval } from './approval-limit.service.ts'
import { barredFrom } from './cohort-check.service.ts'
import type { waitsSentences } from './decision-reminder.messages.ts'

/** What waits for the decision of a second person. */
export type What = keyof typeof waitsSentences

const permissions: Record<What, Permission> = {
  cohort: 'cohorts.approve',
  correction: 'cohorts.approve',
  settlement: 'cohorts.approve',
  move: 'cohorts.approve',
  agency: 'agencies.update',
  budget: 'cohorts.approve',
  statement: 'statements.sign',
}

/**
 * SQL: the ids of those who are not asked, because they may not decide: without the permission, barred by four eyes, or with too
 * low a limit (Messages 4.3). Notices at once and reminders ask the same people.
 */
export async function mayNotDecide(
  tx: Tx,
  { what, id, cohort_id }: { what: What; id: number; cohort_id?: number | null },
  fourEyes: boolean,
): Promise<RawBuilder<unknown>> {
  const without = sql`select x.id from users x where x.account and x.id not in (${holdersOf(permissions[what])})`
  if (what === 'statement')
    return sql`${without} union select user_id from statement_resolutions where statement_id = ${id}`
  if (!cohort_id) return without
  const barred = sql`${without} union ${barredFrom(cohort_id, fourEyes)}`
  if (what === 'move' && fourEyes)
    return sql`${barred} union select t.user_id from cohort_moves v, agency_touched_by(v.to_agency_id) t where v.id = ${id}`
  if (what !== 'cohort') return barred
  const francs = await francsOfApproval(tx, cohort_id)
  return sql`${barred} union select user_id from approval_limits where amount < ${francs}`
}
