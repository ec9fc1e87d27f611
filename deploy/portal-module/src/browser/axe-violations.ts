import { expect, type Frame, type Page } from '@playwright/test'
import axe from 'axe-core'

/** What axe finds in the portal's page and in the frames of the module, by the rules of WCAG 2.2 AA. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Frames are transparent above the portal's background. Axe cannot see through them and would assume white.
  const inFrames = page.frames().filter((frame) => frame !== page.mainFrame())
  await paintBackground(inFrames, 'Canvas')
  // Again from the start if a frame was replaced meanwhile.
  await expect(async () => {
    for (const frame of page.frames())
      if (!(await frame.evaluate(() => 'axe' in window)))
        await frame.evaluate(
          `${axe.source}; window.axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`,
        )
  }).toPass({ timeout: 15_000 })
  const found = await page.evaluate(async () => {
    const run = (window as unknown as { axe: typeof axe }).axe.run
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await run(document, { runOnly: { type: 'tag', values: tags } })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
  await paintBackground(inFrames, '')
  return found
}

const paintBackground = (frames: Frame[], color: string) =>
  Promise.all(
    frames.map((frame) =>
      frame.evaluate((chosen) => {
        document.documentElement.style.backgroundColor = chosen
      }, color),
    ),
  )
