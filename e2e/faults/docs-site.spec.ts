import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

const root = join(import.meta.dirname, '../..')
const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
const folder = mkdtempSync(join(tmpdir(), 'portal-docs-'))
let server: Server
let address = ''

test.beforeAll(async () => {
  test.setTimeout(180_000)
  // As in a clone in which nothing was built yet.
  for (const locale of ['en', 'fr'])
    await rm(join(root, `deploy/portal-module/src/gallery/locales/${locale}.ts`), { force: true })
  await promisify(execFile)(process.execPath, [join(root, 'scripts/docs.mjs'), '--to', folder])
  server = createServer(({ url = '' }, reply) => {
    const path = url.split('?')[0] ?? ''
    const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    reply.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(readFileSync(join(folder, path)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  server.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

const pages = [
  'index.html',
  'partners/2-work-on-it.html',
  'recipes/a-list-with-search-sort-filters-and-totals.html',
  'reference/portal-screens.html',
  'comparison.html',
  'operating.html',
  'operating/systemd.html',
  'operating/several-servers.html',
]

for (const [width, theme] of [
  [1280, 'Dark'],
  [360, 'Light'],
] as const)
  test(`a reader of the documentation reads it ${width} wide, ${theme.toLowerCase()}`, async ({ person }) => {
    const reader = await person(null, { width })
    for (const page of pages) {
      await reader.goto(`${address}/${page}`)
      const button = reader.getByRole('button', { name: theme })
      if (await button.isVisible()) await button.click()
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(reader, `${page}, ${theme}`)
      await expectNoSidewaysScroll(reader, `${page}, ${width} wide`)
    }
  })

test('a developer finds a page by its words, and every piece of pages in the gallery', async ({ person }) => {
  const developer = await person(null)
  await developer.goto(`${address}/decisions/0150-errors-name-places-in-the-teams-sources.html`)
  await developer.getByRole('searchbox').fill('rollback canary')
  const found = developer.getByRole('region', { name: 'Search results' })
  await expect(found.getByRole('status')).toHaveText(/\d+ pages/)
  await expectAccessible(developer, 'a search')
  await found.getByRole('link', { name: '5. The next version' }).click()
  await expect(developer.getByRole('heading', { level: 1 })).toHaveText('5. The next version')
  await developer.getByRole('link', { name: 'Portal: documentation' }).click()
  await developer.getByRole('link', { name: 'the gallery' }).click()
  await expect(developer.getByText('const list = useList(schools.list').first()).toBeVisible()
  await developer.getByRole('button', { name: 'Ask before an act' }).click()
  await expect(developer.getByRole('dialog', { name: 'Reject 40 payments' })).toBeVisible()
})
