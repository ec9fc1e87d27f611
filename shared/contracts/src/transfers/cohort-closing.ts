import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, required } from '../fields.ts'

/** What keeps a cohort from being closed, in the order in which people end it (Money 5.14). */
export const openPointKinds = [
  'error',
  'pending',
  'unknown',
  'failed',
  'withheld',
  'exceptions',
  'corrections',
  'moves',
  'statements',
] as const
export type OpenPointKind = (typeof openPointKinds)[number]

/** What is open of a cohort, with the way to end it. */
export const CohortClosing = v.object({
  open: v.array(
    v.object({ kind: v.picklist(openPointKinds), count: v.number(), what: v.string(), way: v.string() }),
  ),
  /** Planned rounds that are not made once it is closed. */
  rounds_left: v.number(),
  /** Why the reader cannot close it, whatever is open. */
  barred: v.nullable(v.string()),
})
export type CohortClosing = v.InferOutput<typeof CohortClosing>

/** The calls on closing a cohort for good (Money 5.14). */
export const cohortClosing = {
  /** What is open, and how each of it ends. */
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/closing',
    access: 'transfers.view',
    answer: CohortClosing,
  }),
  /** A 409 names all that is open. */
  close: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/close',
    access: 'cohorts.approve',
    fresh: true,
    body: v.object({ reason: v.pipe(required, v.maxLength(500, 'too_long|500')) }),
    answer: done,
  }),
}
