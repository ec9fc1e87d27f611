import type { CaseAct, CaseStatus, Priority } from '@portal/contracts/cases'
import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { bytea, createdAt, id, instant, ref, searchText } from '../kit/columns.ts'
import { files } from '../kit/files.tables.ts'
import { referenceValues } from '../registers/places.tables.ts'

/** Cases; on the wire a case is a `complain`. */
export const cases = pgTable(
  'cases',
  {
    id: id(),
    number: text('number').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    status: text('status').$type<CaseStatus>().notNull().default('new'),
    priority: text('priority').$type<Priority>().notNull(),
    type_id: ref('type_id')
      .notNull()
      .references(() => referenceValues.id),
    channel_id: ref('channel_id')
      .notNull()
      .references(() => referenceValues.id),
    /** The reviewer, an active account with `cases.manage`. */
    assigned_id: ref('assigned_id')
      .notNull()
      .references(() => users.id),
    /** Who filed it. */
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    plaintiff: text('plaintiff'),
    verdict: text('verdict'),
    decided_at: instant('decided_at'),
    created_at: createdAt(),
    search: searchText('search').generatedAlwaysAs(
      (): SQL => sql`portal_search(number || ' ' || title || ' ' || description)`,
    ),
  },
  (t) => [
    unique('cases_number_key').on(t.number),
    index('cases_newest_index').on(t.created_at, t.id),
    index('cases_assigned_id_index').on(t.assigned_id),
    index('cases_user_id_index').on(t.user_id),
    index('cases_search_index').using('gin', t.search.op('gin_trgm_ops')),
    check('cases_status_check', sql`${t.status} in ('new', 'open', 'in_progress', 'resolved', 'rejected')`),
    check('cases_priority_check', sql`${t.priority} in ('low_1_month', 'medium_1_week', 'high_1_day')`),
    check(
      'cases_decided_check',
      sql`(${t.decided_at} is null) = (${t.status} in ('new', 'open', 'in_progress'))`,
    ),
  ],
)

/** The last number given out in a year: locked while a case is filed, so that numbers have no gaps. */
export const caseNumbers = pgTable('case_numbers', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
})

export const caseTags = pgTable(
  'case_tags',
  {
    case_id: ref('case_id')
      .notNull()
      .references(() => cases.id, { onDelete: 'cascade' }),
    tag_id: ref('tag_id')
      .notNull()
      .references(() => referenceValues.id),
  },
  (t) => [
    primaryKey({ name: 'case_tags_key', columns: [t.case_id, t.tag_id] }),
    index('case_tags_tag_id_index').on(t.tag_id),
  ],
)

/** What happened to a case: its activities and its changes of status. */
export const caseEvents = pgTable(
  'case_events',
  {
    id: id(),
    case_id: ref('case_id')
      .notNull()
      .references(() => cases.id),
    act: text('act').$type<CaseAct>().notNull().default('activity'),
    status: text('status').$type<CaseStatus>().notNull(),
    note: text('note'),
    channel_id: ref('channel_id').references(() => referenceValues.id),
    user_id: ref('user_id').references(() => users.id),
    created_at: createdAt(),
  },
  (t) => [
    index('case_events_case_id_index').on(t.case_id, t.id),
    check(
      'case_events_status_check',
      sql`${t.status} in ('new', 'open', 'in_progress', 'resolved', 'rejected')`,
    ),
  ],
)

/** A question to an external consultant; the invite's 256 bits are stored hashed (Cases 4.1). */
export const referrals = pgTable(
  'referrals',
  {
    id: id(),
    case_id: ref('case_id')
      .notNull()
      .references(() => cases.id),
    number: text('number').notNull(),
    comment: text('comment').notNull(),
    salutation: text('salutation').$type<'mr' | 'mrs' | 'miss' | 'prof' | 'dr'>().notNull(),
    first_name: text('first_name').notNull(),
    last_name: text('last_name').notNull(),
    email: text('email').notNull(),
    profession: text('profession').notNull(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    invite_hash: bytea('invite_hash').notNull(),
    expires_at: instant('expires_at').notNull().default(sql`now() + interval '30 days'`),
    created_at: createdAt(),
    resolved_at: instant('resolved_at'),
    rejected_at: instant('rejected_at'),
    revoked_at: instant('revoked_at'),
    expired_at: instant('expired_at'),
  },
  (t) => [
    unique('referrals_number_key').on(t.number),
    unique('referrals_invite_hash_key').on(t.invite_hash),
    // A second referral is refused while one is open (Cases 4.1).
    uniqueIndex('referrals_open_key')
      .on(t.case_id)
      .where(sql`coalesce(resolved_at, rejected_at, revoked_at, expired_at) is null`),
    index('referrals_case_id_index').on(t.case_id),
    check('referrals_salutation_check', sql`${t.salutation} in ('mr', 'mrs', 'miss', 'prof', 'dr')`),
    check(
      'referrals_end_check',
      sql`num_nonnulls(${t.resolved_at}, ${t.rejected_at}, ${t.revoked_at}, ${t.expired_at}) <= 1`,
    ),
  ],
)

/** Documents of a case; one with a referral came from its consultant or was shown to them. */
export const caseDocuments = pgTable(
  'case_documents',
  {
    id: id(),
    case_id: ref('case_id')
      .notNull()
      .references(() => cases.id),
    file_id: ref('file_id')
      .notNull()
      .references(() => files.id),
    description: text('description').notNull(),
    /** The referral whose consultant sent it. */
    from_referral_id: ref('from_referral_id').references(() => referrals.id),
    user_id: ref('user_id').references(() => users.id),
    created_at: createdAt(),
  },
  (t) => [
    unique('case_documents_file_id_key').on(t.file_id),
    index('case_documents_case_id_index').on(t.case_id, t.id),
    index('case_documents_referral_index').on(t.from_referral_id),
  ],
)

/** Which documents of the case a consultant may read (`document_ids[]`). */
export const referralDocuments = pgTable(
  'referral_documents',
  {
    referral_id: ref('referral_id')
      .notNull()
      .references(() => referrals.id, { onDelete: 'cascade' }),
    document_id: ref('document_id')
      .notNull()
      .references(() => caseDocuments.id),
  },
  (t) => [
    primaryKey({ name: 'referral_documents_key', columns: [t.referral_id, t.document_id] }),
    index('referral_documents_document_id_index').on(t.document_id),
  ],
)

/** A consultant's answer. */
export const referralNotes = pgTable(
  'referral_notes',
  {
    id: id(),
    referral_id: ref('referral_id')
      .notNull()
      .references(() => referrals.id),
    note: text('note').notNull(),
    document_id: ref('document_id').references(() => caseDocuments.id),
    created_at: createdAt(),
  },
  (t) => [index('referral_notes_referral_id_index').on(t.referral_id, t.id)],
)
