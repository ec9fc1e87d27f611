import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { id, listQuery, page } from '../fields.ts'

/** Whole francs. */
const money = v.number()

/**
 * How a list differs from the earlier one of its parameter and girls: girls who are new, who left, whose amount, number or name of the
 * recipient is another one, who are on hold now, and to whom the earlier list still owes money.
 */
export const changeKinds = ['joined', 'left', 'amount', 'number', 'name', 'held', 'owed'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** One difference of one girl. `before` and `after` are numbers or names; of other kinds they are null. */
export const CohortChange = v.object({
  id: v.number(),
  kind: v.picklist(changeKinds),
  student_code: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
  /** Per round, without fees; null on the list that she is not on. */
  amount_before: v.nullable(money),
  amount_after: v.nullable(money),
  /** What it is about: negative where she left or gets less, what is owed, or else her amount on the list. */
  amount: money,
})
export type CohortChange = v.InferOutput<typeof CohortChange>

/**
 * The lists compared. `amount_before` and the amounts of `joined`, `left` and `amount` make `amount_after`, to the franc
 * (Money 5.13).
 */
export const CohortComparison = v.object({
  /** The earlier list; null if no approved one of its parameter has these girls. */
  compared_with: v.nullable(v.object({ id: v.number(), name: v.string(), from: v.string(), to: v.string() })),
  amount_before: money,
  amount_after: money,
  /** Every kind, in the order of the sheet. */
  kinds: v.array(v.object({ kind: v.picklist(changeKinds), count: v.number(), amount: money })),
})
export type CohortComparison = v.InferOutput<typeof CohortComparison>

/** The calls on what changed since the earlier list. */
export const cohortChanges = {
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/changes',
    access: 'transfers.view',
    query: listQuery(['last_name', 'student_code', 'amount'], { kind: v.optional(v.picklist(changeKinds)) }),
    answer: v.object({ name: v.string(), comparison: CohortComparison, changes: page(CohortChange) }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/changes/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id }),
    answer: v.object({ message: v.string(), file_name: v.string() }),
  }),
}
