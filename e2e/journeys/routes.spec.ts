import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
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

test('every page that a module or the shell declares is in the list of tested screens', () => {
  const known = new Set(screens.map(({ route }) => route))
  const declared = [...moduleAddresses(), ...shellAddresses()]
  expect(declared.length).toBeGreaterThan(30)
  expect(declared.filter((path) => !known.has(path))).toEqual([])
})

test('people open twenty addresses directly and stand on each, with its heading', async ({ person }) => {
  test.setTimeout(240_000)
  const addresses = screens.filter(({ role, as }) => role && !as).slice(0, 20)
  expect(addresses.length).toBe(20)
  const pages = new Map<string, Page>()
  for (const { route, path, role } of addresses) {
    const page = pages.get(String(role)) ?? (await person(role))
    pages.set(String(role), page)
    await page.goto(path ? await path() : route)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(/./)
    await expect(page.getByText(/Reference MF-|There is no page at this address/)).toHaveCount(0)
  }
})
