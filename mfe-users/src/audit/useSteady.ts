import type { AuditLog } from '@portal/contracts/audit'
import type { Page } from '@portal/contracts/fields'
import { useLayoutEffect, useMemo, useRef } from 'react'

const mostRows = 100

/**
 * Keeps the reading position while new rows arrive: rows that they push off the page stay in the table, and the window
 * scrolls by the height of the new ones. Browsers do not anchor scrolling in tables.
 * `place` identifies search and filters. While the page is `outdated`, its rows are those of the former search and filters. `box` is
 * the element around the table.
 */
export function useSteady(page: Page<AuditLog> | undefined, place: string, outdated: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<{ place: string; rows: AuditLog[] }>({ place, rows: [] })
  const steady = useMemo(() => {
    if (!page || outdated) return { page, added: 0 }
    const { rows: past } = before.current
    const known = new Set(past.map(({ id }) => id))
    const isReading = window.scrollY > 0 && before.current.place === place
    // Without a common row there may be a gap, and a log must not hide one.
    const follows = isReading && page.data.some(({ id }) => known.has(id))
    const oldest = Math.min(...page.data.map(({ id }) => id))
    const kept = follows ? past.filter(({ id }) => id < oldest) : []
    const rows = [...page.data, ...kept].slice(0, mostRows)
    before.current = { place, rows }
    const added = follows ? rows.findIndex(({ id }) => known.has(id)) : 0
    return { page: { ...page, data: rows }, added }
  }, [page, place, outdated])
  useLayoutEffect(() => {
    const lines = box.current?.querySelectorAll('tbody > tr')
    const [first, known] = [lines?.[0], lines?.[steady.added]]
    if (steady.added === 0 || !first || !known) return
    const top = known.getBoundingClientRect().top - first.getBoundingClientRect().top
    window.scrollBy({ top, behavior: 'instant' })
  }, [steady])
  return { page: steady.page, box }
}
