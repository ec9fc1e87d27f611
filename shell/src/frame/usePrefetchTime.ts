import { messageEvent } from '@portal/ui/notify'
import { useEffect, useState } from 'react'

/** Milliseconds during which the first page has the network for itself. */
const wait = 2500

const near = 'button, [role^=menuitem], .topbar *'
const signs = ['pointerover', 'focusin', 'keydown', 'offline', messageEvent]

/** True once the first page is shown, or earlier at a sign that a lazy component will be needed. */
export function usePrefetchTime(): boolean {
  const [due, setDue] = useState(!navigator.onLine)
  useEffect(() => {
    const begin = () => setDue(true)
    const look = ({ type, target }: Event) => {
      const passing = type === 'pointerover' || type === 'focusin'
      if (!passing || (target instanceof Element && target.closest(near))) begin()
    }
    const timer = setTimeout(begin, wait)
    for (const sign of signs) window.addEventListener(sign, look, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of signs) window.removeEventListener(sign, look)
    }
  }, [])
  return due
}
