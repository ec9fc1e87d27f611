import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '../test.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const card = `import { useHost, useQuery } from '@portal/sdk'
import { notes } from '../notes.ts'

export default function CountCard() {
  const { client } = useHost()
  const { data } = useQuery({ queryKey: ['count'], queryFn: () => client.call(notes.list, { query: {} }) })
  return <div className="card-body">{data?.records.total}</div>
}
`

/** It asks for schools, which its manifest does not name. */
const tab = `import { schools } from '@portal/contracts/registers'
import { type TabProps, useHost, useQuery } from '@portal/sdk'

export default function NotesTab({ id }: TabProps<'school'>) {
  const { client } = useHost()
  const asked = useQuery({ queryKey: ['schools'], retry: false, queryFn: () => client.call(schools.list, { query: {} }) })
  return <p>{id} {asked.status}</p>
}
`

const tests = `import { expect, test } from '@portal/module/browser/test'
import { notes } from '../src/notes.ts'

test('a card', async ({ portal }) => {
  portal.records.seed(notes, [{ title: 'First', text: 'Hello' }])
  const awa = await portal.asPerson({ permissions: ['parts.view'] })
  const card = await awa.openCard('count')
  await expect(card.locator('.card-body', { hasText: '1' }).first()).toBeVisible()
  await awa.theme('dark')
  await awa.expectNoAxeViolations()
})

test('a tab', async ({ portal }) => {
  const awa = await portal.asPerson({ permissions: ['parts.view', 'schools.view'] })
  const tab = await awa.openTab('school', 'notes')
  await expect(tab.getByText(portal.trusted ? '1 success' : '1 error')).toBeVisible()
})

test('without the permission', async ({ portal }) => {
  const awa = await portal.asPerson({ permissions: [] })
  await awa.page.goto('/home')
  await expect(awa.page.getByRole('link', { name: 'Home' }).first()).toBeVisible()
  await expect(awa.page.getByRole('link', { name: 'Parts' })).toHaveCount(0)
})

test('what the manifest does not allow is not stored', async ({ portal }) => {
  expect(() => portal.records.seed(notes, [{ title: '', text: 'Hello' }])).toThrow(/title/)
})
`

/** A module as `module:new` makes it, with a card, a tab and tests of them. The packages are this repository's. */
async function makeModule(dir: string) {
  await run(process.execPath, [join(root, 'deploy/portal-module/packing/new-module.ts'), dir])
  const packages = join(dir, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== '@portal')
      symlinkSync(join(root, 'node_modules', name), join(packages, name))
  mkdirSync(join(packages, '@portal'))
  for (const archive of readdirSync(join(dir, 'vendor'))) {
    const folder = join(packages, '@portal', /^portal-([a-z0-9]+)-/.exec(archive)?.[1] ?? '')
    mkdirSync(folder)
    await run('tar', ['xzf', join(dir, 'vendor', archive), '-C', folder, '--strip-components=1'])
  }
  const write = (file: string, text: string) => writeFileSync(join(dir, file), text)
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  mkdirSync(join(dir, 'src/more'))
  write('src/more/CountCard.tsx', card)
  write('src/more/NotesTab.tsx', tab)
  write('browser/more.spec.ts', tests)
  const parts = `cards: { count: () => import('./more/CountCard.tsx') },
  tabs: { school: { notes: () => import('./more/NotesTab.tsx') } },
  messages: {`
  write('src/module.ts', read('src/module.ts').replace('messages: {', parts))
  const title = { en: 'Notes', fr: 'Notes' }
  const shown = { title, permission: 'parts.view', order: 5 }
  const cards = [{ id: 'count', ...shown }]
  const tabs = [{ id: 'notes', on: 'school', ...shown }]
  write('portal.module.json', JSON.stringify({ ...JSON.parse(read('portal.module.json')), cards, tabs }))
}

test('a team tests page, card and tab of its module in a browser, isolated and trusted, without a portal', async () => {
  test.setTimeout(300_000)
  const place = mkdtempSync(join(tmpdir(), 'portal-stage-'))
  const dir = join(place, 'mfe-parts')
  try {
    await makeModule(dir)
    const command = join(dir, 'node_modules/@portal/module/bin/portal-module.mjs')
    for (const kind of [[], ['--trusted']]) {
      const args = [command, 'test', '--browser', ...kind]
      const { stdout } = await run(process.execPath, args, { cwd: dir }).catch((fault) => fault)
      expect(stdout).toMatch(/6 passed/)
    }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
})
