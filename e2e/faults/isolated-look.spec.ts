import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FrameLocator, Page } from '@playwright/test'
import { makeLive } from '../publish.ts'
import { writeRecord } from '../records.ts'
import { place } from '../stage/place.ts'
import { registryOf } from '../stage/publishing.ts'
import { expect, test } from '../test.ts'
import { speak } from '../visits.ts'
import { makeModule, portalModule, readModule } from './new-module.ts'

const looks = [
  { width: 1280, locale: 'en', scheme: 'light' },
  { width: 1280, locale: 'en', scheme: 'dark' },
  { width: 360, locale: 'fr', scheme: 'light' },
  { width: 360, locale: 'fr', scheme: 'dark' },
] as const

const words = {
  en: {
    acts: /^Actions for Aminata/,
    change: 'Change',
    remove: 'Remove',
    add: 'Record a visit',
    send: 'Record',
  },
  fr: {
    acts: /^Actions pour Aminata/,
    change: 'Modifier',
    remove: 'Supprimer',
    add: 'Enregistrer une visite',
    send: 'Enregistrer',
  },
} as const
type Words = (typeof words)[keyof typeof words]

type Where = Page | FrameLocator
/** A place of the module, and what somebody does there before it is looked at. */
type Sight = { name: string; path: string; height?: number; act: (at: Where, say: Words) => Promise<void> }

const row = (at: Where) => at.getByText('Aminata Traoré').first()
/** The list with its rows, and with the counts that come by a call of their own. */
async function listed(at: Where) {
  await expect(row(at)).toBeVisible()
  await expect(at.locator('.chip', { hasText: /^(All|Tout)\s*3$/ })).toBeVisible()
}
async function openMenu(at: Where, say: Words) {
  await listed(at)
  await at.getByRole('button', { name: say.acts }).click()
  await expect(at.getByRole('menu')).toBeVisible()
}
async function openDialog(at: Where) {
  await expect(at.getByRole('dialog')).toBeVisible()
}

const list = '/admin/health'
const sights: Sight[] = [
  { name: 'list', path: list, act: listed },
  { name: 'menu', path: list, act: openMenu },
  {
    name: 'form',
    path: list,
    async act(at, say) {
      await openMenu(at, say)
      await at.getByRole('menuitem', { name: say.change }).click()
      await openDialog(at)
      // The focus ring is in the picture.
      await at.getByRole('dialog').getByLabel('Notes').focus()
    },
  },
  {
    name: 'refused form',
    path: list,
    async act(at, say) {
      await listed(at)
      await at.getByRole('button', { name: say.add }).first().click()
      await openDialog(at)
      await at.getByRole('dialog').getByRole('button', { name: say.send, exact: true }).click()
      await expect(at.getByRole('dialog').locator('[aria-invalid=true]').first()).toBeFocused()
    },
  },
  {
    name: 'confirmation',
    path: list,
    async act(at, say) {
      await openMenu(at, say)
      await at.getByRole('menuitem', { name: say.remove }).click()
      await openDialog(at)
    },
  },
  // The card is below what a phone shows, and browsers draw no frame that is out of sight.
  { name: 'card', path: '/home', height: 3600, act: async (at) => expect(row(at)).toBeVisible() },
]

const visits = [
  ['Aminata Traoré', 'Coura Nord', '2026-03-12', 'illness', 'rest'],
  ['Fatoumata Diop', 'Lycée de la Falaise', '2026-03-11', 'check-up', 'in-class'],
  ['Ndèye Sow', 'Coura Nord', '2026-03-09', 'nutrition', 'referred'],
] as const

let folder: string
let module: ReturnType<typeof readModule>

test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'portal-look-'))
  const dir = join(folder, 'mfe-health')
  await makeModule(dir)
  for (const old of ['src', 'browser']) rmSync(join(dir, old), { recursive: true })
  cpSync(join(import.meta.dirname, '../../deploy/examples/mfe-health'), dir, {
    recursive: true,
    filter: (file) => !/node_modules|package(-lock)?\.json|dist$/.test(file),
  })
  expect(await portalModule(dir, 'build')).toMatch(/build [0-9a-f]{12}/)
  module = readModule(dir)
  await makeLive(module)
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const trust = (trusted: boolean) =>
  registryOf(place.folder).decideTrust({
    by: 'administrator of journeys',
    name: module.record.name,
    build: module.record.build,
    trusted,
  })

/** Other journeys of the same portal leave cards on the home page, which change as they go. */
function hideOthers() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.two.even > .card:not(:has(iframe[src*="/mfe-health/"], .mfe-health)) { display: none }')
  document.adoptedStyleSheets.push(sheet)
}

/** Brings about a sight of the module and takes its picture, in the page or in a frame. */
async function picture(page: Page, { path, height, act }: Sight, say: Words, isFramed: boolean) {
  const { width } = page.viewportSize() ?? { width: 0 }
  await page.setViewportSize({ width, height: height ?? 900 })
  await page.goto(path)
  const at = isFramed ? page.frameLocator(`iframe[src*="/mfe-health/"]:not(.not-drawn)`) : page
  await act(at, say)
  await page.evaluate(hideOthers)
  // The caret blinks, and Playwright's own way to hide it is against the policy of a frame.
  await at.locator('html').evaluate((root) => root.style.setProperty('caret-color', 'transparent'))
  // The bell counts what other journeys bring about, and the time goes on.
  const mask = [page.getByText(/ago|il y a|UTC/), page.locator('[aria-label^="Notifications"]')]
  return page.screenshot({ animations: 'disabled', caret: 'hide', mask })
}

test('nobody sees whether a module is in a frame or in the page: list, menu, forms, confirmation, card', async ({
  person,
}, info) => {
  test.setTimeout(400_000)
  await trust(true)
  const writer = await person('admin')
  await expect
    .poll(async () => (await (await writer.request.get(`${place.url}/api/session`)).json()).permissions)
    .toContain('health.record')
  for (const [student, school, date, reason, outcome] of [...visits].reverse())
    await writeRecord(writer, `${place.url}/api/modules/mfe-health/records/visits`, {
      ...{ student, school, date, reason, outcome, notes: '' },
    })
  const fileOf = (...of: (string | number)[]) => `${of.join('-').replaceAll(' ', '-')}.png`
  for (const { width, locale, scheme } of looks)
    await test.step(`${width} px, ${locale}, ${scheme}`, async () => {
      const admin = await person('admin', { width })
      await speak(admin.context(), locale, place.url)
      await admin.emulateMedia({ colorScheme: scheme })
      for (const isFramed of [false, true]) {
        await trust(!isFramed)
        for (const sight of sights) {
          const file = fileOf(width, locale, scheme, sight.name)
          const taken = await picture(admin, sight, words[locale], isFramed)
          await info.attach(fileOf(isFramed ? 'frame' : 'page', file.slice(0, -4)), {
            body: taken,
            contentType: 'image/png',
          })
          if (isFramed) expect.soft(taken).toMatchSnapshot(file)
          else {
            // What the page looks like is what the frame is compared with.
            mkdirSync(dirname(info.snapshotPath(file)), { recursive: true })
            writeFileSync(info.snapshotPath(file), taken)
          }
        }
      }
      await admin.context().close()
    })
})
