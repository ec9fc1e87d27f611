import type { Locator, Page } from '@playwright/test'
import * as cohorts from '../cohorts.ts'
import { tabTo } from '../keyboard.ts'
import { emailOf, password } from '../people.ts'
import { expect, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

/** Types into a field. */
async function fillIn(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(words)
}

/** Types what a choice begins with, again where a slow machine took the letters one by one. */
async function choose(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field)
  await expect(async () => {
    await page.keyboard.type(words)
    await expect(field.locator('option:checked')).toContainText(words, { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
}

/** Fills in the upload of a target list, chooses its file and sends it, from the list of cohorts. */
async function uploadByKeys(officer: Page, name: string, file: cohorts.Upload): Promise<void> {
  await officer.goto('/admin/transfers/cohorts/list')
  await tabTo(officer, officer.getByRole('button', { name: 'Upload Target List File' }).first())
  await officer.keyboard.press('Enter')
  const dialog = officer.getByRole('dialog', { name: 'Upload Target List File' })
  await fillIn(officer, dialog.getByLabel('Cohort name'), name)
  await fillIn(officer, dialog.getByLabel('Description'), 'Monthly grant for girls of the first cycle')
  await fillIn(officer, dialog.getByLabel('Start date'), cohorts.dayFromNow(0))
  await fillIn(officer, dialog.getByLabel('End date'), cohorts.dayFromNow(20))
  const agency = dialog.getByLabel('Transfer agency')
  await expect(agency.locator('option', { hasText: cohorts.paysInMali })).toHaveCount(1)
  await choose(officer, agency, cohorts.paysInMali)
  const parameter = dialog.getByLabel('Transfer parameter')
  await expect(parameter.locator('option', { hasText: 'Monthly grant' }).first()).toBeAttached()
  await choose(officer, parameter, 'Monthly grant')
  const chooser = officer.waitForEvent('filechooser')
  await tabTo(officer, dialog.getByRole('button', { name: 'Choose a file' }))
  await officer.keyboard.press('Enter')
  await (await chooser).setFiles(file)
  await tabTo(officer, dialog.getByLabel('Show me the rows before the cohort is made'))
  await officer.keyboard.press('Space')
  await tabTo(officer, dialog.getByRole('button', { name: 'Upload target list' }))
  await officer.keyboard.press('Enter')
  const imported = officer.getByRole('dialog', { name })
  await expect(imported.getByText('Import finished')).toBeVisible({ timeout: 60_000 })
}

test('a list is uploaded, found and approved without a mouse', async ({ person }) => {
  const name = 'Approved by the keyboard'
  await uploadByKeys(await person('officer'), name, await workbook(name, await recipients(2)))
  const { id } = await cohorts.storedCohort(name)

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
  const found = search.getByRole('group', { name: 'Cohorts' }).getByRole('option')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText(name)
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
