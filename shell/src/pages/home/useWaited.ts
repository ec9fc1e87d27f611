import { useEffect, useState } from 'react'

/** How long the page waits for what stands below its figures, once they are there. */
const waitMs = 2000

/** True once that time is over: what has not come by then no longer delays the rest. */
export function useWaited(figures: boolean): boolean {
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    if (!figures) return
    const timer = setTimeout(setWaited, waitMs, true)
    return () => clearTimeout(timer)
  }, [figures])
  return waited
}
