import * as v from 'valibot'
import { salutations } from '../cases.ts'
import { documentUpload, SharedDocument } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import { id, instant } from '../fields.ts'
import { isWritten, properName } from '../one-line.ts'

/** What a consultant sees: number and dates of the case, nothing else of it, the reviewer masked (Cases 4.2). */
export const Consultation = v.object({
  id: v.number(),
  number: v.string(),
  /** Null once it is answered or declined: the link no longer shows the request. */
  comment: v.nullable(v.string()),
  salutation: v.picklist(salutations),
  first_name: v.string(),
  last_name: v.string(),
  created_at: instant,
  expires_at: instant,
  resolved_at: v.nullable(instant),
  rejected_at: v.nullable(instant),
  /** Each name is masked: its first letter and four dots. */
  user: v.object({ id: v.number(), first_name: v.string(), last_name: v.string() }),
  complain: v.object({ id: v.number(), number: v.string(), created_at: instant }),
  document: v.nullable(SharedDocument),
  documents: v.array(SharedDocument),
})
export type Consultation = v.InferOutput<typeof Consultation>

const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'boolean'),
  v.transform((value) => value === true || value === 'true'),
)

/** The answer: a comment, or a refusal whose comment is optional; ids are bound to the invite and otherwise ignored. */
export const ConsultationAnswer = v.pipe(
  v.object({
    complain_id: v.optional(id),
    referral_id: v.optional(id),
    reviewer_id: v.optional(id),
    reject: v.optional(flag, false),
    comment: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(5000, 'too_long|5000')), ''),
    file: v.optional(documentUpload),
  }),
  v.forward(
    v.partialCheck(
      [['reject'], ['comment']],
      ({ reject, comment }) => reject || isWritten(comment),
      'required',
    ),
    ['comment'],
  ),
)
export type ConsultationAnswer = v.InferOutput<typeof ConsultationAnswer>

/** The consultant's calls; both writes carry the invite in the header `X-Invite`. */
export const external = {
  read: endpoint({
    method: 'GET',
    path: '/external/cases/:invite',
    access: 'invite',
    answer: v.object({ complainReferral: Consultation }),
  }),
  addFile: endpoint({
    method: 'POST',
    path: '/external/cases/file',
    access: 'invite',
    body: v.object({ description: properName, complain_id: v.optional(id), file: documentUpload }),
    multipart: true,
    answer: v.object({ message: v.string(), referral: Consultation }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/external/cases/resolve',
    access: 'invite',
    body: ConsultationAnswer,
    multipart: true,
    answer: v.object({ message: v.string(), referral: Consultation }),
  }),
}
