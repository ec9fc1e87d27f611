import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devTools, foundByTools } from '../dev-tools.ts'
import { emailOf, password } from '../people.ts'
import { makeLive } from '../publish.ts'
import { writeRecord } from '../records.ts'
import { place as portal } from '../stage/place.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { develop, endDevelopment } from './develop.ts'
import { makeModule, portalModule, readModule } from './new-module.ts'
import { newName } from './probe.ts'

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
  const themes = () => Promise.all(awa.page.frames().map((each) => each.evaluate(() => document.documentElement.dataset.theme)))
  await expect.poll(themes).toEqual(portal.trusted ? ['dark'] : ['dark', 'dark'])
  await awa.expectNoAxeViolations()
})

test('a tab', async ({ portal }) => {
  const awa = await portal.asPerson({ permissions: ['parts.view', 'schools.view'] })
  const tab = await awa.openTab('school', 'notes')
  await expect(tab.getByText(portal.trusted ? '1 success' : '1 error')).toBeVisible()
})

test('the keyboard stays in a dialog', async ({ portal }) => {
  const awa = await portal.asPerson({ permissions: ['parts.view', 'parts.write'] })
  const page = await awa.openModule()
  const add = page.getByRole('button', { name: 'Add note' }).first()
  await add.focus()
  await awa.page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  const isInside = () => dialog.evaluate((each) => document.hasFocus() && each.contains(document.activeElement))
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await awa.page.keyboard.press(key)
    expect(await isInside()).toBe(true)
  }
  await awa.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
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

/** Adds a card, a tab and tests of them to a module. */
function addParts() {
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

const place = mkdtempSync(join(tmpdir(), 'portal-stage-'))
const dir = join(place, 'mfe-parts')

test.beforeAll(async () => {
  test.setTimeout(300_000)
  await makeModule(dir)
  addParts()
})
test.afterAll(async () => {
  endDevelopment()
  await rm(place, { recursive: true, force: true })
})

test('a team tests page, card and tab of its module in a browser, isolated and trusted, without a portal', async () => {
  test.setTimeout(300_000)
  for (const kind of [[], ['--trusted']])
    expect(await portalModule(dir, 'test', '--browser', ...kind)).toMatch(/7 passed/)
})

test('a developer without a portal sees her module in the portal’s own pages, isolated and trusted, and each build', async ({
  person,
}) => {
  const port = String(20_000 + (process.pid % 20_000))
  const address = await develop(dir, port)
  const developer = await person(null)
  await developer.goto(address)
  const frame = developer.frameLocator('iframe.module-frame')
  await expect(frame.getByText('What is worth writing down.')).toBeVisible()
  const page = join(dir, 'src/notes/NotesPage.tsx')
  writeFileSync(page, readFileSync(page, 'utf8').replace('worth writing down', 'worth reading'))
  await expect(frame.getByText('What is worth reading.')).toBeVisible()
  await expectAccessible(developer, 'an isolated module without a portal')
  const kinds = developer.getByRole('group', { name: 'How the module runs' })
  await kinds.getByRole('button', { name: 'Trusted' }).click()
  await expect(developer.getByRole('main').getByText('What is worth reading.')).toBeVisible()
  await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
})

test('a developer keeps what she has typed while what is new waits, isolated and trusted', async ({
  person,
}) => {
  test.setTimeout(180_000)
  const port = String(20_000 + ((process.pid + 500) % 20_000))
  const address = await develop(dir, port)
  const developer = await person(null)
  const page = join(dir, 'src/notes/NotesPage.tsx')
  const frame = developer.frameLocator('iframe.module-frame')
  for (const [module, kind] of [
    [frame, 'Isolated'],
    [developer.getByRole('main'), 'Trusted'],
  ] as const) {
    await developer.goto(address)
    if (kind === 'Trusted') {
      await developer.getByRole('button', { name: kind }).click()
      await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
    }
    await module.getByRole('button', { name: 'Add note' }).first().click()
    const dialog = (kind === 'Isolated' ? frame : developer).getByRole('dialog')
    const title = dialog.getByLabel('Title')
    const typed = `Half a note, ${kind}`
    await title.fill(typed)
    const words = `What ${kind} reads.`
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(/description=\{t`[^`]*`\}/, `description={t\`${words}\`}`),
    )
    // A button, but out of reach while the dialog is open.
    const load = developer.getByText('Load the new version')
    await expect(load).toBeAttached()
    await expect(title).toHaveValue(typed)
    await dialog.getByLabel('Text').fill('And the rest')
    await dialog.getByRole('button', { name: 'Save' }).click()
    // Saved, it comes by itself.
    await expect(module.getByText(typed)).toBeVisible()
    await expect(module.getByText(words)).toBeVisible()
    await expect(load).toHaveCount(0)
  }
})

test('a developer works with the records of a real portal in its own pages, isolated and trusted', async ({
  person,
}) => {
  test.setTimeout(180_000)
  const name = newName('lent')
  const own = join(place, name)
  await makeModule(own)
  expect(await portalModule(own, 'build')).toMatch(/build [0-9a-f]{12}/)
  await makeLive(readModule(own), { trusted: false })
  const admin = await person('admin')
  await expect
    .poll(async () => (await (await admin.request.get('/api/session')).json()).permissions)
    .toContain(`${name.slice(4)}.view`)
  await writeRecord(admin, `/api/modules/${name}/records/notes`, { title: 'Pump of Coura', text: 'Dry' })

  const address = await develop(own, String(40_000 + (process.pid % 10_000)), '--portal', portal.url)
  const developer = await person(null)
  await developer.addInitScript(devTools)
  // Nobody is signed in: the page of the module alone asks.
  await developer.goto(address)
  await developer.getByLabel('E-mail').fill(emailOf('admin'))
  await developer.getByLabel('Password').fill(password)
  await developer.getByRole('button', { name: 'Sign in' }).click()
  await expect(developer.getByText('Pump of Coura')).toBeVisible()
  // Alone it is drawn by the build of React that tools show most of.
  expect((await foundByTools(developer.mainFrame())).renderers).toEqual(['development'])
  await developer.goto(address)
  const frame = developer.frameLocator('iframe.module-frame')
  await expect(frame.getByText('Pump of Coura')).toBeVisible()
  await developer
    .getByRole('group', { name: 'How the module runs' })
    .getByRole('button', { name: 'Trusted' })
    .click()
  await expect(developer.getByRole('main').getByText('Pump of Coura')).toBeVisible()
  await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
})
