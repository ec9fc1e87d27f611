import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, id, listQuery, oneOf, page, version } from './fields.ts'
import { reviewQuery } from './registers/register-fields.ts'
import {
  Agency,
  AgencyChangeDecision,
  AgencyCreate,
  AgencyUpdate,
  Parameter,
  ParameterCreate,
} from './transfers/agencies.ts'
import {
  Cohort,
  CohortDecision,
  CohortSummary,
  CohortUpload,
  ListFlag,
  listedCohortStatuses,
  MasterListFilters,
  Payable,
  Progress,
  RoundPlan,
  RoundStart,
  shownStatuses,
} from './transfers/cohorts.ts'
import {
  CohortOfGroup,
  CorrectionDecision,
  FailedPayments,
  ListedPayrollGroup,
  PaymentException,
  PaymentRetry,
  PayrollGroup,
  RecipientCorrection,
  RoundPayment,
  WaitingCorrection,
  WriteOff,
} from './transfers/payrolls.ts'

/** Whole francs. */
const money = v.number()

/** Why the reader cannot have failed payments of the cohort paid again now; null when she can. */
const retryBarred = v.nullable(v.string())
const statusFilter = { status: v.optional(v.picklist(shownStatuses)) }
/** An export answers at once; the file follows (Imports 5.2). */
const exportAnswer = v.object({ message: v.string(), file_name: v.string() })

const searchOfExport = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'too_long|200')), '')

/** The calls on transfers. */
export const transfers = {
  settings: endpoint({
    method: 'GET',
    path: '/admin/transfers/settings',
    access: 'transfers.view',
    answer: v.object({
      agencies: v.array(Agency),
      /** The last three and the last two, newest first. */
      parameters: v.array(Parameter),
      cohorts: v.array(Cohort),
      totalAmountDisbursed: money,
      finalAmountArrears: money,
      totalAmountFees: money,
      totalAmountExpected: money,
      totalAmountPending: money,
      totalAmountUnknown: money,
      totalAmountWrittenOff: money,
      /** Which installation this is; null for whoever may not make agencies. */
      installation: v.nullable(v.string()),
      message: v.string(),
    }),
  }),
  createAgency: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency',
    access: 'agencies.create',
    body: AgencyCreate,
    answer: done,
  }),
  updateAgency: endpoint({
    method: 'PUT',
    path: '/admin/transfers/agency/:id',
    access: 'agencies.update',
    fresh: true,
    body: AgencyUpdate,
    answer: done,
  }),
  decideAgencyChange: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency/changes/:id/decide',
    access: 'agencies.update',
    fresh: true,
    body: AgencyChangeDecision,
    answer: done,
  }),
  /** Whoever proposed a change takes it back before it is decided. Nothing changes by it, so no fresh sign-in is needed. */
  withdrawAgencyChange: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency/changes/:id/withdraw',
    access: 'agencies.update',
    answer: done,
  }),
  createParameter: endpoint({
    method: 'POST',
    path: '/admin/transfers/parameter',
    access: 'parameters.create',
    body: ParameterCreate,
    answer: done,
  }),
  updateParameter: endpoint({
    method: 'PUT',
    path: '/admin/transfers/parameter/:id',
    access: 'parameters.create',
    body: v.object({ status: oneOf('active', 'inactive'), version }),
    answer: done,
  }),
  cohorts: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts',
    access: 'transfers.view',
    query: listQuery(['created_at', 'name', 'status', 'from'], {
      /** `approved` is without those that were closed for good. */
      status: v.optional(v.picklist(listedCohortStatuses)),
      /** Of those with this status, the ones that I uploaded and have to act on (Money 5.12). */
      waits: v.optional(v.picklist(['rejected', 'error'])),
      transfer_agency_id: v.optional(id),
    }),
    answer: v.object({ cohorts: page(Cohort) }),
  }),
  parameters: endpoint({
    method: 'GET',
    path: '/admin/transfers/parameters',
    access: 'transfers.view',
    query: listQuery(['created_at', 'name', 'status'], {
      status: v.optional(v.picklist(['active', 'inactive'])),
    }),
    answer: v.object({ parameters: page(Parameter) }),
  }),
  importCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/import',
    access: 'cohorts.create',
    query: reviewQuery,
    body: CohortUpload,
    multipart: true,
    answer: v.object({
      message: v.string(),
      cohort: v.object({ id: v.number(), name: v.string() }),
      import: v.object({ id: v.number() }),
    }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/summary',
    access: 'transfers.view',
    query: listQuery(
      ['receiver_last_name', 'student_code', 'amount', 'updated_at'],
      MasterListFilters.entries,
    ),
    answer: v.object({
      cohort: v.object({
        ...CohortSummary.entries,
        /** The latest rounds, newest first; the others are in the call `payrolls`. */
        transfer_payroll_groups: page(ListedPayrollGroup),
      }),
    }),
  }),
  /** What is out of the ordinary on a list; an approver reads it before deciding. */
  flags: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/flags',
    access: 'transfers.view',
    answer: v.object({ flags: v.array(ListFlag) }),
  }),
  progress: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/progress',
    access: 'transfers.view',
    answer: Progress,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/approve',
    access: 'cohorts.approve',
    body: CohortDecision,
    answer: done,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/stop',
    access: 'cohorts.approve',
    answer: done,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/resume',
    access: 'cohorts.approve',
    answer: done,
  }),
  startRound: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/rounds/:n/start',
    access: 'cohorts.approve',
    body: RoundStart,
    answer: done,
  }),
  payrolls: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/payrolls',
    access: 'transfers.view',
    query: listQuery(['n']),
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
  payroll: endpoint({
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
  retryPayments: endpoint({
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
  /** Proposes a correction of a recipient of whom a payment has failed. */
  correctRecipient: endpoint({
    method: 'POST',
    path: '/admin/transfers/master-list/:id/corrections',
    access: 'recipients.correct',
    body: RecipientCorrection,
    answer: done,
  }),
  /** The corrections that wait for a second person, the oldest first: of one round, or of all. */
  corrections: endpoint({
    method: 'GET',
    path: '/admin/transfers/corrections',
    access: 'transfers.view',
    query: listQuery(['id'], { payroll_group_id: v.optional(id) }),
    answer: v.object({ corrections: page(WaitingCorrection) }),
  }),
  decideCorrection: endpoint({
    method: 'POST',
    path: '/admin/transfers/corrections/:id/decide',
    access: 'cohorts.approve',
    body: CorrectionDecision,
    answer: done,
  }),
  /** Whoever proposed a correction takes it back before it is decided. */
  withdrawCorrection: endpoint({
    method: 'POST',
    path: '/admin/transfers/corrections/:id/withdraw',
    access: 'recipients.correct',
    answer: done,
  }),
  exportCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id, search: searchOfExport, ...MasterListFilters.entries }),
    answer: exportAnswer,
  }),
  exportPayroll: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/payroll/export',
    access: 'payrolls.export',
    body: v.object({
      payroll_id: id,
      search: searchOfExport,
      ...statusFilter,
    }),
    answer: exportAnswer,
  }),
}
