import * as v from 'valibot'
import { daysInOrder } from '../days-in-order.ts'
import { endpoint } from '../endpoint.ts'
import { day, id } from '../fields.ts'
import { exportStarted } from '../registers/register-fields.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** A count of girls below this is not told, because it may identify one of them (Money 3.9). */
export const smallCount = 5

/** A count of girls; null where it is hidden. */
const guarded = v.nullable(count)

/** Girls who were paid, of a place or a class level. Payments and amount are hidden with the girls. */
export const ReachedPart = v.object({
  /** Null for girls whose class level the register does not have. */
  key: v.nullable(v.string()),
  name: v.nullable(v.string()),
  girls: guarded,
  payments: guarded,
  amount: v.nullable(money),
})
export type ReachedPart = v.InferOutput<typeof ReachedPart>

const fees = v.object({ payments: count, amount: money })

/** What a donor reads about a period. Each figure is defined in Money 3.9. */
export const DonorReport = v.object({
  disbursed: money,
  payments: count,
  recipients: guarded,
  girls: guarded,
  /** Payments whose last answer in the period was a refusal. */
  refused: count,
  /** A part of 1: disbursed of decided; null if nothing was decided. */
  success_rate: v.nullable(v.number()),
  /** At the end of the period. */
  arrears: v.object({ amount: money, payments: count, girls: guarded }),
  /** What agencies charged by their signed statements, and by their tariff for payments that no statement has. */
  stated_fees: fees,
  tariff_fees: fees,
  /** The programme's commission on what was disbursed. */
  commission: money,
  /** CAPs, or the schools of the chosen CAP. */
  place: v.picklist(['cap', 'school']),
  places: v.array(ReachedPart),
  levels: v.array(ReachedPart),
  /** Girls by place, in the order of `places`, and by class level, in the order of `levels`. */
  girls_by_place_and_level: v.array(v.array(guarded)),
})
export type DonorReport = v.InferOutput<typeof DonorReport>

/** A period of days in UTC, and optionally a place and an agency. */
export const ReportFilters = v.pipe(
  v.object({ from: day, to: day, cap: v.optional(id), transfer_agency_id: v.optional(id) }),
  daysInOrder(),
)
export type ReportFilters = v.InferOutput<typeof ReportFilters>

/**
 * A report that reads more payments than a call has time for. A worker counts it, on request and for all who ask for the
 * same.
 */
export const CountedReport = v.object({
  state: v.picklist(['none', 'waiting', 'counting', 'ready', 'failed']),
  /** How many payments it reads, about, and how many of them are read. */
  payments: count,
  payments_done: count,
  /** The moment that its figures are of; null while there are none. */
  counted_at: v.nullable(v.string()),
})
export type CountedReport = v.InferOutput<typeof CountedReport>

/** The calls on the donor's report. */
export const donorReport = {
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/report',
    access: 'transfers.view',
    query: ReportFilters,
    /** `counted` is null where the figures are of this moment. Otherwise they are of `counted_at`, or not there yet. */
    answer: v.object({ report: v.nullable(DonorReport), counted: v.nullable(CountedReport) }),
  }),
  /** Has a worker count the report; answers 202, and `read` says how far it is. */
  count: endpoint({
    method: 'POST',
    path: '/admin/transfers/report/count',
    access: 'transfers.view',
    body: ReportFilters,
    answer: v.object({ message: v.string() }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/report/export',
    access: 'payrolls.export',
    body: ReportFilters,
    answer: exportStarted,
  }),
}
