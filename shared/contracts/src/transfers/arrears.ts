import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { id, listQuery, PersonName, page, searched } from '../fields.ts'
import { exportStarted, Named } from '../registers/register-fields.ts'
import { paymentStates } from './payrolls.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** How many days ago the round of a payment was due; a round that is not due yet belongs to the first. */
export const arrearAges = ['0-30', '31-60', '61-90', 'over-90'] as const
export type ArrearAge = (typeof arrearAges)[number]

/** Why payments of a girl are in arrears: their state, and the reason of the failure. */
const ArrearCause = v.object({
  state: v.picklist(paymentStates),
  reason: v.nullable(v.string()),
  count,
  amount: money,
})

/** A girl with what she is owed, over all cohorts and rounds: of the payments that search and filters leave. */
export const GirlInArrears = v.object({
  /** The student. */
  id: v.number(),
  ...PersonName.entries,
  student_code: v.string(),
  school_name: v.string(),
  cap_name: v.string(),
  amount: money,
  payments: count,
  /** The day on which the oldest of the payments was due, how many days ago that was, and its age. */
  since: v.string(),
  days: v.number(),
  age: v.picklist(arrearAges),
  /** The largest amount first. */
  causes: v.array(ArrearCause),
})
export type GirlInArrears = v.InferOutput<typeof GirlInArrears>

/** What is owed of one age. */
export const ArrearsOfAge = v.object({
  age: v.picklist(arrearAges),
  girls: count,
  payments: count,
  amount: money,
})
export type ArrearsOfAge = v.InferOutput<typeof ArrearsOfAge>

const filters = {
  cap: v.optional(id),
  school: v.optional(id),
  transfer_agency_id: v.optional(id),
  /** The agency's code for the failure, or one of the portal. */
  reason: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long|200'))),
  age: v.optional(v.picklist(arrearAges)),
}

/** The calls on arrears. */
export const arrears = {
  /** The girls to whom money is owed, longest first; the sums are of all of them. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/arrears',
    access: 'transfers.view',
    query: listQuery(['since', 'amount', 'last_name'], filters),
    answer: v.object({
      arrears: page(GirlInArrears),
      totals: v.object({ girls: count, payments: count, amount: money }),
      /** All four ages, whichever of them the list is filtered by. */
      ages: v.array(ArrearsOfAge),
      /** What the list can be filtered by: reasons that payments in arrears have, and schools of the chosen CAP. */
      reasons: v.array(v.object({ code: v.string(), name: v.string() })),
      schools: v.array(Named),
      /** Rounds that were missed in all cohorts. Nothing was made for them, so they are no arrears (Money 2.5). */
      missed: v.object({ rounds: count, amount: money }),
    }),
  }),
  /** The girls that search and filters of the list leave. */
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/arrears/export',
    access: 'payrolls.export',
    body: v.object({
      search: searched,
      ...filters,
    }),
    answer: exportStarted,
  }),
}
