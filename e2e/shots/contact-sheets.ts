import type { Browser } from '@playwright/test'

/** A small picture with what it shows. */
export type Thumb = { name: string; picture: Buffer }

const columns = { 1280: 4, 360: 8 }
const perSheet = { 1280: 16, 360: 24 }

/** Lays pictures out on pages of their own and photographs those: `<path>-1.png` and so on. */
export async function contactSheets(
  browser: Browser,
  thumbs: readonly Thumb[],
  width: 1280 | 360,
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } })
  for (let from = 0; from < thumbs.length; from += perSheet[width]) {
    await page.setContent(sheet(thumbs.slice(from, from + perSheet[width]), columns[width]))
    await page.screenshot({ path: `${path}-${1 + from / perSheet[width]}.png`, fullPage: true })
  }
  await page.close()
}

const sheet = (thumbs: readonly Thumb[], across: number) => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 16px; display: grid; grid-template-columns: repeat(${across}, 1fr); gap: 16px; font: 13px/18px sans-serif; background: #888 }
  figure { margin: 0 } img { width: 100%; display: block } figcaption { padding: 4px 0; color: #fff; overflow-wrap: anywhere }
</style>${thumbs
  .map(
    ({ name, picture }) =>
      `<figure><figcaption>${name}</figcaption><img src="data:image/jpeg;base64,${picture.toString('base64')}"></figure>`,
  )
  .join('')}`
