import { faces, showIn } from '../faces.ts'
import { settled } from '../openings.ts'
import { nameOf, screens } from '../routes.ts'
import { expect, expectNoSidewaysScroll, test } from '../test.ts'

/** What people put on paper: routes of the list, each with the most pages its first fifteen rows may take. */
const printed: Record<string, number> = {
  '/admin/transfers/cohorts/:id/summary (approved)': 3,
  '/admin/transfers/cohorts/payroll/:groupId': 2,
  '/admin/transfers/reconciliations': 2,
  '/admin/transfers/report': 3,
  '/admin/cases/:id/details (resolved)': 2,
  '/home/attendance': 2,
}

const frame = ['.sidebar', '.topbar', '.filters', '.page-head .actions', '.menu-cell', '.skip-link']

test('somebody prints the summaries: A4, no navigation, and who printed them when', async ({ person }) => {
  test.setTimeout(180_000)
  const page = await person('admin')
  // An A4 page between its margins.
  await page.setViewportSize({ width: 718, height: 1000 })
  for (const screen of screens.filter((each) => nameOf(each) in printed)) {
    const name = nameOf(screen)
    // Paper is printed by the rules for print, so no medium is emulated for it.
    await page.emulateMedia({ media: null, colorScheme: 'dark' })
    await settled(page, (await screen.path?.()) ?? screen.route)
    // What print needs comes when the page stands.
    await page.waitForFunction(() => {
      window.dispatchEvent(new Event('beforeprint'))
      return document.body.dataset.printed
    })
    for (const face of faces) {
      await showIn(page, face)
      const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      const [, across, down] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(paper) ?? []
      expect([Math.round(Number(across)), Math.round(Number(down))], name).toEqual([595, 842])
      const pages = paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0
      expect(pages, `pages of ${name}`).toBeGreaterThan(0)
      expect(pages, `pages of ${name}`).toBeLessThanOrEqual(printed[name] ?? 0)
    }

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const part of frame)
      for (const each of await page.locator(part).all()) await expect(each, `${part} of ${name}`).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible()
    const { imprint, paperColour, heads } = await page.evaluate(() => ({
      imprint: getComputedStyle(document.body, '::before').content,
      paperColour: getComputedStyle(document.body).backgroundColor,
      heads: [...document.querySelectorAll('thead')].map((head) => getComputedStyle(head).display),
    }))
    expect(imprint, name).toMatch(
      /Girls’ education · printed on \d\d\/\d\d\/\d{4} \d\d:\d\d UTC by Aminata Tembely/,
    )
    expect(paperColour, name).toBe('rgb(255, 255, 255)')
    expect(
      heads.filter((display) => display !== 'table-header-group'),
      name,
    ).toEqual([])
    for (const face of faces) {
      await showIn(page, face)
      await expectNoSidewaysScroll(page, `${name} on paper, ${face}`)
    }
  }
})
