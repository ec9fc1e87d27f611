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

test('somebody who opens a menu before the page has come keeps it, and whoever only waits is led to the page', async ({
  person,
}) => {
  const reviewer = await person('reviewer')
  await reviewer.goto('/home')
  const cases = reviewer.getByRole('navigation').getByRole('link', { name: 'Cases', exact: true })
  const heading = reviewer.getByRole('heading', { name: 'Case Management' })
  const send = await holdBack(reviewer, /\/modules\/mfe-cases\/.+\.js$/)
  await cases.click()
  await reviewer.getByRole('banner').locator('[aria-haspopup="menu"]').last().click()
  const profile = reviewer.getByRole('menuitem', { name: 'My profile' })
  await expect(profile).toBeVisible()
  send()
  // What lies behind a menu is hidden from screen readers.
  await expect(reviewer.locator('h1', { hasText: 'Case Management' })).toBeVisible()
  await expect(profile).toBeVisible()
  await reviewer.keyboard.press('Escape')
  await reviewer.goto('/home')
  await cases.click()
  await expect(heading).toBeFocused()
})
