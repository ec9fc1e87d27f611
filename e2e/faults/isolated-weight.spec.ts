import type { Page } from '@playwright/test'
import { giveSession } from '../people.ts'
import { makeLive } from '../publish.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'
import { browserOnSlowLine, roundTrip } from './slow-line.ts'

const kib = 1024

/** Opens the module's page, and says what went over the line until its list was there. */
async function opening(page: Page, line: { octets: number }, route: string, trusted: boolean) {
  const before = line.octets
  const began = performance.now()
  await page.goto(route)
  const at = trusted ? page : page.frameLocator('main iframe')
  await expect(at.getByRole('button', { name: 'Count 0' })).toBeVisible()
  return { octets: line.octets - before, ms: performance.now() - began }
}

/** Waits until nothing has come over the line for three round trips. */
async function quiet(line: { octets: number }) {
  let before = -1
  const isQuiet = () => {
    const same = line.octets === before
    before = line.octets
    return same
  }
  await expect.poll(isQuiet, { intervals: [3 * roundTrip], timeout: 60_000 }).toBe(true)
}

test('an isolated module costs a person on a slow line at most 100 KiB and one round trip more than a trusted one', async () => {
  test.setTimeout(180_000)
  const { browser, line, stop } = await browserOnSlowLine()
  try {
    const measured = []
    for (const trusted of [true, false]) {
      const probe = makeProbe({ name: newName('weighed') })
      await makeLive(probe, { trusted })
      const context = await browser.newContext({ baseURL: place.url, locale: 'en-GB' })
      await giveSession(context, 'admin')
      const page = await context.newPage()
      const first = await opening(page, line, probe.route, trusted)
      // What is fetched for later belongs to the first opening.
      await quiet(line)
      const again = await opening(page, line, probe.route, trusted)
      measured.push({ first, again })
      await context.close()
    }
    const [trusted, isolated] = measured
    if (!trusted || !isolated) throw new Error('Nothing was measured.')
    expect(isolated.first.octets - trusted.first.octets).toBeLessThan(100 * kib)
    expect(isolated.again.octets - trusted.again.octets).toBeLessThan(20 * kib)
    expect((isolated.first.ms - trusted.first.ms) / roundTrip).toBeLessThan(2)
    expect((isolated.again.ms - trusted.again.ms) / roundTrip).toBeLessThan(2)
  } finally {
    await stop()
  }
})
