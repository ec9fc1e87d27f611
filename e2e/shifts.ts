import type { BrowserContext, Page } from 'playwright-core'

type Shifts = Window & { shifted?: number; moved?: string[] }

/** Adds up the layout shift of every page from its start, and notes what moved. */
export const watchShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const page = window as Shifts
    page.shifted = 0
    page.moved = []
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue
        page.shifted = (page.shifted ?? 0) + value
        for (const { node } of sources)
          page.moved?.push(`${value.toFixed(4)} ${node?.textContent?.slice(0, 40)}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The sum of the layout shifts of a page so far. */
export const shiftOf = (page: Page) => page.evaluate(() => (window as Shifts).shifted ?? 0)

/** What moved, with how much of the window moved with it. */
export const movedOn = (page: Page) => page.evaluate(() => (window as Shifts).moved ?? [])
