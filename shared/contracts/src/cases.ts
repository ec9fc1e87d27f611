import * as v from 'valibot'
import { documentUpload, SharedDocument } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { done, email, id, instant, listQuery, oneOf, PersonName, page, searched, version } from './fields.ts'
import { isWritten, properName } from './one-line.ts'

/** `new → open → in_progress → open → resolved | rejected` (Cases 1.1). */
export const caseStatuses = ['new', 'open', 'in_progress', 'resolved', 'rejected'] as const
export type CaseStatus = (typeof caseStatuses)[number]
/** A month, a week, a day (Cases 1.3). */
export const priorities = ['low_1_month', 'medium_1_week', 'high_1_day'] as const
export type Priority = (typeof priorities)[number]
/** What happened to a case, told apart in its timeline. */
const caseActs = [
  'filed',
  'document',
  'activity',
  'assigned',
  'referred',
  'revoked',
  'answered',
  'declined',
  'expired',
  'resolved',
  'rejected',
] as const
export type CaseAct = (typeof caseActs)[number]
export const salutations = ['mr', 'mrs', 'miss', 'prof', 'dr'] as const

/** Why the letter with the link did not reach the expert: its address was refused, or no mail server took it in about two days. */
const undeliveredReasons = ['refused', 'not_taken'] as const
export type Undelivered = (typeof undeliveredReasons)[number]

export const CaseStatus = v.picklist(caseStatuses)
export const Priority = v.picklist(priorities)
const Named = v.object({ id: v.number(), name: v.string() })
const text = v.pipe(v.string(), v.trim(), v.maxLength(5000, 'too_long|5000'))
const longText = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.check((text) => text === '' || isWritten(text), 'required'),
  v.maxLength(5000, 'too_long|5000'),
)

/** A case as the list shows it; on the wire a case is a `complain`. */
export const Case = v.object({
  id: v.number(),
  number: v.string(),
  title: v.string(),
  description: v.string(),
  status: CaseStatus,
  priority: Priority,
  type: Named,
  channel: Named,
  assigned_id: v.number(),
  assigned: PersonName,
  user: PersonName,
  plaintiff: v.nullable(v.string()),
  tags: v.array(Named),
  /** The day it is to be decided by, from filing date and priority; `overdue` while it is undecided past it. */
  due_on: v.string(),
  overdue: v.boolean(),
  created_at: instant,
  /** The version for the optimistic lock. It changes with assignments and acts of others, so that the reviewer's own acts cause no 409. */
  version: v.number(),
})
export type Case = v.InferOutput<typeof Case>

/** Who may be asked to review: the partner's person is an active account with `cases.manage` (Cases 2.2). */
export const Reviewer = v.object({
  id: v.number(),
  name: v.string(),
  user: v.object({ id: v.number(), first_name: v.string(), last_name: v.string() }),
})
export type Reviewer = v.InferOutput<typeof Reviewer>

/** A supporting document. */
export const CaseDocument = v.object({
  ...SharedDocument.entries,
  /** It came from a consultant. */
  external: v.boolean(),
})
export type CaseDocument = v.InferOutput<typeof CaseDocument>

/** What happened to a case; `user` is null where a consultant or the portal acted. */
export const CaseEvent = v.object({
  id: v.number(),
  act: v.picklist(caseActs),
  status: CaseStatus,
  note: v.nullable(v.string()),
  channel: v.nullable(Named),
  user: v.nullable(PersonName),
  created_at: instant,
})
export type CaseEvent = v.InferOutput<typeof CaseEvent>

/** A consultation as the reviewer sees it. */
export const Referral = v.object({
  id: v.number(),
  number: v.string(),
  comment: v.string(),
  salutation: v.picklist(salutations),
  first_name: v.string(),
  last_name: v.string(),
  email: v.string(),
  profession: v.string(),
  user: PersonName,
  created_at: instant,
  expires_at: instant,
  resolved_at: v.nullable(instant),
  rejected_at: v.nullable(instant),
  revoked_at: v.nullable(instant),
  expired_at: v.nullable(instant),
  /** Set while the letter to the expert is given up; null again once it was sent after all (Cases 4.7). */
  undelivered: v.nullable(v.picklist(undeliveredReasons)),
  /** The first of the documents that the consultant was sent. */
  document: v.nullable(CaseDocument),
  /** All that was shared with the consultant, and all that came back. */
  documents: v.array(CaseDocument),
  complain: v.object({ id: v.number(), number: v.string(), title: v.string(), created_at: instant }),
  notes: v.array(v.object({ note: v.string(), document: v.nullable(CaseDocument), created_at: instant })),
})
export type Referral = v.InferOutput<typeof Referral>

/** Filing a case (Cases 2.3): `type` is shown as Category, `reviewer` is a user's id. */
export const CaseCreate = v.object({
  title: properName,
  description: longText,
  type: id,
  channel: id,
  reviewer: id,
  priority: oneOf(...priorities),
  plaintiff: v.optional(text),
  tags: v.optional(v.array(id)),
  file: v.optional(documentUpload),
})
export type CaseCreate = v.InferOutput<typeof CaseCreate>

/** Asking an outside expert. */
export const ReferralCreate = v.object({
  complain_id: id,
  comment: longText,
  salutation: oneOf(...salutations),
  first_name: properName,
  last_name: properName,
  email,
  profession: properName,
  document_ids: v.optional(v.array(id)),
  file: v.optional(documentUpload),
})
export type ReferralCreate = v.InferOutput<typeof ReferralCreate>

/** The calls on cases; the acts are the assigned reviewer's only. */
export const cases = {
  /** Everybody's with `cases.view`; otherwise those one filed or reviews. */
  list: endpoint({
    method: 'GET',
    path: '/admin/cases',
    access: 'session',
    query: v.object({
      /** `-mine_overdue`, the order if none is given: one's own overdue cases first, then newest first (Cases 2.4). */
      ...listQuery(['created_at', 'number', 'title', 'priority', 'status', 'due_on', 'mine_overdue']).entries,
      search_term: searched,
      status: v.optional(CaseStatus),
      priority: v.optional(Priority),
      type: v.optional(id),
      reviewer: v.optional(id),
      /** Those I filed or review. */
      mine: v.optional(v.literal('yes')),
      /** `mine`: this week, of those that I filed or review. */
      due: v.optional(v.picklist(['undecided', 'overdue', 'this_week', 'mine'])),
    }),
    answer: v.object({
      complains: page(Case),
      complainTypes: v.array(Named),
      complainTags: v.array(Named),
      complainChannels: v.array(Named),
      partners: v.array(Reviewer),
      isSearch: v.boolean(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/cases',
    access: 'cases.create',
    body: CaseCreate,
    multipart: true,
    answer: v.object({ message: v.string(), complain: v.object({ id: v.number(), number: v.string() }) }),
  }),
  details: endpoint({
    method: 'GET',
    path: '/admin/cases/:id/details',
    access: 'session',
    answer: v.object({
      complain: v.object({
        ...Case.entries,
        verdict: v.nullable(v.string()),
        documents: v.array(CaseDocument),
        states: v.array(CaseEvent),
      }),
      referrals: v.array(Referral),
      channels: v.array(Named),
      currentUserId: v.number(),
    }),
  }),
  addFile: endpoint({
    method: 'POST',
    path: '/admin/cases/file',
    access: 'cases.manage',
    body: v.object({ complain_id: id, description: properName, file: documentUpload }),
    multipart: true,
    answer: done,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/cases/resolve',
    access: 'cases.manage',
    body: v.object({
      complain_id: id,
      action: oneOf('resolve', 'reject'),
      verdict: v.optional(text),
      version,
    }),
    answer: done,
  }),
  addActivity: endpoint({
    method: 'POST',
    path: '/admin/cases/activity',
    access: 'cases.manage',
    body: v.object({ complain_id: id, note: longText, channel_id: id }),
    answer: done,
  }),
  refer: endpoint({
    method: 'POST',
    path: '/admin/cases/refer',
    access: 'cases.manage',
    body: ReferralCreate,
    multipart: true,
    answer: done,
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/admin/cases/:id/assign',
    access: 'cases.manage',
    body: v.object({ reviewer: id, version }),
    answer: done,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/admin/cases/referrals/:id/revoke',
    access: 'cases.manage',
    answer: done,
  }),
  /** A session that may see the case, or the header `X-Invite` of the referral it was shared with. */
  document: endpoint({
    method: 'GET',
    path: '/storage/documents/:id',
    access: 'invite',
    answer: v.unknown(),
  }),
}
