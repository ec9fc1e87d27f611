import type { Location, Navigator } from '@portal/sdk'
import { addressOf, partsOf, type To } from '@portal/sdk/addresses'

/**
 * The portal's own history. What it does beyond going places: something may be readied before the next page shows,
 * leaving may be refused, and a tab that runs an old build fetches the whole document instead.
 */

/** A place one has gone to; the page waits for `ready`, but only while the one before can still be shown. */
export type Place = Location & { ready?: Promise<void> }

type Options = {
  /** Begins fetching what the place needs; the answer is when it should be shown, ready or not. */
  prepare(pathname: string): Promise<void> | undefined
  /** Whether the page may be left now; when not, `go` is what to do once the person has agreed. */
  mayLeave(go: () => void): boolean
  /** Whether to fetch the whole document instead: there is a newer build of what runs here, and nothing to lose. */
  isStale(agreed: boolean): boolean
}

type Entry = { key: string; index: number; state: unknown }

const newKey = () => Math.random().toString(36).slice(2, 10)
const entryNow = (): Entry | null => {
  const held: unknown = window.history.state
  return held && typeof held === 'object' && 'index' in held ? (held as Entry) : null
}

/** Places of this tab: the navigator for links, and what to show now. */
export function createPlaces({ prepare, mayLeave, isStale }: Options) {
  const listeners = new Set<(place: Place) => void>()
  let index = entryNow()?.index ?? 0
  if (!entryNow()) window.history.replaceState({ key: newKey(), index, state: null } satisfies Entry, '')
  let current = readPlace()
  let agreed = false

  function readPlace(): Place {
    const { pathname, search, hash } = window.location
    const entry = entryNow()
    return { pathname, search, hash, state: entry?.state ?? null, key: entry?.key ?? 'default' }
  }

  function show(samePage: boolean) {
    const place = readPlace()
    const ready = samePage ? undefined : prepare(place.pathname)
    current = ready ? { ...place, ready } : place
    for (const listener of listeners) listener(current)
  }

  function goTo(to: To, replace: boolean, state: unknown) {
    const { search, hash, ...path } = partsOf(to)
    const pathname = path.pathname || current.pathname
    const samePage = pathname === current.pathname
    if (!samePage && !agreed && !mayLeave(() => withAgreement(() => goTo(to, replace, state)))) return
    const address = addressOf({ pathname, search, hash })
    if (!samePage && isStale(agreed)) return window.location.assign(address)
    if (!replace) index += 1
    const entry: Entry = { key: newKey(), index, state: state ?? null }
    if (replace) window.history.replaceState(entry, '', address)
    else window.history.pushState(entry, '', address)
    show(samePage)
  }

  function withAgreement(act: () => void) {
    agreed = true
    act()
    agreed = false
  }

  let returning = false
  window.addEventListener('popstate', () => {
    if (returning) {
      returning = false
      return
    }
    const target = entryNow()?.index ?? 0
    const samePage = window.location.pathname === current.pathname
    const step = target - index
    const leave = () => {
      agreed = true
      window.history.go(step)
    }
    if (!samePage && !agreed && !mayLeave(leave)) {
      returning = true
      window.history.go(-step)
      return
    }
    const renew = !samePage && isStale(agreed)
    agreed = false
    index = target
    if (renew) return window.location.reload()
    show(samePage)
  })

  const navigator: Navigator = {
    push: (to, state) => goTo(to, false, state),
    replace: (to, state) => goTo(to, true, state),
    go: (delta) => window.history.go(delta),
  }

  return {
    navigator,
    current: () => current,
    listen(listener: (place: Place) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
export type Places = ReturnType<typeof createPlaces>
