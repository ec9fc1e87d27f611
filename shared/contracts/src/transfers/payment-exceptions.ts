import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, id, instant, listQuery, oneOf, PersonName, page, required } from '../fields.ts'
import { exceptionKinds, PaymentException } from './payrolls.ts'

/** Whole francs. */
const money = v.number()

/** Where an exception stands. */
export const exceptionStates = ['open', 'closed'] as const

/**
 * What a person found out about an exception: the state of the payment is right, its money moved although it counts as
 * failed, or did not arrive although it counts as paid (Money 4.17).
 */
const exceptionDecisions = ['status_stands', 'money_moved', 'money_missing'] as const
export type ExceptionDecision = (typeof exceptionDecisions)[number]

/** An exception in the list of all rounds, with its decision. */
export const ListedException = v.object({
  ...PaymentException.entries,
  amount: money,
  cohort_name: v.string(),
  payroll_group_id: v.number(),
  decision: v.nullable(v.picklist(exceptionDecisions)),
  decision_reason: v.nullable(v.string()),
  decided_by: v.nullable(PersonName),
  decided_at: v.nullable(instant),
  /** Why the reader cannot close it now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type ListedException = v.InferOutput<typeof ListedException>

/** The decision that closes an exception. */
export const ExceptionClosing = v.object({
  decision: oneOf(...exceptionDecisions),
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
})
export type ExceptionClosing = v.InferOutput<typeof ExceptionClosing>

/** The calls on answers of agencies that do not agree. They have their own file, so that other pages load without them. */
export const paymentExceptions = {
  /** Answers of agencies that do not agree, the newest first. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/exceptions',
    access: 'transfers.view',
    query: listQuery(['created_at', 'amount'], {
      state: v.optional(v.picklist(exceptionStates)),
      kind: v.optional(v.picklist(exceptionKinds)),
      payroll_group_id: v.optional(id),
    }),
    answer: v.object({ exceptions: page(ListedException) }),
  }),
  close: endpoint({
    method: 'POST',
    path: '/admin/transfers/exceptions/:id/close',
    access: 'cohorts.approve',
    fresh: true,
    body: ExceptionClosing,
    answer: done,
  }),
}
