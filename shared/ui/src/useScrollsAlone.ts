import { type RefCallback, useEffect, useState } from 'react'

const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled])'
const isReachable = (element: Element) => element.getClientRects().length > 0

/** Ref of a box, and whether it scrolls without a focusable element inside; it must then be focusable itself. */
export function useScrollsAlone(): [RefCallback<HTMLElement>, boolean] {
  // The box of a dialog is mounted after the dialog, because it is in a portal.
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [alone, setAlone] = useState(false)
  useEffect(() => {
    if (!box || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const inside = [...box.querySelectorAll(focusable)]
      setAlone(box.scrollHeight > box.clientHeight + 1 && !inside.some(isReachable))
    }
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    for (const child of box.children) watch.observe(child)
    return () => watch.disconnect()
  }, [box])
  return [setBox, alone]
}
