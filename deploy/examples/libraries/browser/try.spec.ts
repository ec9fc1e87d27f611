import { expect, test } from '@portal/module/browser/test'

test('a map, a chart, a font, a worker and WebAssembly', async ({ portal }) => {
  const awa = await portal.asPerson({ permissions: ['parts.view'] })
  const faults: string[] = []
  awa.page.on('console', (said) => said.type() === 'error' && faults.push(said.text()))
  const page = await awa.openModule('/admin/parts/try')
  const marker = page.getByAltText('Coura')
  await expect(marker).toBeVisible()
  await expect.poll(() => marker.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(25)
  // Without Leaflet's own style sheet, a marker is where text would be.
  await expect(marker).toHaveCSS('position', 'absolute')
  await expect(page.locator('.map path')).toHaveCount(1)
  await expect(page.locator('.recharts-bar-rectangle')).toHaveCount(2)
  // The A of the module's font is four times as wide as it is high.
  const width = () => page.locator('.wide').evaluate((each) => each.getBoundingClientRect().width)
  await expect.poll(width).toBe(80)
  await page.getByRole('button', { name: 'Count primes' }).click()
  await expect(page.getByText('Primes: 25')).toBeVisible()
  expect(faults).toEqual([])
  // WebAssembly is for frames: the policy of the portal's page is for all of it.
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText(portal.trusted ? /Sum: refused/ : 'Sum: 5')).toBeVisible()
})
