import type { Page } from '@playwright/test'
import { giveSession } from '../people.ts'
import { makeLive } from '../publish.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'
import { browserOnSlowLine } from './slow-line.ts'

const kib = 1024

/**
 * Two lines of which one is slower by a second for each round trip. What an opening takes longer on it are the round trips that it
 * makes one after the other; what the machine itself needs is the same on both.
 */
const roundTrips = { fast: 500, slow: 1_500 }

type Line = { octets: number; roundTrip: number }

/** Opens the module's page, and says what went over the line until its list was there. */
async function opening(page: Page, line: Line, route: string, trusted: boolean) {
  const before = line.octets
  const began = performance.now()
  await page.goto(route)
  const at = trusted ? page : page.frameLocator('main iframe')
  await expect(at.getByRole('button', { name: 'Count 0' })).toBeVisible()
  return { octets: line.octets - before, ms: performance.now() - began }
}

/** Waits until nothing has come over the line for three round trips. */
async function quiet(line: Line) {
  let before = -1
  const isQuiet = () => {
    const same = line.octets === before
    before = line.octets
    return same
  }
  await expect.poll(isQuiet, { intervals: [3 * line.roundTrip], timeout: 60_000 }).toBe(true)
}

/** The first opening of a module in a new browser, and the next one. */
async function openings(trusted: boolean, roundTrip: number) {
  const { browser, line, stop } = await browserOnSlowLine(roundTrip)
  try {
    const probe = makeProbe({ name: newName('weighed') })
    await makeLive(probe, { trusted })
    const context = await browser.newContext({ baseURL: place.url, locale: 'en-GB' })
    await giveSession(context, 'admin')
    const page = await context.newPage()
    const first = await opening(page, line, probe.route, trusted)
    // What is fetched for later belongs to the first opening.
    await quiet(line)
    return { first, again: await opening(page, line, probe.route, trusted) }
  } finally {
    await stop()
  }
}

async function measured(trusted: boolean) {
  const fast = await openings(trusted, roundTrips.fast)
  const slow = await openings(trusted, roundTrips.slow)
  const of = (which: 'first' | 'again') => ({
    octets: slow[which].octets,
    trips: Math.round((slow[which].ms - fast[which].ms) / (roundTrips.slow - roundTrips.fast)),
  })
  return { first: of('first'), again: of('again') }
}

test('an isolated module costs a person on a slow line at most 100 KiB and one round trip more than a trusted one', async () => {
  test.setTimeout(240_000)
  const trusted = await measured(true)
  const isolated = await measured(false)
  expect(isolated.first.octets - trusted.first.octets).toBeLessThan(100 * kib)
  expect(isolated.again.octets - trusted.again.octets).toBeLessThan(20 * kib)
  // A page is at least one round trip: its document.
  expect(trusted.again.trips).toBeGreaterThanOrEqual(1)
  expect(isolated.first.trips - trusted.first.trips).toBeLessThanOrEqual(1)
  expect(isolated.again.trips - trusted.again.trips).toBeLessThanOrEqual(1)
})
