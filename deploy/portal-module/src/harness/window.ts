import { Window } from 'happy-dom'

/** Globals of Node that are kept, such as fetch and timers. The page uses them too. */
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
 * Simulates a page without a browser. The properties of `window` become globals of this process and stay. So modules run
 * in the same realm as React, as in a browser.
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
    // Built-in objects stay those of Node, because `instanceof` fails between two kinds of Array.
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
