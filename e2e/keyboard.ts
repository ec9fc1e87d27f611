import { expect, type Locator, type Page } from '@playwright/test'

/** Goes on by Tab until it stands on something, as whoever has no mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 20_000 })
}
