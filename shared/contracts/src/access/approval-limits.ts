import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, number } from '../fields.ts'
import { maxBudget } from '../transfers/parameter-budgets.ts'

/** The form that sets a limit: whole francs, or null for none. */
export const ApprovalLimitForm = v.object({
  amount: v.nullable(
    v.pipe(
      number,
      v.integer('whole_francs'),
      v.minValue(1, 'amount_positive'),
      v.maxValue(maxBudget, `amount_max|${maxBudget}`),
    ),
  ),
})
export type ApprovalLimitForm = v.InferOutput<typeof ApprovalLimitForm>

/** The limit of the reader beside what the approval of a cohort would let be paid. */
export const LimitOfApproval = v.object({
  /** Null without a limit. */
  limit: v.nullable(v.number()),
  /** Amounts and fees of all rounds that the approval starts or plans. */
  needed: v.number(),
  /** Why the reader cannot approve it, and who can; null if the limit is kept. */
  barred: v.nullable(v.string()),
})
export type LimitOfApproval = v.InferOutput<typeof LimitOfApproval>

/** The calls on limits of approvers (Money 5.18). */
export const approvalLimits = {
  set: endpoint({
    method: 'POST',
    path: '/admin/users/:id/approval-limit',
    access: 'users.assign-roles',
    fresh: true,
    body: ApprovalLimitForm,
    answer: done,
  }),
  ofCohort: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/approval-limit',
    access: 'transfers.view',
    answer: LimitOfApproval,
  }),
}
