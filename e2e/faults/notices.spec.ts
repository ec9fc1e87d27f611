import type { Page } from '@playwright/test'
import { rows } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { openWells } from '../wells.ts'

const role = "select id from roles where name = 'School Officer'"
const permission = "select id from permissions where name = 'wells.keep'"
const bell = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const openBell = (page: Page) => page.getByRole('button', { name: /^Notifications/ }).click()

test.afterEach(async () => {
  await rows(`delete from role_permissions where role_id = (${role}) and permission_id = (${permission})`)
  await rows("delete from notice_preferences where kind = 'mfe-isolated'")
  await rows("delete from module_notice_days where module = 'mfe-isolated'")
})

test('a person is told by an isolated module, switches its notices off, and the module reads when it has told enough', async ({
  person,
}) => {
  const admin = await person('admin')
  const { wells } = await openWells(admin)
  await rows(`insert into role_permissions (role_id, permission_id) select (${role}), (${permission})`)
  const officer = await person('school', { width: 360 })
  await wells.getByRole('button', { name: 'Write a note' }).click()
  await expect(wells.getByText('A well is dry').first()).toBeVisible()
  await wells.getByRole('button', { name: 'Tell people' }).click()
  await expect(admin.getByText('One person was told.')).toBeVisible()

  await officer.goto('/home')
  await openBell(officer)
  const line = bell(officer).getByRole('link', { name: /Wells: A well is dry\. Look at it\./ })
  await expect(line.first()).toBeVisible()
  await expectAccessible(officer, 'a notice of a module')
  await line.first().click()
  await expect(officer).toHaveURL(/\/admin\/isolated\/form\?note=\d+$/)

  await officer.goto('/profile')
  const choice = officer.getByRole('checkbox', { name: 'On the bell: Notices of “Wells”' })
  await choice.uncheck()
  const form = officer.locator('form').filter({ has: choice })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(officer.getByText('Notification settings saved')).toBeVisible()
  await expectNoSidewaysScroll(officer, 'the notices of a module among the choices')
  await expectAccessible(officer, 'the notices of a module among the choices')

  await rows(
    "update module_notice_days set sent = 1000 where module = 'mfe-isolated' and day = (now() at time zone 'utc')::date",
  )
  await wells.getByRole('button', { name: 'Write a note' }).click()
  await expect(wells.getByText('A well is dry').nth(1)).toBeVisible()
  await wells.getByRole('button', { name: 'Tell people' }).click()
  await expect(
    admin.getByText('Nobody was told: this module may write 1000 lines a day', { exact: false }),
  ).toBeVisible()
})
