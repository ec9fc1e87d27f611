import type { BrowserContext, Page } from 'playwright-core'
import { budgets } from './budgets.ts'
import { type Figure, kib } from './figures.ts'
import { type Traffic, watchTraffic } from './traffic.ts'

const command = 'npm run bench -- pages'

/** Opens a path in a new tab and waits until the page is shown and no request is running. */
export async function visit(
  context: BrowserContext,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<Traffic> {
  const page = await context.newPage()
  const traffic = await watchTraffic(page)
  await page.goto(path)
  await shown(page)
  await page.waitForLoadState('networkidle')
  const seen = await traffic()
  await page.close()
  return seen
}

export const sum = (traffic: Traffic) => traffic.reduce((bytes, request) => bytes + request.bytes, 0)

export function within(
  figure: string,
  traffic: Traffic,
  budget: number,
  note?: string,
  by = command,
): Figure {
  const bytes = sum(traffic)
  const sent = traffic.filter(({ cached }) => !cached).length
  const count = `${sent} ${sent === 1 ? 'request' : 'requests'}`
  const measured = `${kib(bytes)} (${note ? `${count}; ${note}` : count})`
  return { figure, measured, aim: `≤ ${kib(budget)}`, holds: bytes <= budget, command: by }
}

export function trips(figure: string, traffic: Traffic, by = command): Figure {
  const count = Math.max(...traffic.map(({ wave }) => wave))
  const aim = `≤ ${budgets.roundTrips}`
  return { figure, measured: String(count), aim, holds: count <= budgets.roundTrips, command: by }
}
