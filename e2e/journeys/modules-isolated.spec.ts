import { expect, expectAccessible, test } from '../test.ts'
import { openWells } from '../wells.ts'

test('a person works with an isolated module like with any other: list, record, pages, messages, unsaved changes', async ({
  person,
}) => {
  const admin = await person('admin')
  const { module, wells } = await openWells(admin)
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await wells.getByRole('button', { name: 'Write a note' }).click()
  await expect(wells.getByText('A well is dry')).toBeVisible()
  await expect(admin.getByText('Saved')).toBeVisible()

  await wells.getByRole('link', { name: /form/i }).click()
  await expect(admin).toHaveURL(`${module.route}/form`)
  await wells.getByRole('textbox').fill('The pump of Coura')
  await admin.goBack()
  await admin.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await expect(wells.getByRole('textbox')).toHaveValue('The pump of Coura')
  await wells.getByRole('button', { name: /save/i }).click()
  await admin.goBack()
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await expectAccessible(admin, 'an isolated module')
})
