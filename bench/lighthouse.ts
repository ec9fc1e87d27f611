import { chromium } from 'playwright-core'
import { startPortal } from '../e2e/stage/portal.ts'
import { findBrowser } from '../scripts/lib/browser.mjs'
import { freePort } from '../scripts/lib/ports.mjs'
import { type Figure, median } from './figures.ts'
import { signIn } from './pages.ts'
import { closeAtEnd } from './stage.ts'

const command = 'npm run lighthouse'
/** Lighthouse's categories with the lowest score out of 100 that we accept. */
const aims = { performance: 95, accessibility: 100, 'best-practices': 100 }
type Category = keyof typeof aims
type Scores = Record<Category, number>
const categories = Object.keys(aims) as Category[]
const pages = [
  { name: 'Front page', path: '/', signedIn: false },
  { name: 'Sign-in page', path: '/login', signedIn: false },
  { name: 'Home page, signed in', path: '/home', signedIn: true },
]

/**
 * Runs Lighthouse with its defaults (a mid-range phone on slow 4G) over the built product with a small demo. A score is
 * the median of three runs, because a single run on a busy machine is not reliable.
 */
export async function measureLighthouse(runs = 3): Promise<Figure[]> {
  const { place, stop } = await startPortal()
  return closeAtEnd(stop, async () => {
    const figures: Figure[] = []
    for (const { name, path, signedIn } of pages) {
      const scores: Scores[] = []
      const faults = new Set<string>()
      for (let run = 0; run < runs; run += 1)
        scores.push(
          await onceMore(() =>
            inNewBrowser(place.url, signedIn, (port) => score(place.url + path, port, faults)),
          ),
        )
      figures.push(...categories.map((each) => figure(name, each, scores, faults)))
    }
    return figures
  })
}

/** Repeats a failed run once. On a busy machine Chromium sometimes loses the start of a trace (NO_NAVSTART). */
async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch {
    return run()
  }
}

/** Runs in a new browser with an empty cache; signs in through the API where the page needs it. */
async function inNewBrowser<T>(
  url: string,
  signedIn: boolean,
  work: (port: number) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const context = await chromium.launchPersistentContext('', {
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    baseURL: url,
  })
  return closeAtEnd(
    () => context.close(),
    async () => {
      if (signedIn) await signIn(context)
      return work(port)
    },
  )
}

function figure(name: string, category: Category, scores: Scores[], faults: Set<string>): Figure {
  const middle = median(scores.map((each) => each[category]))
  const aim = aims[category]
  const why = [...faults].filter((fault) => fault.startsWith(`${category}: `)).join('; ')
  return {
    figure: `${name}, Lighthouse ${category.replace('-', ' ')}`,
    measured: middle < aim && why ? `${middle} (${why})` : String(middle),
    aim: aim === 100 ? '100' : `≥ ${aim}`,
    holds: middle >= aim,
    command,
  }
}

async function score(url: string, port: number, faults: Set<string>) {
  const { default: lighthouse } = await import('lighthouse')
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: categories,
    // Storage stays: the session cookie is needed, and a new browser has nothing else to clear.
    disableStorageReset: true,
  })
  if (!result) throw new Error(`Lighthouse did not answer for ${url}`)
  const { categories: found, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
  const scores = {} as Scores
  for (const each of categories) {
    const category = found[each]
    scores[each] = Math.round((category?.score ?? 0) * 100)
    for (const { id, weight } of category?.auditRefs ?? []) {
      const audit = audits[id]
      if (weight > 0 && audit && audit.score !== null && audit.score < 0.9)
        faults.add(`${each}: ${id}${audit.displayValue ? ` ${audit.displayValue}` : ''}`)
    }
  }
  return scores
}
