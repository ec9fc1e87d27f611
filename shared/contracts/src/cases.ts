import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { instant, listQuery, PersonName, page } from './fields.ts'

export const CaseStatus = v.picklist(['new', 'open', 'in_progress', 'resolved', 'rejected'])
export const Priority = v.picklist(['low_1_month', 'medium_1_week', 'high_1_day'])
const Named = v.object({ id: v.number(), name: v.string() })

/** A case as the list shows it; on the wire a case is a `complain` (section 3). */
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
  tags: v.array(Named),
  created_at: instant,
})
export type Case = v.InferOutput<typeof Case>

/** Who may be asked to review: the partner's person is an active account with `cases.manage` (decisions 3.9). */
export const Reviewer = v.object({
  id: v.number(),
  name: v.string(),
  user: v.object({
    id: v.number(),
    first_name: v.string(),
    last_name: v.string(),
    email: v.nullable(v.string()),
  }),
})

const ReferralDocument = v.object({
  id: v.number(),
  description: v.string(),
  file_name: v.string(),
  file_type: v.string(),
  download_url: v.string(),
  created_at: instant,
})

/** What a consultant sees: nothing of the case but its number and date, the reviewer masked (decisions 5.7). */
export const ExternalReferral = v.object({
  id: v.number(),
  number: v.string(),
  comment: v.nullable(v.string()),
  salutation: v.picklist(['mr', 'mrs', 'miss', 'prof', 'dr']),
  first_name: v.string(),
  last_name: v.string(),
  created_at: instant,
  resolved_at: v.nullable(v.string()),
  rejected_at: v.nullable(v.string()),
  user: v.object({ id: v.number(), first_name: v.string(), last_name: v.string() }),
  complain: v.object({ id: v.number(), number: v.string(), created_at: instant }),
  documents: v.array(ReferralDocument),
})
export type ExternalReferral = v.InferOutput<typeof ExternalReferral>

export const cases = {
  /** Everybody's with `cases.view`; otherwise those one filed or reviews. */
  list: endpoint({
    method: 'GET',
    path: '/admin/cases',
    access: 'session',
    query: v.object({
      ...listQuery(['created_at', 'number', 'title', 'priority', 'status']).entries,
      search_term: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'too_long|200')), ''),
      status: v.optional(CaseStatus),
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
}

export const external = {
  read: endpoint({
    method: 'GET',
    path: '/external/cases/:invite',
    access: 'invite',
    answer: v.object({ complainReferral: ExternalReferral }),
  }),
}
