import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { row as first } from '../database.ts'
import { makeLive, takeOut } from '../publish.ts'
import { writeRecord } from '../records.ts'
import { place } from '../stage/place.ts'
import { registryOf } from '../stage/publishing.ts'
import { expect, test } from '../test.ts'
import { speak } from '../visits.ts'
import { makeModule, portalModule, readModule } from './new-module.ts'

const locales = ['en', 'fr'] as const
const schemes = ['light', 'dark'] as const

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
/**
 * Not one pixel may differ by more than five of 255 steps of light. Edges that are round, and shadows, are blended in another
 * layer in a frame, and rounded there by up to four. With a third of this threshold eight pixels differ in some sights.
 */
const exactly = { threshold: 0.02, maxDiffPixels: 0 }

type Words = (typeof words)[keyof typeof words]

type Where = Page | FrameLocator
/** A place of the module, and what somebody does there before it is looked at. */
type Sight = {
  name: string
  path: string | (() => string)
  height?: number
  act: (at: Where, say: Words) => Promise<void>
}

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
  { name: 'card', path: '/home', height: 1400, act: async (at) => expect(row(at)).toBeVisible() },
  {
    name: 'tab',
    path: () => `/admin/schools/${school.id}/users?tab=mfe-health:visits`,
    height: 1400,
    act: async (at) => expect(row(at)).toBeVisible(),
  },
]

const visits = [
  ['Aminata Traoré', null, '2026-03-12', 'illness', 'rest'],
  ['Fatoumata Diop', 'Lycée de la Falaise', '2026-03-11', 'check-up', 'in-class'],
  ['Ndèye Sow', 'Coura Nord', '2026-03-09', 'nutrition', 'referred'],
] as const

/** Where the first visit was. */
let school: { id: string; name: string }
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
  school = await first<typeof school>('select id, name from schools order by id limit 1')
})
test.afterAll(async () => {
  await takeOut(module.record.name)
  rmSync(folder, { recursive: true, force: true })
})

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

/** The portal knows the permissions of a module a moment after it is live. */
const mayRecord = (page: Page) =>
  expect
    .poll(async () => (await (await page.request.get(`${place.url}/api/session`)).json()).permissions)
    .toContain('health.record')

const within = (page: Page, isFramed: boolean): Where =>
  isFramed ? page.frameLocator('iframe[src*="/mfe-health/"]:not(.not-drawn)') : page

/** Waits until a document has drawn itself in a scheme. A frame is a process of its own, and reads it later than the page. */
const drawnIn = (root: Locator, scheme: string) =>
  root.evaluate(async (_, wanted) => {
    const frame = () => new Promise(requestAnimationFrame)
    while (!matchMedia(`(prefers-color-scheme: ${wanted})`).matches) await frame()
    for (let more = 0; more < 3; more++) await frame()
  }, scheme)

/** Brings about a sight of the module and takes its pictures, in the page or in a frame. */
async function pictures(page: Page, { path, height, act }: Sight, say: Words, isFramed: boolean) {
  const { width } = page.viewportSize() ?? { width: 0 }
  await page.setViewportSize({ width, height: height ?? 900 })
  await page.goto(typeof path === 'string' ? path : path())
  const at = within(page, isFramed)
  await page.evaluate(hideOthers)
  await act(at, say)
  // The caret blinks, and Playwright's own way to hide it is against the policy of a frame.
  await at.locator('html').evaluate((root) => root.style.setProperty('caret-color', 'transparent'))
  // The bell counts what other journeys bring about, and the time goes on.
  const mask = [page.getByText(/ago|il y a|UTC/), page.locator('[aria-label^="Notifications"]')]
  const taken: { scheme: (typeof schemes)[number]; picture: Buffer }[] = []
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await drawnIn(page.locator('html'), scheme)
    await drawnIn(at.locator('html'), scheme)
    taken.push({
      scheme,
      picture: await page.screenshot({ animations: 'disabled', caret: 'hide', mask }),
    })
  }
  return taken
}

test('nobody sees whether a module is in a frame or in the page: list, menu, forms, confirmation, card, tab', async ({
  person,
}, info) => {
  test.setTimeout(400_000)
  await trust(true)
  const writer = await person('admin')
  await mayRecord(writer)
  for (const [student, at, date, reason, outcome] of [...visits].reverse())
    await writeRecord(writer, `${place.url}/api/modules/mfe-health/records/visits`, {
      ...{ student, school: at ?? school.name, date, reason, outcome, notes: '' },
    })
  const people = [
    [1280, await person('admin')],
    [360, await person('admin', { width: 360 })],
  ] as const
  // The page comes first: what it looks like is what the frame is compared with.
  for (const isFramed of [false, true]) {
    await trust(!isFramed)
    for (const [width, admin] of people)
      for (const locale of locales)
        await test.step(`${isFramed ? 'frame' : 'page'}, ${width} px, ${locale}`, async () => {
          await speak(admin.context(), locale, place.url)
          for (const sight of sights)
            for (const { scheme, picture } of await pictures(admin, sight, words[locale], isFramed)) {
              const file = `${[width, locale, scheme, sight.name].join('-').replaceAll(' ', '-')}.png`
              await info.attach(`${isFramed ? 'frame' : 'page'}-${file}`, {
                body: picture,
                contentType: 'image/png',
              })
              if (isFramed) expect.soft(picture).toMatchSnapshot(file, exactly)
              else {
                mkdirSync(dirname(info.snapshotPath(file)), { recursive: true })
                writeFileSync(info.snapshotPath(file), picture)
              }
            }
        })
  }
})

for (const isFramed of [false, true])
  test(`somebody whose connection is lost inside of a module reads so, ${isFramed ? 'in a frame' : 'in the page'}`, async ({
    person,
    expected,
  }) => {
    expected.push(/ERR_INTERNET_DISCONNECTED/)
    await trust(!isFramed)
    const nurse = await person('admin')
    await mayRecord(nurse)
    await nurse.goto(list)
    const at = within(nurse, isFramed)
    await at.getByRole('button', { name: 'Record a visit' }).first().click()
    const form = at.getByRole('dialog')
    await form.getByLabel('Student').fill('Awa Keïta')
    await form.getByLabel('School').fill('Coura Nord')
    await form.getByLabel('Reason').selectOption('illness')
    await form.getByLabel('Outcome').selectOption('rest')
    await nurse.context().setOffline(true)
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(form.getByRole('alert')).toHaveText(
      'There is no connection to the portal. Nothing is lost: what you typed stays here, send it again when the connection is back.',
    )
    await nurse.context().setOffline(false)
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(form).toHaveCount(0)
    // What was not fetched yet cannot come either.
    await nurse.context().setOffline(true)
    await at.getByRole('button', { name: 'Views' }).click()
    await expect(nurse.getByText('There is no connection. Try again when it is back.')).toBeVisible()
    await nurse.context().setOffline(false)
  })
