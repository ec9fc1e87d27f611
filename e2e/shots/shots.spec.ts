import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { giveSession } from '../people.ts'
import { place } from '../stage/place.ts'
import { test } from '../test.ts'
import { byRole, type Locale, type Sight, speak, visit } from '../visits.ts'
import { english, french } from '../words.ts'
import { contactSheets, type Thumb } from './contact-sheets.ts'

const folder = resolve(process.env.PORTAL_SHOTS_DIR ?? join(import.meta.dirname, '../../.shots'))
const schemes = ['light', 'dark'] as const
const widths = [1280, 360] as const
type Scheme = (typeof schemes)[number]
type Look = { locale: Locale; width: (typeof widths)[number]; scheme: Scheme }

const fileName = (name: string) =>
  name
    .replace(/^\//, '')
    .replace(/[^\w]+/g, '-')
    .replace(/-$/, '') || 'landing'

const folderOf = ({ locale, width, scheme }: Look) =>
  [locale, width, ...(scheme === 'dark' ? [scheme] : [])].join('-')

for (const locale of ['en', 'fr'] as const) {
  for (const width of widths) {
    test(`pictures of every screen, ${locale} at ${width}`, async ({ browser }) => {
      for (const scheme of schemes)
        rmSync(join(folder, folderOf({ locale, width, scheme })), { recursive: true, force: true })
      const thumbs: Record<Scheme, Thumb[]> = { light: [], dark: [] }
      for (const [role, of] of byRole()) {
        const page = await pageOf(browser, locale, width)
        if (role) await giveSession(page.context(), role)
        await visit(page, of, locale === 'fr' ? french : english, async (sight) => {
          for (const scheme of schemes) {
            thumbs[scheme].push(await picture(page, sight, { locale, width, scheme }))
          }
        })
        await page.context().close()
      }
      for (const scheme of schemes)
        await contactSheets(
          browser,
          thumbs[scheme],
          width,
          join(folder, `sheet-${locale}-${width}-${scheme}`),
        )
    })
  }
}

async function pageOf(browser: Browser, locale: Locale, width: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: place.url,
    locale: locale === 'fr' ? 'fr-FR' : 'en-GB',
    timezoneId: 'Africa/Bamako',
    viewport: { width, height: width === 360 ? 780 : 800 },
    hasTouch: width === 360,
    reducedMotion: 'reduce',
  })
  await speak(context, locale, place.url)
  return context.newPage()
}

/** Keeps a picture of a sight at full length, and answers a thumbnail of it. */
async function picture(page: Page, { name, dialog }: Sight, look: Look): Promise<Thumb> {
  await page.emulateMedia({ colorScheme: look.scheme })
  const path = join(folder, folderOf(look), `${fileName(name)}.png`)
  mkdirSync(join(path, '..'), { recursive: true })
  // The top bar stands where the page is scrolled to, also in a picture of all of it.
  if (!dialog) await page.evaluate(() => window.scrollTo(0, 0))
  // A dialog covers the window, and only that.
  await page.screenshot({ path, fullPage: !dialog, animations: 'disabled' })
  return { name, picture: await page.screenshot({ type: 'jpeg', quality: 70, animations: 'disabled' }) }
}
