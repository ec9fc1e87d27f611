import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, id, instant, name, oneOf, PersonName, page, pageQuery, required } from '../fields.ts'
import { NameAnswer } from './name-outcomes.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()
const optionalName = v.optional(name)

/** Another name, number or account of a recipient (Money 4.14). What is left out stays as it is. */
export const RecipientCorrection = v.object({
  receiver_first_name: optionalName,
  receiver_last_name: optionalName,
  receiver_phone_number: v.optional(v.pipe(required, v.maxLength(50, 'too_long|50'))),
  receiver_account: v.optional(v.pipe(required, v.maxLength(100, 'too_long|100'))),
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
})
export type RecipientCorrection = v.InferOutput<typeof RecipientCorrection>

/** The second person's decision, with a comment for whoever proposed the correction. */
export const CorrectionDecision = v.object({
  action: oneOf('approved', 'refused'),
  comment: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500, 'too_long|500'))),
})
export type CorrectionDecision = v.InferOutput<typeof CorrectionDecision>

const Recipient = v.object({
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  receiver_phone_number: v.nullable(v.string()),
  receiver_account: v.nullable(v.string()),
})

/** A correction that waits for a second person, with the failed payments that it is about. */
export const WaitingCorrection = v.object({
  id: v.number(),
  cohort_name: v.string(),
  /** The latest round with a failed payment of the recipient. */
  payroll_group_id: v.number(),
  old_values: Recipient,
  new_values: Recipient,
  reason: v.string(),
  user: PersonName,
  created_at: instant,
  failed: count,
  amount: money,
  /** How many other recipients of the list have the new number. */
  shared: count,
  /** The row of the list, and what the agency said of the new number and name; null where it was not asked. */
  master_list_id: v.number(),
  name_answer: v.nullable(NameAnswer),
  /** Whether the agency tells whose number it is. */
  tells_names: v.boolean(),
  /** Whether the reader proposed it, and so can withdraw it. */
  own: v.boolean(),
  /** Why the reader cannot approve it now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type WaitingCorrection = v.InferOutput<typeof WaitingCorrection>

/** The calls on corrections of recipients. */
export const recipientCorrections = {
  /** Proposes a correction of a recipient of whom a payment has failed. */
  propose: endpoint({
    method: 'POST',
    path: '/admin/transfers/master-list/:id/corrections',
    access: 'recipients.correct',
    body: RecipientCorrection,
    answer: done,
  }),
  /** The corrections that wait for a second person, the oldest first: of one round, or of all. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/corrections',
    access: 'transfers.view',
    query: pageQuery(['id'], { payroll_group_id: v.optional(id) }),
    answer: v.object({ corrections: page(WaitingCorrection) }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/corrections/:id/decide',
    access: 'cohorts.approve',
    body: CorrectionDecision,
    answer: done,
  }),
  /** Whoever proposed a correction takes it back before it is decided. */
  withdraw: endpoint({
    method: 'POST',
    path: '/admin/transfers/corrections/:id/withdraw',
    access: 'recipients.correct',
    answer: done,
  }),
}
