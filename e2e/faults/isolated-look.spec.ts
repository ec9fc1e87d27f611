import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'
import { makeLive } from '../publish.ts'
import { place } from '../stage/place.ts'
import { registryOf } from '../stage/publishing.ts'
import { expect, test } from '../test.ts'
import { speak } from '../visits.ts'
import { makeProbe, newName } from './probe.ts'

const looks = [
  { width: 1280, locale: 'en', scheme: 'light' },
  { width: 360, locale: 'fr', scheme: 'dark' },
] as const

/** Opens one of the module's places and waits until what it has there is drawn, in the page or in a frame. */
async function picture(page: Page, path: string, drawn: RegExp, frame?: string) {
  await page.goto(path)
  const at = frame ? page.frameLocator(`iframe[src*="/${frame}/"]:not(.not-drawn)`) : page
  await expect(at.getByText(drawn).first()).toBeVisible()
  // The bell counts what other journeys bring about, and the time goes on.
  const mask = [page.getByText(/ago|il y a|UTC/), page.getByRole('button', { name: /^Notifications/ })]
  return page.screenshot({ animations: 'disabled', mask })
}

for (const { width, locale, scheme } of looks)
  test(`a person sees no difference between a module in a frame and in the page, at ${width} px, in ${locale}, by ${scheme}`, async ({
    person,
  }, info) => {
    const probe = makeProbe({
      name: newName('seen'),
      mark: 'here',
      more: { cards: [{ id: 'count', title: { en: 'Notes', fr: 'Notes' }, order: 1 }] },
    })
    const places = [
      [probe.route, /Count 0/],
      [`${probe.route}/form`, /mfe-seen-\w+ .* here/],
      ['/home', /three notes|trois remarques/],
    ] as const
    await makeLive(probe)
    const admin = await person('admin', { width })
    await speak(admin.context(), locale, place.url)
    await admin.emulateMedia({ colorScheme: scheme })
    const fileOf = (path: string) => `${width}${path.replaceAll('/', '-')}.png`
    for (const [path, drawn] of places) {
      // What the page looks like is what the frame is compared with.
      const file = info.snapshotPath(fileOf(path))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, await picture(admin, path, drawn))
    }
    const { name, build } = probe.record
    await registryOf(place.folder).decideTrust({
      by: 'administrator of journeys',
      name,
      build,
      trusted: false,
    })
    for (const [path, drawn] of places)
      expect(await picture(admin, path, drawn, name)).toMatchSnapshot(fileOf(path))
  })
