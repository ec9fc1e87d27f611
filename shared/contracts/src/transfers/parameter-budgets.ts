import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, instant, number, oneOf, PersonName, required, whole } from '../fields.ts'

/** Whole francs. */
const money = v.number()

/** More than any programme pays in a year, and still exact as a number. */
export const maxBudget = 1_000_000_000_000

/** A budget that waits for a second person. */
export const ProposedBudget = v.object({
  id: v.number(),
  amount: money,
  reason: v.string(),
  user: PersonName,
  created_at: instant,
  /** Whether the reader proposed it, and so can withdraw it. */
  own: v.boolean(),
  /** Why the reader cannot confirm it; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type ProposedBudget = v.InferOutput<typeof ProposedBudget>

/** What may be paid with a parameter in a calendar year, and what of it is used; fees are included. */
export const ParameterBudget = v.object({
  parameter_id: v.number(),
  parameter: v.string(),
  year: v.number(),
  /** Null while no budget is confirmed: then nothing is limited. */
  amount: v.nullable(money),
  spent: money,
  /** What approved rounds will still cost. */
  reserved: money,
  proposed: v.nullable(ProposedBudget),
})
export type ParameterBudget = v.InferOutput<typeof ParameterBudget>

/** The budget of one year beside what the approval of a cohort would reserve of it. */
export const BudgetOfApproval = v.object({
  year: v.number(),
  amount: v.nullable(money),
  spent: money,
  reserved: money,
  /** Amounts and fees of the rounds of this cohort that the approval starts or plans. */
  needed: money,
})
export type BudgetOfApproval = v.InferOutput<typeof BudgetOfApproval>

/** The form that proposes a budget. */
export const BudgetProposal = v.object({
  year: whole(2000, 2100),
  amount: v.pipe(
    number,
    v.integer('whole_francs'),
    v.minValue(1, 'amount_positive'),
    v.maxValue(maxBudget, `amount_max|${maxBudget}`),
  ),
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
})
export type BudgetProposal = v.InferOutput<typeof BudgetProposal>

/** The calls on budgets (Money 5.17). They have their own file, so that other pages load without them. */
export const parameterBudgets = {
  /** This year and later ones of every active parameter, and every year in which something waits for a second person. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/budgets',
    access: 'transfers.view',
    answer: v.object({ year: v.number(), budgets: v.array(ParameterBudget) }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/admin/transfers/parameter/:id/budgets',
    access: 'parameters.create',
    body: BudgetProposal,
    answer: done,
  }),
  /** Whoever proposed it takes it back before it is decided. */
  withdraw: endpoint({
    method: 'POST',
    path: '/admin/transfers/budgets/:id/withdraw',
    access: 'parameters.create',
    answer: done,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/budgets/:id/decide',
    access: 'cohorts.approve',
    body: v.object({ action: oneOf('confirmed', 'refused') }),
    answer: done,
  }),
  /** Of each year in which a round of the cohort would be paid; an approver reads it before deciding. */
  ofCohort: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/budgets',
    access: 'transfers.view',
    answer: v.object({ years: v.array(BudgetOfApproval) }),
  }),
}
