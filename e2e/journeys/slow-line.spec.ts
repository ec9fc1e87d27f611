import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from '../test.ts'

const skeletons = (page: Page) => page.getByRole('main').locator('.sk:visible')

/** Answers that match come only when the returned function is called. */
async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

for (const [what, address, path] of [
  ['her profile', /\/api\/users\/profile\/details/, '/profile'],
  ['the code of a page', /\/modules\/mfe-cases\/.+\.js$/, '/admin/cases'],
  ['the rows of a list', /\/api\/admin\/cases/, '/admin/cases'],
] as const) {
  test(`a person with a phone who waits for ${what} does not have to scroll sideways`, async ({ person }) => {
    const reviewer = await person('reviewer')
    await reviewer.setViewportSize({ width: 360, height: 740 })
    const send = await holdBack(reviewer, address)
    await reviewer.goto(path, { waitUntil: 'commit' })
    await expect(skeletons(reviewer).first()).toBeVisible()
    await expectNoSidewaysScroll(reviewer, what)
    send()
    await expect(skeletons(reviewer)).toHaveCount(0)
    await expectNoSidewaysScroll(reviewer, `${what}, once it is there`)
  })
}
