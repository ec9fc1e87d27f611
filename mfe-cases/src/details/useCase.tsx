import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { type Case, cases } from '@portal/contracts/cases'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { useHost, useQuery } from '@portal/sdk'

/** Everything of one case, as its page shows it. */
export type CaseAnswer = AnswerOf<typeof cases.details>

/** Reads a case; what it was stays on screen while it is read again. */
export function useCase(id: number) {
  const { client } = useHost()
  const query = useQuery(queryOf(client, cases.details, { params: { id } }))
  return {
    answer: query.data,
    problem: query.error ? asProblem(query.error) : null,
    retry: () => void query.refetch(),
  }
}

/** Neither resolved nor rejected. */
export const isUndecided = ({ status }: { status: Case['status'] }) =>
  !['resolved', 'rejected'].includes(status)

/** Whether this person may act: the assigned reviewer, while nothing is decided (Cases 1.2). */
export const mayAct = ({ complain, currentUserId }: CaseAnswer) =>
  complain.assigned_id === currentUserId && isUndecided(complain)
