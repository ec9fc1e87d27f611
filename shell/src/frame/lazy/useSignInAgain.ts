import { asProblem } from '@portal/client/problem'
import { session } from '@portal/contracts/session'
import { problemText } from '@portal/screens/problemText'
import { useState } from 'react'
import { client, queryClient } from '../../session/client.ts'
import { useSessionStore } from '../../session/session.ts'

/** What a person types to sign in once more, and the call for it. `confirming` is told when she has proved who she is. */
export function useSignInAgain(confirming: ((proved: boolean) => void) | undefined) {
  const user = useSessionStore((state) => state.session?.user)
  const begin = useSessionStore((state) => state.begin)
  const [password, setPassword] = useState('')
  // Null until the server asks for one.
  const [code, setCode] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const email = user?.email ?? ''

  const signIn = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const answer = await client.call(session.signIn, {
        body: { email, password, ...(code && { code }) },
      })
      // What is on the page belongs to the person who opened it.
      if (answer.session.user?.id !== user?.id) return window.location.assign('/home')
      begin(answer.session)
      if (confirming) return confirming(true)
      await queryClient.invalidateQueries()
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.errors.code) setCode(code ?? '')
      setFailure(problem.message || problemText(problem))
    } finally {
      setBusy(false)
    }
  }

  return { email, password, setPassword, code, setCode, busy, failure, signIn }
}
