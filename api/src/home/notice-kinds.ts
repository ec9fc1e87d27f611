import type { NoticeKind } from '@portal/contracts/notices'
import { type RawBuilder, sql } from 'kysely'
import { holdersOf } from './notifications.service.ts'

/** What the portal knows of one kind of notice, besides its sentences. */
type Kind = {
  /** The page on which the person can act. */
  link(subject: number): string
  /** SQL: the ids of those who must act. Whoever did it, and accounts that are not active, are left out by `giveNotice`. */
  receivers(subject: number): RawBuilder<unknown>
}

const cohortPage = (id: number) => `/admin/transfers/cohorts/${id}/summary`
const casePage = (id: number) => `/admin/cases/${id}/details`
const uploader = (id: number) => sql`select user_id from transfer_cohorts where id = ${id}`
const reviewer = (id: number) => sql`select assigned_id from cases where id = ${id}`

/** Who gets which notice, and where it leads (Messages 4.3). A kind without an entry does not compile. */
export const kinds: Record<NoticeKind, Kind> = {
  'cohort-to-approve': { link: cohortPage, receivers: () => holdersOf('cohorts.approve') },
  'cohort-refused': { link: cohortPage, receivers: uploader },
  'cohort-in-error': {
    link: cohortPage,
    receivers: (id) => sql`${holdersOf('cohorts.approve')} union ${uploader(id)}`,
  },
  'case-assigned': { link: casePage, receivers: reviewer },
  'case-due': { link: casePage, receivers: reviewer },
  'expert-answered': { link: casePage, receivers: reviewer },
}
