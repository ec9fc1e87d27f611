import type { Page } from '@playwright/test'
import { expect, test } from '../faults/test.ts'
import { tabTo } from '../keyboard.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../test.ts'

/** The menu library, a chunk of the shell that modules share. */
const library = /\/assets\/menu\.\w+\.js/

async function users(page: Page) {
  await page.goto('/admin/users')
  const button = page.getByRole('button', { name: /^Actions for / }).first()
  await expect(button).toBeVisible()
  return { more: button, menu: page.getByRole('menu'), line: page.getByRole('menuitem') }
}

test('an administrator goes through the menu of a row by keys, and is back at its button', async ({
  person,
}) => {
  const admin = await person('admin')
  const { more: button, menu, line } = await users(admin)
  await tabTo(admin, button)
  await admin.keyboard.press('Enter')
  await expect(line.first()).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(admin, 'an open menu')
  await admin.keyboard.press('ArrowDown')
  await expect(line.nth(1)).toBeFocused()
  await admin.keyboard.press('End')
  await expect(line.last()).toBeFocused()
  await admin.keyboard.press('ArrowDown')
  await expect(line.first()).toBeFocused()
  await admin.keyboard.press('ArrowUp')
  await expect(line.last()).toBeFocused()
  await admin.keyboard.press('Home')
  await expect(line.first()).toBeFocused()
  await admin.keyboard.type('t')
  await expect(admin.getByRole('menuitem', { name: 'Turn off one-time codes' })).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await admin.keyboard.press('ArrowDown')
  await expect(line.first()).toBeFocused()
  await admin.keyboard.press('Tab')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
})

test('a dialog that a menu opened gives the focus back to the button of that menu', async ({ person }) => {
  const admin = await person('admin')
  const { more: button, line } = await users(admin)
  await button.click()
  await line.first().press('Enter')
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
})

test('a press elsewhere closes a menu, and so does a second press on its button', async ({ person }) => {
  const admin = await person('admin', { width: 360 })
  const { more: button, menu } = await users(admin)
  await button.click()
  await expect(menu).toBeVisible()
  await expectNoSidewaysScroll(admin, 'a page with an open menu')
  await button.click()
  await expect(menu).toBeHidden()
  await button.click()
  await expect(menu).toBeVisible()
  await admin.getByRole('heading', { level: 1 }).click()
  await expect(menu).toBeHidden()
})

test('somebody with a phone finds every line of a menu as high as a finger needs', async ({ person }) => {
  const admin = await person('admin', { width: 360 })
  const { more: button, menu } = await users(admin)
  await button.click()
  await expect(menu).toBeVisible()
  const heights = await menu
    .getByRole('menuitem')
    .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(2)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
})

for (const [whose, name] of [
  ['of a row', /^Actions for /],
  ['of the person', /Administrator$/],
] as const)
  test(`a press before the library is there opens the menu ${whose} as soon as it is`, async ({ person }) => {
    const admin = await person('admin')
    const requested = Promise.withResolvers<void>()
    const letIn = Promise.withResolvers<void>()
    await admin.route(library, async (route) => {
      requested.resolve()
      await letIn.promise
      await route.continue()
    })
    const { menu } = await users(admin)
    await admin.getByRole('button', { name }).first().click()
    await requested.promise
    await expect(menu).toBeHidden()
    letIn.resolve()
    await expect(menu).toBeVisible()
    await expect(admin.locator('[role^=menuitem]').first()).toBeFocused()
  })

test('a menu whose library does not come says so, and opens at the next press', async ({
  person,
  line: connection,
  expected,
}) => {
  expected.push(/503|Loading chunk/)
  const admin = await person('admin')
  connection.break(library, 'broken')
  const { more: button, menu } = await users(admin)
  await button.click()
  await expect(admin.getByText('The menu did not load. Check the connection and try again.')).toBeVisible()
  await expect(menu).toBeHidden()
  connection.mend()
  await button.click()
  await expect(menu).toBeVisible()
})

test('an administrator with the narrow menu tells its sections by their drawings, and goes to the last by keys', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.goto('/home')
  await admin.getByRole('button', { name: 'Collapse menu' }).click()
  const links = admin.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
  await expect(links.last()).toHaveAccessibleName('State of the portal')
  await expect(async () => {
    const drawings = await links
      .locator('path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
    expect(drawings).toHaveLength(await links.count())
    expect(new Set(drawings).size).toBe(drawings.length)
  }).toPass({ timeout: 20_000 })
  // The keys go by the drawings, too. They come when the page stands, and the second soon after the first.
  await expect(async () => {
    await admin.keyboard.press('g')
    await admin.keyboard.press('p')
    await expect(admin).toHaveURL(/\/admin\/system$/, { timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
})
