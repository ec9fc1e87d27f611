import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/** Licences that let the portal be given on under its own one. */
const allowed = new Set([
  ...[
    'MIT',
    'MIT-0',
    'MIT/X11',
    'Apache-2.0',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'BlueOak-1.0.0',
  ],
  ...['Unlicense', 'CC0-1.0', 'Zlib', 'Python-2.0', 'CC-BY-4.0'],
  // Whoever changes a file of such a package publishes that file. We change none.
  'MPL-2.0',
  // libvips of sharp is a shared library that is loaded unchanged and can be replaced.
  'LGPL-3.0-or-later',
])
/** Packages without a licence in their package.json; their readme says MIT. */
const unnamed = ['node_modules/buffers']

/** Whether one of the licences of `A OR B`, and each of `A AND B`, is allowed. @param {string} licence */
const isAllowed = (licence) =>
  licence
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((part) => allowed.has(part)))

test('an operator may pass on every package that the portal is made of', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link && !unnamed.includes(path),
  )
  expect(installed.length).toBeGreaterThan(500)
  const refused = installed.filter(([, { license }]) => !isAllowed(license ?? ''))
  expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})
