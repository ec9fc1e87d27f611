import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { abandonPending, guardHead } from './head-guard.ts'
import { trustBuild } from './integrity.ts'

/** What a loader does to fetch a file, in a head that fetches nothing. */
function fetchBy(head: HTMLHeadElement, src: string): HTMLScriptElement {
  const script = Object.assign(document.createElement('script'), { src })
  return head.appendChild(script)
}

/** Lists a file with its hash in the document, as the gateway does. */
function list(integrity: string, attributes: Record<string, string>) {
  const link = document.createElement('link')
  for (const [name, value] of Object.entries({ ...attributes, integrity })) link.setAttribute(name, value)
  // The DOM of the tests has the attribute and not the property.
  document.head.append(Object.assign(link, { integrity }))
}

const addressOf = ({ src }: HTMLScriptElement) => src.replace(location.origin, '')

let head: HTMLHeadElement
const loader = { e: async (_chunk: string): Promise<unknown> => null, u: (chunk: string) => `${chunk}.js` }

declare const __webpack_require__: typeof loader

beforeEach(() => {
  vi.stubGlobal('__webpack_require__', { ...loader })
  document.head.innerHTML = ''
  head = document.createElement('head')
  guardHead(head)
})
afterEach(() => void vi.unstubAllGlobals())

test('the hashes of lazy files are fetched once, and again for a person whose connection broke', async () => {
  list('sha256-record', { 'data-hashes': '', href: '/assets/hashes.json' })
  const record = { 'home.js': 'sha256-home', 'dialogs.js': 'sha256-dialogs' }
  const fetch = vi.fn(async () => new Response(JSON.stringify(record)))
  fetch.mockRejectedValueOnce(new Error('no connection'))
  vi.stubGlobal('fetch', fetch)
  await expect(__webpack_require__.e('home')).rejects.toThrow('no connection')
  await __webpack_require__.e('home')
  await __webpack_require__.e('dialogs')
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(fetch).toHaveBeenCalledWith(expect.anything(), { integrity: 'sha256-record' })
  expect(fetchBy(head, '/assets/dialogs.js').integrity).toBe('sha256-dialogs')
})

test('a lazy file of the shell that failed is asked for under another address afterwards', () => {
  list('sha256-person', { href: '/assets/person.js' })
  const first = fetchBy(head, '/assets/person.js')
  expect(addressOf(first)).toBe('/assets/person.js')
  const retried: HTMLScriptElement[] = []
  // The loader's own listener, which stands there before the file is asked for and may ask again at once.
  first.addEventListener('error', () => void retried.push(fetchBy(head, '/assets/person.js')))
  first.dispatchEvent(new Event('error'))
  const second = fetchBy(head, '/assets/person.js')
  expect(retried.map(addressOf)).toEqual(['/assets/person.js?again=1'])
  expect(addressOf(second)).toBe('/assets/person.js?again=1')
  expect(second).toMatchObject({ integrity: 'sha256-person', crossOrigin: 'anonymous' })
})

test('a file of a module has the hash of its build, and one that the build does not name is refused', () => {
  trustBuild({ base: '/modules/cases/abc/', files: { 'remoteEntry.js': 'sha384-entry' } })
  expect(fetchBy(head, '/modules/cases/abc/remoteEntry.js').integrity).toBe('sha384-entry')
  expect(fetchBy(head, '/modules/cases/abc/planted.js').integrity).toMatch(/^sha384-A{64}$/)
})

test('a file of a module that hangs is given up on and asked for under another address', () => {
  const hanging = fetchBy(head, '/modules/users/abc/page.js')
  const failed = vi.fn()
  hanging.addEventListener('error', failed)
  abandonPending('/modules/users/abc/')
  expect(failed).toHaveBeenCalledOnce()
  expect(hanging.parentNode).toBeNull()
  expect(addressOf(fetchBy(head, '/modules/users/abc/page.js'))).toBe('/modules/users/abc/page.js?again=1')
})
