import * as v from 'valibot'
import { documentUpload } from '../documents.ts'
import { endpoint } from '../endpoint.ts'
import { done, id, instant, oneOf, PersonName, page, pageQuery, required } from '../fields.ts'

/** Whole francs. */
const money = v.number()

/** What the evidence says about a payment whose outcome the agency does not give (Money 4.18). */
export const settlementOutcomes = ['paid', 'not_paid'] as const
export type SettlementOutcome = (typeof settlementOutcomes)[number]

/** The proposal: an outcome, why, and its evidence, which is a line of a statement or a document. */
export const SettlementProposal = v.object({
  outcome: oneOf(...settlementOutcomes),
  line_id: v.optional(id),
  file: v.optional(documentUpload),
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
})
export type SettlementProposal = v.InferOutput<typeof SettlementProposal>

/** A line of a statement that can show that a payment was made. */
export const EvidenceLine = v.object({
  id: v.number(),
  statement_id: v.number(),
  file_name: v.string(),
  row: v.number(),
  reference: v.nullable(v.string()),
  transaction_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
  name: v.nullable(v.string()),
  amount: money,
  day: v.string(),
})
export type EvidenceLine = v.InferOutput<typeof EvidenceLine>

/** A settlement that waits for a second person, with the payment and the evidence. */
export const WaitingSettlement = v.object({
  id: v.number(),
  payroll_group_id: v.number(),
  cohort_name: v.string(),
  reference: v.string(),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  receiver_phone_number: v.nullable(v.string()),
  receiver_account: v.nullable(v.string()),
  amount: money,
  outcome: v.picklist(settlementOutcomes),
  reason: v.string(),
  line: v.nullable(EvidenceLine),
  document: v.nullable(v.object({ file_name: v.string(), size: v.number(), download_url: v.string() })),
  user: PersonName,
  created_at: instant,
  /** Whether the reader proposed it, and so can withdraw it. */
  own: v.boolean(),
  /** Why the reader cannot approve it now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type WaitingSettlement = v.InferOutput<typeof WaitingSettlement>

/** The second person's decision. */
export const SettlementDecision = v.object({ action: oneOf('approved', 'refused') })
export type SettlementDecision = v.InferOutput<typeof SettlementDecision>

/** The calls on outcomes that people settle. They have their own file, so that other pages load without them. */
export const paymentSettlements = {
  /** The lines of statements that can show that a payment was made, those that name it first: twenty at most. */
  lines: endpoint({
    method: 'GET',
    path: '/admin/transfers/payments/:id/evidence',
    access: 'cohorts.create',
    answer: v.object({ lines: v.array(EvidenceLine) }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/admin/transfers/payments/:id/settlements',
    access: 'cohorts.create',
    body: SettlementProposal,
    multipart: true,
    answer: done,
  }),
  /** The settlements that wait for a second person, the oldest first: of one round, or of all. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/settlements',
    access: 'transfers.view',
    query: pageQuery(['id'], { payroll_group_id: v.optional(id) }),
    answer: v.object({ settlements: page(WaitingSettlement) }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/settlements/:id/decide',
    access: 'cohorts.approve',
    fresh: true,
    body: SettlementDecision,
    answer: done,
  }),
  /** Whoever proposed it takes it back before it is decided. */
  withdraw: endpoint({
    method: 'POST',
    path: '/admin/transfers/settlements/:id/withdraw',
    access: 'cohorts.create',
    answer: done,
  }),
  document: endpoint({
    method: 'GET',
    path: '/storage/settlements/:id',
    access: 'transfers.view',
    answer: v.unknown(),
  }),
}
