import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { axeViolations } from './axe-violations.ts'

/** What a module has drawn: in its frame, or in the portal's page. A test finds the same in both. */
export type Drawn = Pick<
  Locator,
  'getByAltText' | 'getByLabel' | 'getByPlaceholder' | 'getByRole' | 'getByTestId' | 'getByText' | 'locator'
>

/** A portal page with a row of tabs. The record of a student is a dialog without an address. */
type WithTabs = 'school' | 'case'
const pages: Record<WithTabs, string> = { school: '/admin/schools/1/users', case: '/admin/cases/1/details' }

type Options = {
  context: BrowserContext
  page: Page
  portal: string
  record: ModuleBuild
  trusted: boolean
}

/** A frame that is replaced while it is asked has no width yet: the portal draws the frames of a page after its reload. */
function measureAgainIfReplaced(fault: unknown): number {
  if (/context was destroyed|was detached/.test(String(fault))) return Number.POSITIVE_INFINITY
  throw fault
}

/** How many pixels a page or one of its frames is wider than the window. */
async function widthBeyondWindow(page: Page): Promise<number> {
  const widths = page
    .frames()
    .map((frame) =>
      frame
        .evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        .catch(measureAgainIfReplaced),
    )
  return Math.max(...(await Promise.all(widths)))
}

/** Somebody who is signed in, in a browser of her own. */
export type Person = ReturnType<typeof personAt>

export function personAt({ context, page, portal, record, trusted }: Options) {
  const reload = async () => {
    if (page.url().startsWith(portal)) await page.reload()
  }

  /** What is drawn at a place, once it is there. */
  async function drawn(frame: string, place: Locator): Promise<Drawn> {
    if (trusted) {
      await expect(place.locator(`.module-place.${record.name}`).first()).toBeAttached()
      // Dialogs and menus are drawn beside the page.
      return page.locator('body')
    }
    await expect(page.locator(`${frame}:not(.not-drawn)`)).toBeVisible()
    return page.frameLocator(frame)
  }

  return {
    page,

    /** Opens a page of the module, by default its first. */
    async openModule(path: string = record.routes[0] ?? '/'): Promise<Drawn> {
      await page.goto(portal + path)
      return drawn('iframe.module-frame', page.locator('main'))
    },

    /** Opens the home page, and waits for a card of the module. */
    async openCard(id: string): Promise<Drawn> {
      const card = record.cards.find((each) => each.id === id)
      if (!card) throw new Error(`portal.module.json has no card ${id}.`)
      await page.goto(`${portal}/home`)
      return drawn(`iframe[title="${card.title.en}"], iframe[title="${card.title.fr}"]`, page.locator('main'))
    },

    /** Opens a tab of the module on the page of a school or a case. */
    async openTab(on: WithTabs, id: string): Promise<Drawn> {
      const tab = record.tabs?.find((each) => each.id === id && each.on === on)
      if (!tab) throw new Error(`portal.module.json has no tab ${id} on ${on}.`)
      await page.goto(`${portal}${pages[on]}?tab=${record.name}:${id}`)
      return drawn('iframe.part-frame', page.locator('main'))
    },

    /** Changes the language, as the menu of the person does. */
    async speak(locale: 'en' | 'fr'): Promise<void> {
      await context.addCookies([{ name: 'portal_locale', value: locale, url: portal }])
      await reload()
    },

    /** Chooses the light or the dark theme on this device. */
    async theme(theme: 'light' | 'dark'): Promise<void> {
      await context.addInitScript((chosen) => {
        // A frame has no storage; the portal tells it the theme.
        if (window.origin !== 'null') localStorage.setItem('portal.theme', chosen)
      }, theme)
      await reload()
    },

    /** Makes the window as narrow as a phone. Nothing may have to be scrolled sideways. */
    async at360(): Promise<void> {
      await page.setViewportSize({ width: 360, height: 780 })
      await expect
        .poll(() => widthBeyondWindow(page), 'pixels beyond the width of the window')
        .toBeLessThanOrEqual(0)
    },

    /** WCAG 2.2 AA as far as a machine sees it, in the portal's page and in the frames of the module. */
    async expectNoAxeViolations(): Promise<void> {
      expect(await axeViolations(page), 'violations that axe found').toEqual([])
    },
  }
}
