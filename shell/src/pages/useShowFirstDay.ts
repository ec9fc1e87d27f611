import { asProblem } from '@portal/client/problem'
import { invalidate } from '@portal/client/query'
import { firstDay } from '@portal/contracts/access/first-day'
import { problemText } from '@portal/screens/problemText'
import { useHost, useMutation, useQueryClient } from '@portal/sdk'
import { useSessionStore } from '../session/session.ts'

/** Leaves the first day or brings it back. The session has what home shows, so it changes with the answer. */
export function useShowFirstDay(onDone?: () => void) {
  const { client, notify } = useHost()
  const queries = useQueryClient()
  const guide = useSessionStore((state) => state.guide)
  return useMutation({
    mutationFn: (shown: boolean) => client.call(firstDay.show, { body: { shown } }),
    onSuccess: ({ message, shown }) => {
      guide(shown)
      onDone?.()
      notify.good(message)
      void invalidate(queries, firstDay.read)
    },
    onError: (fault) => notify.bad(problemText(asProblem(fault))),
  })
}
