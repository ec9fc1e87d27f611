import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateway } from '@portal/gateway'
import type { ModuleBuild, Registry } from '@portal/sdk/manifest'
import Fastify, { type FastifyInstance } from 'fastify'
import { kib } from './figures.ts'

/** What architecture section 6 allows, in bytes of brotli. */
export const budgets = {
  firstPaint: 13 * 1024,
  shell: 100 * 1024,
  screen: 150 * 1024,
  repeat: 5 * 1024,
  external: 90 * 1024,
  roundTrips: 3,
  shift: 0.02,
}

const distDir = join(import.meta.dirname, '../dist')
type Measured = { what: string; bytes: number; budget: number }

/**
 * The built files as the gateway sends them, without a browser and without data: the same bytes on every machine. What a
 * page loads later than its head says is left to `npm run bench -- pages`.
 */
async function measure(): Promise<Measured[]> {
  const app = Fastify()
  await gateway(app, { distDir, apiBase: '/api', publicUrl: 'http://localhost', frameSrc: null, demo: true })
  const { modules } = JSON.parse(readFileSync(join(distDir, 'modules.json'), 'utf8')) as Registry
  const measured: Measured[] = []
  for (const locale of ['en', 'fr']) {
    const login = await weigh(app, '/login', locale)
    measured.push({
      what: `/login in ${locale}, what it paints from`,
      bytes: login.painted,
      budget: budgets.firstPaint,
    })
    measured.push({ what: `/login in ${locale}, all of it`, bytes: login.shell, budget: budgets.shell })
    const landing = await weigh(app, '/', locale)
    measured.push({
      what: `the front page in ${locale}, what it paints from`,
      bytes: landing.painted,
      budget: budgets.firstPaint,
    })
    measured.push({
      what: `the front page in ${locale}, all of it`,
      bytes: landing.shell,
      budget: budgets.shell,
    })
    const portal = await weigh(app, '/nowhere', locale)
    measured.push({
      what: `the shell in ${locale}, before a module`,
      bytes: portal.shell,
      budget: budgets.shell,
    })
    const home = await weigh(app, '/home', locale)
    measured.push({ what: `/home in ${locale}`, bytes: home.shell, budget: budgets.screen })
    const external = await weigh(app, '/external/cases/any', locale)
    measured.push({
      what: `the consultant’s page in ${locale}, before its words`,
      bytes: external.shell,
      budget: budgets.external,
    })
    for (const module of modules) {
      const record = readFileSync(join(distDir, module.base, 'build.json'), 'utf8')
      const { preloads } = JSON.parse(record) as ModuleBuild
      const pages = Object.keys(preloads).filter((path) => path.startsWith('/'))
      const paths = new Set([...module.routes, ...pages.map((path) => path.replace(/:\w+/g, '1'))])
      for (const path of paths) {
        const { document, shell, module: own } = await weigh(app, path, locale)
        if (!own) continue
        measured.push({ what: `${path} in ${locale}`, bytes: shell + own, budget: budgets.screen })
        // Whatever else a page is made of is kept for a year.
        measured.push({ what: `${path} in ${locale}, once more`, bytes: document, budget: budgets.repeat })
      }
    }
  }
  await app.close()
  return measured
}

/** Bytes of a page and of what its head asks for: what the first paint waits for, the shell's, the module's. */
async function weigh(app: FastifyInstance, path: string, locale: string) {
  const page = await get(app, path, locale, 'identity')
  const html = page.rawPayload.toString('utf8')
  const document = (await get(app, path, locale)).rawPayload.length
  const total = { document, painted: document, shell: document, module: 0 }
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    const address = /\b(?:src|href)="(\/(?:assets|modules|external\/assets)\/[^"]+)"/.exec(tag)?.[1]
    const blocking = /\brel="stylesheet"/.test(tag)
    if (!address || !(blocking || tag.startsWith('<script') || /\brel="preload"/.test(tag))) continue
    const { length } = (await get(app, address, locale)).rawPayload
    if (blocking) total.painted += length
    total[address.startsWith('/modules/') ? 'module' : 'shell'] += length
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
