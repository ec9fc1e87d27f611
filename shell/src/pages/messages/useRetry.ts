import { asProblem } from '@portal/client/problem'
import { messages } from '@portal/contracts/attendance/messages'
import { problemText } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useHost, useQueryClient } from '@portal/sdk'
import { useRef } from 'react'

/** Has a failed message processed again; says what came of it. A second press waits for the first. */
export function useRetry() {
  const { client, notify } = useHost()
  const queries = useQueryClient()
  const asked = useRef(new Set<number>())
  return async (id: number) => {
    if (asked.current.has(id)) return
    asked.current.add(id)
    try {
      const { message } = await client.call(messages.retry, { params: { id } })
      notify.good(message)
    } catch (thrown) {
      const problem = asProblem(thrown)
      const reference = problem.request_id
      notify.bad(problemText(problem), reference ? { reference } : {})
    } finally {
      asked.current.delete(id)
      refetchTwice(queries, [messages.list])
    }
  }
}
