import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateway } from '@portal/gateway'
import type { ModuleBuild, Registry } from '@portal/sdk/manifest'
import Fastify, { type FastifyInstance } from 'fastify'
import { shellPages } from '../shell/src/pages/addresses.ts'
import { type Figure, kib } from './figures.ts'

/** Upper limits of a visit, in bytes compressed with Brotli. React, the router and the query library fit into them. */
export const budgets = {
  firstPaint: 13 * 1024,
  /** The sign-in page or the front page with all of their scripts and styles. */
  signIn: 20 * 1024,
  /** What the sign-in page prefetches of the portal while the person types. */
  ahead: 170 * 1024,
  shell: 140 * 1024,
  screen: 230 * 1024,
  /** The part of a screen that comes from its module. */
  module: 60 * 1024,
  repeat: 8 * 1024,
  /** What a module in a frame costs at its first opening beyond the same module in the page, and at each later one. */
  frame: 100 * 1024,
  frameAgain: 8 * 1024,
  external: 90 * 1024,
  roundTrips: 3,
  shift: 0.02,
}

const distDir = join(import.meta.dirname, '../dist')
type Measured = { what: string; bytes: number; budget: number }

/**
 * Measures the built files as the gateway sends them. No browser and no data are needed, so the bytes are the same on
 * every machine. What scripts load after the head is measured by `npm run bench -- pages`.
 */
async function measure(): Promise<Measured[]> {
  const app = Fastify()
  await gateway(app, { distDir, apiBase: '/api', publicUrl: 'http://localhost', frameSrc: null })
  const measured: Measured[] = []
  for (const locale of ['en', 'fr'])
    measured.push(
      ...(await measureShell(app, locale)),
      ...measureFrame(locale),
      ...(await measureModules(app, locale)),
    )
  await app.close()
  return measured
}

async function measureShell(app: FastifyInstance, locale: string): Promise<Measured[]> {
  const login = await weigh(app, '/login', locale)
  const landing = await weigh(app, '/', locale)
  const portal = await weigh(app, '/nowhere', locale)
  const external = await weigh(app, '/external/cases/any', locale)
  const lines: [string, number, number][] = [
    [`/login in ${locale}, what it paints from`, login.painted, budgets.firstPaint],
    [`/login in ${locale}, all of it`, login.shell, budgets.signIn],
    [`/login in ${locale}, fetched ahead`, login.ahead, budgets.ahead],
    [`the front page in ${locale}, what it paints from`, landing.painted, budgets.firstPaint],
    [`the front page in ${locale}, all of it`, landing.shell, budgets.signIn],
    [`the shell in ${locale}, before a module`, portal.shell, budgets.shell],
    [
      `the consultant’s page in ${locale}, with its words`,
      external.shell + guestWords(locale),
      budgets.external,
    ],
  ]
  for (const path of Object.keys(shellPages)) {
    const { document, shell } = await weigh(app, path, locale)
    lines.push([`${path} in ${locale}`, shell, budgets.screen])
    lines.push([`${path} in ${locale}, once more`, document, budgets.repeat])
  }
  return lines.map(([what, bytes, budget]) => ({ what, bytes, budget }))
}

/** The words of the consultant's page, which its script loads. The folder also has those of earlier builds. */
function guestWords(locale: string): number {
  const page = readFileSync(join(distDir, 'external/index.html'), 'utf8')
  const [script = ''] = /index\.\w+\.js/.exec(page) ?? []
  const folder = join(distDir, 'external/assets')
  const text = readFileSync(join(folder, script), 'utf8')
  const hashOf = (file: string) => file.split('.')[1] ?? ''
  const [words] = readdirSync(folder).filter(
    (file) => file.startsWith(`words-${locale}.`) && file.endsWith('.js.br') && text.includes(hashOf(file)),
  )
  if (!words) throw new Error(`The consultant’s page has no words in ${locale}: is dist/ built?`)
  return readFileSync(join(folder, words)).length
}

/** What a frame needs: its page, each time, and the files that the portal fetches for it and does not need itself. */
function measureFrame(locale: string): Measured[] {
  const shell = (file: string) => readFileSync(join(distDir, 'shell', file))
  const compressed = (file: string) => {
    const small = join(distDir, 'shell', `${file}.br`)
    return (existsSync(small) ? readFileSync(small) : shell(file)).length
  }
  const page = `isolated.${locale}.html`
  const portal = shell(`portal.${locale}.html`).toString()
  const first = JSON.parse(/data-first='([^']+)'/.exec(shell(page).toString())?.[1] ?? '[]') as string[]
  const { framed } = JSON.parse(shell('early.json').toString())[locale] as { framed: string }
  const around = [...framed.matchAll(/as="script" href="([^"]+)"/g)].map(([, file = '']) => file)
  const files = [...first, ...around].filter((file) => !portal.includes(file))
  const again = compressed(page)
  const added = files.reduce((sum, file) => sum + compressed(file.slice(1)), again)
  return [
    { what: `a frame in ${locale}, added to its module`, bytes: added, budget: budgets.frame },
    { what: `a frame in ${locale}, once more`, bytes: again, budget: budgets.frameAgain },
  ]
}

/** What an isolated module costs beyond the same module in the page, for docs/figures.md. */
export async function frameFigures(): Promise<Figure[]> {
  const [english, french] = [measureFrame('en'), measureFrame('fr')]
  const names = ['added to its module at the first opening', 'at each later opening']
  return names.map((name, n): Figure => {
    const budget = english[n]?.budget ?? 0
    const bytes = [english[n]?.bytes ?? 0, french[n]?.bytes ?? 0]
    return {
      figure: `Frame of an isolated module, ${name}`,
      measured: `${kib(bytes[0] ?? 0)} in English, ${kib(bytes[1] ?? 0)} in French`,
      aim: `≤ ${kib(budget)}`,
      holds: bytes.every((each) => each <= budget),
      command: 'npm run bench -- frames',
    }
  })
}

async function measureModules(app: FastifyInstance, locale: string): Promise<Measured[]> {
  const { modules } = JSON.parse(readFileSync(join(distDir, 'modules.json'), 'utf8')) as Registry
  const measured: Measured[] = []
  for (const module of modules) {
    const record = readFileSync(join(distDir, module.base, 'build.json'), 'utf8')
    const { preloads } = JSON.parse(record) as ModuleBuild
    const pages = Object.keys(preloads).filter((path) => path.startsWith('/'))
    const paths = new Set([...module.routes, ...pages.map((path) => path.replace(/:\w+/g, '1'))])
    for (const path of paths) {
      const { document, shell, module: own } = await weigh(app, path, locale)
      if (!own) continue
      measured.push(
        { what: `${path} in ${locale}`, bytes: shell + own, budget: budgets.screen },
        { what: `${path} in ${locale}, of its module`, bytes: own, budget: budgets.module },
        // A second visit loads the document only: the browser caches everything else for a year.
        { what: `${path} in ${locale}, once more`, bytes: document, budget: budgets.repeat },
      )
    }
  }
  return measured
}

/** Bytes of a page and of what its head requests: before the first paint, of the shell, of the module, prefetched. */
async function weigh(app: FastifyInstance, path: string, locale: string) {
  const page = await get(app, path, locale, 'identity')
  const html = page.rawPayload.toString('utf8')
  const document = (await get(app, path, locale)).rawPayload.length
  const total = { document, painted: document, shell: document, module: 0, ahead: 0 }
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    const address = /\b(?:src|href)="(\/(?:assets|modules|external\/assets)\/[^"]+)"/.exec(tag)?.[1]
    const rel = tag.startsWith('<script') ? 'script' : /\brel="([^"]+)"/.exec(tag)?.[1]
    if (!address || !rel || !['script', 'stylesheet', 'preload', 'prefetch'].includes(rel)) continue
    const { length } = (await get(app, address, locale)).rawPayload
    if (rel === 'stylesheet') total.painted += length
    if (rel === 'prefetch') total.ahead += length
    else total[address.startsWith('/modules/') ? 'module' : 'shell'] += length
  }
  return total
}

async function get(app: FastifyInstance, url: string, locale: string, encoding = 'br') {
  const answer = await app.inject({
    url,
    headers: { 'accept-encoding': encoding, 'accept-language': locale },
  })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: is dist/ built?`)
  return answer
}

async function check(): Promise<number> {
  const over: string[] = []
  for (const { what, bytes, budget } of await measure()) {
    console.log(
      `${bytes <= budget ? '✓' : '✗'} ${kib(bytes).padStart(10)} of ${kib(budget).padStart(9)}  ${what}`,
    )
    if (bytes > budget)
      over.push(
        `${what} weighs ${kib(bytes)}, ${kib(bytes - budget)} more than its budget of ${kib(budget)}.`,
      )
  }
  if (over.length) console.error(over.join('\n'))
  return over.length ? 1 : 0
}

if (import.meta.main) process.exitCode = await check()
