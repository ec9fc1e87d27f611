import { expect, test } from '@portal/module/browser/test'
import { notes } from '../src/notes.ts'

test('somebody reads the notes and writes one, also on a phone and in French', async ({ portal }) => {
  portal.records.seed(notes, [{ title: 'First', text: 'Hello' }])
  const writer = await portal.asPerson({ permissions: ['starter.view', 'starter.write'] })
  const page = await writer.openModule()
  await expect(page.getByText('Hello')).toBeVisible()
  await page.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Second')
  await dialog.getByLabel('Text').fill('Written in a browser')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Written in a browser')).toBeVisible()
  expect(portal.records.stored(notes)).toHaveLength(2)
  await writer.expectNoAxeViolations()

  await writer.at360()
  await writer.speak('fr')
  const french = await writer.openModule()
  await expect(french.getByRole('button', { name: 'Ajouter une note' })).toBeVisible()
  await writer.expectNoAxeViolations()
})

test('somebody who may only read sees no button', async ({ portal }) => {
  const reader = await portal.asPerson({ permissions: ['starter.view'] })
  const page = await reader.openModule()
  await expect(page.getByText('No note yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add note' })).toHaveCount(0)
})
