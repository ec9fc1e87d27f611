import { expect, type Locator, type Page } from '@playwright/test'

/** Goes on by Tab until it stands on something, as whoever has no mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  // Asked once after each key: waiting for the focus after every one of them took most of these journeys' time.
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  await expect(async () => {
    let there = false
    for (let keys = 0; keys < 100 && !there; keys++) {
      await page.keyboard.press('Tab')
      there = await isThere()
    }
    expect(there, 'reached by Tab').toBe(true)
  }).toPass({ intervals: [0], timeout: 60_000 })
}
