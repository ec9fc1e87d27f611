import { expect, test } from 'vitest'
import { globalRules } from './own-styles.ts'

test.each([
  ['.mfe-health .card, .mfe-health > p:is(a, b) { color: red }', []],
  ['@media (width > 3px) { .mfe-health { x: y } p { x: y } }', ['p']],
  ['.mfe-healthy { x: y }', ['.mfe-healthy']],
  ['.mfe-health { & p { x: y } }', []],
  ['@keyframes spin { from { x: y } }', ['@keyframes spin']],
  ['@keyframes mfe-health-spin { from { x: y } to { x: z } }', []],
  ['/* a { */ .mfe-health::after { content: "} a {" }', []],
  ['@import url("https://elsewhere.example/x.css");', ['@import url("")']],
  ['@font-face { font-family: "mfe-health Sans"; src: url("a.woff2") }', []],
  ['@font-face { src: url(a.woff2); font-family: Inter }', ['@font-face Inter']],
  [':root { --x: 1 }', [':root']],
])('of the style sheet %s these rules reach beyond the module', (css, found) => {
  expect(globalRules(css, 'mfe-health')).toEqual(found)
})
