import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { englishOn, watchData } from '../english.ts'
import { leave, opened } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

// The gallery is a page of the command for those who build modules, not of the portal.
let gallery: ChildProcess
let url = ''

test.beforeAll(async () => {
  gallery = spawn(process.execPath, ['bin/portal-module.mjs', 'gallery', '--port', '0'], {
    cwd: join(import.meta.dirname, '../../deploy/portal-module'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise<string>((resolve, reject) => {
    gallery.once('exit', (code) => reject(new Error(`The gallery ended with ${code}.`)))
    gallery.stdout?.on('data', (text) => {
      const address = /http:\S+/.exec(String(text))?.[0]
      if (address) resolve(address)
    })
  })
})

test.afterAll(async () => {
  if (gallery.exitCode !== null) return
  gallery.kill()
  await once(gallery, 'exit')
})

const openDialog = async (page: Page) => {
  await page.locator('[data-opens=dialog]').click()
  await opened(page)
}

test('a developer of a module can read every piece in the gallery, light and dark, with its dialog and its menu', async ({
  person,
}) => {
  const developer = await person(null)
  await developer.goto(url)
  await expect(developer.getByRole('heading', { level: 1, name: 'Gallery' })).toBeVisible()
  for (const theme of ['Light', 'Dark']) {
    await developer.getByRole('group', { name: 'Theme' }).getByRole('button', { name: theme }).click()
    await expectAccessible(developer, `the gallery, ${theme}`)
  }
  await openDialog(developer)
  await expectAccessible(developer, 'the dialog of the gallery')
  await leave(developer)
  // A failure stays until somebody closes it.
  await developer.getByRole('button', { name: 'Show a failure' }).click()
  await expect(developer.getByRole('alert').filter({ hasText: 'The connection was lost.' })).toBeVisible()
  await developer.getByRole('button', { name: 'Actions', exact: true }).click()
  await expect(developer.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
})

test('a developer who reads French on a phone meets no English in the gallery and scrolls nothing sideways', async ({
  person,
}) => {
  const developer = await person(null, { width: 360 })
  const data = watchData(developer)
  await developer.goto(`${url}?lang=fr`)
  await expect(developer.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(developer.getByRole('heading', { level: 1 }).first()).toBeVisible()
  for (const open of [async () => undefined, openDialog]) {
    await open(developer)
    await expectNoSidewaysScroll(developer, 'the gallery in French')
    await expect.poll(() => englishOn(developer, data)).toEqual([])
  }
})
