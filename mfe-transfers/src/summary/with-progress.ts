import type { CohortSummary, Progress } from '@portal/contracts/transfers/cohorts'

/**
 * The cohort with what the latest poll says of it. Page and poll are answers of two moments: whatever both of them say
 * (status, sums, counts of the round) is read from the poll alone, so that no two figures of the page disagree.
 */
export function withProgress<C extends CohortSummary>(cohort: C, progress: Progress | undefined): C {
  if (!progress) return cohort
  const { status, stopped, transfer_cohort_stats, round } = progress
  const { payments_disbursed, payments_confirmed, total_amount_confirmed } = progress
  const confirmed = { payments_disbursed, payments_confirmed, total_amount_confirmed }
  const polled = { ...cohort, status, stopped, transfer_cohort_stats, ...confirmed }
  if (!round) return polled
  const { pending, sending, success, failed, unknown, withheld, written_off } = round
  return {
    ...polled,
    master_list_statuses: {
      pending: pending - sending,
      sending,
      success,
      failed,
      unknown,
      withheld,
      written_off,
      rejected: 0,
      // Erased recipients have no payment, so they are the difference between rows of the list and payments of the round.
      erased: cohort.master_list_count - round.total,
    },
  }
}
