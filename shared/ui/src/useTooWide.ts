import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether a box's content is wider than the box. A table then scrolls sideways inside its card; as long as it fits, its
 * headings stick under the top bar, which a scrolling box does not let them.
 */
export function useTooWide(box: RefObject<HTMLElement | null>): boolean {
  const [tooWide, setTooWide] = useState(false)
  useEffect(() => {
    const element = box.current
    const content = element?.querySelector('table')
    if (!element || !content || typeof ResizeObserver === 'undefined') return
    const measure = () => setTooWide(content.offsetWidth > element.clientWidth + 1)
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    watch.observe(content)
    return () => watch.disconnect()
  }, [box])
  return tooWide
}
