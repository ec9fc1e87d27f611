import type { Identifier } from '@mdn/browser-compat-data'
import type { BrowserContext } from '@playwright/test'
import { compat, featuresIn, lackedBy } from './compat.ts'

/** An object by its path from `globalThis` (empty for that itself), and names of it. */
type Names = [holder: string, ...names: string[]]

/**
 * Names that stay. Journeys themselves ask in the page what is shown, how wide words are and what was copied; and without its
 * limit Chromium takes down no stack of any error.
 */
const kept = [
  'Element.checkVisibility',
  'CanvasRenderingContext2D.letterSpacing',
  'Clipboard.readText',
  'Error.stackTraceLimit',
]

/** All names of the language and of the Web that one of the promised browsers does not have. */
const lackedNames = [
  // Of the language MDN does not say which names are those of an object and which of what it makes.
  ...lackedIn('', compat.javascript.builtins ?? {}, () => 'both'),
  // `Response.json()` came long after `response.json()`.
  ...lackedIn('', compat.api, (key) => (key.endsWith('_static') ? 'object' : 'prototype')),
].filter(([, ...names]) => names.length > 0)

type Place = 'object' | 'prototype' | 'both'

function lackedIn(holder: string, features: Identifier, placeOf: (key: string) => Place): Names[] {
  const own: string[] = []
  const ofPrototype: string[] = []
  const below: Names[] = []
  for (const [key, feature] of featuresIn(features)) {
    const name = key.replace(/_static$/, '')
    // Events, parameters, symbols and constructors have no property of this name.
    if (/[@_]/.test(name) || name === holder.split('.').at(-1) || kept.includes(`${holder}.${name}`)) continue
    if (feature.__compat && lackedBy(feature.__compat).length > 0) {
      const place = holder ? placeOf(key) : 'object'
      if (place !== 'prototype') own.push(name)
      if (place !== 'object') ofPrototype.push(name)
    } else if (/^[A-Z]/.test(name)) below.push(...lackedIn(pathOf(holder, name), feature, placeOf))
  }
  return [[holder, ...own], [`${holder}.prototype`, ...ofPrototype], ...below]
}

/** What MDN has under `Window` are global names. */
function pathOf(holder: string, name: string) {
  if (name === 'Window') return ''
  return holder ? `${holder}.${name}` : name
}

/**
 * Takes from the pages of a browser what the oldest promised ones do not have, so that whoever calls it fails as there. Playwright
 * itself is in a world of its own, which keeps all names. Workers keep them too.
 */
export async function makeOld(context: BrowserContext): Promise<void> {
  await context.addInitScript((lacked) => {
    // The common parent of typed arrays has no global name.
    const roots: Record<string, unknown> = { TypedArray: Object.getPrototypeOf(Int8Array) }
    const step = (from: unknown, name: string) => (from as Record<string, unknown> | undefined)?.[name]
    for (const [holder, ...names] of lacked) {
      const [first = '', ...rest] = holder.split('.')
      const target = holder ? rest.reduce(step, roots[first] ?? step(globalThis, first)) : globalThis
      for (const name of names)
        if (target && Object.hasOwn(target, name)) Reflect.deleteProperty(target, name)
    }
  }, lackedNames)
}
