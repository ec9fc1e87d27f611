import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** A colour token in a theme, as `#rrggbb`. */
function colour(name: string, theme: Theme): string {
  const value = new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1] ?? ''
  const found = value.match(/#[0-9a-f]{6}/g) ?? []
  const chosen = found.length > 1 ? found[theme === 'light' ? 0 : 1] : found[0]
  if (!chosen) throw new Error(`tokens.css has no colour --${name}`)
  return chosen
}

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const planes = ['canvas', 'surface', 'sunken', 'raised', 'hover']
const tints = ['neutral-tint', 'accent-tint', 'good-tint', 'bad-tint', 'waiting-tint', 'info-tint']
const pairs = (front: string[], back: string[]) => front.flatMap((a) => back.map((b) => [a, b] as const))

/** What is read: 4.5 to 1. */
const read = [
  ...pairs(['ink', 'muted'], [...planes, ...tints]),
  ...pairs(['accent', 'good', 'bad', 'waiting', 'info'], planes),
  ...['accent', 'good', 'bad', 'waiting', 'info'].map((name) => [name, `${name}-tint`] as const),
  ['on-accent', 'accent-fill'],
  ['on-accent', 'accent-hover'],
  ['on-accent', 'bad-fill'],
  ['on-accent', 'bad-hover'],
  ['print', 'paper'],
] as const

/** What is only seen, edges and marks: 3 to 1. */
const seen = [
  ...pairs(['line-strong'], ['canvas', 'surface', 'sunken', 'raised']),
  ...pairs(['focus'], planes),
  ...pairs(['warm', 'waiting-mark', 'good', 'bad'], ['canvas', 'surface']),
  ['accent-fill', 'surface'],
] as const

test.each(themes)('whoever sees little can read every word and find every edge by %s', (theme) => {
  const poor = ([front, back]: readonly [string, string], least: number) => {
    const found = contrast(colour(front, theme), colour(back, theme))
    return found < least ? [`${front} on ${back}: ${found.toFixed(2)} of ${least}`] : []
  }
  expect([...read.flatMap((pair) => poor(pair, 4.5)), ...seen.flatMap((pair) => poor(pair, 3))]).toEqual([])
})

/** Style sheets of the product; tokens.css alone says what a colour or a size is. */
const sheets = globSync('{shared/*,shell,mfe-*}/src/**/*.css', { cwd: root })
  .map((file) => resolve(root, file))
  .filter((file) => !file.endsWith('/tokens.css'))

const raw: [string, RegExp][] = [
  ['a colour', /#[0-9a-f]{3,8}\b(?![^{};]*\{)|\b(?:rgba?|hsla?|oklch)\(/i],
  ['a size of type', /\bfont(?:-size)?:[^;]*\d(?:px|rem)/],
  ['a radius', /border-radius:[^;]*\b[1-9]\d*px(?![^;]*\))/],
  ['a duration', /\b(?:transition|animation)(?:-duration)?:[^;]*\b\d+(?:\.\d+)?m?s\b/],
]

test('a style sheet takes colours, sizes of type, radii and durations from the tokens', () => {
  expect(sheets.length).toBeGreaterThan(15)
  const found = sheets.flatMap((file) =>
    readFileSync(file, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .split('\n')
      .flatMap((line) =>
        raw
          .filter(([, form]) => form.test(line))
          .map(([what]) => `${relative(root, file)}: ${what}: ${line.trim()}`),
      ),
  )
  expect(found).toEqual([])
})

test('a style sheet uses no token that there is not', () => {
  const known = new Set([...tokens.matchAll(/--([\w-]+):/g)].map(([, name]) => name))
  // Set by the pieces themselves, on their own boxes, by the shell's banner, and by the library of menus.
  const own = /^(?:stats|figures|facts|part|mark|banner|radix-.*|.*-at|.*-of)$/
  const used = sheets.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name ?? ''),
  )
  const declared = new Set(
    sheets.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\s*--([\w-]+):/gm)].map(([, name]) => name),
    ),
  )
  expect(
    [...new Set(used)].filter((name) => !known.has(name) && !declared.has(name) && !own.test(name)),
  ).toEqual([])
})
