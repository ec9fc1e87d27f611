import type { ModuleRoute, PortalModule } from '@portal/sdk'
import { bestPath } from '@portal/sdk/addresses'
import type { RegistryModule } from '@portal/sdk/manifest'
import { contractAdmits, contractVersion } from '@portal/sdk/registry'
import type { ComponentType } from 'react'
import { create } from 'zustand'
import { addCatalogs } from '../language.ts'
import { permissionsNow } from '../session/session.ts'
import { type BuildRef, fetchEarly, readBuild } from './builds.ts'
import { loadBuild } from './federation.ts'
import { makeHost } from './host.ts'
import { abandonPending, isTampered, takeFailed } from './integrity.ts'
import { isAllowed } from './registry.ts'
import { screenStyles } from './screen-styles.ts'

/** Why a module cannot be shown (architecture 3.5). */
export type Failure =
  | { reason: 'unreachable'; file: string }
  | { reason: 'contract'; needed: string }
  | { reason: 'integrity' }
  | { reason: 'invalid' }
  | { reason: 'disabled' }
  | { reason: 'denied' }

/** A page that is ready to be drawn. */
export type ReadyPage = { path: string; Component: ComponentType }

/** State of the address that is open; `missing` is an address that its module does not know. */
export type View =
  | { status: 'loading' }
  | { status: 'ready'; page: ReadyPage; build: string }
  | { status: 'missing' }
  | { status: 'failed'; failure: Failure }

type Loaded = { module: PortalModule; routes: ModuleRoute[]; pages: Map<string, ReadyPage>; build: string }

/** What to show at each address of a module, so that the page before stays as it was until the next is shown. */
export const useViews = create<Record<string, View>>(() => ({}))
const loaded = new Map<string, Promise<Loaded>>()
const attempts = new Map<string, symbol>()

class ModuleFault extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

const isModule = (value: unknown): value is PortalModule =>
  typeof value === 'object' &&
  value !== null &&
  'contract' in value &&
  'routes' in value &&
  typeof value.routes === 'function' &&
  'messages' in value

async function fetchModule(ref: BuildRef, pathname: string): Promise<Loaded> {
  const build = await readBuild(ref)
  fetchEarly(build, pathname)
  const styles = screenStyles()
  const module = await loadBuild(build)
  if (!isModule(module)) throw new ModuleFault({ reason: 'invalid' })
  if (!contractAdmits(`^${module.contract}`, contractVersion)) {
    throw new ModuleFault({ reason: 'contract', needed: `^${module.contract}` })
  }
  await Promise.all([addCatalogs(module.messages), styles])
  return { module, routes: module.routes(makeHost(build)), pages: new Map(), build: build.build }
}

async function resolvePage(held: Loaded, pathname: string): Promise<ReadyPage | null> {
  const path = bestPath(
    held.routes.map((each) => each.path),
    pathname,
  )
  const route = held.routes.find((each) => each.path === path)
  if (!route) return null
  if (!isAllowed(route.permission, permissionsNow())) throw new ModuleFault({ reason: 'denied' })
  const known = held.pages.get(route.path)
  if (known) return known
  const page = { path: route.path, Component: (await route.page()).default }
  held.pages.set(route.path, page)
  return page
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Tells a file that was changed from one that did not come. */
async function judge(fault: unknown, base: string): Promise<Failure> {
  if (fault instanceof ModuleFault) return fault.failure
  const files = takeFailed(base)
  for (const file of files) if (await isTampered(file)) return { reason: 'integrity' }
  return { reason: 'unreachable', file: files[0] ?? base }
}

async function tryOpen(entry: RegistryModule, build: BuildRef, pathname: string): Promise<View> {
  let held = loaded.get(entry.name)
  if (!held) {
    held = fetchModule(build, pathname)
    loaded.set(entry.name, held)
  }
  try {
    const page = await resolvePage(await held, pathname)
    return page ? { status: 'ready', page, build: (await held).build } : { status: 'missing' }
  } catch (fault) {
    // A module that came stays; only what did not come is asked for again.
    await held.catch(() => loaded.delete(entry.name))
    return { status: 'failed', failure: await judge(fault, build.base) }
  }
}

/** Opens an address of a module; the view follows in the store, whatever happens. */
export async function openModule(
  entry: RegistryModule,
  pathname: string,
  build: BuildRef = entry,
): Promise<void> {
  const attempt = Symbol(pathname)
  attempts.set(pathname, attempt)
  const show = (view: View) => {
    if (attempts.get(pathname) === attempt) useViews.setState({ [pathname]: view })
  }
  const refusal = refuse(entry)
  if (refusal) return show({ status: 'failed', failure: refusal })
  // A page seen before is shown again at once.
  if (useViews.getState()[pathname]?.status !== 'ready') show({ status: 'loading' })
  // One automatic retry for every file that does not come: a line that broke has broken for all of them.
  let view: View
  const lost = new Set<string>()
  for (;;) {
    view = await tryOpen(entry, build, pathname)
    const file = view.status === 'failed' && view.failure.reason === 'unreachable' ? view.failure.file : null
    if (file === null || lost.has(file) || attempts.get(pathname) !== attempt) break
    lost.add(file)
    await pause(lost.size === 1 ? 800 : 0)
  }
  show(view)
}

function refuse(entry: RegistryModule): Failure | null {
  if (entry.disabled) return { reason: 'disabled' }
  if (!isAllowed(entry.permission, permissionsNow())) return { reason: 'denied' }
  if (!contractAdmits(entry.contract, contractVersion)) return { reason: 'contract', needed: entry.contract }
  return null
}

/** Gives up on what is under way and begins again. */
export async function retryModule(entry: RegistryModule, pathname: string): Promise<void> {
  abandonPending(entry.base)
  // What was given up on must not be waited for again; what did come is still in the browser.
  loaded.delete(entry.name)
  // The runtime forgets a failed entry only after whoever waited for it has heard.
  await pause(0)
  takeFailed(entry.base)
  await openModule(entry, pathname)
}

/** Opens the build before the current one. */
export async function openPrevious(entry: RegistryModule, pathname: string): Promise<void> {
  const { name, previous } = entry
  if (!previous) return
  loaded.delete(name)
  await openModule(entry, pathname, { name, ...previous, base: `/modules/${name}/${previous.build}/` })
}
