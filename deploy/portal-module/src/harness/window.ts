import { Window } from 'happy-dom'

/** What Node has itself and a page must not replace: its own fetching, timers and so on serve both. */
const kept = new Set([
  ...['undefined', 'globalThis', 'global', 'process', 'console', 'Buffer', 'performance', 'crypto'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...[
    'queueMicrotask',
    'structuredClone',
    'fetch',
    'Request',
    'Response',
    'Headers',
    'URL',
    'URLSearchParams',
  ],
  ...['TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal', 'Blob', 'File', 'FormData'],
])

let opened = false

/**
 * A page without a browser: what modules ask of `window` becomes global, for this process and for good. Modules run in
 * the same realm as the React they are given, as in a browser.
 */
export function openWindow(): void {
  if (opened) return
  opened = true
  const page = new Window({ url: 'http://portal.invalid/', width: 1280, height: 900 })
  const names = new Set<string>()
  for (let at: object | null = page; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  for (const name of names) {
    if (kept.has(name) || name.startsWith('_') || name === 'constructor') continue
    // The language's own objects are Node's: two kinds of Array would not know each other.
    if (/^[A-Z]/.test(name) && name in globalThis && !/Event|Element|Node|Document|DOM/.test(name)) continue
    const value = (page as unknown as Record<string, unknown>)[name]
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(page) : value,
    })
  }
  for (const name of ['window', 'self', 'top', 'parent'])
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: globalThis })
}
