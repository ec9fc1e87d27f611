import type { NoticeKind } from '@portal/contracts/notices'
import { type RawBuilder, sql } from 'kysely'
import { holdersById, holdersOf, holdersOfBoth, type Subject } from './notifications.service.ts'

/** SQL: the ids of those who must act. Whoever did it, and accounts that are not active, are left out by `giveNotice`. */
type Receivers = (subject: Subject) => RawBuilder<unknown>

const uploader = (id: Subject) => sql`select user_id from transfer_cohorts where id = ${id}`
/** The reviewer of a case. Once her account is closed, those who may give the case to somebody else, so that it does not stand still. */
const reviewer = (id: Subject) => sql`
  select u.id from ${active(id)}
  union
  select h.id from (${holdersOfBoth('cases.view', 'cases.manage')}) h where not exists (select from ${active(id)})`
const active = (id: Subject) =>
  sql`cases k join users u on u.id = k.assigned_id and u.account and u.deactivated_at is null where k.id = ${id}`

/** Who gets which notice (Messages 4.3). A kind without an entry does not compile. */
export const receivers: Record<NoticeKind, Receivers> = {
  'cohort-to-approve': () => holdersOf('cohorts.approve'),
  'cohort-refused': uploader,
  'cohort-in-error': (id) => sql`${holdersOf('cohorts.approve')} union ${uploader(id)}`,
  'case-assigned': reviewer,
  'case-due': reviewer,
  'expert-answered': reviewer,
  'build-to-admit': () => holdersOf('modules.admit'),
  'erasure-to-decide': () => holdersOf('people.erase'),
  'payment-to-settle': () => holdersOf('cohorts.approve'),
  'cohort-to-move': () => holdersOf('cohorts.approve'),
  'decision-waits': () =>
    sql`${holdersOf('cohorts.approve')} union ${holdersOf('agencies.update')} union ${holdersOf('statements.sign')}`,
  // The subject is the permission `<module>.watch`.
  'module-errors': holdersById,
}
