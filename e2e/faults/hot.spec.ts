import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { place as real } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { develop, developIn, endDevelopment } from './develop.ts'
import { makeModule } from './new-module.ts'

const place = mkdtempSync(join(tmpdir(), 'portal-hot-'))
const dir = join(place, 'mfe-wells')
const sources = { page: 'src/notes/NotesPage.tsx', dialog: 'src/notes/AddNoteDialog.tsx' }
const sheets = { plain: 'src/notes/notes.css', module: 'src/notes/notes.module.css' }

const write = (file: string, text: string) => writeFileSync(join(dir, file), text)
const change = (file: string, from: string | RegExp, to: string) =>
  write(file, readFileSync(join(dir, file), 'utf8').replace(from, to))
/** Saves both sheets with another colour. */
function colour(red: number) {
  write(sheets.plain, `.mfe-wells .rule { color: rgb(${red}, 2, 3) }\n`)
  write(sheets.module, `.rule { background-color: rgb(${red}, 4, 5) }\n`)
}

const port = String(30_000 + (process.pid % 10_000))
let portal: string

test.beforeAll(async () => {
  test.setTimeout(300_000)
  await makeModule(dir)
  colour(1)
  change(sources.page, '', "import './notes.css'\nimport styles from './notes.module.css'\n")
  change(
    sources.page,
    '{adding.item',
    '<p className={["rule", styles.rule].join(" ")}>A rule</p>\n      {adding.item',
  )
  portal = await develop(dir, port)
})
test.afterAll(async () => {
  endDevelopment()
  await rm(place, { recursive: true, force: true })
})

type Kind = 'alone' | 'isolated' | 'trusted'
type Opened = {
  page: Page
  module: Locator | FrameLocator
  dialog: Locator
  isReloaded: () => Promise<boolean>
}

/** Opens the module's page. */
async function open(page: Page, kind: Kind): Promise<Opened> {
  await page.goto(kind === 'alone' ? `http://localhost:${port}/admin/wells` : portal)
  if (kind === 'trusted') {
    await page.getByRole('button', { name: 'Trusted' }).click()
    await expect(page.locator('iframe.module-frame')).toHaveCount(0)
  }
  return look(page, kind)
}

/** Waits for the module's page, and knows afterwards whether that was loaded again. */
async function look(page: Page, kind: Kind): Promise<Opened> {
  const frame = page.frameLocator('iframe.module-frame')
  const isFramed = kind === 'isolated'
  // Not by its role, which it has not below a dialog.
  const module = isFramed ? frame : page.locator('main')
  await expect(module.getByText('A rule')).toBeVisible()
  const inside = isFramed ? frame.locator('body') : page.locator('body')
  for (const body of [inside, page.locator('body')])
    await body.evaluate(() => Object.assign(window, { stays: true }))
  const isReloaded = async () => {
    const stays = await Promise.all(
      [inside, page.locator('body')].map((body) => body.evaluate(() => 'stays' in window)),
    )
    return stays.includes(false)
  }
  return { page, module, dialog: (isFramed ? frame : page).getByRole('dialog'), isReloaded }
}

const coloursOf = ({ module }: Opened) =>
  module.getByText('A rule').evaluate((rule) => {
    const { color, backgroundColor } = getComputedStyle(rule)
    return [color, backgroundColor]
  })

let red = 1
for (const kind of ['alone', 'isolated', 'trusted'] as const) {
  test(`a developer changes style sheets below a half-written note, ${kind}, and nothing of the page is lost`, async ({
    person,
  }) => {
    const opened = await open(await person(null), kind)
    await opened.module.getByRole('button', { name: 'Add note' }).first().click()
    const title = opened.dialog.getByLabel('Title')
    await title.fill('Half a note')
    red += 1
    colour(red)
    await expect.poll(() => coloursOf(opened)).toEqual([`rgb(${red}, 2, 3)`, `rgb(${red}, 4, 5)`])
    await expect(title).toHaveValue('Half a note')
    expect(await opened.isReloaded()).toBe(false)
  })

  test(`a developer changes a component, ${kind}, and the page around it is not loaded again`, async ({
    person,
  }) => {
    const opened = await open(await person(null), kind)
    change(sources.page, /description=\{t`[^`]*`\}/, `description={t\`What ${kind} reads.\`}`)
    await expect(opened.module.getByText(`What ${kind} reads.`)).toBeVisible()
    expect(await opened.isReloaded()).toBe(false)
  })

  test(`a developer reads on the page, ${kind}, where her file cannot be read, until she has mended it`, async ({
    person,
  }) => {
    const opened = await open(await person(null), kind)
    const fault = opened.page.getByRole('alert').filter({ hasText: /src\/notes\/NotesPage\.tsx:\d+:\d+/ })
    change(sources.page, 'const { t } =', 'const { t =')
    await expect(fault).toBeVisible()
    change(sources.page, 'const { t =', 'const { t } =')
    await expect(fault).toHaveCount(0)
    expect(await opened.isReloaded()).toBe(false)
  })
}

test('a developer changes the dialog in which she has typed, alone, and her words stay in it', async ({
  person,
}) => {
  const opened = await open(await person(null), 'alone')
  await opened.module.getByRole('button', { name: 'Add note' }).first().click()
  const title = opened.dialog.getByLabel('Title')
  await title.fill('Half a note')
  change(sources.dialog, /title=\{t`[^`]*`\}/, 'title={t`A new well`}')
  await expect(opened.dialog.getByText('A new well')).toBeVisible()
  await expect(title).toHaveValue('Half a note')
  expect(await opened.isReloaded()).toBe(false)
})

test('a developer changes the manifest, and her page is loaded again', async ({ person }) => {
  const opened = await open(await person(null), 'alone')
  const manifest = JSON.parse(readFileSync(join(dir, 'portal.module.json'), 'utf8'))
  write('portal.module.json', JSON.stringify({ ...manifest, title: { en: 'Deep wells', fr: 'Puits' } }))
  await expect(opened.page.getByText('Deep wells')).toBeVisible()
  expect(await opened.isReloaded()).toBe(true)
})

test('a developer changes a style sheet and a component in a real portal, isolated and trusted, and its page stays', async ({
  person,
}) => {
  test.setTimeout(180_000)
  const address = await developIn(dir, String(Number(port) + 2), real.url)
  const developer = await person('admin')
  await developer.goto(address)
  for (const kind of ['isolated', 'trusted'] as const) {
    if (kind === 'trusted') {
      await developer.getByRole('link', { name: 'Run it trusted' }).click()
      await expect(developer.locator('iframe.module-frame')).toHaveCount(0)
    }
    const opened = await look(developer, kind)
    red += 1
    colour(red)
    await expect.poll(() => coloursOf(opened)).toEqual([`rgb(${red}, 2, 3)`, `rgb(${red}, 4, 5)`])
    change(sources.page, /description=\{t`[^`]*`\}/, `description={t\`In the portal, ${kind}.\`}`)
    await expect(opened.module.getByText(`In the portal, ${kind}.`)).toBeVisible()
    expect(await opened.isReloaded()).toBe(false)
  }
})
