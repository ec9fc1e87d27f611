import { frameScript, styledEvent } from '@portal/sdk/frames'
import type { Ask } from './ask.ts'

type Fetching = HTMLScriptElement | HTMLLinkElement

/**
 * Makes all loaders of the frame get their files from the portal, which has them in its cache. What they add to the head to
 * fetch a script is run from its text, if the policy of the page has the hash of that; a style sheet is adopted.
 */
export function takeFiles(ask: Ask) {
  const given = new Set<string>(JSON.parse(document.getElementById('given')?.textContent ?? '[]'))
  const { head } = document
  const { appendChild, insertBefore, append } = head
  const run = (path: string, text: string, src = path) => {
    if (path.endsWith('.css')) adoptStyles(text, path)
    else runScript(text, path, src, (script) => appendChild.call(head, script))
  }

  /** Takes over what an element would have fetched. False: it is for the browser. */
  function take(node: Node): boolean {
    if (!(node instanceof HTMLScriptElement || node instanceof HTMLLinkElement)) return false
    const path = pathAt(addressOf(node))
    const isHint = node instanceof HTMLLinkElement && node.rel !== 'stylesheet'
    // A hint for files of the shell is for pages that a person may open later: the portal has its own.
    if (isHint && path.startsWith('/assets/')) return true
    if (!given.has(path) && !path.endsWith('.css')) return false
    const text = ask(path)
    if (isHint) text.catch(() => {})
    // The loader that made the element waits for its events, as if the browser had fetched the file.
    else
      text
        .then((found) => {
          if (namesFiles(path, found)) return void appendChild.call(head, node)
          run(path, found, addressOf(node))
          node.dispatchEvent(new Event('load'))
        })
        .catch(() => node.dispatchEvent(new Event('error')))
    return true
  }
  head.appendChild = <T extends Node>(node: T): T => (take(node) ? node : (appendChild.call(head, node) as T))
  head.insertBefore = <T extends Node>(node: T, before: Node | null): T =>
    take(node) ? node : (insertBefore.call(head, node, before) as T)
  head.append = (...nodes: (Node | string)[]) =>
    append.apply(
      head,
      nodes.filter((node) => !(node instanceof Node && take(node))),
    )
  takeRecords(ask)
  return { ask, now: run }
}

/** Records of hashes and of builds are fetched as JSON, and they are in the portal's cache as well. */
function takeRecords(ask: Ask) {
  const { fetch } = window
  window.fetch = async (input, init) => {
    const path = pathAt(input instanceof Request ? input.url : String(input))
    const isRecord = /^\/assets\/hashes\.\w+\.json$|^\/modules\/[^?]+\/build\.json$/.test(path)
    return isRecord ? new Response(await ask(path)) : fetch(input, init)
  }
}

const addressOf = (node: Fetching) => (node instanceof HTMLScriptElement ? node.src : node.href)

/** The path of an address here; empty for another host: a module in development is on the machine of its team. */
function pathAt(address: string): string {
  const { origin, pathname } = new URL(address || 'about:blank', location.href)
  return origin === location.origin ? pathname : ''
}

/** A browser loads fonts and images of a fetched style sheet only: it does not for one that is adopted. */
const namesFiles = (path: string, text: string) =>
  path.endsWith('.css') && path.startsWith('/modules/') && /url\(/.test(text)

/** Runs a script from its text. `src` is where its loader believes it came from, and looks for its other files. */
function runScript(text: string, path: string, src: string, add: (script: Node) => void) {
  const script = document.createElement('script')
  script.textContent = frameScript(text, path)
  Object.defineProperty(script, 'src', { value: src })
  add(script)
}

/** Adds a style sheet from its text. Its own addresses are meant from where the file is. */
function adoptStyles(text: string, path: string) {
  const sheet = new CSSStyleSheet({ baseURL: new URL(path, location.href).href })
  sheet.replaceSync(text)
  document.adoptedStyleSheets.push(sheet)
  window.dispatchEvent(new Event(styledEvent))
}
