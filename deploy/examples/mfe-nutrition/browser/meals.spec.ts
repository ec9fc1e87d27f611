import { expect, test } from '@portal/module/browser/test'
import { meals } from '../src/meals.ts'

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
  await dialog.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Coura' })).toContainText('Millet')
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
