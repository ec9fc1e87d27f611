import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { startPortal } from '../e2e/stage/portal.ts'
import { findBrowser } from '../scripts/lib/browser.mjs'
import { budgets } from './budgets.ts'
import { type Figure, kib } from './figures.ts'
import { sum, trips, visit, within } from './page-figures.ts'
import { closeAtEnd } from './stage.ts'
import type { Traffic } from './traffic.ts'

const command = 'npm run bench -- external'
const ajax = { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' }

/** The consultant's page with a request on it, with an empty cache, compared with the size of react-dom alone. */
export async function measureExternal(): Promise<Figure[]> {
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
          browser.newContext({ baseURL: place.url, locale: 'fr-FR', viewport: { width: 360, height: 780 } })
        const invite = await makeInvite(await context(), place.folder)
        const expert = await context()
        const shown = (page: Page) => page.locator('textarea[name=comment]').waitFor()
        const cold = await visit(expert, invite, shown)
        const again = await visit(expert, invite, shown)
        return figures(cold, again, invite)
      },
    )
  })
}

function figures(cold: Traffic, again: Traffic, invite: string): Figure[] {
  const own = cold.filter(({ role }) => role !== 'icon')
  const data = cold.filter(({ path }) => path === `/api${invite}`)
  // React, react-dom and its scheduler are one file. It is the minimum that a page built with React needs.
  const floor = cold.filter(({ path }) => path.includes('/lib-react.'))
  if (!data.length || !floor.length) throw new Error('The page did not ask for its request, or has no React.')
  const above = `react-dom alone ${kib(sum(floor))}, ${(sum(own) / sum(floor)).toFixed(2)} times that`
  return [
    within('Consultant’s page with its request, empty cache', own, budgets.external, above, command),
    trips('Consultant’s page, sequential round trips from address bar to request', data, command),
    within('Consultant’s page, second visit', again, budgets.repeat, undefined, command),
  ]
}

/** Refers a case of the demo as its reviewer. Returns the path of the link in the mail. */
async function makeInvite({ request }: BrowserContext, folder: string): Promise<string> {
  await request.get('/api/session', { headers: ajax })
  const headers = async () => {
    const { cookies } = await request.storageState()
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    return { ...ajax, 'x-xsrf-token': decodeURIComponent(token) }
  }
  const data = { email: 'reviewer@portal.example', password: 'portal-demo-2026' }
  await request.post('/api/login', { headers: await headers(), data })
  const list = await request.get('/api/admin/cases?status=open', { headers: ajax })
  const { complains } = (await list.json()) as { complains: { data: { id: number }[] } }
  const answer = await request.post('/api/admin/cases/refer', {
    headers: await headers(),
    multipart: {
      complain_id: String(complains.data[0]?.id),
      salutation: 'dr',
      first_name: 'Oumar',
      last_name: 'Ballo',
      email: 'o.ballo@conseil.example',
      profession: 'Juriste',
      comment: 'Le programme peut-il payer de nouveau ?',
    },
  })
  if (!answer.ok()) throw new Error(`The referral answered ${answer.status()}`)
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(100)) {
    const link = letters(folder)
      .map((letter) => /https?:\/\/\S+\/external\/cases\/[\w-]+/.exec(letter)?.[0])
      .find(Boolean)
    if (link) return new URL(link).pathname
  }
  throw new Error('The letter to the consultant was not written.')
}

/** The mails in the outbox. Its folder is made with the first mail. */
function letters(folder: string): string[] {
  const outbox = join(folder, 'outbox')
  if (!existsSync(outbox)) return []
  return readdirSync(outbox)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
}
