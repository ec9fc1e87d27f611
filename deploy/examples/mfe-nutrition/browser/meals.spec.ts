import { expect, test } from '@portal/module/browser/test'
import { meals } from '../src/meals.ts'

/** A picture of one pixel. The test portal takes every picture, and answers a drawing. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const may = { permissions: ['nutrition.view', 'nutrition.write', 'schools.view'] } as const

test('a cook records a meal by its picture, and sees it in list, chart, card and tab', async ({ portal }) => {
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
  await expect(page.locator('.recharts-bar-rectangle path')).toHaveCount(3)
  await awa.expectNoAxeViolations()
  const map = await awa.openModule('/admin/nutrition/kitchens')
  await expect(map.getByAltText('Coura')).toBeVisible()
  await expect(map.getByText('240 kg')).toBeVisible()
  await awa.expectNoAxeViolations()
  const card = await awa.openCard('meals')
  await expect(card.getByText('3 meals recorded')).toBeVisible()
  const tab = await awa.openTab('school', 'meals')
  await expect(tab.getByRole('columnheader', { name: 'Dish' })).toBeVisible()
  await awa.speak('fr')
  await awa.theme('dark')
  await awa.at360()
  const french = await awa.openModule()
  await expect(french.getByText('Filles nourries par plat')).toBeVisible()
  await expect(french.locator('.recharts-bar-rectangle path')).toHaveCount(3)
  const carte = await awa.openModule('/admin/nutrition/kitchens')
  await expect(carte.getByAltText('Coura')).toBeVisible()
})
