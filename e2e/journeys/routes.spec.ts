import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { screens } from '../routes.ts'
import { expect, test } from '../test.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = process.env.PORTAL_DIST_DIR ?? join(root, 'dist')
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')

type Built = {
  name: string
  base: string
  routes: string[]
  nav?: Entry[]
  preloads?: Record<string, unknown>
}
type Entry = { path: string; children?: Entry[] }

/** The pages that modules of this build have, and where their navigation leads. */
function moduleAddresses(): string[] {
  const { modules } = JSON.parse(read(dist, 'modules.json')) as { modules: Built[] }
  const paths = (entries: Entry[] = []): string[] =>
    entries.flatMap(({ path, children }) => [path, ...paths(children)])
  return modules.flatMap(({ base, nav }) => {
    const { preloads = {} } = JSON.parse(read(dist, base, 'build.json')) as Built
    return [...Object.keys(preloads).filter((key) => key.startsWith('/')), ...paths(nav)]
  })
}

/** The shell's own pages stand in one table. */
const shellAddresses = () =>
  [...read(root, 'shell/src/pages/addresses.ts').matchAll(/^\s+'(\/[^']*)':/gm)].map(([, path]) => path ?? '')

test('every page that a module or the shell declares is among those that are looked at', () => {
  const known = new Set(screens.map(({ route }) => route))
  const declared = [...moduleAddresses(), ...shellAddresses()]
  expect(declared.length).toBeGreaterThan(30)
  expect(declared.filter((path) => !known.has(path))).toEqual([])
})
