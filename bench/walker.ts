import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core'
import { type Locale, speak } from '../e2e/visits.ts'
import { english, french, type Say } from '../e2e/words.ts'
import { type Line, watchLine } from './line.ts'

/** What a journey has cost so far. */
export type Taken = { clicks: number; fields: number; ms: number; bytes: number }

/** The device in somebody's hands, and the language that she reads. */
export type Device = { width: 1280 | 360; language: Locale }

/** What somebody does from the first page to the end. Several people may have a part in it. */
export type Journey = { name: string; steps: (walk: Walker) => Promise<void> }

/** Gives somebody a browser of her own with an empty cache. */
export type Walker = () => Promise<Person>

/** A step may take this long on a slow line. */
const timeoutMs = 90_000
/** A wait that is longer is written beside the pictures. */
const longMs = 2_000

/** Somebody at a browser, each of whose acts is counted. */
export class Person {
  readonly page: Page
  readonly say: Say
  readonly device: Device
  #line: Line
  #taken: Taken
  #folder: string | undefined

  constructor(page: Page, device: Device, line: Line, taken: Taken, folder: string | undefined) {
    this.page = page
    this.say = device.language === 'fr' ? french : english
    this.device = device
    this.#line = line
    this.#taken = taken
    this.#folder = folder
  }

  /** Types an address, or follows a link of a letter. */
  open = (path: string) => this.#timed(path, () => this.page.goto(path, { timeout: timeoutMs }))

  click(what: Locator) {
    this.#taken.clicks += 1
    return this.#timed(what, () => what.click({ timeout: timeoutMs }))
  }

  /** Follows the entry of the navigation that leads to a path. On a phone the navigation is behind a button. */
  async goes(path: string) {
    const entry = this.page.locator(`nav a[href="${path}"]`).filter({ visible: true }).first()
    if (this.device.width === 360)
      await this.click(this.page.getByRole('banner').getByRole('button', { name: this.say('Menu') }))
    await this.click(entry)
  }

  fill(field: Locator, text: string) {
    this.#taken.fields += 1
    return this.#timed(field, () => field.fill(text, { timeout: timeoutMs }))
  }

  /** Takes the option whose words begin like this, or the one at a place. */
  choose(field: Locator, option: string | number) {
    this.#taken.fields += 1
    return this.#timed(field, async () => {
      const wanted =
        typeof option === 'number'
          ? { index: option }
          : {
              value: (await field.locator('option', { hasText: option }).first().getAttribute('value')) ?? '',
            }
      await field.selectOption(wanted, { timeout: timeoutMs })
    })
  }

  attach(field: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
    this.#taken.fields += 1
    return this.#timed(field, () => field.setInputFiles(file, { timeout: timeoutMs }))
  }

  /** Waits until something stands on the page, and keeps a picture of it if pictures are wanted. */
  async sees(what: Locator, picture?: string) {
    await this.#timed(what, () => what.first().waitFor({ timeout: timeoutMs }))
    if (picture) await this.#keep(picture)
  }

  /** Waits until something has gone. */
  leaves = (what: Locator) =>
    this.#timed(what, () => what.first().waitFor({ state: 'hidden', timeout: timeoutMs }))

  /** Does something and waits until a call that fits was answered. */
  async answered(call: (response: Response) => boolean, act: () => Promise<unknown>) {
    const response = this.page.waitForResponse(call, { timeout: timeoutMs })
    await act()
    await this.#timed('the answer', async () => (await response).finished())
  }

  /** Takes a file that the portal hands out. */
  async downloads(act: Locator) {
    const file = this.page.waitForEvent('download', { timeout: timeoutMs })
    await this.click(act)
    await this.#timed('the file', async () => (await file).path())
  }

  /** From the sign-in page to the first page of the portal. */
  async signsIn(email: string, password: string) {
    await this.open('/login')
    await this.fill(this.page.getByLabel(this.say('Email')), email)
    await this.fill(this.page.getByLabel(this.say('Password'), { exact: true }), password)
    await this.click(this.page.getByRole('button', { name: this.say('Sign in') }))
    await this.#timed('the portal', () =>
      this.page.waitForURL((url) => !url.pathname.startsWith('/login'), { timeout: timeoutMs }),
    )
    await this.sees(this.page.locator('main h1'))
    await this.leaves(this.page.locator('main [aria-busy=true], main .sk'))
    await this.#keep('first page')
  }

  async #timed<T>(what: Locator | string, act: () => Promise<T>): Promise<T> {
    const began = performance.now()
    this.#line.restart()
    try {
      return await act()
    } finally {
      const ms = performance.now() - began
      this.#taken.ms += ms
      if (this.#folder && ms > longMs) {
        const requests = this.#line.report().map((line) => `    ${line}\n`)
        appendFileSync(
          join(this.#folder, 'waits.txt'),
          `${(ms / 1000).toFixed(1)} s ${what}\n${requests.join('')}`,
        )
      }
    }
  }

  /** The time that a picture takes is not counted. */
  async #keep(name: string) {
    if (!this.#folder) return
    const { width } = this.device
    await this.page.screenshot({ path: join(this.#folder, `${name}-${width}.png`), animations: 'disabled' })
  }
}

export const walkerFor =
  (browser: Browser, url: string, device: Device, taken: Taken, folder: string | undefined): Walker =>
  async () => {
    const { width, language } = device
    const context = await browser.newContext({
      baseURL: url,
      locale: language === 'fr' ? 'fr-FR' : 'en-GB',
      timezoneId: 'Africa/Bamako',
      viewport: { width, height: width === 360 ? 780 : 800 },
      hasTouch: width === 360,
      // What a service worker fetches is on no page's line, so that it would be neither slowed down nor counted.
      serviceWorkers: 'block',
    })
    await speak(context, language, url)
    return newPerson(context, device, taken, folder)
  }

async function newPerson(
  context: BrowserContext,
  device: Device,
  taken: Taken,
  folder: string | undefined,
): Promise<Person> {
  const page = await context.newPage()
  const line = await watchLine(page, (bytes) => {
    taken.bytes += bytes
  })
  return new Person(page, device, line, taken, folder)
}
