import type { FrameLocator, Page } from '@playwright/test'
import { rows } from '../database.ts'
import { makeLive } from '../publish.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const settings = [
  {
    ...{ name: 'depth', type: 'whole' as const, min: 1, max: 80, default: 20 },
    label: { en: 'Deepest well', fr: 'Puits le plus profond' },
    text: { en: 'In metres.', fr: 'En mètres.' },
  },
  {
    ...{ name: 'pump', type: 'text' as const, default: 'hand' },
    label: { en: 'Usual pump', fr: 'Pompe habituelle' },
    values: [
      { value: 'hand', label: { en: 'By hand', fr: 'À main' } },
      { value: 'sun', label: { en: 'By the sun', fr: 'Solaire' } },
    ],
  },
  {
    ...{ name: 'photos', type: 'boolean' as const, default: false },
    label: { en: 'Ask for photos', fr: 'Demander des photos' },
  },
]
const probes = ['trusted', 'isolated'].map((runs) =>
  makeProbe({
    name: newName(runs),
    contract: '1.5.0',
    list: 'hostile.js',
    more: { settings, collections: [{ name: 'notes', read: 'schools.view', write: 'schools.view' }] },
  }),
)

test.afterAll(() =>
  rows(
    'delete from module_settings where module = any($1)',
    probes.map(({ record }) => record.name),
  ),
)

for (const [at, probe] of probes.entries()) {
  const trusted = at === 0
  const within = (page: Page): Page | FrameLocator =>
    trusted ? page : page.frameLocator('iframe[title="Probe"]')

  test(`an administrator changes settings of a module that runs ${trusted ? 'in the page' : 'in a frame'}, and they are there at the next load`, async ({
    person,
    expected,
  }) => {
    await makeLive(probe, { trusted })
    const usual = 'Settings {"depth":20,"pump":"hand","photos":false}'
    const officer = await person('school')
    await officer.goto(probe.route)
    await expect(within(officer).getByText(usual)).toBeVisible()

    const admin = await person('admin')
    await admin.goto(`/admin/modules?module=${probe.record.name}`)
    const table = admin.getByRole('table', { name: 'Settings of the module' })
    await expect(table.getByText('By hand').first()).toBeVisible()
    await expectAccessible(admin, 'the settings of a module')
    await admin.getByRole('button', { name: 'Change settings' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Deepest well' }).fill('120')
    await dialog.getByRole('combobox', { name: 'Usual pump' }).selectOption('By the sun')
    await dialog.getByRole('checkbox', { name: 'Ask for photos' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Deepest well: Write a number from 1 to 80.')).toBeVisible()
    await admin.setViewportSize({ width: 360, height: 780 })
    await expectNoSidewaysScroll(admin, 'the form of settings')
    await expectAccessible(admin, 'the form of settings')
    await dialog.getByRole('textbox', { name: 'Deepest well' }).fill('45')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(admin.getByText(/^Changed by /)).toBeVisible()

    // What is open goes on as it is.
    await expect(within(officer).getByText(usual)).toBeVisible()
    await officer.reload()
    await expect(within(officer).getByText('Settings {"depth":45,"pump":"sun","photos":true}')).toBeVisible()

    // Without an answer the module runs, with its settings as its team has declared them.
    expected.push(/500|settings/)
    await officer.route('**/api/modules/*/settings', (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken' } }),
    )
    await officer.reload()
    await expect(within(officer).getByText(usual)).toBeVisible()
  })
}
