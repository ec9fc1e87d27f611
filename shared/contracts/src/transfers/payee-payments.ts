import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { instant, listQuery, PersonName, page } from '../fields.ts'
import { paymentStatuses } from './cohorts.ts'
import { paymentStates } from './payrolls.ts'

/** Whole francs. */
const money = v.number()

/** A payment for a girl, in a round of any cohort. */
export const PayeePayment = v.object({
  id: v.number(),
  reference: v.string(),
  /** The girl; a guardian may have several. */
  girl: v.object({ id: v.number(), ...PersonName.entries }),
  cohort_name: v.string(),
  payroll_group_id: v.number(),
  n: v.number(),
  due_on: v.string(),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  amount: money,
  status: v.picklist(paymentStatuses),
  state: v.picklist(paymentStates),
  failure_reason: v.nullable(v.string()),
  write_off_reason: v.nullable(v.string()),
  /** What comes next, or who has to act; null if nothing does. */
  next_step: v.nullable(v.string()),
  updated_at: instant,
})
export type PayeePayment = v.InferOutput<typeof PayeePayment>

/** expected = paid + owed + pending + written off, to the franc. What is unknown counts as pending. */
const PaymentTotals = v.object({
  expected: money,
  paid: money,
  owed: money,
  pending: money,
  written_off: money,
})
export type PaymentTotals = v.InferOutput<typeof PaymentTotals>

const query = listQuery(['due_on', 'amount'], {
  /** Paid, still owed, or on their way; without it all, also what is written off. */
  of: v.optional(v.picklist(['paid', 'owed', 'pending', 'written_off'])),
})
/** `note` says more of the person: student code and school, or the number of the guardian. */
const answer = v.object({
  person: v.object({ id: v.number(), ...PersonName.entries, note: v.string() }),
  totals: PaymentTotals,
  payments: page(PayeePayment),
})

/** The calls on all payments for one girl, and for all girls of one guardian. */
export const payeePayments = {
  ofGirl: endpoint({
    method: 'GET',
    path: '/admin/transfers/payees/:id/payments',
    access: 'transfers.view',
    query,
    answer,
  }),
  ofGuardian: endpoint({
    method: 'GET',
    path: '/admin/transfers/guardians/:id/payments',
    access: 'transfers.view',
    query,
    answer,
  }),
}
