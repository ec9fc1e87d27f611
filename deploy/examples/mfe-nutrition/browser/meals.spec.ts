import { expect, type TestPortal, test } from '@portal/module/browser/test'
import { meals } from '../src/meals.ts'

/** A picture of one pixel. The test portal takes every picture, and answers a drawing. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const may = { permissions: ['nutrition.view', 'nutrition.write', 'schools.view'] } as const

/** Two meals, and two kitchens of the team's own server. */
function cooked(portal: TestPortal) {
  portal.records.seed(meals, [
    { school: 1, date: '2026-02-03', dish: 'rice', girls: 120 },
    { school: 3, date: '2026-02-04', dish: 'beans', girls: 64 },
  ])
  portal.answers['GET /modules/mfe-nutrition/backend/kitchens/kitchens'] = () => ({
    body: {
      kitchens: [
        { id: 1, school: 'Coura', stock: 240, at: [13.9, -6.2] },
        { id: 2, school: 'Barouéli', stock: 80, at: [13.1, -6.8] },
      ],
    },
  })
}

test('a cook records a meal with its photograph, and looks at it in the list', async ({ portal }) => {
  cooked(portal)
  const awa = await portal.asPerson(may)
  const page = await awa.openModule()
  await page.getByRole('button', { name: 'Record a meal' }).click()
  const dialog = page.getByRole('dialog')
  // The schools are those of the test portal.
  await dialog.getByRole('combobox', { name: 'School' }).fill('coura')
  await dialog.getByRole('option', { name: 'Coura' }).click()
  await dialog.getByLabel('Girls fed').fill('90')
  await dialog.getByLabel('Millet').check()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'meal.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
  await expect(dialog.getByText('The picture was sent.', { exact: false })).toBeVisible()
  await dialog.getByLabel('What is to be seen on it').fill('A bowl of millet')
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Coura' })).toContainText('Millet')
  await page.getByAltText('A bowl of millet').click()
  await expect(page.getByRole('dialog').getByAltText('A bowl of millet')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await awa.expectNoAxeViolations()
})

test('somebody sees the kitchens with their stock, and on a map', async ({ portal }) => {
  cooked(portal)
  const awa = await portal.asPerson(may)
  // A trusted version gets no tiles: the portal's page draws no images of other hosts.
  if (portal.trusted) portal.refused(/img-src/)
  const page = await awa.openModule('/admin/nutrition/kitchens')
  await expect(page.getByText('240 kg')).toBeVisible()
  await expect(page.getByAltText('Coura')).toBeVisible()
  await awa.expectNoAxeViolations()
})

test('somebody sees on the home page how many meals are recorded', async ({ portal }) => {
  cooked(portal)
  const awa = await portal.asPerson(may)
  const card = await awa.openCard('meals')
  await expect(card.getByText('2 meals recorded')).toBeVisible()
})

test('somebody sees on the page of a school what was cooked there', async ({ portal }) => {
  cooked(portal)
  const awa = await portal.asPerson(may)
  const tab = await awa.openTab('school', 'meals')
  await expect(tab.getByRole('columnheader', { name: 'Dish' })).toBeVisible()
  await expect(tab.getByRole('row').filter({ hasText: '120' })).toContainText('Rice')
})

test('somebody reads the girls fed by dish, in French on a phone at night', async ({ portal }) => {
  cooked(portal)
  const awa = await portal.asPerson(may)
  await awa.speak('fr')
  await awa.theme('dark')
  await awa.at360()
  const page = await awa.openModule()
  await expect(page.getByText('Filles nourries par plat')).toBeVisible()
  await expect(page.locator('.recharts-bar-rectangle path')).toHaveCount(2)
  await awa.expectNoAxeViolations()
})
