import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askBy } from './ask.ts'
import { takeFiles } from './take-files.ts'

const files: Record<string, string> = {
  '/assets/lib.js': 'globalThis.ran = true',
  '/assets/ui.css': 'p { color: rgb(1, 2, 3) }',
  '/modules/mfe-a/1/font.css': '@font-face { font-family: "mfe-a"; src: url(a.woff2) }',
  '/modules/mfe-a/1/build.json': '{"entry":"entry.js"}',
}
const { head } = document
const own = { appendChild: head.appendChild, insertBefore: head.insertBefore, append: head.append }
const { fetch } = window
let asked: string[]

/** The portal's side of the port. */
function portal() {
  const { port1, port2 } = new MessageChannel()
  asked = []
  port1.onmessage = ({ data: path }) => {
    asked.push(path)
    port1.postMessage([path, files[path] ?? null])
  }
  return port2
}
const element = <Tag extends 'script' | 'link'>(tag: Tag, of: Partial<HTMLElementTagNameMap[Tag]>) =>
  Object.assign(document.createElement(tag), of)
const ended = (node: HTMLElement) =>
  new Promise<string>((resolve) => {
    for (const type of ['load', 'error']) node.addEventListener(type, () => resolve(type))
  })

beforeEach(() => {
  document.body.innerHTML =
    '<script type="application/json" id="given">["/assets/lib.js","/assets/gone.js"]</script>'
  takeFiles(askBy(portal()))
})
afterEach(() => {
  Object.assign(head, own)
  window.fetch = fetch
  head.innerHTML = ''
  document.adoptedStyleSheets = []
})

describe('a loader in a frame', () => {
  test('gets a script of the portal as text, under the address that it asked for', async () => {
    const script = element('script', { src: '/assets/lib.js' })
    head.appendChild(script)
    expect(await ended(script)).toBe('load')
    const [run] = head.getElementsByTagName('script')
    expect(run?.textContent).toBe(`${files['/assets/lib.js']}\n//# sourceURL=/assets/lib.js`)
    // Loaders read from the script that runs where their other files are.
    expect(run?.src).toBe(script.src)
    expect(run?.hasAttribute('src')).toBe(false)
    expect(head.contains(script)).toBe(false)
  })

  test('gets a style sheet of the portal', async () => {
    const link = element('link', { rel: 'stylesheet', href: '/assets/ui.css' })
    head.insertBefore(link, null)
    expect(await ended(link)).toBe('load')
    expect(document.adoptedStyleSheets).toHaveLength(1)
  })

  test('fetches itself a style sheet of a module that names fonts or images', async () => {
    // This window fetches nothing.
    Object.assign(Reflect.get(window, 'happyDOM').settings, { handleDisabledFileLoadingAsSuccess: true })
    const link = element('link', { rel: 'stylesheet', href: '/modules/mfe-a/1/font.css' })
    head.appendChild(link)
    await expect.poll(() => head.contains(link)).toBe(true)
    expect(document.adoptedStyleSheets).toHaveLength(0)
  })

  test('reads that a file did not come, and may ask again', async () => {
    for (const _ of [1, 2]) {
      const script = element('script', { src: '/assets/gone.js' })
      head.append(script)
      expect(await ended(script)).toBe('error')
    }
    expect(asked).toEqual(['/assets/gone.js', '/assets/gone.js'])
  })

  test('fetches itself what the policy of its page has no hash of', () => {
    const script = element('script', { src: '/modules/mfe-a/1/late.js', type: 'text/plain' })
    head.appendChild(script)
    expect(head.contains(script)).toBe(true)
    expect(asked).toEqual([])
  })

  test('fetches nothing of the shell for later', () => {
    head.appendChild(element('link', { rel: 'prefetch', href: '/assets/other.js' }))
    expect(head.children).toHaveLength(0)
    expect(asked).toEqual([])
  })

  test('reads the record of a build from the portal', async () => {
    expect(await (await window.fetch('/modules/mfe-a/1/build.json')).json()).toEqual({ entry: 'entry.js' })
  })
})
