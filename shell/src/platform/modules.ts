import type { PortalModule } from '@portal/sdk'
import { contractFor, offered } from '@portal/sdk/majors'
import { fetchPage } from '@portal/sdk/routes'
import type { ComponentType } from 'react'
import { matchRoutes } from 'react-router-dom'
import { create } from 'zustand'
import { addModuleWords, speakFor } from '../language.ts'
import { permissionsNow } from '../session/session.ts'
import { type BuildRef, type Failed, fetchEarly, readBuild } from './builds.ts'
import { type Failure, isPassing, ModuleFault, newReference } from './failures.ts'
import { abandonPending } from './head-guard.ts'
import { givenTo, makeHost } from './host.ts'
import { takeFailed } from './integrity.ts'
import { lazyFederation } from './lazy-federation.ts'
import { lazyStates } from './lazy-states.tsx'
import { asModule, chooseForReload, chosenBefore } from './plain-remote.ts'
import { type Entry, isAllowed } from './registry.ts'
import { begin, reportFailure } from './reports.ts'
import { screenStyles } from './screen-styles.ts'

/** A page that is ready to be drawn. */
export type ReadyPage = { path: string; Component: ComponentType }

/** State of the address that is open; `missing` is an address that its module does not know. */
export type View =
  | { status: 'loading' }
  | { status: 'ready'; page: ReadyPage; ref: BuildRef }
  | { status: 'missing' }
  | ({ status: 'failed' } & Failed)

type Loaded = {
  module: PortalModule
  routes: ReturnType<PortalModule['routes']>
  pages: Map<string, ReadyPage>
}
type Holding = {
  module: Promise<Loaded>
  came: boolean
  /** The person has retried: the outcome of this attempt no longer counts. */
  givenUp: boolean
  /** Why it failed, determined once for everybody who waits for it. */
  failure?: Promise<Failure>
}

/** What to show at each address of a module, so that the page before stays as it was until the next is shown. */
export const useViews = create<Record<string, View>>(() => ({}))
const holdings = new Map<string, Holding>()
const attempts = new Map<string, symbol>()
/** Builds that somebody chose in this tab instead of the current ones. */
const chosen = new Map<string, BuildRef>()
/** Non-network failures by the base of their build. They are cached until the document is reloaded. */
const settled = new Map<string, Failure>()

/** Time limit of an attempt, whatever hangs: a file, an entry, or the start of a module. */
const timeoutMs = 20_000
const hung = new Error('This took too long.')

const previousOf = ({ name, previous }: Entry): BuildRef | undefined =>
  previous ? { name, ...previous, base: `/modules/${name}/${previous.build}/` } : undefined

/** The build of a module that this tab uses. */
export function buildOf(entry: Entry): BuildRef {
  const before = chosenBefore(entry) ? previousOf(entry) : undefined
  return chosen.get(entry.name) ?? before ?? entry
}

const isModule = (value: unknown): value is PortalModule =>
  typeof value === 'object' &&
  value !== null &&
  'contract' in value &&
  'routes' in value &&
  typeof value.routes === 'function' &&
  'messages' in value

async function fetchModule(ref: BuildRef): Promise<Loaded> {
  const [{ loadBuild, readGiven }, build] = await Promise.all([lazyFederation.fetch(), readBuild(ref)])
  const styles = screenStyles()
  const [exposed, given] = await Promise.all([loadBuild(build), readGiven(ref, build)])
  givenTo.set(ref.name, given)
  const module = build.remote ? asModule(build, exposed) : exposed
  if (!isModule(module)) throw new ModuleFault({ reason: 'invalid' })
  if (!contractFor(`^${module.contract}`, offered)) {
    throw new ModuleFault({ reason: 'contract', needed: `^${module.contract}` })
  }
  await Promise.all([addModuleWords(module.messages), styles])
  return { module, routes: module.routes(makeHost(build)), pages: new Map() }
}

function hold(ref: BuildRef): Holding {
  const holding: Holding = { module: fetchModule(ref), came: false, givenUp: false }
  holding.module.then(
    () => (holding.came = true),
    () => {},
  )
  holdings.set(ref.name, holding)
  return holding
}

async function resolvePage({ routes, pages }: Loaded, pathname: string): Promise<ReadyPage | null> {
  const declared = routes.map((route) => ({ path: route.path, caseSensitive: true, route }))
  const route = matchRoutes(declared, pathname)?.at(-1)?.route.route
  if (!route) return null
  if (!isAllowed(route.permission, permissionsNow())) throw new ModuleFault({ reason: 'denied' })
  const known = pages.get(route.path)
  if (known) return known
  const page = { path: route.path, Component: await fetchPage(route) }
  pages.set(route.path, page)
  return page
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(hung), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Classifies an error with the lazy `judge`; if that cannot be fetched the network is down. */
async function judge(fault: unknown, { base }: BuildRef): Promise<Failure> {
  if (fault instanceof ModuleFault) return fault.failure
  const files = takeFailed(base)
  const unreachable: Failure = { reason: 'unreachable', file: files[0] ?? base }
  if (fault === hung) return { ...unreachable, file: 'hung' }
  const states = await within(timeoutMs, lazyStates.fetch()).catch(() => null)
  return states ? states.judge(fault, files, unreachable) : unreachable
}

type Outcome<T> = { value: T; ref: BuildRef } | { failure: Failure; ref: BuildRef }

async function tryOnce<T>(
  entry: Entry,
  pathname: string,
  use: (module: Loaded) => Promise<T>,
): Promise<Outcome<T>> {
  const ref = buildOf(entry)
  // The code of an isolated module never runs in this page, whoever asks for it.
  const refusal = entry.isolated ? ({ reason: 'denied' } as const) : refuse(entry, ref)
  if (refusal) return { failure: refusal, ref }
  const holding = holdings.get(entry.name) ?? hold(ref)
  // Prefetches the files of the page while the module is loaded. A loaded module requests them itself, all at once.
  if (!holding.came)
    void readBuild(ref).then(
      (build) => fetchEarly(build, pathname),
      () => {},
    )
  try {
    return { value: await within(timeoutMs, holding.module.then(use)), ref }
  } catch (fault) {
    if (holding.givenUp) return { failure: { reason: 'unreachable', file: 'given up' }, ref }
    if (fault === hung) abandonPending(ref.base)
    if (holding.came) {
      // A module that has loaded is kept; only what failed is fetched again.
      const failure = await judge(fault, ref)
      if (failure.reason === 'integrity') settled.set(ref.base, failure)
      return { failure, ref }
    }
    if (holdings.get(entry.name) === holding) holdings.delete(entry.name)
    holding.failure ??= judge(fault, ref)
    const failure = await holding.failure
    if (!isPassing(failure)) settled.set(ref.base, failure)
    return { failure, ref }
  }
}

/**
 * Loads a module and passes it to `use`. One automatic retry covers all files, because a network failure affects all of them.
 */
export async function take<T>(
  entry: Entry,
  pathname: string,
  use: (module: Loaded) => Promise<T>,
  isWanted: () => boolean = () => true,
): Promise<{ value: T; ref: BuildRef } | Failed> {
  const lost = new Set<string>()
  for (;;) {
    const outcome = await tryOnce(entry, pathname, use)
    if ('value' in outcome) return outcome
    const { failure } = outcome
    if (isPassing(failure) && !lost.has(failure.file) && isWanted()) {
      lost.add(failure.file)
      await pause(lost.size === 1 ? 800 : 0)
      continue
    }
    const failed = { ...outcome, reference: newReference() }
    if (isWanted()) reportFailure(failed, pathname)
    return failed
  }
}

/** Opens an address of a module; the view follows in the store, whatever happens. */
export async function openModule(entry: Entry, pathname: string): Promise<void> {
  const attempt = Symbol(pathname)
  attempts.set(pathname, attempt)
  const isWanted = () => attempts.get(pathname) === attempt
  const show = (view: View) => {
    if (isWanted()) useViews.setState({ [pathname]: view })
  }
  // A page seen before is shown again at once.
  if (useViews.getState()[pathname]?.status !== 'ready') {
    begin(pathname)
    show({ status: 'loading' })
  }
  const use = async (loaded: Loaded) => {
    const page = await resolvePage(loaded, pathname)
    if (isWanted()) speakFor(loaded.module.messages)
    return page
  }
  const taken = await take(entry, pathname, use, isWanted)
  if ('failure' in taken) show({ status: 'failed', ...taken })
  else show(taken.value ? { status: 'ready', page: taken.value, ref: taken.ref } : { status: 'missing' })
}

/** Why a build must not be opened, as far as that is known before any of its files is there. */
export function refuse(entry: Entry, ref: BuildRef): Failure | null {
  if (entry.disabled) return { reason: 'disabled' }
  if (!isAllowed(entry.permission, permissionsNow())) return { reason: 'denied' }
  if (entry.withheld) return { reason: 'withheld', why: entry.withheld }
  // The build before has a range of its own, which it says itself.
  const isCurrent = ref === entry
  if (isCurrent && !contractFor(entry.contract, offered))
    return { reason: 'contract', needed: entry.contract }
  return settled.get(ref.base) ?? null
}

function letGo(name: string) {
  const holding = holdings.get(name)
  if (holding) holding.givenUp = true
  holdings.delete(name)
}

/** Aborts the running attempt and starts a new one. */
export async function retryModule(entry: Entry, pathname: string): Promise<void> {
  const { base } = buildOf(entry)
  abandonPending(base)
  // The aborted attempt must not be waited for again; files that have arrived are still in the browser's cache.
  if (!holdings.get(entry.name)?.came) letGo(entry.name)
  // The runtime drops a failed entry only after its promise has been rejected for everybody who waits.
  await pause(0)
  takeFailed(base)
  await openModule(entry, pathname)
}

/** Opens the build before the current one, or the current one again, and stays with it in this tab. */
export async function chooseBuild(
  entry: Entry,
  which: 'previous' | 'current',
  pathname: string,
): Promise<void> {
  const { name } = entry
  const before = previousOf(entry)
  // Builds of a plain remote share their globals: each needs a document of its own.
  if (entry.remote) return chooseForReload(entry, which)
  if (which === 'previous' && before) chosen.set(name, before)
  else chosen.delete(name)
  letGo(name)
  // The pages that are shown belong to the old build, so each is opened again.
  const mine = (path: string) => entry.routes.some((route) => path === route || path.startsWith(`${route}/`))
  const views = Object.entries(useViews.getState()).filter(([path]) => !mine(path))
  useViews.setState(Object.fromEntries(views), true)
  await openModule(entry, pathname)
}
