import type { FrameLocator, Page } from '@playwright/test'
import { rows } from '../database.ts'
import { makeLive } from '../publish.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const switches = [
  {
    id: 'short-form',
    title: { en: 'Short form', fr: 'Formulaire court' },
    text: { en: 'Asks for the name of the well alone.', fr: 'Ne demande que le nom du puits.' },
    default: false,
  },
  {
    id: 'pump-map',
    title: { en: 'Map of pumps', fr: 'Carte des pompes' },
    text: { en: 'Shows pumps on a map.', fr: 'Montre les pompes sur une carte.' },
    default: true,
  },
]
const probes = ['trusted', 'isolated'].map((runs) =>
  makeProbe({
    name: newName(runs),
    contract: '1.5.0',
    list: 'hostile.js',
    more: {
      flags: switches,
      collections: [{ name: 'notes', read: 'schools.view', write: 'schools.view' }],
    },
  }),
)

test.afterAll(() =>
  rows(
    'delete from module_flags where module = any($1)',
    probes.map(({ record }) => record.name),
  ),
)

for (const [at, probe] of probes.entries()) {
  const trusted = at === 0
  const within = (page: Page): Page | FrameLocator =>
    trusted ? page : page.frameLocator('iframe[title="Probe"]')

  test(`an administrator switches a feature of a module that runs ${trusted ? 'in the page' : 'in a frame'} for a role, and it is there at the next load`, async ({
    person,
    expected,
  }) => {
    await makeLive(probe, { trusted })
    const officer = await person('school')
    await officer.goto(probe.route)
    await expect(within(officer).getByText('Flags {"short-form":false,"pump-map":true}')).toBeVisible()

    const admin = await person('admin')
    await admin.goto(`/admin/modules?module=${probe.record.name}`)
    const table = admin.getByRole('table', { name: 'Features that can be switched' })
    await expect(table.getByText('As declared by its team: nobody')).toBeVisible()
    await expectAccessible(admin, 'the switches of a module')
    await table.getByRole('button', { name: 'Actions for Short form' }).click()
    await admin.getByRole('menuitem', { name: 'Decide who has it' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Who has it' }).selectOption({ label: 'Some people' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Choose roles, or a share of the people.')).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'School Officer' }).check()
    await expectAccessible(admin, 'who has a switch of a module')
    await admin.setViewportSize({ width: 360, height: 780 })
    await expectNoSidewaysScroll(admin, 'who has a switch of a module')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(table.getByText('School Officer')).toBeVisible()

    // What is open goes on as it is.
    await expect(within(officer).getByText('Flags {"short-form":false,"pump-map":true}')).toBeVisible()
    await officer.reload()
    await expect(within(officer).getByText('Flags {"short-form":true,"pump-map":true}')).toBeVisible()

    // Without an answer the module runs, with its switches as its team has declared them.
    expected.push(/500|flags/)
    await officer.route('**/api/modules/*/flags', (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken' } }),
    )
    await officer.reload()
    await expect(within(officer).getByText('Flags {"short-form":false,"pump-map":true}')).toBeVisible()
  })
}
