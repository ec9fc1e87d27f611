import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { satisfies } from 'semver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from '../packing/pack.ts'

let folder: string
let names: string[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-pack-'))
  names = await pack(folder)
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The files of an archive, as `tar` lists them. */
function filesOf(name: string): Map<string, string> {
  const octets = gunzipSync(readFileSync(join(folder, name)))
  const files = new Map<string, string>()
  for (let at = 0; octets[at]; ) {
    const text = (from: number, length: number) =>
      String(octets.subarray(at + from, at + from + length)).split('\0')[0] ?? ''
    const size = Number.parseInt(text(124, 12), 8)
    files.set(text(0, 100).replace('package/', ''), String(octets.subarray(at + 512, at + 512 + size)))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

test('a partner gets eight packages, the same octets for the same sources', async () => {
  const before = names.map((name) => readFileSync(join(folder, name)))
  expect(await pack(folder)).toEqual(names)
  expect(names).toHaveLength(8)
  expect(
    names.map((name) => readFileSync(join(folder, name)).equals(before[names.indexOf(name)]!)),
  ).not.toContain(false)
})

test('a partner gets scripts and declarations, no tests and no TypeScript sources', () => {
  for (const name of names) {
    const files = [...filesOf(name).keys()].filter((file) => !file.startsWith('template/'))
    expect(
      files.filter((file) => /\.test\.|(^|\/)test\/|(?<!\.d)\.tsx?$/.test(file)),
      name,
    ).toEqual([])
    expect(files).toContain('package.json')
  }
})

test('a partner finds every file that a packed file imports', () => {
  for (const name of names) {
    const files = filesOf(name)
    for (const [file, content] of files) {
      if (!/\.(jsx?|mjs)$/.test(file)) continue
      for (const [, asked = ''] of content
        .replace(/\/\*.*?\*\//gs, '')
        // The gallery shows code, which imports nothing.
        .replace(/"[^"\n]*import\([^"\n]*"/g, '')
        .replace(/code=\{`(?:[^`\\]|\\.)*`\}/gs, '')
        .matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
        expect(files.has(join(dirname(file), asked)), `${name}: ${file} imports ${asked}`).toBe(true)
    }
  }
})

test('a new module asks for a Node with which all of its packages work', () => {
  const manifests = names.map((name) => JSON.parse(filesOf(name).get('package.json') ?? ''))
  const template = JSON.parse(filesOf('portal-module-0.1.0.tgz').get('template/package.json') ?? '')
  const oldest = `${template.engines.node.replace('>=', '')}.0`
  const asked = [template, ...manifests].flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  )
  const foreign = [...new Set(asked)].filter((name) => !name.startsWith('@portal/'))
  expect(foreign).toContain('@lingui/swc-plugin')
  const refusing = foreign.flatMap((name) => {
    const file = join(import.meta.dirname, '../../../node_modules', name, 'package.json')
    const needed = JSON.parse(readFileSync(file, 'utf8')).engines?.node ?? '*'
    return satisfies(oldest, needed) ? [] : [`${name} needs Node ${needed}`]
  })
  expect(refusing).toEqual([])
})

test('a partner gets exactly the versions that were tested here', () => {
  for (const name of names) {
    const { dependencies, exports } = JSON.parse(filesOf(name).get('package.json') ?? '')
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(JSON.stringify(exports)).not.toMatch(/(?<!\.d)\.tsx?"/)
  }
})
