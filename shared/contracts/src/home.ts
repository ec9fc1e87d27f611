import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** What the home page shows; amounts in whole francs, the CAPs from the highest amount down. */
export const HomeStatistics = v.object({
  loggedInUser: v.object({ id: v.number(), first_name: v.string(), last_name: v.string() }),
  totalSchools: v.number(),
  totalStudents: v.number(),
  /** Disbursement rounds that have begun. */
  totalMonths: v.number(),
  totalParents: v.number(),
  totalDisbursed: v.number(),
  /** Transfers that reached their recipient. */
  totalBeneficiaries: v.number(),
  disbursementByCap: v.array(
    v.object({
      id: v.number(),
      /** Its name, with the academy where two CAPs share it. */
      admin_district_as_cap: v.string(),
      schools: v.number(),
      total_disbursed: v.number(),
    }),
  ),
})
export type HomeStatistics = v.InferOutput<typeof HomeStatistics>

/** What waits for one person; whatever this person may not act on counts as none. */
export const Waiting = v.object({
  /** Own lists in review, the rows to correct in them, and the one that waits longest. */
  imports: v.object({
    count: v.number(),
    rows_rejected: v.number(),
    oldest: v.nullable(v.object({ file_name: v.string(), link: v.nullable(v.string()) })),
  }),
  /** Own cohorts that were rejected and not uploaded again, and those in payment error. */
  cohorts: v.object({ rejected: v.number(), error: v.number() }),
  /** Undecided cases that one filed or reviews, due within a week; `overdue` are among them. */
  cases: v.object({ due: v.number(), overdue: v.number() }),
  /** Partners' builds that an administrator has to admit, and the one that waits longest. */
  builds: v.object({
    count: v.number(),
    oldest: v.nullable(
      v.object({
        title: v.object({ en: v.string(), fr: v.string() }),
        version: v.string(),
        link: v.string(),
      }),
    ),
  }),
})
export type Waiting = v.InferOutput<typeof Waiting>

/** The last twelve months of UTC with this one, the oldest first. */
export const Trends = v.object({
  months: v.array(
    v.object({
      /** Its first day. */
      month: v.string(),
      /** Payments whose success was settled in it, and what their recipients got, in whole francs. */
      payments: v.number(),
      disbursed: v.number(),
      /** Learners present, of those enrolled, in the reports that count; a percentage, null if no school reported. */
      student_attendance: v.nullable(v.number()),
    }),
  ),
})
export type Trends = v.InferOutput<typeof Trends>

export const home = {
  trends: endpoint({ method: 'GET', path: '/home/trends', access: 'session', answer: Trends }),
  waiting: endpoint({ method: 'GET', path: '/home/waiting', access: 'session', answer: Waiting }),
  statistics: endpoint({
    method: 'GET',
    path: '/home/statistics',
    access: 'session',
    answer: HomeStatistics,
  }),
}
