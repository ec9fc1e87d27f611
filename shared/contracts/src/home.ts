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
    v.object({ admin_district_as_cap: v.string(), schools: v.number(), total_disbursed: v.number() }),
  ),
})
export type HomeStatistics = v.InferOutput<typeof HomeStatistics>

export const home = {
  statistics: endpoint({
    method: 'GET',
    path: '/home/statistics',
    access: 'session',
    answer: HomeStatistics,
  }),
}
