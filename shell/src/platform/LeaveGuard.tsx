import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { forgetForms, isDirty, useLeaving } from '../session/dirty.ts'

/** Asks before a page is left on which something typed would be lost. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const go = () => {
      // Confirming to leave clears all dirty flags, also those that a module forgot to clear.
      forgetForms()
      blocker.proceed()
    }
    const asked = { go, stay: blocker.reset }
    useLeaving.setState({ asked })
    // Back to another address of this page is not asked about, and ends what was asked before.
    return () => useLeaving.setState((now) => (now.asked === asked ? { asked: null } : now))
  }, [blocker])
  return null
}
