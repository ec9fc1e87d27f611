import type { Page } from '@playwright/test'
import { makeProbe } from '../faults/probe.ts'
import { makeLive, promoteBuild, publishBuild } from '../publish.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

const wells = { name: 'mfe-wells', title: { en: 'Wells', fr: 'Puits' } }
const before = makeProbe({ ...wells, version: '1.0.0', mark: 'the first' })
const current = makeProbe({ ...wells, version: '1.1.0', mark: 'the second' })
const { route } = current

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const dialog = (page: Page) => page.getByRole('dialog')

/** Chooses an act from the menu of the module's row, reads what it means, and confirms it. */
async function change(admin: Page, act: string, consequence: string | RegExp) {
  await admin.getByRole('button', { name: 'Actions for mfe-wells' }).click()
  await admin.getByRole('menuitem', { name: act }).click()
  await expect(dialog(admin).getByText(consequence)).toBeVisible()
  await dialog(admin)
    .getByRole('button', { name: `${act} Wells` })
    .click()
  await expect(dialog(admin)).toHaveCount(0)
}

test('an administrator switches a module off, on again and back to the build before; the officer reads it, and works on', async ({
  person,
  expected,
}) => {
  test.setTimeout(240_000)
  expected.push(/The probe throws while it is drawn/)
  await makeLive(before)
  await makeLive(current)
  const [admin, officer] = [await person('admin'), await person('school')]
  await officer.goto(route)
  await expect(officer.getByText('mfe-wells 1.1.0 the second')).toBeVisible()

  await admin.goto('/home')
  await navigation(admin).getByRole('link', { name: 'Modules' }).click()
  const row = admin.getByRole('row', { name: /Wells/ })
  await expect(row.getByText('Live')).toBeVisible()
  await expect(row.getByText('by A partner')).toBeVisible()
  await expectAccessible(admin, 'the modules')
  await change(admin, 'Disable', 'Nobody can open it any more, in the whole portal')
  await expect(row.getByText('Switched off')).toBeVisible()

  await officer.goto(route)
  await expect(officer.getByText('The module Wells is switched off')).toBeVisible()
  await expect(officer.getByText('An administrator has switched it off for now.')).toBeVisible()
  await expectAccessible(officer, 'a module that is switched off')
  await navigation(officer).getByRole('link', { name: 'Schools' }).click()
  await expect(officer.getByRole('table', { name: 'Schools' })).toBeVisible()

  await change(admin, 'Enable', /can open it again, in version 1\.1\.0/)
  await expect(row.getByText('Live')).toBeVisible()
  await officer.goto(route)
  await expect(officer.getByText('mfe-wells 1.1.0 the second')).toBeVisible()

  await change(admin, 'Roll back', 'Version 1.0.0 takes the place of version 1.1.0 for everybody, at once.')
  await expect(row.getByText('1.0.0')).toBeVisible()
  await officer.goto(route)
  await expect(officer.getByText('mfe-wells 1.0.0 the first')).toBeVisible()

  // What goes wrong is told to whoever looks after it, under the reference that she quotes.
  await officer.getByRole('link', { name: 'Crash' }).click()
  const message = officer.getByText(/^Module mfe-wells, version 1\.0\.0, owned by Probe team/)
  await expect(message).toContainText(/MF-\w{6}/)
  const reference = /MF-\w{6}/.exec(await message.innerText())?.[0] ?? ''
  await row.getByRole('link', { name: 'Wells' }).click()
  await expect(admin.getByText('Rolled back to version 1.0.0')).toBeVisible()
  await expect(admin.getByText(/^administrator /).first()).toBeVisible()
  await expect(async () => {
    await admin.reload()
    await expect(admin.getByText(reference)).toBeVisible({ timeout: 10_000 })
    await expect(admin.getByRole('main')).toContainText(/Loads\s*[1-9]/, { timeout: 10_000 })
  }).toPass({ timeout: 90_000 })
  await admin.getByRole('searchbox').fill(reference.toLowerCase())
  await expect(admin).toHaveURL(/search=/)
  await expect(admin.getByText('A page has stopped')).toBeVisible()
  await expectAccessible(admin, 'a module')
})

test('an administrator who decides on outdated data is refused, and sees the current state', async ({
  person,
}) => {
  await makeLive(makeProbe({ ...wells, version: '1.2.0', mark: 'the third' }))
  const admin = await person('admin')
  await admin.goto('/admin/modules?module=mfe-wells')
  await admin.getByRole('button', { name: 'Disable' }).click()
  await expect(dialog(admin).getByRole('button', { name: 'Disable Wells' })).toBeVisible()
  await makeLive(makeProbe({ ...wells, version: '1.3.0', mark: 'the fourth' }))
  await dialog(admin).getByRole('button', { name: 'Disable Wells' }).click()
  await expect(
    dialog(admin).getByText('Something was published or changed meanwhile.', { exact: false }),
  ).toBeVisible()
  await dialog(admin).getByRole('button', { name: 'Cancel' }).click()
  await expect(admin.getByText('Version 1.3.0 made live')).toBeVisible()
})

test('an administrator makes a token for a team’s server, which is shown once, and revokes it', async ({
  person,
}) => {
  const records = { name: 'readings', read: 'schools.view', write: 'schools.view' }
  const label = { en: 'Readings', fr: 'Relevés' }
  await makeLive(
    makeProbe({
      ...wells,
      version: '1.4.0',
      mark: 'the fifth',
      more: { collections: [{ ...records, label }] },
    }),
  )
  const admin = await person('admin')
  await admin.goto('/admin/modules?module=mfe-wells')
  const tokens = admin.getByRole('region', { name: 'Tokens for servers' })
  await tokens.getByRole('button', { name: 'Make a token' }).click()
  await dialog(admin).getByRole('button', { name: 'Make the token' }).click()
  await expect(dialog(admin).getByText('Fill in this field.')).toBeVisible()
  await dialog(admin).getByLabel('Name of the server').fill('Nightly copy')
  await dialog(admin).getByRole('group', { name: 'It may read', exact: true }).getByLabel('Readings').check()
  await expectAccessible(admin, 'the form of a token')
  await dialog(admin).getByRole('button', { name: 'Make the token' }).click()
  await expect(dialog(admin).getByText(/^[\w-]{43}$/)).toBeVisible()
  // On a phone a message would cover the warning.
  expect(await admin.locator('.toast').count()).toBe(0)
  await dialog(admin).getByRole('button', { name: 'I have kept it' }).click()
  const row = tokens.getByRole('row', { name: /Nightly copy/ })
  await expect(row).toContainText('Active')
  await expect(row).toContainText('Readings')
  await row.getByRole('button', { name: /Actions for/ }).click()
  await admin.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog(admin).getByRole('button', { name: 'Revoke this token' }).click()
  await expect(row).toContainText('Revoked')
  await expectAccessible(admin, 'the tokens of a module')
})

test('a partner’s build waits until an administrator has read what it adds and admits it, and goes live then', async ({
  person,
}) => {
  const title = { en: 'Rivers', fr: 'Rivières' }
  const rivers = makeProbe({ name: 'mfe-rivers', title, mark: 'the first' })
  await publishBuild(rivers)
  await expect(promoteBuild(rivers)).rejects.toThrow('mfe-rivers 1.0.0 waits for admission')
  const admin = await person('admin')
  await admin.goto('/home')
  const needs = admin.getByRole('region', { name: 'What needs you' })
  // The stage has published the oldest.
  await expect(needs.getByText('The oldest: School gardens 1.0.0')).toBeVisible()
  await needs.getByRole('link', { name: /modules to admit/ }).click()
  await expect(dialog(admin).getByRole('heading', { name: 'Admit School gardens 1.0.0' })).toBeVisible()
  await dialog(admin).getByRole('button', { name: 'Cancel' }).click()
  await expect(admin).toHaveURL(/\/admin\/modules$/)
  await expect(admin.getByText('Published by A partner (Probe team)').first()).toBeVisible()
  await admin.getByRole('button', { name: 'Look at it: Rivers 1.0.0' }).click()
  await expect(dialog(admin).getByText('No version of it was admitted before')).toBeVisible()
  await expect(dialog(admin).getByText(rivers.route, { exact: true })).toBeVisible()
  await expectAccessible(admin, 'a build that waits for admission')
  await dialog(admin).getByRole('button', { name: 'Admit version 1.0.0' }).click()
  await expect(dialog(admin)).toHaveCount(0)
  await expect(admin.getByRole('button', { name: 'Look at it: Rivers 1.0.0' })).toHaveCount(0)
  // The link of its mail says then that there is nothing left to do.
  await admin.goto(`/admin/modules?build=${rivers.record.build}`)
  await expect(admin.getByText('This version no longer waits.', { exact: false })).toBeVisible()
  await promoteBuild(rivers)
  // It is isolated until she decides otherwise, and again when she takes that back.
  const framed = admin.frameLocator('iframe[title="Rivers"]').getByText('mfe-rivers 1.0.0 the first')
  const inPage = admin.getByText('mfe-rivers 1.0.0 the first')
  await admin.goto(rivers.route)
  await expect(framed).toBeVisible()
  const decide = async (act: 'Trust' | 'Isolate') => {
    await admin.goto('/admin/modules?module=mfe-rivers')
    await admin.getByRole('button', { name: act, exact: true }).click()
    await expect(dialog(admin).getByRole('heading', { name: `${act} Rivers 1.0.0` })).toBeVisible()
    await dialog(admin)
      .getByRole('button', { name: `${act} version 1.0.0` })
      .click()
    await expect(dialog(admin)).toHaveCount(0)
    await admin.goto(rivers.route)
  }
  await decide('Trust')
  await expect(inPage).toBeVisible()
  await expect(framed).toHaveCount(0)
  await decide('Isolate')
  await expect(framed).toBeVisible()
  await expect(inPage).toHaveCount(0)
})

test('the modules fit a phone, and whoever may not look after them finds no way in', async ({ person }) => {
  const admin = await person('admin', { width: 360 })
  await admin.goto('/admin/modules')
  await expect(admin.getByText('mfe-cases')).toBeVisible()
  await expectNoSidewaysScroll(admin, 'the modules')
  await expectAccessible(admin, 'the modules on a phone')
  await admin.goto('/admin/modules?module=mfe-cases')
  await expect(admin.getByRole('heading', { name: 'What went wrong in browsers' })).toBeVisible()
  await expectNoSidewaysScroll(admin, 'a module')
  const officer = await person('officer')
  await officer.goto('/admin/modules')
  await expect(officer.getByRole('heading', { name: 'Access Denied', exact: true })).toBeVisible()
  await expect(navigation(officer).getByRole('link', { name: 'Modules' })).toHaveCount(0)
})
