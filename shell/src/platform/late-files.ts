/**
 * The hashes of the shell's lazy files are in a file of their own, fetched with the first of them: in the entry, which every
 * visit waits for, they would be a twelfth of its size. What the document lists already has its hash there.
 */
type Loader = { e(chunk: string): Promise<unknown>; u(chunk: string): string }
declare const __webpack_require__: Loader

let hashes: Record<string, string> = {}
let coming: Promise<unknown> | undefined

function fetchHashes(): Promise<unknown> {
  const record = document.querySelector<HTMLLinkElement>('link[data-late]')
  if (!record) return Promise.resolve()
  if (!coming) {
    coming = fetch(record.href, { integrity: record.integrity })
      .then((answer) => answer.json())
      .then((found) => (hashes = found))
    coming.catch(() => (coming = undefined))
  }
  return coming
}

const listed = (path: string) =>
  document.head.querySelector<HTMLLinkElement>(`link[href="${path}"][integrity]`)?.integrity

/** How often a file failed. The browser caches a corrupt response, so a retry uses another URL. */
const failures = new Map<string, number>()

/** Files of modules have a guard of their own, in `integrity.ts`. */
function sealOwn(node: HTMLScriptElement | HTMLLinkElement, pathname: string) {
  const hash = hashes[pathname.slice(8)] ?? listed(pathname)
  if (hash) Object.assign(node, { crossOrigin: 'anonymous', integrity: hash })
  const times = failures.get(pathname) ?? 0
  if (times) Object.assign(node, { ['src' in node ? 'src' : 'href']: `${pathname}?again=${times}` })
  node.addEventListener('error', () => failures.set(pathname, times + 1))
}

/** Gives every script and style sheet that the bundler's loader adds its hash; the policy refuses a script without. */
export function guardLateFiles(head: HTMLHeadElement = document.head): void {
  const load = __webpack_require__.e
  __webpack_require__.e = async (chunk) => {
    if (!listed(`/assets/${__webpack_require__.u(chunk)}`)) await fetchHashes()
    return load(chunk)
  }
  const { appendChild } = head
  head.appendChild = <T extends Node>(node: T): T => {
    if (node instanceof HTMLScriptElement || (node instanceof HTMLLinkElement && node.rel === 'stylesheet')) {
      const { pathname } = new URL('src' in node ? node.src : node.href, location.href)
      if (pathname.startsWith('/assets/')) sealOwn(node, pathname)
    }
    return appendChild.call(head, node) as T
  }
}
