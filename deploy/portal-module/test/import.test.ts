import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integrityOf } from '@portal/build/files'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importRemote } from '../src/remote/import.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'portal-import-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const none = { sync: [], async: [] }
const manifest = {
  name: 'weather',
  metaData: {
    globalName: 'weather',
    buildInfo: { buildVersion: '2.3.0' },
    remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
    publicPath: 'auto',
  },
  shared: [{ name: 'react', version: '19.3.1', requiredVersion: '^19.0.0' }],
  exposes: [{ path: './Report', assets: { js: { sync: ['report.js'], async: ['later.js'] }, css: none } }],
}
const flags = {
  ...{ name: 'mfe-weather', address: '/admin/weather', 'title-en': 'Rain', 'title-fr': 'Pluie' },
  ...{ permission: 'schools.view', owner: 'Weather team', contact: 'rain@partner.example' },
}

/** Writes a built remote: its manifest, with the changes of the test, and its files. */
function finished(changes: Partial<typeof manifest> = {}, metaData: Record<string, unknown> = {}) {
  const folder = join(dir, 'finished')
  mkdirSync(folder)
  const output = { ...manifest, ...changes, metaData: { ...manifest.metaData, ...metaData } }
  const files = { 'mf-manifest.json': JSON.stringify(output), 'index.html': '<p>', 'report.js.map': '{}' }
  const scripts = { 'remoteEntry.js': 'entry', 'report.js': 'report', 'later.js': 'later' }
  for (const [file, text] of Object.entries({ ...files, ...scripts })) writeFileSync(join(folder, file), text)
  return folder
}
const refusal = (...made: Parameters<typeof finished>) =>
  importRemote(finished(...made), flags, dir).then(
    () => 'imported',
    (fault: Error) => fault.message,
  )

test('a team imports its finished remote, and every file that a page may fetch has its hash', async () => {
  const { folder, record } = await importRemote(finished(), flags, dir)
  expect(folder).toBe(join(dir, 'mfe-weather'))
  expect(JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))).toEqual(record)
  expect(record).toMatchObject({
    ...{ version: '2.3.0', routes: ['/admin/weather'], title: { en: 'Rain', fr: 'Pluie' } },
    ...{ permission: 'schools.view', entry: 'remoteEntry.js', shared: { react: '19.0.0' } },
    remote: { name: 'weather', expose: './Report' },
    preloads: { '/admin/weather': ['report.js'] },
  })
  expect(Object.keys(record.files)).toEqual(['later.js', 'mf-manifest.json', 'remoteEntry.js', 'report.js'])
  expect(record.files['later.js']).toBe(integrityOf('later', 'sha256'))
})

test('a team’s same files and answers make the same build, and a changed file makes another', async () => {
  const source = finished()
  const first = await importRemote(source, flags, dir)
  expect((await importRemote(source, flags, dir)).record.build).toBe(first.record.build)
  writeFileSync(join(source, 'later.js'), 'changed')
  expect((await importRemote(source, flags, dir)).record.build).not.toBe(first.record.build)
})

test('a team that imports again loses nothing but what was imported before', async () => {
  const source = finished()
  const { folder } = await importRemote(source, flags, dir)
  writeFileSync(join(folder, 'later.js.br'), 'packed')
  rmSync(join(source, 'later.js'))
  await importRemote(source, flags, dir)
  expect(existsSync(join(folder, 'later.js'))).toBe(false)
  expect(existsSync(join(folder, 'later.js.br'))).toBe(false)

  writeFileSync(join(folder, 'notes.md'), 'mine')
  await expect(importRemote(source, flags, dir)).rejects.toThrow(
    /mfe-weather has files that were not imported: notes\.md\. Choose another folder with --to, or move them away/,
  )
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('mine')
  expect(existsSync(join(folder, 'report.js'))).toBe(true)
})

test('a team that names a folder with a build.json of its own does not lose it', async () => {
  const to = join(dir, 'own')
  mkdirSync(to)
  writeFileSync(join(to, 'build.json'), '{"mine":true}')
  await expect(importRemote(finished(), { ...flags, to }, dir)).rejects.toThrow(/is no imported remote/)
  expect(readFileSync(join(to, 'build.json'), 'utf8')).toBe('{"mine":true}')
})

test('a team that builds with Vite reads why the portal cannot take its remote', async () => {
  const remoteEntry = { name: 'remoteEntry.js', path: '', type: 'module' }
  expect(await refusal({}, { remoteEntry })).toContain('is a remote of ES modules, as Vite builds them')
})

test('a remote whose public path is a function is refused, because the policy forbids new Function', async () => {
  const getPublicPath = 'return window.base'
  expect(await refusal({}, { getPublicPath, publicPath: undefined })).toContain('needs new Function')
})

test('a remote that was built for one address is refused, because the portal has another', async () => {
  expect(await refusal({}, { publicPath: 'https://cdn.example/' })).toContain('publicPath: ')
})

test('a remote with a React of its own is refused', async () => {
  expect(await refusal({ shared: [] })).toContain('does not share react')
})

test('a team without a terminal reads the name of each missing answer', async () => {
  const { permission: _, ...rest } = flags
  await expect(importRemote(finished(), rest, dir)).rejects.toThrow('--permission (Permission that opens it')
})

/** Runs the command as if at a terminal and answers each question when it appears. */
async function runAtTerminal(args: string[], typed: [question: string, answer: string][]) {
  const command = join(import.meta.dirname, '../bin/portal-module.mjs')
  const terminal = 'data:text/javascript,process.stdin.isTTY=true'
  const child = spawn(process.execPath, ['--import', terminal, command, ...args], { cwd: dir })
  const closed = once(child, 'close')
  const open = [...typed]
  let output = ''
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const [question, answer] = open[0] ?? []
    if (!question || !output.endsWith(question)) return
    open.shift()
    child.stdin.write(`${answer}\n`)
  })
  const [code] = await closed
  return { code, output, complaint, unasked: open.map(([question]) => question) }
}

test('a team at a terminal is asked for missing answers, which are recorded', async () => {
  finished()
  const ran = await runAtTerminal(
    ['import', 'finished', '--owner', flags.owner, '--contact', flags.contact],
    [
      ['Name of the module (mfe-something): ', flags.name],
      ['Address in the portal (/admin/something): ', flags.address],
      ['Title in English: ', flags['title-en']],
      ['Title in French: ', ` ${flags['title-fr']} `],
      ['Permission that opens it (such as users.view): ', flags.permission],
    ],
  )
  expect(ran).toMatchObject({ code: 0, complaint: '', unasked: [] })
  expect(ran.output).not.toContain('Team that owns it')
  expect(JSON.parse(readFileSync(join(dir, 'mfe-weather/build.json'), 'utf8'))).toMatchObject({
    ...{ version: '2.3.0', routes: ['/admin/weather'], title: { en: 'Rain', fr: 'Pluie' } },
    ...{ permission: 'schools.view', owner: { name: flags.owner, contact: flags.contact } },
  })
})

test('a team that gives an invalid answer at the terminal is refused, and nothing is made', async () => {
  finished()
  const { permission, ...rest } = flags
  const given = Object.entries(rest).flatMap(([flag, value]) => [`--${flag}`, value])
  const ran = await runAtTerminal(
    ['import', 'finished', ...given],
    [['Permission that opens it (such as users.view): ', permission.replace('.', ' ')]],
  )
  expect(ran.code).toBe(1)
  expect(ran.complaint + ran.output).toContain('--permission schools view: Permission that opens it')
  expect(existsSync(join(dir, 'mfe-weather'))).toBe(false)
})

test('a team’s folder with other files is not changed', async () => {
  mkdirSync(join(dir, 'mfe-weather'))
  await expect(importRemote(finished(), flags, dir)).rejects.toThrow('is no imported remote')
})
