import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the scroll position when rows are inserted above: browsers do not anchor scrolling in tables. `box` is the element
 * around the table; its rows keep their elements.
 */
export function useStill(rows: readonly unknown[]) {
  const box = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ row: Element; top: number }>(undefined)
  const hold = useRef(() => {
    const lines = box.current?.querySelectorAll('tbody > tr') ?? []
    const row = [...lines].find((line) => line.getBoundingClientRect().top >= 0)
    anchor.current = row && { row, top: row.getBoundingClientRect().top }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move what is read
  useLayoutEffect(() => {
    const { row, top } = anchor.current ?? {}
    if (row?.isConnected && top !== undefined && window.scrollY > 0)
      window.scrollBy({ top: row.getBoundingClientRect().top - top, behavior: 'instant' })
    hold.current()
  }, [rows])
  useEffect(() => {
    const { current } = hold
    window.addEventListener('scroll', current, { passive: true })
    return () => window.removeEventListener('scroll', current)
  }, [])
  return box
}
