import { makeLive } from '../publish.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const name = newName('report')
const title = { en: 'Wells by state', fr: 'Puits par état' }
const text = { en: 'How many wells are dry.', fr: 'Combien de puits sont à sec.' }
const report = { id: 'states', title, text, link: `/admin/${name.slice(4)}`, order: 5 }
const probe = makeProbe({
  name,
  contract: '1.5.0',
  list: 'hostile.js',
  more: {
    collections: [
      {
        ...{ name: 'notes', read: 'schools.view', write: 'schools.view' },
        fields: [{ name: 'text', label: { en: 'Text', fr: 'Texte' }, type: 'text' }],
      },
    ],
    reports: [
      { ...report, permission: 'schools.view', collection: 'notes' },
      { ...report, id: 'pumps', title: { en: 'Pumps', fr: 'Pompes' }, permission: 'users.view' },
    ],
  },
})

test('a person finds the report of an isolated module beside the portal’s, opens it, and saves its records', async ({
  person,
}) => {
  await makeLive(probe, { trusted: false })
  const officer = await person('school')
  await officer.goto('/home')
  await officer
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Reports' })
    .click()
  await expect(officer.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  const table = officer.getByRole('table', { name: 'Reports' })
  await expect(table.getByText('How many wells are dry.')).toBeVisible()
  // What she may not see is not listed.
  await expect(table.getByText('Pumps')).toHaveCount(0)
  await expectAccessible(officer, 'the reports of modules')

  const [file] = await Promise.all([
    officer.waitForEvent('download'),
    table
      .getByRole('row', { name: /Wells by state/ })
      .getByRole('button', { name: 'Excel' })
      .click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
  await officer.setViewportSize({ width: 360, height: 780 })
  await expectNoSidewaysScroll(officer, 'the reports of modules')
  await officer.setViewportSize({ width: 1280, height: 800 })
  await table.getByRole('link', { name: 'Wells by state' }).click()
  const frame = officer.frameLocator('iframe[title="Probe"]')
  await expect(frame.getByRole('heading', { name: 'Probe list' })).toBeVisible()

  const admin = await person('admin')
  await admin.goto('/home/reports')
  await expect(admin.getByRole('table', { name: 'Reports' }).getByRole('link')).toHaveText([
    'Wells by state',
    'Pumps',
    'Report for donors',
  ])
})
