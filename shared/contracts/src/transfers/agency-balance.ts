import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** Whole francs. */
const money = v.number()

/** What the agency has beside what one round of a cohort needs; it is asked when the call is made. */
export const AgencyBalance = v.object({
  agency: v.string(),
  /** In the paying account; null if the agency does not tell it. */
  balance: v.nullable(money),
  /** Why the balance is not known. */
  unknown: v.nullable(v.string()),
  /** Amounts and fees of one round. */
  needed: money,
  /** What other approved lists at this agency are still to be paid, up to the day of this round: amounts and fees. */
  others: money,
  /** How many lists these are. */
  other_lists: v.number(),
  /** What is left of the balance after the others and this round; null if it is short or not known. */
  left: v.nullable(money),
  /** What is missing for the others and this round; 0 if the balance is enough or not known. */
  missing: money,
})
export type AgencyBalance = v.InferOutput<typeof AgencyBalance>

/** The call that asks an agency for its balance. */
export const agencyBalance = {
  ask: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/balance',
    access: 'cohorts.approve',
    answer: AgencyBalance,
  }),
}
