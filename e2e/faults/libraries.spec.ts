import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../test.ts'
import { makeModule, portalModule } from './new-module.ts'

/** Adds a page with everything that a module may bring, and a test of it. */
function addLibraries(dir: string) {
  cpSync(join(import.meta.dirname, '../../deploy/examples/libraries'), dir, { recursive: true })
  rmSync(join(dir, 'browser/notes.spec.ts'))
  const file = join(dir, 'src/module.ts')
  const page = "{ path: '/admin/parts/try', lazy: () => import('./try/TryPage.tsx') }"
  writeFileSync(file, readFileSync(file, 'utf8').replace('routes: () => [', `routes: () => [${page}, `))
}

test('a team brings a map, a chart, a font, a worker and WebAssembly, isolated and trusted', async () => {
  test.setTimeout(300_000)
  const place = mkdtempSync(join(tmpdir(), 'portal-libraries-'))
  const dir = join(place, 'mfe-parts')
  try {
    await makeModule(dir)
    addLibraries(dir)
    for (const kind of [[], ['--trusted']])
      expect(await portalModule(dir, 'test', '--browser', ...kind)).toMatch(/1 passed/)
    const checked = await portalModule(dir, 'check', '--offline')
    expect(checked).toMatch(/Every gate is open/)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
