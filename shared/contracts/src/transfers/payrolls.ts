import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { chosen, id, instant, listQuery, page, pageQuery, required, searched } from '../fields.ts'
import { exportStarted } from '../registers/register-fields.ts'
import { Cohort, cohortStatuses, Payable, paymentStatuses, RoundPlan, shownStatuses } from './cohorts.ts'
import { nameOutcomes } from './name-outcomes.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** A disbursement round, figures in whole francs. */
export const PayrollGroup = v.object({
  id: v.number(),
  n: v.number(),
  due_on: v.string(),
  count,
  pending: count,
  successful: count,
  /** Without those that are withheld or written off. */
  failed: count,
  withheld: count,
  written_off_count: count,
  unknown: count,
  expected: money,
  disbursed: money,
  /** Payments and francs that signed statements confirm (Money 9.5). */
  confirmed: count,
  confirmed_amount: money,
  /** With what is withheld. */
  arrears: money,
  withheld_amount: money,
  pending_amount: money,
  unknown_amount: money,
  written_off: money,
  fees: money,
  /** When its last entry was settled; null while it runs. */
  executed_at: v.nullable(instant),
  created_at: instant,
})
export type PayrollGroup = v.InferOutput<typeof PayrollGroup>

/** A payment to one recipient in one round. */
export const PayrollEntry = v.object({
  id: v.number(),
  /** What the agency knows the payment by. */
  reference: v.string(),
  external_trx_id: v.nullable(v.string()),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  receiver_phone_number: v.nullable(v.string()),
  amount: money,
  fees: money,
  status: v.picklist(paymentStatuses),
  failure_reason: v.nullable(v.string()),
  created_at: instant,
  updated_at: instant,
})
export type PayrollEntry = v.InferOutput<typeof PayrollEntry>

/**
 * Where a payment stands for a person who acts on it: its status, of open ones which are overdue at the agency or wait for
 * a second person who settles them, and of failed ones which are in doubt (the agency
 * answered something else too), reached the family after all, wait for the correction of their recipient, are of a payee on hold, were withheld by a hold
 * that has ended, or are written off.
 */
export const paymentStates = [
  ...paymentStatuses,
  'overdue',
  'settling',
  'doubted',
  'paid_after_all',
  'correcting',
  'held',
  'withheld',
  'written_off',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** What a person may do about a payment (Money 4.11, Money 4.12, Money 4.14, Money 4.18). */
export const paymentActs = ['retry', 'correct', 'write_off', 'settle'] as const
export type PaymentAct = (typeof paymentActs)[number]

/** A payment on the page of its round, with what can be done about it. */
export const RoundPayment = v.object({
  ...PayrollEntry.entries,
  /** The row of the list, which is the recipient in all rounds. */
  master_list_id: v.number(),
  receiver_account: v.nullable(v.string()),
  /** The girl, and whether she is on hold. */
  student_id: v.number(),
  held: v.boolean(),
  /** Whether it goes by an approved correction instead of the list. */
  corrected: v.boolean(),
  state: v.picklist(paymentStates),
  /** What the agency says of its recipient's name; null where it was not asked. */
  name_state: v.nullable(v.picklist(nameOutcomes)),
  /** The acts that its state allows. */
  acts: v.array(v.picklist(paymentActs)),
  /** What comes next, or who has to act; null if nothing does. */
  next_step: v.nullable(v.string()),
  /** The agency's own code for the failure; null where the reason is the portal's. */
  agency_code: v.nullable(v.string()),
  /** Why it was written off. */
  write_off_reason: v.nullable(v.string()),
  /** Who refused the latest correction of the recipient, and why; null once one is approved, and where none is needed. */
  refused_correction: v.nullable(v.string()),
})
export type RoundPayment = v.InferOutput<typeof RoundPayment>

/** The cohort of a round. */
export const CohortOfGroup = v.object({
  id: v.number(),
  name: v.string(),
  from: v.string(),
  to: v.string(),
  status: v.picklist(cohortStatuses),
})

/** A round among those of its cohort, with the first page of its payments: it never grows with the cohort. */
export const ListedPayrollGroup = v.object({
  ...PayrollGroup.entries,
  transfer_payrolls: page(PayrollEntry),
  transfer_cohort: CohortOfGroup,
})
export type ListedPayrollGroup = v.InferOutput<typeof ListedPayrollGroup>

/** Failed payments of a cohort by the agency's reason, over all its rounds. */
export const FailedPayments = v.object({
  reason: v.string(),
  /** The agency's own code for the failure; null where the reason is the portal's. */
  agency_code: v.nullable(v.string()),
  /** What ends a failure of this kind. */
  next_step: v.nullable(v.string()),
  count,
  amount: money,
})
export type FailedPayments = v.InferOutput<typeof FailedPayments>

/** Failed payments to pay again: those that were chosen, or all of a cohort that failed for one reason (Money 4.11). */
export const PaymentRetry = v.pipe(
  v.object({
    payroll_ids: v.optional(chosen),
    cohort_id: v.optional(id),
    reason: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long|200'))),
    /** How many the person has seen: no more are made again. */
    at_most: v.optional(id),
  }),
  v.forward(
    v.check(
      ({ payroll_ids, cohort_id, reason, at_most }) =>
        payroll_ids ? (cohort_id ?? reason ?? at_most) === undefined : !!cohort_id && !!reason,
      'choose',
    ),
    ['payroll_ids'],
  ),
  v.transform((retry) => retry as ChosenRetry | ReasonRetry),
)
type ChosenRetry = { payroll_ids: number[] }
type ReasonRetry = { cohort_id: number; reason: string; at_most?: number }
export type PaymentRetry = v.InferOutput<typeof PaymentRetry>

/** Failed payments that will not be made any more, with the reason for all of them (Money 4.12). */
export const WriteOff = v.object({
  payroll_ids: chosen,
  reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
})
export type WriteOff = v.InferOutput<typeof WriteOff>

/** What an agency's answer or statement said that cannot be so; the payment stays unknown, or as it was (Money 4.7, 9.7). */
export const exceptionKinds = [
  'contradiction',
  'key',
  'reference',
  'amount',
  'currency',
  'recipient',
  'transaction',
  'not_found',
  'unreadable',
  'statement',
  'several',
  'returned',
] as const
export type ExceptionKind = (typeof exceptionKinds)[number]

/** An exception of a round, with the payment it is about; `expected` and `answered` are the two values. */
export const PaymentException = v.object({
  id: v.number(),
  payroll_id: v.number(),
  reference: v.string(),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  status: v.picklist(shownStatuses),
  kind: v.picklist(exceptionKinds),
  expected: v.nullable(v.string()),
  answered: v.string(),
  created_at: instant,
})
export type PaymentException = v.InferOutput<typeof PaymentException>

/** Why the reader cannot have failed payments of the cohort paid again now; null when she can. */
const retryBarred = v.nullable(v.string())
const statusFilter = { status: v.optional(v.picklist(shownStatuses)) }

/** The calls on rounds and their payments. */
export const payrolls = {
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/payrolls',
    access: 'transfers.view',
    query: pageQuery(['n']),
    answer: v.object({
      cohort: v.object({
        ...Cohort.entries,
        rounds: v.array(RoundPlan),
        transfer_payroll_groups: page(ListedPayrollGroup),
        payable: Payable,
        failures: v.array(FailedPayments),
        retry_barred: retryBarred,
      }),
    }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/payroll/:groupId',
    access: 'transfers.view',
    query: listQuery(['updated_at', 'receiver_last_name', 'amount'], statusFilter),
    answer: v.object({
      payrollGroup: v.object({
        ...PayrollGroup.entries,
        transfer_payrolls: page(RoundPayment),
        /** What its agency answered that cannot be so, newest first; the first hundred. */
        exceptions: v.array(PaymentException),
        retry_barred: retryBarred,
        /** Why the reader cannot write off failed payments of the cohort now; null if nothing keeps from it. */
        write_off_barred: v.nullable(v.string()),
        /** Whether its payments are sent by files for a bank (Money 7.9). */
        takes_files: v.boolean(),
        /** Whether its agency tells whose number it is (Money 5.21). */
        tells_names: v.boolean(),
        transfer_cohort: CohortOfGroup,
      }),
    }),
  }),
  /**
   * Pays failed payments again, each by a new attempt. Of chosen ones all are, or none: a 409 then says of each why, under
   * `payroll_ids.{id}`. Of those of a reason, `left_out` have an answer of the agency that somebody must look at first.
   */
  retry: endpoint({
    method: 'POST',
    path: '/admin/transfers/payrolls/retry',
    access: 'cohorts.approve',
    body: PaymentRetry,
    answer: v.object({
      message: v.string(),
      retried: v.number(),
      amount: money,
      left_out: v.number(),
      /** Those of the reason that the next call makes again, because this one had its time. */
      left: v.number(),
    }),
  }),
  /** Writes off chosen failed payments, all of them or none: a 409 says of each why, under `payroll_ids.{id}`. */
  writeOff: endpoint({
    method: 'POST',
    path: '/admin/transfers/arrears/write-off',
    access: 'arrears.write-off',
    body: WriteOff,
    answer: v.object({ message: v.string(), written_off: v.number(), amount: money }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/payroll/export',
    access: 'payrolls.export',
    body: v.object({
      payroll_id: id,
      search: searched,
      ...statusFilter,
    }),
    answer: exportStarted,
  }),
}
