import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type BrowserContext, test as base, expect, type Frame, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { makeOld } from './old-browser.ts'
import { giveSession, type Role } from './people.ts'
import { place } from './stage/place.ts'
import { english, french, type Say } from './words.ts'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

type Fixtures = {
  /** The words of the journey's language. */
  say: Say
  /** Somebody at a browser of her own, signed in; `null` is a visitor. */
  person: (role: Role | null, options?: { width?: number }) => Promise<Page>
  /** Complaints of a browser that this journey brings about on purpose. */
  expected: RegExp[]
}

/** A journey. It fails when any browser of it complains: an error of the page, of its policy or on its console. */
export const test = base.extend<Fixtures>({
  baseURL: place.url,
  say: async ({ locale }, use) => use(locale?.startsWith('fr') ? french : english),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
  expected: async ({}, use) => use([]),
  person: async ({ browser, contextOptions, expected }, use) => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    await use(async (role, { width } = {}) => {
      const context = await browser.newContext({
        ...contextOptions,
        ...(width && { viewport: { width, height: 780 }, hasTouch: true }),
      })
      contexts.push(context)
      await watch(context, complaints)
      if (role) await giveSession(context, role)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
    expect(complaints.filter((text) => !expected.some((each) => each.test(text)))).toEqual([])
  },
})

/**
 * A long journey is the same in both languages and at both widths. `npm test` walks it once, half of the journeys in English on
 * a wide window and half in French or on a phone; the part `visits` walks the others, which have the tag.
 */
export const walked = (byTest: boolean): { tag: string[] } => ({ tag: byTest ? [] : ['@once-more'] })

/** A refusal is an answer: the browser notes each 4xx of the api, and that is no fault of the page. */
const refusal = /the server responded with a status of 4\d\d/

async function watch(context: BrowserContext, complaints: string[]) {
  await makeOld(context)
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`The policy forbids: ${violatedDirective} ${blockedURI}`)
    })
  })
  context.on('console', (message) => {
    const isRefusal =
      refusal.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/')
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
  })
  context.on('weberror', (fault) => complaints.push(`uncaught: ${fault.error().message}`))
}

/** Rules whose answer depends on how wide words are. */
export const rulesOfLayout = ['target-size', 'scrollable-region-focusable'] as const

/** Nothing of WCAG 2.2 AA that a machine can see is broken, in the page or in the dialog over it. `rules` looks by these alone. */
export async function expectAccessible(page: Page, what: string, rules?: readonly string[]): Promise<void> {
  // Rows are dimmed while those of another question are read.
  await expect(page.locator('.outdated'), `rows of ${what} that are out of date`).toHaveCount(0)
  await motionEnded(page)
  for (const frame of page.frames()) await bringAxe(frame)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // Of these rules only that of sound needs files. Reading all styles for the others took a twelfth of the time.
    preload: { assets: ['media'] },
    runOnly: rules
      ? { type: 'rule', values: [...rules] }
      : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  }
  const found = await page.evaluate(async (asked) => {
    if (!window.axe) throw new Error('axe is not on the page')
    const { violations } = await window.axe.run(document, asked)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }, options)
  expect(found, `accessibility of ${what}`).toEqual([])
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A document gets axe once: its half a megabyte takes long to bring. */
async function bringAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => Boolean(window.axe))) return
  await frame.evaluate(`${axeSource}; window.axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`)
}

/** A dialog that is still fading in has the colours of nothing; one whose styles have just come begins a frame later. */
function motionEnded(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const running = () =>
      document
        .getAnimations()
        .filter(
          (each) => each.playState === 'running' && each.effect?.getComputedTiming().endTime !== Infinity,
        )
    for (let still = 0; still < 3; await frame()) {
      const ending = running()
      still = ending.length ? 0 : still + 1
      await Promise.allSettled(ending.map(({ finished }) => finished))
    }
  })
}

/** The page fits the width of the window, once it has drawn itself for it: nothing has to be scrolled sideways to be read. */
export async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const beyond = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
        .map((element) => `${element.tagName}.${element.className}`.slice(0, 80))
        .slice(0, 5)
    })
  await expect.poll(beyond, `width of ${what}`).toEqual([])
}

export { expect }
