import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import {
  day,
  done,
  excelUpload,
  francs,
  id,
  instant,
  listQuery,
  name,
  number,
  oneOf,
  PersonName,
  page,
  required,
  whole,
} from './fields.ts'
import { importStates } from './imports.ts'

const money = v.number()
const count = v.number()

import { reviewQuery } from './register-fields.ts'

/** How an agency is spoken to (decisions 4.9). */
export const protocols = ['sandbox', 'wave', 'gsma', 'file'] as const
export type Protocol = (typeof protocols)[number]

/** Section 3. `details` never carries a secret back (decisions 4.8); `secrets` names those that are set. */
export const Agency = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  type: v.picklist(['mobile_money', 'bank']),
  country: v.picklist(['ml', 'sn']),
  /** The agency's own tariff in percent, for comparison only (decisions 4.2). */
  fees: v.number(),
  endpoint: v.string(),
  details: v.record(v.string(), v.unknown()),
  secrets: v.array(v.string()),
  status: v.picklist(['active', 'inactive']),
  user: PersonName,
  created_at: instant,
})
export type Agency = v.InferOutput<typeof Agency>

/** Text that is a JSON object. The server knows what each protocol needs in it. */
const jsonObject = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(20_000, 'too_long|20000'),
  v.check((text) => {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    } catch {
      return false
    }
  }, 'json_object'),
)

/** The create-agency form (section 5). */
export const AgencyCreate = v.object({
  name,
  description: required,
  type: oneOf('mobile_money', 'bank'),
  country: oneOf('ml', 'sn'),
  fees: v.pipe(number, v.minValue(0, 'between|0|100'), v.maxValue(100, 'between|0|100')),
  endpoint: v.pipe(
    v.string('required'),
    v.trim(),
    v.nonEmpty('required'),
    v.maxLength(500, 'too_long|500'),
    v.url('endpoint_url'),
  ),
  details: jsonObject,
})
export type AgencyCreate = v.InferOutput<typeof AgencyCreate>

/** What may change of an agency: secrets are rotated by sending whole new details. */
export const AgencyUpdate = v.object({
  status: v.optional(oneOf('active', 'inactive')),
  details: v.optional(jsonObject),
  endpoint: v.optional(AgencyCreate.entries.endpoint),
})

/** Section 3; `commission` in percent, `amount` in whole francs per round, `frequency` in times per month. */
export const Parameter = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  commission: v.number(),
  amount: money,
  currency: v.literal('XOF'),
  frequency: v.number(),
  status: v.picklist(['active', 'inactive']),
  user: PersonName,
  created_at: instant,
})
export type Parameter = v.InferOutput<typeof Parameter>

/** The create-parameter form (section 5, decisions 4.1-4.3). */
export const ParameterCreate = v.object({
  name,
  description: required,
  commission: v.pipe(
    number,
    v.minValue(0, 'commission_range'),
    v.maxValue(100, 'commission_range'),
    v.check((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-9, 'commission_decimals'),
  ),
  amount: francs,
  currency: v.pipe(
    v.string('required'),
    v.trim(),
    v.nonEmpty('required'),
    v.toUpperCase(),
    v.literal('XOF', 'currency_xof'),
  ),
  frequency: whole(1, 31),
})
export type ParameterCreate = v.InferOutput<typeof ParameterCreate>

/** `pending → approved | rejected`, `approved → error`, `error → approved` (decisions 4.6). */
export const cohortStatuses = ['pending', 'approved', 'rejected', 'error'] as const
export type CohortStatus = (typeof cohortStatuses)[number]

/** Of an attempt and of its entry (decisions 4.5). */
export const paymentStatuses = ['pending', 'sending', 'success', 'failed', 'unknown'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** expected = disbursed + arrears + pending + unknown + written off, to the franc, at every instant (decisions 4.4). */
export const CohortStats = v.object({
  total_amount_expected: money,
  total_amount_disbursed: money,
  total_amount_arrears: money,
  total_amount_pending: money,
  total_amount_unknown: money,
  total_amount_written_off: money,
  total_amount_fees: money,
})
export type CohortStats = v.InferOutput<typeof CohortStats>

/** Where an import stands, as polls read it. */
export const ImportProgress = v.object({
  id: v.number(),
  state: v.picklist(importStates),
  rows_read: count,
  rows_imported: count,
  rows_rejected: count,
  rows_duplicate: count,
})
export type ImportProgress = v.InferOutput<typeof ImportProgress>

/** A cohort as lists show it. */
export const Cohort = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  from: v.string(),
  to: v.string(),
  status: v.picklist(cohortStatuses),
  stopped: v.boolean(),
  transfer_agency_id: v.number(),
  transfer_parameter_id: v.number(),
  transfer_agency: v.object({ name: v.string() }),
  transfer_parameter: v.object({ name: v.string(), commission: v.number() }),
  user: PersonName,
  created_at: instant,
  master_list_count: count,
  /** Sum of the list's expected amounts, per round. */
  list_amount: money,
  /** Sum of the list's fees, per round. */
  list_fees: money,
  rounds_total: count,
  transfer_cohort_stats: CohortStats,
})
export type Cohort = v.InferOutput<typeof Cohort>

/** One line of the plan of rounds (decisions 4.3). */
export const RoundPlan = v.object({
  n: v.number(),
  due_on: v.string(),
  state: v.picklist(['scheduled', 'missed', 'made']),
  payroll_group_id: v.nullable(v.number()),
})
export type RoundPlan = v.InferOutput<typeof RoundPlan>

/** Section 3; `amount` expected, `fees`, `total_amount` sent; status and reference of the latest round. */
export const MasterListEntry = v.object({
  id: v.number(),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  receiver_phone_number: v.nullable(v.string()),
  receiver_account: v.nullable(v.string()),
  student: v.object({ student_code: v.string() }),
  total_amount: money,
  fees: money,
  amount: money,
  reference_code: v.nullable(v.string()),
  status: v.picklist(paymentStatuses),
  failure_reason: v.nullable(v.string()),
  created_at: instant,
  updated_at: instant,
})
export type MasterListEntry = v.InferOutput<typeof MasterListEntry>

/** A disbursement round, figures in whole francs. */
export const PayrollGroup = v.object({
  id: v.number(),
  n: v.number(),
  due_on: v.string(),
  count,
  pending: count,
  successful: count,
  failed: count,
  unknown: count,
  expected: money,
  disbursed: money,
  arrears: money,
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

/** The upload form (section 5): all required. */
export const CohortUpload = v.object({
  name,
  description: required,
  from: day,
  to: day,
  transfer_agency_id: id,
  transfer_parameter_id: id,
  target_list_file: excelUpload,
})
export type CohortUpload = v.InferOutput<typeof CohortUpload>

/** Approval or rejection (decisions 4.6); `list_hash` is what the approver looked at, `confirmed_overlaps` the cohorts whose overlap the approver confirms (decisions 4.7). */
export const CohortDecision = v.object({
  action: v.picklist(['approved', 'rejected'], 'decision'),
  comment: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(1000, 'too_long|1000'))),
  list_hash: v.optional(v.string()),
  confirmed_overlaps: v.optional(v.array(id)),
})
export type CohortDecision = v.InferOutput<typeof CohortDecision>

/** What an approver is shown before deciding. */
export const CohortCheck = v.object({
  /** Students also in another approved cohort whose period overlaps (decisions 4.7). */
  overlaps: v.array(v.object({ cohort_id: v.number(), cohort_name: v.string(), students: count })),
  /** Numbers that more than one recipient shares, and how many rows they make. */
  shared_numbers: count,
  shared_rows: count,
  /** Why this person may not decide, or null (four eyes, decisions 3.4). */
  barred: v.nullable(v.string()),
})

/** Counters only, so that it costs the same whatever the cohort's size (decisions section 2). */
export const Progress = v.object({
  status: v.picklist(cohortStatuses),
  stopped: v.boolean(),
  import: ImportProgress,
  round: v.nullable(
    v.object({
      id: v.number(),
      n: v.number(),
      due_on: v.string(),
      total: count,
      pending: count,
      success: count,
      failed: count,
      unknown: count,
      percent: v.number(),
      /** When nothing was left to send; null while it runs. */
      executed_at: v.nullable(instant),
    }),
  ),
})
export type Progress = v.InferOutput<typeof Progress>

/** The cohort of the summary page, with one page of its master list. */
export const CohortSummary = v.object({
  ...Cohort.entries,
  transfer_agency: v.object({
    id: v.number(),
    name: v.string(),
    type: v.picklist(['mobile_money', 'bank']),
    country: v.picklist(['ml', 'sn']),
    fees: v.number(),
  }),
  transfer_parameter: v.object({
    id: v.number(),
    name: v.string(),
    commission: v.number(),
    amount: money,
    frequency: v.number(),
  }),
  transfer_master_list: page(MasterListEntry),
  /** Counts of the latest round by status; of the list itself before the first. */
  master_list_statuses: v.record(v.picklist(paymentStatuses), count),
  payrolls_count: count,
  rounds: v.array(RoundPlan),
  list_hash: v.nullable(v.string()),
  import: ImportProgress,
  comment: v.nullable(v.string()),
  decided_by: v.nullable(PersonName),
  decided_at: v.nullable(instant),
  error_reason: v.nullable(v.string()),
  check: CohortCheck,
})
export type CohortSummary = v.InferOutput<typeof CohortSummary>

const statusFilter = { status: v.optional(v.picklist(paymentStatuses)) }
/** An export answers at once; the file follows (decisions section 2). */
const exportAnswer = v.object({ message: v.string(), file_name: v.string() })

/** The calls of section 7, Transfers, and decisions section 2. */
export const transfers = {
  settings: endpoint({
    method: 'GET',
    path: '/admin/transfers/settings',
    access: 'transfers.view',
    answer: v.object({
      agencies: v.array(Agency),
      /** The last three and the last two, newest first (section 9). */
      parameters: v.array(Parameter),
      cohorts: v.array(Cohort),
      totalAmountDisbursed: money,
      finalAmountArrears: money,
      totalAmountFees: money,
      totalAmountExpected: money,
      totalAmountPending: money,
      totalAmountUnknown: money,
      totalAmountWrittenOff: money,
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
    access: 'agencies.create',
    body: AgencyUpdate,
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
    body: v.object({ status: oneOf('active', 'inactive') }),
    answer: done,
  }),
  cohorts: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts',
    access: 'transfers.view',
    query: listQuery(['created_at', 'name', 'status', 'from'], {
      status: v.optional(v.picklist(cohortStatuses)),
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
    query: listQuery(['receiver_last_name', 'student_code', 'amount', 'updated_at'], {
      ...statusFilter,
      /** Only recipients whose number another one of the list has too, side by side. */
      shared: v.optional(v.literal('yes')),
    }),
    answer: v.object({ cohort: CohortSummary }),
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
        transfer_payroll_groups: page(PayrollGroup),
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
        transfer_payrolls: page(PayrollEntry),
        transfer_cohort: v.object({
          id: v.number(),
          name: v.string(),
          from: v.string(),
          to: v.string(),
          status: v.picklist(cohortStatuses),
        }),
      }),
    }),
  }),
  exportCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id }),
    answer: exportAnswer,
  }),
  exportPayroll: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/payroll/export',
    access: 'payrolls.export',
    body: v.object({ payroll_id: id }),
    answer: exportAnswer,
  }),
}
