import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RenamedField } from '@portal/sdk/deprecations'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { findingsOf } from '../src/check.ts'
import { checkDeprecated } from '../src/upgrade/deprecated.ts'
import { contractAfter, upgradedManifest, withVersionsOf } from '../src/upgrade/json-files.ts'
import { takePackages } from '../src/upgrade/packages.ts'
import { renameFields } from '../src/upgrade/renamed-fields.ts'
import { edited, readSource } from '../src/upgrade/source.ts'
import { askCompiler } from '../src/upgrade/types.ts'
import { upgradedSource, upgradedText, upgradeModule, upgradePackages } from '../src/upgrade/upgrade.ts'

const manifest = `{ "name": "mfe-clinics",   "contract": "^1.5.0" }\n`

function moduleWith(files: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'portal-upgrade-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [file, text] of Object.entries({
    ...{ 'portal.module.json': manifest, 'package.json': '{}\n' },
    ...files,
  })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  return { dir, read: (file: string) => readFileSync(join(dir, file), 'utf8') }
}

const upgraded = (text: string, file = 'src/Page.tsx') => edited(upgradedSource(file, text))

const before = `// Our page. Written by Awa.
import { Trans } from '@lingui/react/macro'
import { Link as To, type Location, useHost, useParams } from '@portal/sdk'
import { useNavigate as useGo } from '@portal/sdk'

export const Page = () =>    <To to="/admin/clinics">{useParams().id}</To> // as we like it
`

const after = `// Our page. Written by Awa.
import { Link as To, type Location, useParams, useNavigate as useGo } from 'react-router-dom'
import { Trans } from '@lingui/react/macro'
import { useHost } from '@portal/sdk'

export const Page = () =>    <To to="/admin/clinics">{useParams().id}</To> // as we like it
`

describe('a team whose module uses what goes with the next major', () => {
  const routes = `import { defineModule } from '@portal/sdk'
export default defineModule({ routes: () => [{ path: '/admin/clinics', page: () => import('./Page.tsx') }] })
`

  test('is warned, with the day, the replacement and the file', async () => {
    const { dir } = moduleWith({ 'src/notes/Page.tsx': before, 'src/module.ts': routes })
    const text = findingsOf([await checkDeprecated(dir, true)])
    expect(text).toMatch(/^! deprecated: /)
    expect(text).toContain(
      'Link of @portal/sdk goes after 2027-11-30: import it from react-router-dom (src/notes/Page.tsx). portal-module upgrade does it.',
    )
    expect(text).toMatch(
      /page of a route goes after 2027-11-30: write lazy: .*\(src\/module\.ts\)\. portal-module/,
    )
    expect(text).not.toContain('useHost')
  })

  test('is warned of a page of a route also where the sources do not show it', async () => {
    const { dir } = moduleWith({})
    expect(findingsOf([await checkDeprecated(dir, true)])).toMatch(/! deprecated: page of a route/)
  })

  test('upgrades with one command, which names what it did, and has nothing to do a second time', async () => {
    const { dir, read } = moduleWith({ 'src/notes/Page.tsx': before, 'src/module.ts': routes })
    expect((await upgradeModule(dir)).changed).toEqual([
      'src/module.ts: lazy in place of page',
      expect.stringMatching(/^src\/notes\/Page\.tsx: Link of react-router-dom, Location of/),
    ])
    expect(read('src/notes/Page.tsx')).toBe(after)
    expect(read('src/module.ts')).toContain("lazy: () => import('./Page.tsx')")
    expect(read('portal.module.json')).toBe(manifest)
    expect(findingsOf([await checkDeprecated(dir, false)])).toMatch(/^✓ deprecated: nothing/)
    const again = await upgradeModule(dir)
    expect(again).toMatchObject({ changed: [], left: [] })
    expect(upgradedText(again)).toMatch(/^Nothing is left to change/)
  })

  test('finds names in the import that a file has already, and imports of types stay types', () => {
    expect(
      upgraded(
        `import { Link } from "react-router-dom";\nimport {\n  useHost,\n  // our own\n  useParams,\n} from '@portal/sdk'\nimport type { Location } from '@portal/sdk'\n`,
      ),
    ).toBe(
      `import { Link, useParams, type Location } from "react-router-dom";\nimport {\n  useHost,\n} from '@portal/sdk'\n`,
    )
  })

  test('exports a name from where it is today', () => {
    expect(upgraded(`export { Link, useParams } from '@portal/sdk'\n`)).toBe(
      `export { Link, useParams } from 'react-router-dom'\n`,
    )
  })

  test('is told what stays by hand, with file and line', () => {
    const source = upgradedSource(
      'src/all.tsx',
      `import * as portal from '@portal/sdk'\nexport const Go = () => <portal.Link to="/" />\n`,
    )
    expect(source.left).toEqual([
      { file: 'src/all.tsx', line: 2, text: 'Link of @portal/sdk: import it from react-router-dom.' },
    ])
  })

  test('keeps strings and names of its own that are called the same', () => {
    const own = `import { Link } from './own.tsx'
const page = 'import { Link } from "@portal/sdk"'
export const shelf = { path: '/shelf', page: 12, Link }
`
    expect(upgraded(own)).toBe(own)
  })
})

/** A contract that calls \`notify\` of the host \`tell\`. */
const tell: RenamedField = {
  ...{ of: 'host', name: 'notify', to: 'tell', since: '2.0.0', until: '2029-11-30' },
  instead: 'tell of the host',
}

const renamed = (text: string) => {
  const source = readSource('src/Page.tsx', text)
  renameFields(source, [tell])
  return edited(source)
}

describe('a name of the host that is called otherwise', () => {
  const hook = `import { type Host, useHost as usePortal, defineModule } from '@portal/sdk'\n`
  test.each([
    [
      'in a pattern',
      'const { client, notify } = usePortal()',
      'const { client, tell: notify } = usePortal()',
    ],
    ['under a name of its own', 'const { notify: say } = usePortal()', 'const { tell: say } = usePortal()'],
    [
      'of a variable',
      'const host = usePortal()\nhost.notify.good(host?.notify)',
      'const host = usePortal()\nhost.tell.good(host?.tell)',
    ],
    ['of the call', "usePortal()['notify'].bad('x')", "usePortal()['tell'].bad('x')"],
    ['of a parameter', 'const f = (host: Host) => host.notify', 'const f = (host: Host) => host.tell'],
    [
      'of a pattern as parameter',
      'function f({ notify }: Host) { notify() }',
      'function f({ tell: notify }: Host) { notify() }',
    ],
    [
      'of routes',
      'defineModule({ routes: (host) => (host.notify, []) })',
      'defineModule({ routes: (host) => (host.tell, []) })',
    ],
    [
      'in types',
      "type N = Host['notify'] | Pick<Host, 'notify' | 'can'>",
      "type N = Host['tell'] | Pick<Host, 'tell' | 'can'>",
    ],
    [
      'of a host for a test',
      'const fake: Host = { notify: {}, can }',
      'const fake: Host = { tell: {}, can }',
    ],
  ])('is renamed %s', (_where, text, expected) => {
    expect(renamed(hook + text)).toBe(hook + expected)
  })

  test('is left where it is somebody else’s', () => {
    const text = `${hook}const desk = { notify() {} }\ndesk.notify()\nconst { notify } = desk\n`
    expect(renamed(text)).toBe(text)
  })
})

test('a module comes to the next major in its manifest and in its code, and stays where it is within one', async () => {
  expect([contractAfter('^1.3.0', '2.1.0'), contractAfter('1.3.0', '1.5.0')]).toEqual(['2.1.0', undefined])
  const { dir } = moduleWith({
    'portal.module.json': `{\n  "cards": [{ "title": "A" },  { "title": "B" }], "title": "C"\n}\n`,
  })
  const table: RenamedField[] = [{ ...tell, of: 'manifest', name: 'cards.title', to: 'heading' }]
  const source = await upgradedManifest(dir, table)
  expect(edited(source)).toBe(`{\n  "cards": [{ "heading": "A" },  { "heading": "B" }], "title": "C"\n}\n`)
  expect(source.did).toEqual(['heading in place of cards.title'])
})

test('a module gets the libraries of the packages, and keeps newer tools and what is its own', () => {
  const like = {
    dependencies: { react: '19.3.1' },
    devDependencies: { typescript: '7.0.2', node: '24.19.2' },
  }
  const text = JSON.stringify({
    dependencies: { leaflet: '1.9.4', react: '19.2.0' },
    devDependencies: { typescript: '7.1.0', node: '24.9.0' },
  })
  const made = withVersionsOf(text, like)
  expect(made?.did).toEqual(['react 19.3.1', 'node 24.19.2'])
  expect(JSON.parse(made?.text ?? '')).toEqual({
    dependencies: { leaflet: '1.9.4', react: '19.3.1' },
    devDependencies: { typescript: '7.1.0', node: '24.19.2' },
  })
  expect(withVersionsOf(made?.text ?? '', like)).toBeNull()
})

test('what only the compiler sees is listed with its place and what to write', async () => {
  const { dir } = moduleWith({
    'tsconfig.json': readFileSync(join(root, 'deploy/portal-module/template/tsconfig.json'), 'utf8'),
    'src/locales/en.po': '',
    'src/locales/fr.po': '',
    'src/routes.ts': `import type { ModuleRoute } from '@portal/sdk'
const shelf = async () => ({ default: () => null })
export const first: ModuleRoute = { path: '/a', page: shelf }
export const wrong: number = 'x'
`,
  })
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  const { left, others } = await askCompiler(dir)
  expect(left).toEqual([
    {
      file: 'src/routes.ts',
      line: 3,
      text: expect.stringMatching(/'page' does not exist in type 'ModuleRoute'.* Write lazy: /),
    },
  ])
  expect(others).toBe(1)
})

describe('a team with a repository', () => {
  const git = (dir: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Awa', '-c', 'user.email=awa@partner.example', ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    })

  test('is not upgraded over work that is not committed, unless it says so', async () => {
    const { dir, read } = moduleWith({ 'mfe/portal.module.json': manifest, 'mfe/package.json': '{}\n' })
    const module = join(dir, 'mfe')
    git(dir, 'init', '-q')
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', 'Begin')
    mkdirSync(join(module, 'src'))
    writeFileSync(join(module, 'src/Page.tsx'), before)
    await expect(upgradeModule(module)).rejects.toThrow(/^Not committed: src\/(Page\.tsx)?\. .*--force/)
    expect(read('mfe/src/Page.tsx')).toBe(before)
    expect((await upgradeModule(module, { force: true })).changed).toHaveLength(1)
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', 'Upgrade')
    // What taking the packages has changed does not stand in the way; whatever else is changed there does.
    writeFileSync(join(module, 'package.json'), '{ }\n')
    expect((await upgradeModule(module)).changed).toEqual([])
    await expect(upgradePackages(module, 'vendor')).rejects.toThrow(/^Not committed: package\.json\./)
  })
})

test('a team takes the packages of a newer portal: archives, package.json, and nothing old in the lock file', async () => {
  const { dir, read } = moduleWith({
    'vendor/portal-sdk-1.5.0.tgz': 'old',
    'vendor/portal-ui-0.1.0.tgz': 'old',
    'vendor/ours-1.0.0.tgz': 'ours',
    'next/portal-sdk-2.0.0.tgz': 'new',
    'next/portal-ui-0.1.0.tgz': 'new',
    'next/portal-stage-0.1.0.tgz': 'new',
    'package.json': JSON.stringify({
      dependencies: {
        '@portal/sdk': 'file:vendor/portal-sdk-1.5.0.tgz',
        '@portal/ui': 'file:vendor/portal-ui-0.1.0.tgz',
      },
      devDependencies: {},
    }),
    'package-lock.json': JSON.stringify({
      packages: {
        'node_modules/@portal/sdk': { integrity: 'sha512-old' },
        'node_modules/@portal/ui': { version: '0.1.0', integrity: 'sha512-old' },
        'node_modules/react': { integrity: 'sha512-react' },
      },
    }),
  })
  await takePackages(dir, 'next')
  expect(readdirSync(join(dir, 'vendor')).sort()).toEqual([
    'ours-1.0.0.tgz',
    'portal-sdk-2.0.0.tgz',
    'portal-ui-0.1.0.tgz',
  ])
  expect(read('vendor/portal-ui-0.1.0.tgz')).toBe('new')
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { '@portal/sdk': 'file:vendor/portal-sdk-2.0.0.tgz' },
    overrides: { '@portal/ui': '$@portal/ui' },
  })
  expect(JSON.parse(read('package-lock.json')).packages).toEqual({
    'node_modules/react': { integrity: 'sha512-react' },
  })
  await expect(upgradeModule(dir)).rejects.toThrow(/asks for portal-sdk-2\.0\.0\.tgz.*npm install first/)
})

test('the example of the portal needs no upgrade', async () => {
  const { dir } = moduleWith({})
  cpSync(join(root, 'deploy/examples/mfe-health/src'), join(dir, 'src'), { recursive: true })
  expect(existsSync(join(dir, 'src/module.ts'))).toBe(true)
  expect((await upgradeModule(dir)).changed).toEqual([])
})
