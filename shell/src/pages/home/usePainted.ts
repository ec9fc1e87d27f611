import { startTransition, useEffect, useState } from 'react'

/**
 * True once what is drawn with `ready` was painted. What may wait begins then, so that it does not delay the figures. If
 * everything is there from the beginning, nothing waits: a page that was left is as high as before.
 */
export function usePainted(ready: boolean): boolean {
  const [painted, setPainted] = useState(ready)
  useEffect(() => {
    if (!ready) return
    let timer: ReturnType<typeof setTimeout>
    // A frame is painted after its callbacks, and a task that one of them queues runs after that.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [ready])
  return painted
}
