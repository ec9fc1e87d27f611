import * as cohorts from '../cohorts.ts'
import { category, decide } from '../registers.ts'
import { expect, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test('an officer corrects a row of her target list before the cohort is made', async ({ person }) => {
  const name = 'Looked at first'
  const officer = await person('officer')
  const list = await recipients(4)
  const wrong = list.map((one, at) => (at === 1 ? { ...one, phone: `${one.phone.slice(0, -1)}O` } : one))
  const dialog = await cohorts.openUpload(officer, { name, file: await workbook(name, wrong), review: true })
  await expect(dialog.getByText(/1 row has a fault/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload target list' }).click()

  await expect(category(officer, 'new')).toContainText('3', { timeout: 60_000 })
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByRole('link', { name, exact: true })).toHaveCount(0)
  await officer.getByRole('link', { name: 'See the rows' }).click()
  await officer.locator('input.cell').fill(list[1]?.phone ?? '')
  await decide(officer).click()
  await expect(category(officer, 'new')).toContainText('4')
  await decide(officer).click()
  await officer.getByRole('link', { name: 'Go to Cohort Approval' }).click()
  await expect(officer).toHaveURL(/\/summary/)
  expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'pending', master_list_count: 4 })
})
