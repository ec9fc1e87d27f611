import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLive } from '../publish.ts'
import { expect, test } from '../test.ts'
import { makeModule, portalModule, readModule } from './new-module.ts'

/** Adds a page with everything that a module may bring, and a test of it. */
function addLibraries(dir: string) {
  cpSync(join(import.meta.dirname, '../../deploy/examples/libraries'), dir, { recursive: true })
  rmSync(join(dir, 'browser/notes.spec.ts'))
  const file = join(dir, 'src/module.ts')
  const page = "{ path: '/admin/parts/try', lazy: () => import('./try/TryPage.tsx') }"
  writeFileSync(file, readFileSync(file, 'utf8').replace('routes: () => [', `routes: () => [${page}, `))
}

const place = mkdtempSync(join(tmpdir(), 'portal-libraries-'))
const dir = join(place, 'mfe-parts')

test.beforeAll(async () => {
  await makeModule(dir)
  addLibraries(dir)
})
test.afterAll(() => rmSync(place, { recursive: true, force: true }))

test('a team brings a map, a chart, a font, a worker and WebAssembly, isolated and trusted', async () => {
  test.setTimeout(300_000)
  for (const kind of [[], ['--trusted']])
    expect(await portalModule(dir, 'test', '--browser', ...kind)).toMatch(/1 passed/)
  const checked = await portalModule(dir, 'check', '--offline')
  expect(checked).toMatch(/Every gate is open/)
})

test('all of it runs isolated in the real portal, under its own policy', async ({ person }) => {
  expect(await portalModule(dir, 'build')).toMatch(/build [0-9a-f]{12}/)
  await makeLive(readModule(dir), { trusted: false })
  const admin = await person('admin')
  await expect
    .poll(async () => (await (await admin.request.get('/api/session')).json()).permissions)
    .toContain('parts.view')
  const policies: string[] = []
  admin.on('response', (answer) => {
    if (answer.url().includes('/frame/'))
      policies.push(answer.headers()['content-security-policy'] ?? 'no policy')
  })
  await admin.goto('/admin/parts/try')
  const frame = admin.frameLocator('iframe.module-frame')
  await expect(frame.getByAltText('Coura')).toHaveCSS('position', 'absolute')
  await expect(frame.locator('.recharts-bar-rectangle')).toHaveCount(2)
  const width = () => frame.locator('.wide').evaluate((each) => each.getBoundingClientRect().width)
  await expect.poll(width).toBe(80)
  await frame.getByRole('button', { name: 'Count primes' }).click()
  await expect(frame.getByText('Primes: 25')).toBeVisible()
  await frame.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(frame.getByText('Sum: 5')).toBeVisible()
  // What the gateway sends in production too: no text may become code, and nothing is asked but the build and the shell.
  expect(policies).toHaveLength(1)
  expect(policies[0]).toMatch(/^default-src 'none'; script-src .*'wasm-unsafe-eval'.*worker-src blob:/)
  expect(policies[0]).not.toMatch(/unsafe-inline|'unsafe-eval'|\*/)
})
