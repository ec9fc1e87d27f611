import { expect, type Locator, type Page } from '@playwright/test'
import type { Say } from './words.ts'

/** Opens a dialog or brings about a state of a page that is there already, without changing anything stored. */
export type Open = (page: Page, say: Say) => Promise<void>

const main = (page: Page) => page.getByRole('main')

/** Presses a button of the page by its words. */
export const button =
  (name: string): Open =>
  (page, say) =>
    main(page)
      .getByRole('button', { name: say(name), exact: true })
      .first()
      .click()

/** Presses what a selector finds first in a row. On a phone the row is opened first. */
export const inRow =
  (selector: string): Open =>
  async (page) => {
    const row = main(page)
      .locator('tbody tr', { has: page.locator(selector) })
      .first()
    await expect(row).toBeVisible()
    const more = row.locator('.open-cell button[aria-expanded="false"]')
    const wanted = row.locator(selector).first()
    // After a change of width the button comes or leaves a moment later than the styles.
    await expect(async () => {
      if (await more.isVisible()) await more.click({ timeout: 2_000 })
      await expect(wanted).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 30_000 })
    await wanted.click()
  }

/** Presses a key that the frame listens for, again until it does: its keys come when the page stands. */
export const keys =
  (key: string): Open =>
  (page) =>
    expect(async () => {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog').first()).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 60_000 })

/** Opens the menu of the first row, of a table by its name where there are several, and takes an act from it. */
export const rowAct =
  (act: string, table?: string): Open =>
  async (page, say) => {
    const within: Locator = table ? main(page).getByRole('table', { name: say(table) }) : main(page)
    await within.locator('tbody .menu-cell').getByRole('button').first().click()
    await page.getByRole('menuitem', { name: say(act), exact: true }).click()
  }

/** Opens the menu of a button of the page and takes an act from it. */
export const menuAct =
  (name: string, act: string): Open =>
  async (page, say) => {
    await button(name)(page, say)
    await page.getByRole('menuitem', { name: say(act), exact: true }).click()
  }

/** The page has drawn what it came for. */
export async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await drawn(page)
}

/** Nothing of the page is still a skeleton. */
export async function drawn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"], .sk')).toHaveCount(0)
}

/** What was opened is there, with what it reads itself. */
export async function opened(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').first()).toBeVisible()
  await expect(page.getByRole('dialog').locator('[aria-busy="true"], .sk')).toHaveCount(0)
}

/** Leaves a dialog by Escape; nothing was typed, so nothing is asked. */
export async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
