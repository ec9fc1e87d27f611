import type { BuiltModule } from '@portal/build/build-module'
import { isAtRoutes } from '@portal/contracts/module-routes'
import { type ItemKind, i18n, type PortalModule } from '@portal/sdk'
import { itemKinds, tabPlace } from '@portal/sdk/extensions'
import { contractAdmits } from '@portal/sdk/registry'
import { fetchPage } from '@portal/sdk/routes'
import { type ComponentType, createElement } from 'react'
import { finding } from './finding.ts'
import { flagsAsDeclared, settingsAsDeclared } from './harness/as-declared.ts'
import { drawOnce } from './harness/draw.ts'
import { type FakePortal, fakePortal } from './harness/fake-portal.ts'
import { loadBuilt } from './harness/load.ts'
import { sampleItems } from './harness/sample-items.ts'
import { openWindow } from './harness/window.ts'
import type { Check } from './portal.ts'
import { messageOf } from './refusal.ts'

const locales = ['en', 'fr'] as const

/** The findings, and whether a route of the module has the deprecated field `page`. */
export type Tried = { checks: Check[]; hasPages: boolean }

/** Runs the built module without a portal. Checks what it exposes, and draws every page, card and tab in both languages. */
export async function tryModule(built: BuiltModule): Promise<Tried> {
  const { error, warn } = console
  // React logs many warnings without a browser. The checks below find the errors that matter.
  Object.assign(console, { error: () => undefined, warn: () => undefined })
  try {
    return await tryAll(built)
  } finally {
    Object.assign(console, { error, warn })
  }
}

async function tryAll({ folder, record }: BuiltModule): Promise<Tried> {
  openWindow()
  let module: PortalModule | undefined
  const loads = await finding('module', async () => {
    module = readModule(await loadBuilt(folder, record))
    if (!contractAdmits(record.contract, module.contract))
      throw new Error(
        `module.ts says contract ${module.contract}, portal.module.json ${record.contract}: make them agree.`,
      )
    return 'its default export is a module.'
  })
  if (!module) return { checks: [loads], hasPages: false }
  const loaded = module
  const withFlags = (flags: Record<string, boolean>) =>
    fakePortal({
      ...{ module: record, collections: record.collections, events: record.events },
      ...{ sampled: true, flags, settings: settingsAsDeclared(record) },
    })
  const declared = flagsAsDeclared(record)
  const portal = withFlags(declared)
  const words = await loadWords(loaded)
  const checks = [
    loads,
    words,
    await finding('declared', async () => declaredAgree(loaded, portal, record)),
    ...(await drawAll(loaded, portal)),
    ...(await drawSwitched(loaded, declared, withFlags)),
  ]
  return { checks, hasPages: loaded.routes(portal.host).some((route) => 'page' in route) }
}

/** What is behind a switch that is off is drawn as well: somebody may switch it on. */
async function drawSwitched(
  module: PortalModule,
  declared: Record<string, boolean>,
  withFlags: (flags: Record<string, boolean>) => FakePortal,
): Promise<Check[]> {
  const all = Object.keys(declared)
  if (all.every((flag) => declared[flag])) return []
  const checks = await drawAll(module, withFlags(Object.fromEntries(all.map((flag) => [flag, true]))))
  return checks.map((check) => ({ ...check, gate: `${check.gate}, all flags on` }))
}

function readModule(found: unknown): PortalModule {
  const module = found as PortalModule | undefined
  const fits =
    typeof module?.contract === 'string' &&
    typeof module.routes === 'function' &&
    locales.every((locale) => typeof module.messages?.[locale] === 'function')
  if (!fits || !module)
    throw new Error('src/module.ts must export defineModule({ contract, routes, messages }) as its default.')
  return module
}

const loadWords = ({ messages }: PortalModule) =>
  finding('catalogs', async () => {
    const sizes = await Promise.all(
      locales.map(async (locale) => {
        const catalogs = await Promise.all(messages[locale]())
        for (const { messages: words } of catalogs) i18n.load(locale, words)
        return catalogs.reduce((sum, { messages: words }) => sum + Object.keys(words).length, 0)
      }),
    )
    return `${sizes[0]} words in English, ${sizes[1]} in French.`
  })

/** Checks that manifest and module.ts agree: every page is below a route of the manifest, and both have the same cards and tabs. */
function declaredAgree(module: PortalModule, { host }: FakePortal, record: BuiltModule['record']): string {
  const routes = module.routes(host)
  const outside = routes.filter(({ path }) => !isAtRoutes(record.routes, path))
  const empty = record.routes.filter((route) => !routes.some(({ path }) => path.startsWith(route)))
  const cards = Object.keys(module.cards ?? {})
  const tabs = itemKinds.flatMap((on) => Object.keys(module.tabs?.[on] ?? {}).map((id) => `${id} on ${on}`))
  const promised = record.cards.map(({ id }) => id)
  const promisedTabs = (record.tabs ?? []).map(({ id, on }) => `${id} on ${on}`)
  const faults = [
    ...outside.map(({ path }) => `${path} is below none of the manifest's routes`),
    ...empty.map((route) => `the manifest has the route ${route}, and no page is there`),
    ...promised
      .filter((id) => !cards.includes(id))
      .map((id) => `the manifest has a card ${id}, module.ts has not`),
    ...cards
      .filter((id) => !promised.includes(id))
      .map((id) => `module.ts has a card ${id}, the manifest has not`),
    ...promisedTabs
      .filter((tab) => !tabs.includes(tab))
      .map((tab) => `the manifest has a tab ${tab}, module.ts has not`),
    ...tabs
      .filter((tab) => !promisedTabs.includes(tab))
      .map((tab) => `module.ts has a tab ${tab}, the manifest has not`),
  ]
  if (faults.length) throw new Error(faults.join('; '))
  return `${routes.length} pages, ${cards.length} cards and ${tabs.length} tabs, as the manifest has them.`
}

/** A tab with a sample of what it is on. */
const withItem = (Tab: ComponentType<object>, on: ItemKind) =>
  Tab && (() => createElement(Tab, sampleItems[on]))

type Drawn = { what: string; path: string; fetch: () => Promise<ComponentType | undefined> }

function everythingDrawn(module: PortalModule, { host }: FakePortal): Drawn[] {
  const pages = module.routes(host).map((route) => ({
    ...{ what: route.path, path: route.path, fetch: () => fetchPage(route) },
  }))
  const cards = Object.entries(module.cards ?? {}).map(([id, card]) => ({
    ...{ what: `card ${id}`, path: '/home', fetch: async () => (await card()).default },
  }))
  const tabs = itemKinds.flatMap((on) =>
    Object.entries(module.tabs?.[on] ?? {}).map(([id, tab]) => ({
      ...{ what: `tab ${id} on ${on}`, path: tabPlace({ on, id }) },
      fetch: async () => withItem((await tab()).default as ComponentType<object>, on),
    })),
  )
  return [...pages, ...cards, ...tabs]
}

/** Draws each page, card and tab in each language. It must not throw, must show something, and must not lack a translation. */
async function drawAll(module: PortalModule, portal: FakePortal): Promise<Check[]> {
  const missing = new Set<string>()
  const stop = i18n.on('missing', ({ id }) => void missing.add(id))
  const checks: Check[] = []
  for (const { what, path, fetch } of everythingDrawn(module, portal)) {
    checks.push(
      await finding(what, async () => {
        const Page = await fetch()
        if (!Page)
          throw new Error('the file has neither a Component nor a default export that draws something.')
        for (const locale of locales) {
          portal.speak(locale)
          missing.clear()
          const { text, faults } = await drawOnce(portal, Page, path)
          const [fault] = faults
          if (fault) throw new Error(`it breaks while it is drawn (${locale}): ${messageOf(fault)}`)
          if (!text.trim()) throw new Error(`it shows nothing (${locale}).`)
          if (missing.size)
            throw new Error(
              `${missing.size} words are in no catalog (${locale}: ${[...missing].slice(0, 5).join(', ')}): add the catalogs of the packages it uses to messages in module.ts.`,
            )
        }
        return 'drawn in English and French.'
      }),
    )
  }
  stop()
  return checks
}
