import { queryOf } from '@portal/client/query'
import { approvalLimits } from '@portal/contracts/access/approval-limits'
import { useHost, useQuery } from '@portal/sdk'

/** The reader's limit beside what the approval of a cohort would let be paid. */
export function useApprovalLimit(id: number) {
  const { client } = useHost()
  return useQuery({ ...queryOf(client, approvalLimits.ofCohort, { params: { id } }), staleTime: 0 })
}
