import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './lib/paths.mjs'
import { floatingPromises } from './lib/promises.mjs'

/** What is found in a project of one file. @param {string} path @param {string} text */
function faults(path, text) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-promises-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2024',
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  return floatingPromises(folder)
}

const reads = `import { readFile } from 'node:fs/promises'\n`

test('a promise of a library that nobody awaits is named with its line', () => {
  expect(faults('shell/src/a.ts', `${reads}readFile('a')\nawait readFile('b')\n`)).toEqual([
    'shell/src/a.ts:2: nobody awaits this promise.',
  ])
})

test('a promise whose failure is met may stand alone', () => {
  const met = `readFile('a').catch(() => {})\nreadFile('b').then(String, String).finally(() => {})\nvoid readFile('c')\n`
  expect(faults('shell/src/a.ts', reads + met)).toEqual([])
})

test('a promise that a server keeps while it awaits another one is named', () => {
  const kept = `export async function both() {
  const first = readFile('a')
  const second = await readFile('b')
  return [await first, second]
}\n`
  const fault = '"first" is kept while another promise is awaited.'
  expect(faults('api/src/a.ts', reads + kept)).toEqual([`api/src/a.ts:3: ${fault}`])
  expect(faults('shell/src/a.ts', reads + kept)).toEqual([])
})

test('promises that are awaited together may be kept', () => {
  const together = `export async function both() {
  const first = readFile('a')
  const second = readFile('b')
  return await Promise.all([first, second])
}\n`
  expect(faults('api/src/a.ts', reads + together)).toEqual([])
})
