import type { Page } from '@playwright/test'
import type { Fault } from './proxy.ts'
import { expect, expectNamed, expectRestAlive, goBy, install, makeProbe, reference, test } from './test.ts'

const before = makeProbe({ version: '0.9.0', mark: 'the build before' })
const probe = makeProbe()
const { base } = probe.record
const at = (file: string) => new RegExp(`^${base}${file.replace('.', '\\.')}$`)

/** What a build consists of, by the kind of the file. */
const kinds = {
  record: 'build.json',
  entry: 'entry.js',
  chunk: 'list.js',
  words: 'en.js',
  styles: 'probe.css',
}

const opened = (page: Page) => expect(page.getByRole('heading', { name: 'Probe list' })).toBeVisible()
const sentence = (page: Page, text: string) => page.getByRole('main').getByText(text)

/** The faults that leave a module out of reach: nothing came, or not what was asked for. */
const unreachable: Fault[] = ['refuse', 'missing', 'broken', 'cut', 'html']
const network =
  'A web page came in place of its code, so it was not run. Perhaps the network asks you to sign in'

test.beforeEach(({ expected }) => {
  expected.push(/Failed to load resource/, /Failed to find a valid digest/, /MIME type/, /mfe-probe/)
})

for (const [kind, file] of Object.entries(kinds)) {
  for (const fault of unreachable) {
    test(`${kind}, ${fault}: she reads that it did not load, goes elsewhere, and opens it when the network is back`, async ({
      person,
      line,
    }) => {
      install(line, { probe })
      line.break(at(file), fault)
      const admin = await person('admin')
      await admin.goto('/home')
      await goBy(admin, 'Probe')
      await expect(sentence(admin, 'The module Probe did not load')).toBeVisible()
      await expect(
        sentence(admin, fault === 'html' ? network : 'Check the connection, then try again.'),
      ).toBeVisible()
      await expectNamed(admin, probe)
      await expect(admin.getByRole('main')).toContainText(reference)
      await expectRestAlive(admin)
      await goBy(admin, 'Probe')
      await expect(sentence(admin, 'The module Probe did not load')).toBeVisible()
      line.mend()
      await admin.getByRole('button', { name: 'Try again' }).click()
      await opened(admin)
    })
  }

  test(`${kind}, hanging: after one second she reads that it is slow, after eight she may retry`, async ({
    person,
    line,
  }) => {
    install(line, { probe })
    line.break(at(file), 'hang')
    const admin = await person('admin')
    await admin.goto('/home')
    await goBy(admin, 'Probe')
    const began = Date.now()
    await expect(sentence(admin, 'Probe is taking longer than usual.')).toBeVisible()
    expect(Date.now() - began).toBeLessThan(3000)
    await expect(admin.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expectRestAlive(admin)
    await goBy(admin, 'Probe')
    await expect(sentence(admin, 'Probe is taking longer than usual.')).toBeVisible()
    await expect(admin.getByRole('button', { name: 'Try again' })).toBeVisible()
    line.mend()
    await admin.getByRole('button', { name: 'Try again' }).click()
    await opened(admin)
  })

  test(`${kind}, tampered with: none of it runs, nothing is retried, and the previous build opens`, async ({
    person,
    line,
  }) => {
    install(line, { probe, before })
    line.break(at(file), 'tamper')
    const admin = await person('admin')
    await admin.goto('/home')
    await goBy(admin, 'Probe')
    await expect(sentence(admin, 'The module Probe was not opened')).toBeVisible()
    await expect(
      sentence(admin, 'A file of it is not the one that was published, so none of it was run.'),
    ).toBeVisible()
    await expectNamed(admin, probe)
    await expect(admin.getByRole('main')).toContainText(reference)
    await expect(admin.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expectRestAlive(admin)
    await goBy(admin, 'Probe')
    await admin.getByRole('button', { name: 'Use the version before' }).click()
    await opened(admin)
    await expect(admin.getByText('mfe-probe 0.9.0 the build before')).toBeVisible()
  })
}

test('hanging until the time limit: she reads that it did not load, with name, version and owner', async ({
  person,
  line,
}) => {
  install(line, { probe })
  line.break(at('build.json'), 'hang')
  const admin = await person('admin')
  await admin.goto(probe.route)
  await expect(sentence(admin, 'Probe is taking longer than usual.')).toBeVisible()
  await expect(sentence(admin, 'The module Probe did not load')).toBeVisible({ timeout: 60_000 })
  await expectNamed(admin, probe)
  await expect(admin.getByRole('main')).toContainText(reference)
})
