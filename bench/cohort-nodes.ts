import { chromium } from 'playwright-core'
import { findBrowser } from '../scripts/lib/browser.mjs'
import type { Figure } from './figures.ts'
import { signIn } from './pages.ts'
import { closeAtEnd } from './stage.ts'

const aim = 1500

/** Counts the DOM nodes of the pages of a large cohort. */
export async function countCohortNodes(
  url: string,
  cohort: number,
  group: number,
  many: string,
): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  return closeAtEnd(
    () => browser.close(),
    async () => {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } })
      await signIn(context, 'bench@portal.example', 'a long enough password')
      const page = await context.newPage()
      const base = '/admin/transfers/cohorts'
      const pages = {
        Summary: `${base}/${cohort}/summary`,
        Rounds: `${base}/${cohort}/payrolls`,
        Round: `${base}/payroll/${group}`,
      }
      const figures: Figure[] = []
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(path)
        await page.locator('main table tbody tr:not(.sk-row)').first().waitFor()
        await page.waitForLoadState('networkidle')
        const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
        figures.push({
          figure: `${name} of ${many} recipients, nodes of its DOM`,
          measured: String(nodes),
          aim: `< ${aim.toLocaleString('en-US')}`,
          holds: nodes < aim,
          command: 'npm run bench -- cohort',
        })
      }
      return figures
    },
  )
}
