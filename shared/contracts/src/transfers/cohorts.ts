import * as v from 'valibot'
import { Country, day, excelUpload, id, instant, name, PersonName, page, required } from '../fields.ts'
import { Headings, headingsField } from '../imports/headings.ts'
import { importStates } from '../imports.ts'
import { nameOutcomes } from './name-outcomes.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** `pending → approved | rejected`, `approved → error`, `error → approved` (Money 5.1). */
export const cohortStatuses = ['pending', 'approved', 'rejected', 'error'] as const
export type CohortStatus = (typeof cohortStatuses)[number]
/** What lists of cohorts are filtered by: one that was closed for good keeps its own status beneath that. */
export const listedCohortStatuses = [...cohortStatuses, 'closed'] as const
export type ListedCohortStatus = (typeof listedCohortStatuses)[number]

/** The statuses of an attempt and of its payment (Money 4.3). */
export const paymentStatuses = ['pending', 'sending', 'success', 'failed', 'unknown'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
/**
 * Where a payment is shown to stand, and what lists of payments are filtered by: a failed one that was withheld or written off has its
 * own word, and *failed* is what an agency refused and is still owed (Money 3.10).
 */
export const shownStatuses = [...paymentStatuses, 'withheld', 'written_off'] as const
export type ShownStatus = (typeof shownStatuses)[number]
/** The statuses of a row of a list: that of its payment, `rejected` with its list, or `erased`: no payment is made for an erased recipient. */
export const listStatuses = [...shownStatuses, 'rejected', 'erased'] as const
export type ListStatus = (typeof listStatuses)[number]

/** expected = disbursed + arrears + pending + unknown + written off, to the franc, at every instant (Money 3.2). */
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

/** How much of what was disbursed the signed statements of agencies confirm (Money 9.5). */
export const Confirmed = v.object({
  payments_disbursed: count,
  payments_confirmed: count,
  total_amount_confirmed: money,
})
export type Confirmed = v.InferOutput<typeof Confirmed>

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
  /** Closed for good: nothing of it can be paid or changed any more (Money 5.14). */
  closed: v.boolean(),
  /** Its last day has passed in UTC, so that what fails of it is not made again (Money 4.11). */
  period_over: v.boolean(),
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

/** One line of the plan of rounds (Money 2.4). */
export const RoundPlan = v.object({
  n: v.number(),
  due_on: v.string(),
  /** `not_made`: its day had not passed yet when its cohort was closed for good (Money 5.14). */
  state: v.picklist(['scheduled', 'missed', 'made', 'not_made']),
  payroll_group_id: v.nullable(v.number()),
  /** Whether a lost database may have had it paid, so that a person asks the agency before it is made (Money 8.4). */
  perhaps_paid: v.boolean(),
})
export type RoundPlan = v.InferOutput<typeof RoundPlan>

/** A row of the master list: `amount` expected, `fees`, `total_amount` sent; status and reference of the latest round. */
export const MasterListEntry = v.object({
  id: v.number(),
  receiver_first_name: v.string(),
  receiver_last_name: v.string(),
  receiver_phone_number: v.nullable(v.string()),
  receiver_account: v.nullable(v.string()),
  /** Number or account as the list was approved with it, where an approved correction has replaced it. */
  listed_number: v.nullable(v.string()),
  student: v.object({ student_code: v.string() }),
  total_amount: money,
  fees: money,
  amount: money,
  /** What the agency says of the recipient's name; null where it was not asked. */
  name_state: v.nullable(v.picklist(nameOutcomes)),
  reference_code: v.nullable(v.string()),
  status: v.picklist(listStatuses),
  failure_reason: v.nullable(v.string()),
  created_at: instant,
  updated_at: instant,
})
export type MasterListEntry = v.InferOutput<typeof MasterListEntry>

/** What narrows the master list, besides its search. */
export const MasterListFilters = v.object({
  status: v.optional(v.picklist(listStatuses)),
  /** Only recipients whose number another one of the list has too, side by side. */
  shared: v.optional(v.literal('yes')),
  /** Only recipients whose name differs from what the agency says. */
  names: v.optional(v.literal('differ')),
})
export type MasterListFilters = v.InferOutput<typeof MasterListFilters>

/** The upload form: all required. */
export const CohortUpload = v.object({
  name,
  description: required,
  from: day,
  to: day,
  transfer_agency_id: id,
  transfer_parameter_id: id,
  target_list_file: excelUpload,
  headings: headingsField,
})
export type CohortUpload = v.InferOutput<typeof CohortUpload>

/** What the agency answered when the person asked whether it has paid the round already (Money 8.4). */
const paidBefore = v.optional(v.boolean())

/** Approval or rejection (Money 5.3); `list_hash` is what the approver looked at, `confirmed_overlaps` the cohorts whose overlap the approver confirms (Money 5.7). */
export const CohortDecision = v.object({
  action: v.picklist(['approved', 'rejected'], 'decision'),
  comment: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(1000, 'too_long|1000'))),
  list_hash: v.optional(v.string()),
  confirmed_overlaps: v.optional(v.array(id)),
  paid_before: paidBefore,
})
export type CohortDecision = v.InferOutput<typeof CohortDecision>

/** What an approver is shown before deciding. */
const CohortCheck = v.object({
  /** Students also in another approved cohort whose period overlaps (Money 5.7). */
  overlaps: v.array(v.object({ cohort_id: v.number(), cohort_name: v.string(), students: count })),
  /** Numbers that more than one recipient shares, and how many rows they make. */
  shared_numbers: count,
  shared_rows: count,
  /** Who changed rows of the list in its review, and who confirmed it; null where nobody reviewed it. */
  review: v.object({
    confirmed_by: v.nullable(PersonName),
    rows_changed: count,
    /** How many of them were left out. */
    rows_left_out: count,
    /** Headings of the file that its uploader named, with their columns; '' where one was left out. */
    headings: Headings,
    changed_by: v.array(PersonName),
  }),
  /** Whether a lost database may have had the round paid that an approval makes (Money 8.4). */
  perhaps_paid: v.boolean(),
  /** Why this person may not decide, or null (four eyes, Money 6.1). */
  barred: v.nullable(v.string()),
})

/** What on a list is out of the ordinary. */
const listFlagKinds = [
  'girl_twice',
  'corrected',
  'amount_parameter',
  'amount_spread',
  'number_changed',
  'number_range',
  'name_unlike',
  'silent_school',
] as const
export type ListFlagKind = (typeof listFlagKinds)[number]

/** Rows of a list to look at before approving, each with what to compare it with; at most 200 of them. */
export const ListFlag = v.object({
  kind: v.picklist(listFlagKinds),
  count: count,
  rows: v.array(
    v.object({
      row: v.number(),
      student_code: v.string(),
      receiver_first_name: v.string(),
      receiver_last_name: v.string(),
      /** Of a corrected cell: its column in the file. */
      column: v.nullable(v.string()),
      value: v.string(),
      /**
       * The parameter's or the list's usual amount, the number last paid, the guardian's name, what the file had, the day
       * of the school's last report ('never' without one), or the other rows of the same girl.
       */
      compared: v.string(),
    }),
  ),
})
export type ListFlag = v.InferOutput<typeof ListFlag>

/**
 * Counters only, so that it costs the same whatever the cohort's size (Money 3.4). It has all that a page says of a round
 * and its money, read in one statement, so that the page never shows two figures of two moments.
 */
export const Progress = v.object({
  status: v.picklist(cohortStatuses),
  stopped: v.boolean(),
  transfer_cohort_stats: CohortStats,
  ...Confirmed.entries,
  /** Since when its agency has settled nothing although payments of this cohort are open; null while all is well. */
  not_progressing_since: v.nullable(instant),
  /** Whether its payments are sent by files for a bank (Money 7.9). */
  takes_files: v.boolean(),
  import: ImportProgress,
  round: v.nullable(
    v.object({
      id: v.number(),
      n: v.number(),
      due_on: v.string(),
      total: count,
      /** Pending and sending together. */
      pending: count,
      sending: count,
      success: count,
      /** Without those that are withheld or written off. */
      failed: count,
      withheld: count,
      written_off: count,
      unknown: count,
      percent: v.number(),
      /** When nothing was left to send or to find out; null before. */
      executed_at: v.nullable(instant),
    }),
  ),
})
export type Progress = v.InferOutput<typeof Progress>

/** What a round that is made now has: the list without recipients who were erased. */
export const Payable = v.object({ count, amount: money, fees: money })
export type Payable = v.InferOutput<typeof Payable>

/** What the person saw when they started a round, as `Payable` has it, and confirmed. A round of other sums is not started. */
export const RoundStart = v.object({
  payments: v.optional(v.number()),
  amount: v.optional(money),
  fees: v.optional(money),
  paid_before: paidBefore,
})
export type RoundStart = v.InferOutput<typeof RoundStart>

/** The cohort of the summary page, with one page of its master list. */
export const CohortSummary = v.object({
  ...Cohort.entries,
  ...Confirmed.entries,
  transfer_agency: v.object({
    id: v.number(),
    name: v.string(),
    type: v.picklist(['mobile_money', 'bank']),
    country: Country,
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
  /** Recipients whose name differs from what the agency says. */
  names_differ: count,
  /** Counts of the latest round by status; of the list itself before the first. */
  master_list_statuses: v.record(v.picklist(listStatuses), count),
  payrolls_count: count,
  payable: Payable,
  rounds: v.array(RoundPlan),
  list_hash: v.nullable(v.string()),
  import: ImportProgress,
  comment: v.nullable(v.string()),
  decided_by: v.nullable(PersonName),
  decided_at: v.nullable(instant),
  error_reason: v.nullable(v.string()),
  /** Who closed it for good, when and why; null while it is open. */
  closing: v.nullable(v.object({ by: PersonName, at: instant, reason: v.string() })),
  /** Whether a move to another agency waits for a second person (Money 5.16). */
  moving: v.boolean(),
  check: CohortCheck,
})
export type CohortSummary = v.InferOutput<typeof CohortSummary>
