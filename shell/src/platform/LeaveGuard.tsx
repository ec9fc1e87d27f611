import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { forgetForms, isDirty, useLeaving } from './dirty.ts'

/** Asks before a page is left on which something typed would be lost. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const go = () => {
      // Who agreed to leave has agreed to lose, even what a module forgot to take back.
      forgetForms()
      blocker.proceed()
    }
    useLeaving.setState({ asked: { go, stay: blocker.reset } })
  }, [blocker])
  return null
}
