import * as v from 'valibot'
import { daysInOrder } from '../days-in-order.ts'
import { endpoint } from '../endpoint.ts'
import { day, id, listQuery, page, searched } from '../fields.ts'
import { exportStarted } from '../registers/register-fields.ts'
import { Cohort, CohortStats, Confirmed, listedCohortStatuses } from './cohorts.ts'

/**
 * A cohort with what was expected, paid and owed. The sums are of rounds due in the period and of payments for students of
 * the CAP, where the list is filtered by them.
 */
export const Reconciliation = v.object({
  id: Cohort.entries.id,
  name: Cohort.entries.name,
  from: Cohort.entries.from,
  to: Cohort.entries.to,
  status: Cohort.entries.status,
  stopped: Cohort.entries.stopped,
  closed: Cohort.entries.closed,
  transfer_agency: Cohort.entries.transfer_agency,
  /** How many rounds the sums are of. */
  rounds: v.number(),
  ...CohortStats.entries,
  ...Confirmed.entries,
})
export type Reconciliation = v.InferOutput<typeof Reconciliation>

/** The sums over all cohorts that are listed. */
export const ReconciliationTotals = v.object({ ...CohortStats.entries, ...Confirmed.entries })
export type ReconciliationTotals = v.InferOutput<typeof ReconciliationTotals>

/** Cohorts with something disbursed of which signed statements confirm all, a part or nothing (Money 9.5). */
export const confirmedParts = ['full', 'part', 'none'] as const
export type ConfirmedPart = (typeof confirmedParts)[number]

const filters = {
  status: v.optional(v.picklist(listedCohortStatuses)),
  transfer_agency_id: v.optional(id),
  cap: v.optional(id),
  confirmed: v.optional(v.picklist(confirmedParts)),
  /** First and last day, both included; each may be missing. */
  from: v.optional(day),
  to: v.optional(day),
}

/** The calls on reconciliations. */
export const reconciliations = {
  /** Cohorts whose period has a day of the wanted one, and whose list has students of the CAP; `totals` are of all of them. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/reconciliations',
    access: 'transfers.view',
    query: v.pipe(
      listQuery(
        [
          'created_at',
          'name',
          'status',
          'total_amount_expected',
          'total_amount_disbursed',
          'total_amount_arrears',
          'total_amount_pending',
          'total_amount_fees',
          'total_amount_confirmed',
        ],
        filters,
      ),
      daysInOrder(),
    ),
    answer: v.object({ reconciliations: page(Reconciliation), totals: ReconciliationTotals }),
  }),
  /** The cohorts and sums that search and filters of the list leave. */
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/reconciliations/export',
    access: 'payrolls.export',
    body: v.pipe(
      v.object({
        search: searched,
        ...filters,
      }),
      daysInOrder(),
    ),
    answer: exportStarted,
  }),
}
