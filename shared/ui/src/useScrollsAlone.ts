import { type RefObject, useEffect, useState } from 'react'

const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled])'
const isReachable = (element: Element) => element.getClientRects().length > 0

/** Whether a box scrolls and holds nothing that the keyboard reaches: it must then be reachable itself. */
export function useScrollsAlone(box: RefObject<HTMLElement | null>): boolean {
  const [alone, setAlone] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const inside = [...element.querySelectorAll(focusable)]
      setAlone(element.scrollHeight > element.clientHeight + 1 && !inside.some(isReachable))
    }
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    for (const child of element.children) watch.observe(child)
    return () => watch.disconnect()
  }, [box])
  return alone
}
