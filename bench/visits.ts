import type { Referral } from '@portal/contracts/cases'
import type { BrowserContext, Page } from 'playwright-core'
import { shiftOf, watchShifts } from '../e2e/shifts.ts'
import { budgets } from './budgets.ts'
import { type Figure, kib } from './figures.ts'
import { trips, visit, within } from './page-figures.ts'

const command = 'npm run bench -- pages'

const firstRow = 'main table tbody tr:not(.sk-row)'

type Screen = {
  name: string
  path: string | ((context: BrowserContext) => Promise<string>)
  /** The call that brings what the screen shows first. */
  data: RegExp
  /** What the screen shows first, if that is not a table row. */
  first?: { words: string; selector: string }
}

/** The home page and one screen of each module. */
const screens: Screen[] = [
  { name: 'Home page', path: '/home', data: /^\/api\/home\/statistics$/ },
  { name: 'Users page', path: '/admin/users', data: /^\/api\/admin\/users\/list$/ },
  { name: 'Schools page', path: '/admin/schools', data: /^\/api\/admin\/schools\/list$/ },
  {
    name: 'List of cohorts',
    path: '/admin/transfers/cohorts/list',
    data: /^\/api\/admin\/transfers\/cohorts$/,
  },
  { name: 'Cases page', path: '/admin/cases', data: /^\/api\/admin\/cases$/ },
  {
    name: 'Preview of a consultation',
    path: previewPath,
    data: /^\/api\/admin\/cases\/\d+\/details$/,
    first: { words: 'its request', selector: 'main .guest h1' },
  },
]

/** Visits each screen twice in a new browser. Returns bytes, requests, round trips to its data, and layout shift. */
export async function measureScreens(
  newContext: () => Promise<BrowserContext>,
  signIn: (context: BrowserContext, email: string) => Promise<unknown>,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, path: at, data, first } of screens) {
    const context = await newContext()
    await signIn(context, 'admin@portal.example')
    const path = typeof at === 'string' ? at : await at(context)
    const { words, selector } = first ?? { words: 'its first row', selector: firstRow }
    await watchShifts(context)
    let shift = 0
    const stands = async (page: Page) => {
      await page.locator(selector).first().waitFor()
      await page.waitForLoadState('networkidle')
      shift = Math.max(shift, await shiftOf(page))
    }
    const cold = await visit(context, path, stands)
    const again = await visit(context, path, stands)
    const call = cold.find((each) => data.test(each.path.split('?')[0] ?? ''))
    if (!call) throw new Error(`${path} did not ask for ${data.source}`)
    // Requests after the data are not counted.
    const needed = cold.filter(({ role, wave }) => role !== 'icon' && role !== 'ahead' && wave <= call.wave)
    const document = Math.max(0, again.find((each) => each.path === path)?.bytes ?? 0)
    figures.push(
      within(`${name} to ${words}, empty cache`, needed, budgets.screen),
      within(
        `${name} to ${words}, what comes from its module`,
        needed.filter((each) => each.path.startsWith('/modules/')),
        budgets.module,
      ),
      trips(`${name}, sequential round trips to ${words}`, [call]),
      {
        figure: `${name}, second visit, its document as the server sends it`,
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

/** Path of a pending consultation of the demo, as its reviewer sees it. */
async function previewPath({ request }: BrowserContext): Promise<string> {
  const read = async (path: string) =>
    (await request.get(`/api/admin/cases${path}`, { headers: { accept: 'application/json' } })).json()
  const { complains } = await read('?status=in_progress')
  for (const { id } of complains.data) {
    const { referrals } = await read(`/${id}/details`)
    const open = referrals.find(
      (each: Referral) => !(each.resolved_at || each.rejected_at || each.revoked_at),
    )
    if (open) return `/admin/consultations/preview/${id}/${open.id}`
  }
  throw new Error('The demo has no pending consultation')
}
