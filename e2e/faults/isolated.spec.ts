import { expect, test } from '../test.ts'
import { openWells } from '../wells.ts'
import { navigationOf } from './test.ts'

for (const { what, button, title } of [
  { what: 'hangs in a loop without an end', button: 'Loop', title: 'The module Wells does not answer' },
  { what: 'sends fifty megabytes in one message', button: 'Shout', title: 'The module Wells was stopped' },
  { what: 'sends an object of 800 levels', button: 'Dig', title: 'The module Wells was stopped' },
  { what: 'sends thousands of messages', button: 'Chatter', title: 'The module Wells was stopped' },
])
  test(`a person works on while an isolated module ${what}, and reads what happened to it`, async ({
    person,
    expected,
  }) => {
    expected.push(/./)
    const admin = await person('admin')
    const { wells } = await openWells(admin)
    await wells.getByRole('button', { name: button }).click()
    await expect(admin.getByRole('heading', { name: title })).toBeVisible({ timeout: 30_000 })
    await expect(admin.getByText('The rest of the portal is not affected', { exact: false })).toBeVisible()
    // At once: the portal waits until the process that hangs has ended.
    await admin.getByRole('button', { name: 'Reload' }).click()
    await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
    await navigationOf(admin).getByRole('link', { name: 'Cases' }).click()
    await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
  })

test('a person leaves the page of an isolated module that hangs, before anybody has noticed', async ({
  person,
  expected,
}) => {
  expected.push(/./)
  const admin = await person('admin')
  const { wells } = await openWells(admin)
  await wells.getByRole('button', { name: 'Loop' }).click()
  await navigationOf(admin).getByRole('link', { name: 'Cases' }).click()
  await expect(admin.getByRole('heading', { name: 'Case Management' })).toBeVisible()
})
