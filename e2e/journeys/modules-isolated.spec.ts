import { createSocket } from 'node:dgram'
import { row } from '../database.ts'
import { place } from '../stage/place.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { openWells } from '../wells.ts'

test('a person works with an isolated module like with any other: list, record, pages, messages, unsaved changes', async ({
  person,
}) => {
  const admin = await person('admin')
  const { module, wells } = await openWells(admin)
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await wells.getByRole('button', { name: 'Write a note' }).click()
  // What is told passes by itself, so it is not looked for after something else.
  await Promise.all([
    expect(admin.getByText('Saved')).toBeVisible(),
    expect(wells.getByText('A well is dry')).toBeVisible(),
  ])

  await wells.getByRole('link', { name: /form/i }).click()
  await expect(admin).toHaveURL(`${module.route}/form`)
  await wells.getByRole('textbox').fill('The pump of Coura')
  await admin.goBack()
  await admin.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await expect(wells.getByRole('textbox')).toHaveValue('The pump of Coura')
  await wells.getByRole('button', { name: /save/i }).click()
  await Promise.all([
    expect(admin.getByText('Note saved')).toBeVisible(),
    expect(wells.getByRole('textbox')).toHaveValue(''),
  ])
  await admin.goBack()
  await expect(wells.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await expectAccessible(admin, 'an isolated module')
  // The page is named by its heading, and the portal's keys work while the focus is in the frame.
  await expect(admin).toHaveTitle(/^Probe list · /)
  await wells.getByRole('button', { name: 'Write a note' }).focus()
  await admin.keyboard.press('Control+k')
  await expect(admin.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await admin.keyboard.press('Escape')

  // A file that a call answers is saved by the portal, and one that she chooses reaches the server.
  const saved = admin.waitForEvent('download')
  await wells.getByRole('button', { name: 'Save a file' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.xlsx$/)
  await wells.getByRole('button', { name: 'Send a file' }).click()
  await expect(admin.getByText('Problem 422')).toBeVisible()

  await admin.goto('/home')
  const card = admin.frameLocator('iframe[title="Wells today"]')
  await expect(card.getByText('The probe has three notes')).toBeVisible()
  // The frame says how high it is once it has been drawn.
  const height = () => admin.locator('iframe[title="Wells today"]').evaluate((frame) => frame.clientHeight)
  await expect.poll(height).toBeLessThan(150)
  await expectAccessible(admin, 'a card of an isolated module')

  // Its tab on the page of a school is told of that school and of nothing else.
  const school = await row<{ id: number; name: string; admin_code: string }>(
    'select id, name, admin_code from schools order by id limit 1',
  )
  await admin.goto(`/admin/schools/${school.id}/users?tab=mfe-isolated:count`)
  const told = JSON.stringify({ id: school.id, name: school.name, code: school.admin_code })
  await expect(wells.getByText(`mfe-isolated knows ${told}`)).toBeVisible()
  await expectAccessible(admin, 'a tab of an isolated module')
})

test('an administrator opens an isolated module that tries everything, and it gets nothing', async ({
  person,
  expected,
}) => {
  // The browser says on its console what it refused.
  expected.push(/./)
  const admin = await person('admin')
  const packets: Buffer[] = []
  const listener = createSocket('udp4', (packet) => packets.push(packet))
  await new Promise<void>((resolve) => listener.bind(0, '127.0.0.1', resolve))
  const { module, wells } = await openWells(admin, `?udp=${listener.address().port}`)
  await wells.getByRole('button', { name: 'Try everything' }).click()
  const attempts = wells.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  // They are shown when all of them were made.
  await expect(attempts).not.toHaveCount(0)
  const results = await attempts.allTextContents()
  expect(results.length).toBeGreaterThan(24)
  expect(results.filter((result) => !/: (refused\b|null$)/.test(result))).toEqual([])
  // She is where she was, nothing was opened, and nobody got a role.
  await expect(admin).toHaveURL((url) => url.pathname === module.route)
  expect(packets).toEqual([])
  listener.close()
  expect(admin.context().pages()).toHaveLength(1)
  const roles = await admin.request.get(`${place.url}/api/admin/roles/list?search=Mine`)
  expect((await roles.json()).roles.total).toBe(0)
})
