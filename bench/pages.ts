import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { startPortal } from '../e2e/stage/portal.ts'
import { findBrowser } from '../scripts/lib/browser.mjs'
import { budgets } from './budgets.ts'
import { type Figure, kib } from './figures.ts'
import { trips, visit, within } from './page-figures.ts'
import { closeAtEnd } from './stage.ts'
import { measureScreens } from './visits.ts'

const modulePage = '/admin/transfers/cohorts/list'
const moduleData = '/api/admin/transfers/cohorts'
const demo = { email: 'officer@portal.example', password: 'portal-demo-2026' }

/** The sign-in page and one module page over the built product in Chromium: an empty cache, then a second visit. */
export async function measurePages(): Promise<Figure[]> {
  const { place, stop } = await startPortal()
  return closeAtEnd(stop, async () => {
    const browser = await chromium.launch({
      executablePath: findBrowser(),
      args: ['--no-sandbox', '--disable-gpu'],
    })
    return closeAtEnd(
      () => browser.close(),
      async () => {
        const context = () =>
          browser.newContext({
            baseURL: place.url,
            locale: 'en-GB',
            viewport: { width: 1280, height: 900 },
            // A service worker would answer a second visit from its cache, and the bytes that the server sends are counted.
            serviceWorkers: 'block',
          })
        return [
          ...(await measureLanding(await context())),
          ...(await measureLogin(await context())),
          ...(await measureModule(await context())),
          ...(await measureScreens(context, signIn)),
        ]
      },
    )
  })
}

async function measureLanding(context: BrowserContext): Promise<Figure[]> {
  const shown = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()
  const cold = await visit(context, '/', shown)
  const again = await visit(context, '/', shown)
  const own = cold.filter(({ role }) => role === 'blocking' || role === 'page')
  return [
    within(
      'Front page, what it paints from',
      own.filter(({ role }) => role === 'blocking'),
      budgets.firstPaint,
      'HTML and style sheet',
    ),
    within('Front page, empty cache', own, budgets.signIn),
    trips('Front page, sequential round trips', own),
    within('Front page, second visit', again, budgets.repeat),
  ]
}

async function measureLogin(context: BrowserContext): Promise<Figure[]> {
  const shown = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor()
  const cold = await visit(context, '/login', shown)
  const again = await visit(context, '/login', shown)
  const own = cold.filter(({ role }) => role === 'blocking' || role === 'page')
  const ahead = cold.filter(({ role }) => role === 'ahead')
  const painted = own.filter(({ role }) => role === 'blocking')
  return [
    within('Sign-in page, what it paints from', painted, budgets.firstPaint, 'HTML and style sheet'),
    within('Sign-in page, empty cache', own, budgets.signIn),
    within('Sign-in page, fetched ahead of the portal', ahead, budgets.ahead),
    trips('Sign-in page, sequential round trips', own),
    within('Sign-in page, second visit', again, budgets.repeat),
  ]
}

async function measureModule(context: BrowserContext): Promise<Figure[]> {
  await signIn(context)
  const shown = (page: Page) => page.getByRole('table').getByRole('row').nth(1).waitFor()
  const cold = await visit(context, modulePage, shown)
  const again = await visit(context, modulePage, shown)
  const module = cold.filter(({ path }) => path.startsWith('/modules/'))
  const data = cold.filter(({ path }) => path.split('?')[0] === moduleData)
  const early = readFileSync(join(import.meta.dirname, '../dist/shell/early.json'), 'utf8')
  const shell = cold.filter(({ path, role }) => {
    return role !== 'icon' && role !== 'ahead' && !/^\/(modules|api)\//.test(path) && !early.includes(path)
  })
  const needed = cold.filter(({ role }) => role !== 'ahead')
  if (!data.length) throw new Error(`${modulePage} did not ask for ${moduleData}`)
  return [
    within('Shell before a module, empty cache', shell, budgets.shell),
    within('Cohorts page, empty cache', needed, budgets.screen),
    within('Cohorts page, what comes from its module', module, budgets.module),
    trips('Cohorts page, sequential round trips from address bar to data', data),
    within('Cohorts page, second visit', again, budgets.repeat, `${kib(again[0]?.bytes ?? 0)} of HTML`),
  ]
}

/** Signs in through the API instead of the page, so that the cache stays empty. */
export async function signIn({ request }: BrowserContext, email = demo.email, password = demo.password) {
  const ajax = { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' }
  await request.get('/api/session', { headers: ajax })
  const { cookies } = await request.storageState()
  const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '')
  const answer = await request.post('/api/login', {
    headers: { ...ajax, 'x-xsrf-token': token },
    data: { email, password },
  })
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}`)
}
