import postcss from 'postcss'
import { expect, test } from 'vitest'
import { packageStyles } from './package-styles.ts'

const scoped = (css: string, from: string) =>
  postcss([packageStyles('mfe-health')]).process(css, { from }).css

test.each([
  ['.leaflet-pane, .leaflet-tile > img {}', '.mfe-health .leaflet-pane, .mfe-health .leaflet-tile > img {}'],
  [':root { --x: 1 }', '.mfe-health { --x: 1 }'],
  ['body.dark a {}', '.mfe-health.dark a {}'],
  ['body-map {}', '.mfe-health body-map {}'],
  ['@media print { .map { & p {} } }', '@media print { .mfe-health .map { & p {} } }'],
  [
    '@keyframes spin { from {} 50% {} } .a { animation: spin 1s; animation-name: spin-slow }',
    '@keyframes mfe-health-spin { from {} 50% {} } .mfe-health .a { animation: mfe-health-spin 1s; animation-name: spin-slow }',
  ],
  [
    '@font-face { font-family: "Icons" } .i { font: 1em Icons } .j { font-family: "Icons", Inter }',
    '@font-face { font-family: "mfe-health-Icons" } .mfe-health .i { font: 1em "mfe-health-Icons" } .mfe-health .j { font-family: "mfe-health-Icons", Inter }',
  ],
])('the style sheet %s of a package is put below the module', (css, found) => {
  expect(scoped(css, '/x/node_modules/leaflet/dist/leaflet.css')).toBe(found)
})

test('a team draws the charts of the portal with their own style sheet, and no other page changes', () => {
  const file = '/x/node_modules/@portal/ui/src/chart.css'
  expect(scoped('.bars {}', file)).toBe('.mfe-health .bars {}')
})

test('what the team and the portal wrote stays as it is', () => {
  for (const file of ['/x/src/map.css', '/x/node_modules/@portal/ui/src/ui.css'])
    expect(scoped('.map {}', file)).toBe('.map {}')
})

test.each([
  ['.row, .row > p {}', ':global(.mfe-health) .row, :global(.mfe-health) .row > p {}'],
  ['.mfe-health .row {}', ':global(.mfe-health) .row {}'],
  [':global(.mfe-health) .row {}', ':global(.mfe-health) .row {}'],
  [':root { --x: 1 }', ':global(.mfe-health) { --x: 1 }'],
  ['@media print { .row { & p {} } }', '@media print { :global(.mfe-health) .row { & p {} } }'],
  // What the loader reads is no selector, and it takes `composes` from a rule of one class only.
  [':export { width: 3px }', ':export { width: 3px }'],
  [
    '.late { composes: row; color: navy }',
    '.late { composes: row }\n:global(.mfe-health) .late { color: navy }',
  ],
  // The loader renames animations, and no fonts.
  [
    '@keyframes fade { from {} } .row { animation: fade 1s }',
    '@keyframes fade { from {} } :global(.mfe-health) .row { animation: fade 1s }',
  ],
  [
    '@font-face { font-family: Icons } .row { font-family: Icons }',
    '@font-face { font-family: "mfe-health-Icons" } :global(.mfe-health) .row { font-family: "mfe-health-Icons" }',
  ],
])('the CSS module %s is put below the module, and its own classes can still be hashed', (css, found) => {
  for (const file of ['/x/src/notes.module.css', '/x/node_modules/dates/days.module.css'])
    expect(scoped(css, file).replace(/\s+/g, ' ')).toBe(found.replace(/\s+/g, ' '))
})
