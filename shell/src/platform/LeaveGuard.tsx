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
    useLeaving.setState({ asked: { go, stay: blocker.reset } })
  }, [blocker])
  return null
}
