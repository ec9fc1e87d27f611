import type { CohortSummary, ListStatus, RoundPlan } from '@portal/contracts/transfers/cohorts'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'

/** What approving a cohort on a day does to its rounds: which one is made, which are missed, which follow (Money 2.4). */
export function approvalPlan(
  { from, to, transfer_parameter }: Pick<CohortSummary, 'from' | 'to' | 'transfer_parameter'>,
  day: string,
  paid = false,
) {
  const plan = planRounds(from, to, transfer_parameter.frequency)
  const n = roundAtApproval(plan, day)
  const made = plan.find((round) => round.n === n) ?? { n: 1, due_on: from }
  return {
    total: plan.length,
    made,
    /** Its day lies ahead: nothing is sent before. */
    ahead: made.due_on > day,
    /** Its agency had paid it before sending was held: nothing of it is sent. */
    paid,
    missed: plan.filter((round) => round.n < n),
    later: plan.filter((round) => round.n > n),
  }
}

/** The plan as the server holds it; before approval as it would be if it were approved today. */
export function planOf(cohort: CohortSummary, day: string): RoundPlan[] {
  if (cohort.rounds.length > 0 || cohort.status !== 'pending') return cohort.rounds
  const { missed, made, later } = approvalPlan(cohort, day)
  const as = (state: RoundPlan['state']) => (round: { n: number; due_on: string }) => ({
    ...round,
    state,
    payroll_group_id: null,
    perhaps_paid: false,
  })
  return [...missed.map(as('missed')), ...[made, ...later].map(as('scheduled'))]
}

/** Payments of the latest round by status, zeros written out. */
export const statusCounts = (cohort: CohortSummary): Record<ListStatus, number> => ({
  pending: 0,
  sending: 0,
  success: 0,
  failed: 0,
  unknown: 0,
  withheld: 0,
  written_off: 0,
  rejected: 0,
  erased: 0,
  ...cohort.master_list_statuses,
})
