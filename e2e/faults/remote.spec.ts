import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { place } from '../stage/place.ts'
import { french } from '../words.ts'
import { newName } from './probe.ts'
import { liveGeneration, operator } from './publisher.ts'
import { makeRemote, publishRemote } from './remote.ts'
import { expect, expectRestAlive, goBy, navigationOf, reference, test } from './test.ts'

/** A remote that knows nothing of the portal, built elsewhere with the federation plugin's own settings. */
const name = newName('weather')
const route = `/admin/${name.replace('mfe-', '')}`
const flags = {
  ...{ address: route, 'title-en': 'Rain gauges', 'title-fr': 'Pluviomètres' },
  ...{ permission: 'schools.view', owner: 'Weather team', contact: 'rain@partner.example' },
}
let remote: Awaited<ReturnType<typeof makeRemote>>
let record: ModuleBuild
test.beforeAll(async () => {
  remote = await makeRemote()
  const published = await publishRemote(remote.folder, name, flags)
  expect(published.output).toContain('2.3.0 is live.')
  record = published.record
})
test.afterAll(async () => {
  await operator.changes.disable({ by: 'The end of a test', name, generation: await liveGeneration() })
  await remote.end()
})

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

for (const width of [1280, 360]) {
  test(`an administrator uses a remote of another team at ${width} px, on the portal's React`, async ({
    person,
  }) => {
    const admin = await person('admin')
    await admin.setViewportSize({ width, height: 800 })
    await admin.goto(route)
    await expect(admin.getByRole('heading', { name: 'Rain in Kayes' })).toBeVisible()
    // Its state and its lazy piece live in the portal's renderer: a second React would stop at the first hook.
    await admin.getByRole('button', { name: 'One day further' }).click()
    await expect(admin.getByText('In 1 days it stays dry.')).toBeVisible()
    expect(await admin.evaluate(overflow)).toBe(0)
  })
}

test('a person who holds its permission finds its menu entry in both languages', async ({ person }) => {
  const admin = await person('admin')
  await admin.goto('/home')
  await goBy(admin, 'Rain gauges')
  await expect(admin.getByRole('heading', { name: 'Rain in Kayes' })).toBeVisible()
  await admin.goto('/home?lang=fr')
  await expect(navigationOf(admin, french).getByRole('link', { name: 'Pluviomètres' })).toBeVisible()
})

test('a remote with a tampered chunk does not run, and she reads why', async ({ person, line, expected }) => {
  expected.push(/integrity/i)
  const chunk = record.preloads[route]?.[0] ?? ''
  line.break(new RegExp(`${record.base}${chunk.replaceAll('.', '\\.')}`), 'tamper')
  const admin = await person('admin')
  await admin.goto('/home')
  await goBy(admin, 'Rain gauges')
  await expect(admin.getByText('The module Rain gauges was not opened')).toBeVisible()
  const main = admin.getByRole('main')
  await expect(main).toContainText('A file of it is not the one that was published, so none of it was run.')
  await expect(main).toContainText('owned by Weather team (rain@partner.example)')
  await expect(main).toContainText(reference)
  await expectRestAlive(admin)
})

test('the registry has the hash of every file of the remote', () => {
  const files = Object.keys(record.files)
  const manifest = readFileSync(join(remote.folder, name, 'mf-manifest.json'), 'utf8')
  for (const [script] of manifest.matchAll(/[\w.-]+\.js/g)) expect(files).toContain(script)
})

test('the next version with a chunk tampered with is refused, and the version before opens in a new document', async ({
  person,
  line,
  expected,
}) => {
  expected.push(/integrity/i)
  await remote.rebuild('2.4.0', 'Rain in Kita')
  const next = await publishRemote(remote.folder, name, flags)
  expect(next.output).toContain('2.4.0 is live.')
  const chunk = next.record.preloads[route]?.[0] ?? ''
  line.break(new RegExp(`${next.record.base}${chunk.replaceAll('.', '\\.')}`), 'tamper')
  const admin = await person('admin')
  await admin.goto('/home')
  await goBy(admin, 'Rain gauges')
  const main = admin.getByRole('main')
  await expect(main).toContainText('A file of it is not the one that was published, so none of it was run.')

  const document = admin.waitForEvent('framenavigated')
  await main.getByRole('button', { name: 'Use the version before' }).click()
  await document
  await expect(admin.getByRole('heading', { name: 'Rain in Kayes' })).toBeVisible()
  await admin.getByRole('button', { name: 'One day further' }).click()
  await expect(admin.getByText('In 1 days it stays dry.')).toBeVisible()
})

test('the version after it, which nobody trusts, is used in a frame like the others in the page, also on a phone', async ({
  person,
}) => {
  await remote.rebuild('2.5.0', 'Rain in Ségou')
  const framed = await publishRemote(remote.folder, name, flags, { trusted: false })
  expect(framed.output).toContain('2.5.0 is live.')
  for (const width of [1280, 360]) {
    const admin = await person('admin', { width })
    // Frames are for the portal's own address, and not for that of the line.
    await admin.goto(place.url + route)
    const frame = admin.frameLocator('iframe.module-frame')
    await expect(frame.getByRole('heading', { name: 'Rain in Ségou' })).toBeVisible()
    await frame.getByRole('button', { name: 'One day further' }).click()
    await expect(frame.getByText('In 1 days it stays dry.')).toBeVisible()
    expect(await frame.locator('html').evaluate(overflow)).toBe(0)
    await expect(admin).toHaveTitle(/^Rain in Ségou/)
    await expect(admin.getByRole('main').getByText('In 1 days it stays dry.')).toHaveCount(0)
  }
})
