import type { Locator, Page } from '@playwright/test'
import * as cohorts from '../cohorts.ts'
import { emailOf, password } from '../people.ts'
import { expect, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

/** Goes on by Tab until it stands on something, as whoever has no mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 20_000 })
}

test('an approver signs in, finds a cohort and approves it without a mouse', async ({ person }) => {
  const name = 'Approved by the keyboard'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(2))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })

  const approver = await person(null)
  await approver.goto('/login')
  await tabTo(approver, approver.getByLabel('Email'))
  await approver.keyboard.type(emailOf('approver'))
  await tabTo(approver, approver.getByLabel('Password', { exact: true }))
  await approver.keyboard.type(password)
  await approver.keyboard.press('Enter')
  await expect(approver.getByRole('heading', { name: /^Hello/, level: 1 })).toBeVisible()

  await approver.keyboard.press('Control+k')
  const search = approver.getByRole('dialog', { name: 'Search' })
  await expect(search.getByRole('combobox')).toBeFocused()
  await approver.keyboard.type(name)
  await expect(search.getByRole('group', { name: 'Cohorts' }).getByRole('option')).toHaveCount(1)
  await approver.keyboard.press('Enter')
  await expect(approver).toHaveURL(new RegExp(`/cohorts/${id}/summary$`))

  await tabTo(approver, approver.getByRole('button', { name: 'Approve Transfer List' }))
  await approver.keyboard.press('Enter')
  const dialog = approver.getByRole('dialog', { name: 'Approve Transfer List' })
  await expect(cohorts.confirmButton(dialog)).toBeVisible()
  for (const overlap of await dialog.getByRole('checkbox').all()) {
    await tabTo(approver, overlap)
    await approver.keyboard.press('Space')
  }
  await tabTo(approver, cohorts.confirmButton(dialog))
  await approver.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  expect((await cohorts.storedCohort(name)).status).toBe('approved')
})
