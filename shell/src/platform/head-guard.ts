import { abortFetches, addFailed, isModules, knowHash, pathOf, seal } from './integrity.ts'

type Fetching = HTMLScriptElement | HTMLLinkElement
type Loader = { e(chunk: string): Promise<unknown>; u(chunk: string): string }
declare const __webpack_require__: Loader

/** Elements of modules that are still being fetched, so that a retry can give up on them. */
const pending = new Set<Fetching>()
/**
 * How often an address failed that must not be asked for again: one of the shell's, because the browser caches a corrupt
 * response, or one of a module that hung, because the browser would join a second request to the hanging one.
 */
const spoiled = new Map<string, number>()

const spoil = (path: string): void => void spoiled.set(path, (spoiled.get(path) ?? 0) + 1)

/** Ends what is still being fetched below `base`: its loader sees an error and may be asked again. */
export function abandonPending(base: string): void {
  abortFetches(base)
  for (const element of pending) {
    const path = pathOf(element)
    if (!path?.startsWith(base)) continue
    spoil(path)
    element.remove()
    element.dispatchEvent(new Event('error'))
  }
}

/** Adds a parameter to an address that failed before, so that the browser makes a new request. */
function changeAddress(element: Fetching, path: string) {
  const times = spoiled.get(path)
  if (!times) return
  const address = `${path}?again=${times}`
  if (element instanceof HTMLScriptElement) element.src = address
  else element.href = address
}

function guard(node: Node) {
  if (!(node instanceof HTMLScriptElement || node instanceof HTMLLinkElement)) return
  const path = pathOf(node)
  if (!path) return
  const ofModule = isModules(path)
  const isHint = node instanceof HTMLLinkElement && node.rel !== 'stylesheet'
  if (!ofModule && (isHint || !path.startsWith('/assets/'))) return
  seal(node)
  // A failed preload does no harm: the file is requested again when it is needed.
  if (isHint) return
  changeAddress(node, path)
  if (ofModule) {
    pending.add(node)
    node.addEventListener('load', () => pending.delete(node))
  }
  const fail = () => {
    if (!ofModule) return spoil(path)
    pending.delete(node)
    addFailed(path)
  }
  // In the capturing phase, before the loader's own listener: that one may ask again at once.
  node.addEventListener('error', fail, { capture: true })
}

/**
 * Puts the guard before every way in which a loader adds a script or style sheet to the head: it gets its hash, because the
 * policy refuses one without, and another address once its own has failed.
 */
export function guardHead(head: HTMLHeadElement = document.head): void {
  const load = __webpack_require__.e
  __webpack_require__.e = async (chunk) => {
    await knowHash(`/assets/${__webpack_require__.u(chunk)}`)
    return load(chunk)
  }
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
