import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { findingsOf } from '../src/check.ts'
import { checkDeprecated } from '../src/upgrade/deprecated.ts'
import { edited } from '../src/upgrade/source.ts'
import { askCompiler } from '../src/upgrade/types.ts'
import { upgradedSource, upgradedText, upgradeModule, upgradePackages } from '../src/upgrade/upgrade.ts'
import { manifest, moduleWith } from './upgraded-module.ts'

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

test('the example of the portal needs no upgrade', async () => {
  const { dir } = moduleWith({})
  cpSync(join(root, 'deploy/examples/mfe-health/src'), join(dir, 'src'), { recursive: true })
  expect(existsSync(join(dir, 'src/module.ts'))).toBe(true)
  expect((await upgradeModule(dir)).changed).toEqual([])
})
