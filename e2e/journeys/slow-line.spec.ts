import type { Locator, Page } from '@playwright/test'
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

const waits: [what: string, open: (page: Page) => Promise<unknown>, shown: (page: Page) => Locator][] = [
  [
    'a menu',
    (page) => page.getByRole('banner').locator('[aria-haspopup="menu"]').last().click(),
    (page) => page.getByRole('menuitem', { name: 'My profile' }),
  ],
  [
    'the search',
    (page) => page.keyboard.press('Control+k'),
    (page) => page.getByRole('combobox').and(page.locator(':focus')),
  ],
]

for (const [what, open, shown] of waits)
  test(`somebody who opens ${what} before the page has come keeps it`, async ({ person }) => {
    const reviewer = await person('reviewer')
    await reviewer.goto('/home')
    const send = await holdBack(reviewer, /\/modules\/mfe-cases\/.+\.js$/)
    await reviewer.getByRole('navigation').getByRole('link', { name: 'Cases', exact: true }).click()
    await open(reviewer)
    await expect(shown(reviewer)).toBeVisible()
    send()
    // What lies behind the search is hidden from screen readers.
    await expect(reviewer.locator('h1', { hasText: 'Case Management' })).toBeVisible()
    await expect(shown(reviewer)).toBeVisible()
  })

test('whoever waits for a page is led to its heading', async ({ person }) => {
  const reviewer = await person('reviewer')
  await reviewer.goto('/home')
  await reviewer.getByRole('navigation').getByRole('link', { name: 'Cases', exact: true }).click()
  await expect(reviewer.getByRole('heading', { name: 'Case Management' })).toBeFocused()
})

test('an approver who opens a cohort by the search is led to its heading, which is empty while the page loads', async ({
  person,
}) => {
  const approver = await person('approver')
  await approver.goto('/home')
  const heading = approver.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  const send = await holdBack(approver, /\/cohorts\/\d+\/summary/)
  await approver.keyboard.press('Control+k')
  const field = approver.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await field.fill('Senegal')
  await expect(approver.getByRole('group', { name: 'Cohorts' }).getByRole('option').first()).toBeVisible()
  await field.press('Enter')
  await expect(skeletons(approver).first()).toBeVisible()
  await expect(heading).toHaveText('')
  send()
  await expect(heading).toContainText('Senegal')
  await expect(heading).toBeFocused()
})
