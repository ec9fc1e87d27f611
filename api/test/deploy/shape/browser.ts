import { chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../../../scripts/lib/browser.mjs'
import { password } from '../../portal.ts'

/** A section of the menu, with the table that its page shows. */
export type Section = 'Users' | 'Cases' | 'Schools and people' | 'Transfers'
const addresses: Record<Section, RegExp> = {
  Users: /\/admin\/users$/,
  Cases: /\/admin\/cases$/,
  'Schools and people': /\/admin\/schools$/,
  Transfers: /\/admin\/transfers$/,
}

/** Opens a browser in which people can be signed in. */
export async function openBrowser(url: string, atEnd: (end: () => Promise<unknown>) => void) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  atEnd(() => browser.close())
  return async (email: string): Promise<Visitor> => {
    const context = await browser.newContext({ baseURL: url, ignoreHTTPSErrors: true, locale: 'en-GB' })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').first().waitFor()
    return new Visitor(page)
  }
}

/** Somebody at a page that stays open. What she would notice is noted: calls and files that fail, and errors of the page. */
export class Visitor {
  readonly faults: string[] = []
  visits = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    page.on('pageerror', (error) => this.faults.push(`error ${error.message}`))
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.status() >= 400) this.faults.push(`${pathname} ${response.status()}`)
    })
  }

  /** Goes to a section by its link, as the page has it that she opened before. */
  async visit(section: Section) {
    await this.#page.getByRole('navigation').first().getByRole('link', { name: section, exact: true }).click()
    await this.#drawn(section)
  }

  /** Loads the page anew, so that it comes from whichever release answers. */
  async reload(section: Section) {
    await this.#page.reload()
    await this.#drawn(section)
  }

  async #drawn(section: Section) {
    await this.#page.waitForURL(addresses[section])
    await this.#page.getByRole('main').getByRole('table').first().waitFor()
    this.visits += 1
    const alerts = await this.#page.getByRole('main').getByRole('alert').allInnerTexts()
    this.faults.push(...alerts.filter(Boolean).map((text) => `${section}: ${text}`))
  }
}
