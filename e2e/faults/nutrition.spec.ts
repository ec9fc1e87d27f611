import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import { rights } from '@portal/registry/schemas'
import { rows } from '../database.ts'
import { takeOut } from '../publish.ts'
import { place } from '../stage/place.ts'
import { registryOf } from '../stage/publishing.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { speak } from '../visits.ts'
import { makeModule, portalModule, readModule, typeFaults } from './new-module.ts'
import { openPicture, photographOf, sendOverBrokenLine } from './photograph.ts'
import { operator } from './publisher.ts'

const examples = join(import.meta.dirname, '../../deploy/examples')
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A host of map tiles on this machine. */
async function tileHost() {
  const server = createServer((_, reply) => void reply.setHeader('content-type', 'image/png').end(tile))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

/** The example's server as the team runs it: it verifies each token with the keys of the portal of the run. */
async function kitchensServer() {
  const env = {
    ...process.env,
    PORTAL_URL: place.url,
    AUDIENCE: 'mfe-nutrition/kitchens',
    BASE: '/api',
    PORT: '0',
  }
  const child = spawn(process.execPath, [join(examples, 'stock-server/server.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { url: line.replace('Listening at ', ''), stop: () => child.kill() }
}

/** The module in a folder of its own, with the addresses of this run in the place of the team's. */
async function makeNutrition(dir: string, hosts: Record<string, string>) {
  await makeModule(dir)
  for (const old of ['src/notes', 'src/notes.ts', 'src/notes.test.ts', 'browser/notes.spec.ts'])
    rmSync(join(dir, old), { recursive: true })
  cpSync(join(examples, 'mfe-nutrition'), dir, { recursive: true })
  for (const name of ['portal.module.json', 'src/paths.ts']) {
    const text = readFileSync(join(dir, name), 'utf8')
    const here = Object.entries(hosts).reduce((all, [from, to]) => all.replaceAll(from, to), text)
    writeFileSync(join(dir, name), here)
  }
}

/** Makes a key with the command, which the operator of the portal registers. */
async function register(dir: string, id: string, person: string) {
  await portalModule(dir, 'key', id, '--person', person)
  const half = JSON.parse(readFileSync(join(dir, `${id}.public.json`), 'utf8'))
  await operator.keys.add({
    ...{ id, person, name: id, public: half.public ?? half, modules: ['mfe-nutrition'] },
    ...{ may: [...rights], retired: false },
  })
}

const at = (page: Page, title = 'Nutrition') => page.frameLocator(`iframe[title="${title}"]:not(.not-drawn)`)

test('the team’s own tests of it in a browser hold, isolated and trusted', async () => {
  test.setTimeout(300_000)
  const folder = mkdtempSync(join(tmpdir(), 'portal-nutrition-'))
  const dir = join(folder, 'mfe-nutrition')
  try {
    await makeNutrition(dir, {})
    for (const kind of [[], ['--trusted']])
      expect(await portalModule(dir, 'test', '--browser', ...kind)).toMatch(/5 passed/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a team’s module with form, photograph, chart, map, server, tab and card goes live, isolated and trusted, in both languages', async ({
  person,
  expected,
}, info) => {
  test.setTimeout(300_000)
  // The line breaks while a photograph is sent.
  expected.push(/ERR_CONNECTION_RESET/)
  const folder = mkdtempSync(join(tmpdir(), 'portal-nutrition-'))
  const dir = join(folder, 'mfe-nutrition')
  const [tiles, kitchens] = [await tileHost(), await kitchensServer()]
  const keep = async (page: Page, name: string) => {
    await page.screenshot({ path: info.outputPath(`${name}.png`) })
  }
  try {
    await makeNutrition(dir, {
      'https://tiles.nutrition.example': tiles.url,
      'https://kitchens.nutrition.example': kitchens.url,
    })
    expect(await typeFaults(dir)).toBe('')
    await register(dir, 'awa-nutrition', 'Awa Keïta')
    await register(dir, 'moussa-nutrition', 'Moussa Sarr')
    const command = (act: string, key: string) =>
      portalModule(dir, act, '--key', `${key}-nutrition.key.json`, '--portal', place.url)
    expect(await command('publish', 'awa')).toContain('mfe-nutrition 0.1.0 is published')

    const admin = await person('admin')
    await admin.goto('/admin/modules')
    await admin.getByRole('button', { name: 'Look at it: Nutrition 0.1.0' }).click()
    const dialog = admin.getByRole('dialog')
    await expect(dialog.getByText(tiles.url, { exact: false }).first()).toBeVisible()
    await expect(dialog.getByText(kitchens.url, { exact: false }).first()).toBeVisible()
    await keep(admin, 'admission')
    await dialog.getByRole('button', { name: 'Admit version 0.1.0' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await command('promote', 'moussa')).toMatch(/live/)

    const school = (await rows('select id, name, admin_code from schools order by id limit 1'))[0] as {
      id: string
      name: string
      admin_code: string
    }
    // Another group of the same title has the permission to watch how the module fares.
    const granted = dialog
      .getByRole('group', { name: 'Nutrition', exact: true })
      .filter({ hasText: 'Read meals' })
    // The portal knows the permissions of a module once it is live, and the administrator holds them a moment later.
    await expect(async () => {
      await admin.goto('/admin/roles?search=School')
      await admin.getByRole('button', { name: 'Actions for School Officer' }).click()
      await admin.getByRole('menuitem', { name: 'Assign Permissions' }).click()
      await expect(granted.getByRole('checkbox').first()).toBeEnabled({ timeout: 2000 })
    }).toPass({ timeout: 40_000 })
    for (const box of await granted.getByRole('checkbox').all()) await box.check()
    await dialog.getByRole('button', { name: 'Assign Permissions' }).click()
    await expect(dialog).toHaveCount(0)

    const user = await person('school')
    await expect(async () => {
      await user.goto('/admin/nutrition')
      await expect(at(user).getByRole('button', { name: 'Record a meal' }).first()).toBeVisible()
    }).toPass({ timeout: 40_000 })
    await at(user).getByRole('button', { name: 'Record a meal' }).first().click()
    const form = at(user).getByRole('dialog')
    await form.getByRole('combobox', { name: 'School' }).fill(school.admin_code)
    await expect(form.getByRole('option')).toContainText([school.name])
    await expectAccessible(user, 'the list of schools')
    await keep(user, 'schools-1280-en')
    await user.keyboard.press('Enter')
    await expect(form.getByRole('combobox', { name: 'School' })).toHaveValue(
      `${school.name} (${school.admin_code})`,
    )
    await form.getByLabel('Girls fed').fill('90')
    await form.getByLabel('Millet').check()
    await sendOverBrokenLine(user, form)
    await expectAccessible(user, 'the form with pictures')
    await keep(user, 'form-1280-en')
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(at(user).getByRole('row').filter({ hasText: school.name })).toContainText('Millet')
    await expect(at(user).getByRole('img', { name: /Millet: 90/ })).toBeVisible()
    const picture = await openPicture(at(user))
    await expectAccessible(user, 'the large picture')
    await keep(user, 'picture-framed-1280-en')
    await picture.getByRole('button', { name: 'Close' }).click()
    const [kept] =
      await rows(`select p.record_id is not null as used, f.name, f.type, r.data->'photo'->>'alt' as alt
      from record_pictures p join files f on f.id = p.file_id join module_records r on r.id = p.record_id`)
    expect(kept).toEqual({ used: true, name: 'picture.jpg', type: 'image/jpeg', alt: 'A bowl of millet' })
    await at(user).getByRole('combobox', { name: 'All schools' }).fill(school.admin_code)
    await at(user).getByRole('option').first().click()
    await expect(user).toHaveURL(new RegExp(`school=${school.id}`))
    await expect(at(user).getByRole('row').filter({ hasText: school.name })).toContainText('Millet')
    await keep(user, 'list-1280-en')
    await user.goto('/admin/nutrition/kitchens')
    await expect(at(user).getByText('240 kg')).toBeVisible()
    const pictureOf = (one: HTMLImageElement) => one.naturalWidth
    await expect.poll(() => at(user).locator('.leaflet-tile').first().evaluate(pictureOf)).toBe(1)
    await expectAccessible(user, 'the map')
    await keep(user, 'map-1280-en')
    await user.goto(`/admin/schools/${school.id}/users?tab=mfe-nutrition:meals`)
    const tab = user.frameLocator('iframe.part-frame:not(.not-drawn)')
    await expect(tab.getByRole('row', { name: /Millet/ })).toBeVisible()
    await keep(user, 'tab-1280-en')
    await user.goto(`/admin/schools?search=${school.admin_code}`)
    await expect(user.getByRole('columnheader', { name: 'Last meal' })).toBeVisible()
    await keep(user, 'column-1280-en')
    await user.goto('/home')
    await expect(at(user, 'Meals').getByText('1 meal recorded')).toBeVisible()
    await keep(user, 'card-1280-en')

    const phone = await person('school', { width: 360 })
    await speak(phone.context(), 'fr', place.url)
    await phone.emulateMedia({ colorScheme: 'dark' })
    await phone.goto('/admin/nutrition')
    await expect(at(phone).getByRole('img', { name: /Mil: 90/ })).toBeVisible()
    await expectNoSidewaysScroll(phone, 'the list on a phone')
    await keep(phone, 'list-360-fr-dark')
    await at(phone).getByRole('button', { name: 'Saisir un repas' }).first().click()
    const sheet = at(phone).getByRole('dialog')
    await sheet.getByRole('combobox', { name: 'Établissement' }).fill(school.name)
    await expect(sheet.getByRole('option').first()).toBeVisible()
    await expectNoSidewaysScroll(phone, 'the list of schools on a phone')
    await keep(phone, 'schools-360-fr-dark')
    await sheet.getByRole('option').first().click()
    await sheet.locator('input[type=file]').setInputFiles(await photographOf(phone))
    await expect(sheet.getByText('L’image est envoyée.', { exact: false })).toBeVisible()
    await sheet.getByLabel('Ce que l’on y voit').fill('Un bol de mil')
    await expectNoSidewaysScroll(phone, 'the form with a photograph on a phone')
    await keep(phone, 'form-360-fr-dark')
    await phone.goto('/admin/nutrition')
    await openPicture(at(phone))
    await expectNoSidewaysScroll(phone, 'the large picture on a phone')
    await keep(phone, 'picture-framed-360-fr-dark')
    await phone.goto('/admin/nutrition/kitchens')
    await expect(at(phone).getByText('240 kg')).toBeVisible()
    await expect.poll(() => at(phone).locator('.leaflet-tile').first().evaluate(pictureOf)).toBe(1)
    await keep(phone, 'map-360-fr-dark')

    const { name, build } = readModule(dir).record
    const trusted = { by: 'administrator of journeys', name, build, trusted: true }
    await registryOf(place.folder).decideTrust(trusted)
    for (const [page, width] of [
      [user, 1280],
      [phone, 360],
    ] as const) {
      await expect(async () => {
        await page.goto('/admin/nutrition')
        await expect(page.getByRole('row').getByAltText('A bowl of millet')).toBeVisible({ timeout: 5000 })
      }).toPass({ timeout: 40_000 })
      await openPicture(page)
      await keep(page, `picture-trusted-${width}`)
    }
    // A map that asks for tiles while their host stops would count as a fault of the page.
    await phone.close()
    // Other tests find the page of a school as the portal has it.
    await user.close()
    await takeOut(name)
  } finally {
    tiles.stop()
    kitchens.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
