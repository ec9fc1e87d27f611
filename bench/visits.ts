import type { BrowserContext, Page } from 'playwright-core'
import { budgets } from './budgets.ts'
import { type Figure, kib } from './figures.ts'
import { trips, visit, within } from './pages.ts'

const command = 'npm run bench -- pages'

/** The home page and one screen of each module, with the call that its first row comes by. */
const screens = [
  { name: 'Home page', path: '/home', data: '/api/home/statistics' },
  { name: 'Users page', path: '/admin/users', data: '/api/admin/users/list' },
  { name: 'Schools page', path: '/admin/schools', data: '/api/admin/schools/list' },
  { name: 'List of cohorts', path: '/admin/transfers/cohorts/list', data: '/api/admin/transfers/cohorts' },
  { name: 'Cases page', path: '/admin/cases', data: '/api/admin/cases' },
]
const firstRow = 'main table tbody tr:not(.sk-row)'

/** Each screen in a browser of its own, cold and once more: bytes, requests, round trips to its data, and what jumps. */
export async function measureScreens(
  newContext: () => Promise<BrowserContext>,
  signIn: (context: BrowserContext, email: string) => Promise<unknown>,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, path, data } of screens) {
    const context = await newContext()
    await signIn(context, 'admin@portal.example')
    await watchShifts(context)
    let shift = 0
    const stands = async (page: Page) => {
      await page.locator(firstRow).first().waitFor()
      await page.waitForLoadState('networkidle')
      shift = Math.max(shift, await shiftOf(page))
    }
    const cold = await visit(context, path, stands)
    const again = await visit(context, path, stands)
    const call = cold.find((each) => each.path.split('?')[0] === data)
    if (!call) throw new Error(`${path} did not ask for ${data}`)
    // What was asked for later than the data is no part of the first row.
    const needed = cold.filter(({ role, wave }) => role !== 'icon' && role !== 'ahead' && wave <= call.wave)
    const document = Math.max(0, again.find((each) => each.path === path)?.bytes ?? 0)
    figures.push(
      within(`${name} to its first row, empty cache`, needed, budgets.screen),
      trips(`${name}, sequential round trips to its first row`, [call]),
      {
        figure: `${name}, second visit, its document`,
        measured: `${kib(document)} (${again.filter(({ cached }) => !cached).length} requests)`,
        aim: `≤ ${kib(budgets.repeat)}`,
        holds: document <= budgets.repeat,
        command,
      },
      {
        figure: `${name}, layout shift`,
        measured: shift.toFixed(3),
        aim: `≤ ${budgets.shift}`,
        holds: shift <= budgets.shift,
        command,
      },
    )
    await context.close()
  }
  return figures
}

type Shifts = Window & { shifted?: number }

/** Adds up what the browser calls layout shift, from the first moment of every page. */
const watchShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const page = window as Shifts
    page.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!entry.hadRecentInput) page.shifted = (page.shifted ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })

const shiftOf = (page: Page) => page.evaluate(() => (window as Shifts).shifted ?? 0)
