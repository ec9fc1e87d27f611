import type { ModuleBuild } from '@portal/sdk/manifest'

/**
 * Every script and style sheet below `/modules/` gets its hash from the registry before the browser may fetch it.
 * The bundler's own integrity does not cover what the federation runtime inserts, and a hash inside a module's
 * entry could be changed together with it; this one comes from the portal. A file that the map does not name is not fetched.
 */

const known = new Map<string, string>()
/** Where builds come from that are not the portal's own: a partner's machine, and only where the gateway has said so. */
const elsewhere = new Set<string>()
/** Elements that are still being fetched, so that a retry can give up on them. */
const pending = new Set<HTMLElement>()
/** Calls that are still under way, likewise. */
const fetching = new Map<string, AbortController>()
/** Addresses that hung when they were given up on, with how often. */
const abandoned = new Map<string, number>()
/** Addresses that did not arrive or were refused since the last time somebody asked. */
const failed = new Set<string>()

/** Fetches a file whose hash is known; what does not come, or is not what it should be, counts as failed. */
export async function fetchTrusted(path: string, integrity: string | undefined): Promise<Response> {
  if (integrity) known.set(path, integrity)
  const giveUp = new AbortController()
  fetching.set(path, giveUp)
  try {
    // As a preload of the page asks for it, or it would be fetched twice.
    const answer = await fetch(path, { ...(integrity && { integrity }), signal: giveUp.signal })
    if (answer.ok) return answer
    throw new Error(`${path} was answered ${answer.status}.`)
  } catch (fault) {
    failed.add(path)
    throw fault
  } finally {
    fetching.delete(path)
  }
}

/** Adds the hashes of one build's files to the map. */
export function trustBuild(build: Pick<ModuleBuild, 'base' | 'files'>): void {
  if (!build.base.startsWith('/')) elsewhere.add(build.base)
  for (const [file, integrity] of Object.entries(build.files)) known.set(build.base + file, integrity)
}

/** The hash that a file of a module must have; none when the registry does not name it. */
export const integrityFor = (path: string): string | undefined => known.get(path)

/** Addresses below `base` that failed since the last call. */
export function takeFailed(base: string): string[] {
  const mine = [...failed].filter((path) => path.startsWith(base))
  for (const path of mine) failed.delete(path)
  return mine
}

/** Ends what is still being fetched below `base`: its loader sees an error and may be asked again. */
export function abandonPending(base: string): void {
  for (const [path, giveUp] of fetching) if (path.startsWith(base)) giveUp.abort()
  for (const element of pending) {
    const path = pathOf(element)
    if (!path?.startsWith(base)) continue
    abandoned.set(path, (abandoned.get(path) ?? 0) + 1)
    element.remove()
    element.dispatchEvent(new Event('error'))
  }
}

function pathOf(node: Node): string | undefined {
  const address =
    node instanceof HTMLScriptElement ? node.src : node instanceof HTMLLinkElement ? node.href : undefined
  if (!address) return undefined
  const url = new URL(address, location.href)
  return url.origin === location.origin ? url.pathname : url.origin + url.pathname
}

/** Adds a parameter to an address that hung, because the browser would join a second request to the hanging one. */
function askAgain(node: HTMLScriptElement | HTMLLinkElement, path: string) {
  const times = abandoned.get(path)
  if (!times) return
  if (node instanceof HTMLScriptElement) node.src = `${path}?again=${times}`
  else node.href = `${path}?again=${times}`
}

const isModules = (path: string) =>
  path.startsWith('/modules/') || [...elsewhere].some((base) => path.startsWith(base))

/** Gives an element of a module its hash; answers the file's path, nothing for what is not a module's. */
export function seal(element: HTMLScriptElement | HTMLLinkElement): string | undefined {
  const path = pathOf(element)
  if (!path || !isModules(path)) return undefined
  // An unknown file gets an impossible hash, so that the browser refuses it and the loader sees an ordinary error.
  // Integrity-Policy counts a hash only on a request in CORS mode.
  element.crossOrigin = 'anonymous'
  element.integrity = known.get(path) ?? `sha384-${'A'.repeat(64)}`
  return path
}

function guard(node: Node) {
  if (!(node instanceof HTMLScriptElement || node instanceof HTMLLinkElement)) return
  const path = seal(node)
  if (!path) return
  // A failed preload does no harm: the file is requested again when it is needed.
  if (node instanceof HTMLLinkElement && node.rel === 'preload') return
  askAgain(node, path)
  pending.add(node)
  node.addEventListener('load', () => pending.delete(node))
  // Before the loader's own listener, which stands there already: it asks at once what has failed.
  const fail = () => {
    pending.delete(node)
    failed.add(path)
  }
  node.addEventListener('error', fail, { capture: true })
}

/** Puts the guard before every way in which a loader adds something to the head. */
export function guardHead(head: HTMLHeadElement = document.head): void {
  const { appendChild, insertBefore, append } = head
  head.appendChild = <T extends Node>(node: T): T => {
    guard(node)
    return appendChild.call(head, node) as T
  }
  head.insertBefore = <T extends Node>(node: T, before: Node | null): T => {
    guard(node)
    return insertBefore.call(head, node, before) as T
  }
  head.append = (...nodes: (Node | string)[]) => {
    for (const node of nodes) if (node instanceof Node) guard(node)
    append.apply(head, nodes)
  }
}
