import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { startPortal } from '../e2e/stage/portal.ts'
import { findBrowser } from '../scripts/lib/browser.mjs'
import { type Figure, seconds } from './figures.ts'
import { closeAtEnd } from './stage.ts'
import type { Device, Journey, Taken } from './walker.ts'

/** Each journey is walked at a desk in English, and again on a phone in French. */
const devices: Device[] = [
  { width: 1280, language: 'en' },
  { width: 360, language: 'fr' },
]

/**
 * Walks what staff do most on the built product with a small demo, on slow 3G and a processor four times slower, and counts
 * what it costs them. Nobody thinks or types on the way, so that the seconds are those that the portal lets people wait.
 */
export async function measureJourneys(pictures?: string): Promise<Figure[]> {
  const { place, stop } = await startPortal()
  return closeAtEnd(stop, async () => {
    // The helpers of the browser tests read where the portal stands when they are loaded.
    process.env.PORTAL_STAGE = JSON.stringify(place)
    const { journeys } = await import('./journeys/all.ts')
    const { leaveDatabase } = await import('../e2e/database.ts')
    const browser = await chromium.launch({
      executablePath: findBrowser(),
      args: ['--no-sandbox', '--disable-gpu'],
    })
    const leave = async () => {
      await browser.close()
      await leaveDatabase()
    }
    return closeAtEnd(leave, async () => {
      const costs = journeys.map((): string[] => [])
      // By device: what a journey leaves behind, the next one takes up.
      for (const device of devices)
        for (const [at, journey] of journeys.entries())
          costs[at]?.push(await walk(browser, place.url, journey, device, pictures))
      return journeys.map(({ name }, at) => figureOf(name, costs[at] ?? []))
    })
  })
}

const stopped = 'stopped on its way'

const figureOf = (name: string, costs: readonly string[]): Figure => ({
  figure: `Journey: ${name}`,
  measured: `${costs.join('; ')} (load ${(loadavg()[0] ?? 0).toFixed(0)} beside it)`,
  aim: 'walked to its end',
  holds: !costs.some((cost) => cost.endsWith(stopped)),
  command: 'npm run bench -- journeys',
})

/** Lets the people of a journey do what it says, and says what that has cost them. */
async function walk(browser: Browser, url: string, journey: Journey, device: Device, pictures?: string) {
  const folder = pictures && join(pictures, journey.name.replace(/[^\w]+/g, '-').toLowerCase())
  if (folder) mkdirSync(folder, { recursive: true })
  const { walkerFor } = await import('./walker.ts')
  const taken: Taken = { clicks: 0, fields: 0, ms: 0, bytes: 0 }
  const at = `at ${device.width} px`
  try {
    await journey.steps(walkerFor(browser, url, device, taken, folder))
  } catch (error) {
    if (folder) await keepLast(browser, join(folder, `stopped-${device.width}`))
    console.error(`${journey.name}, ${at}:`, error)
    return `${at} ${stopped}`
  } finally {
    for (const context of browser.contexts()) await context.close()
  }
  const { clicks, fields, ms, bytes } = taken
  return `${at} ${clicks} clicks, ${fields} fields, ${seconds(ms)}, ${Math.round(bytes / 1024)} KiB`
}

/** Keeps what everybody saw when a journey stopped. */
async function keepLast(browser: Browser, path: string) {
  const pages = browser.contexts().flatMap((context) => context.pages())
  for (const [at, page] of pages.entries()) await page.screenshot({ path: `${path}-${at + 1}.png` })
}
