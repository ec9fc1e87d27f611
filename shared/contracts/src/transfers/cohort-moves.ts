import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, id, instant, oneOf, PersonName, required } from '../fields.ts'

/** Whole francs. */
const money = v.number()
const Sum = v.object({ count: v.number(), amount: money })

/** A move that waits for a second person. */
export const ProposedMove = v.object({
  id: v.number(),
  agency: v.object({ id: v.number(), name: v.string() }),
  reason: v.string(),
  user: PersonName,
  created_at: instant,
  /** Whether the reader proposed it, and so can withdraw it. */
  own: v.boolean(),
  /** Why the reader cannot approve it now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type ProposedMove = v.InferOutput<typeof ProposedMove>

/** What moves of a cohort if it goes to another agency, and what does not (Money 5.16). */
export const CohortMove = v.object({
  agency: v.object({ id: v.number(), name: v.string() }),
  /** The agencies of the same country that can be chosen. */
  agencies: v.array(
    v.object({ id: v.number(), name: v.string(), type: v.picklist(['mobile_money', 'bank']) }),
  ),
  /** Waits to be sent, and moves. */
  pending: Sum,
  /** Rounds that are not made yet. They are paid through the other agency. */
  rounds_left: v.number(),
  /** Failed or withheld. If they are made again, it is through the other agency. */
  failed: Sum,
  /** At the agency, which is asked about them. They stay there. */
  sending: v.number(),
  unknown: Sum,
  /** The agency that was asked about, with what keeps the cohort from being moved there; null without one. */
  wanted: v.nullable(
    v.object({
      obstacles: v.array(v.string()),
      /** Numbers that begin as none of this agency's. It may still pay them. */
      other_operator: v.number(),
    }),
  ),
  proposal: v.nullable(ProposedMove),
})
export type CohortMove = v.InferOutput<typeof CohortMove>

/** The calls on moving a cohort to another agency. They have their own file, so that other pages load without them. */
export const cohortMoves = {
  /** What would move, and what keeps it from moving to the wanted agency. */
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/move',
    access: 'transfers.view',
    query: v.object({ transfer_agency_id: v.optional(id) }),
    answer: CohortMove,
  }),
  propose: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/move',
    access: 'cohorts.create',
    body: v.object({
      transfer_agency_id: id,
      reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
    }),
    answer: done,
  }),
  /** Approving needs another person. */
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohort-moves/:id/decide',
    access: 'cohorts.approve',
    fresh: true,
    body: v.object({ action: oneOf('approved', 'refused') }),
    answer: done,
  }),
  /** Whoever proposed it takes it back before it is decided. */
  withdraw: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohort-moves/:id/withdraw',
    access: 'cohorts.create',
    answer: done,
  }),
}
