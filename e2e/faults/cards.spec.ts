import type { Page } from '@playwright/test'
import { newName, type Variant } from './probe.ts'
import type { Fault } from './proxy.ts'
import { complaints } from './states.ts'
import { expect, expectRestAlive, install, makeProbe, reference, test } from './test.ts'

const card = { id: 'count', title: { en: 'Notes', fr: 'Remarques' }, order: 1 }
const probeWith = (variant: Variant) =>
  makeProbe({ name: newName('card'), title: { en: 'Probe', fr: 'Sonde' }, variant, more: { cards: [card] } })

const faults: { what: string; variant: Variant; fault?: { file: string; does: Fault }; sentence: string }[] =
  [
    {
      what: 'whose code does not come',
      variant: 'sound',
      fault: { file: 'card.js', does: 'missing' },
      sentence: 'The module Probe did not load',
    },
    {
      what: 'that was tampered with',
      variant: 'sound',
      fault: { file: 'entry.js', does: 'tamper' },
      sentence: 'The module Probe was not opened',
    },
    {
      what: 'of a module that throws',
      variant: 'throws-at-load',
      sentence: 'The module Probe stopped while it was starting',
    },
  ]

const atHome = (page: Page) => page.getByRole('main')

for (const { what, variant, fault, sentence: sentences } of faults) {
  test(`a person reads on a card ${what} what is wrong, and uses the rest of the home page`, async ({
    person,
    line,
    expected,
  }) => {
    expected.push(...complaints)
    const probe = probeWith(variant)
    install(line, { probe })
    if (fault) line.break(new RegExp(`^${probe.record.base}${fault.file}$`), fault.does)
    const admin = await person('admin')
    await admin.goto('/home')
    const alert = atHome(admin).getByRole('alert').filter({ hasText: sentences })
    await expect(alert).toContainText(`Module ${probe.record.name}, version 1.0.0, owned by Probe team`)
    await expect(alert).toContainText(reference)
    await expect(atHome(admin).getByRole('heading', { name: 'My open cases' })).toBeVisible()
    await expectRestAlive(admin)
  })
}

test('a person uses the home page although one card throws while it renders', async ({
  person,
  line,
  expected,
}) => {
  expected.push(...complaints, /card of the probe throws/)
  const probe = probeWith('throws-in-card')
  install(line, { probe })
  const admin = await person('admin')
  await admin.goto('/home')
  await expect(atHome(admin).getByRole('alert')).toContainText(probe.record.name)
  await expect(atHome(admin).getByRole('heading', { name: 'My open cases' })).toBeVisible()
  await expectRestAlive(admin)
})

for (const locale of ['en-GB', 'fr-FR']) {
  test.describe(locale, () => {
    test.use({ locale })

    test('a person also reads about passing states: slow, and the previous version', async ({
      person,
      line,
      say,
      expected,
    }) => {
      expected.push(...complaints)
      const name = newName('slow')
      const title = { en: 'Probe', fr: 'Sonde' }
      const before = makeProbe({ name, title, version: '0.9.0', mark: 'before' })
      const probe = makeProbe({ name, title, variant: 'throws-at-load' })
      install(line, { probe, before })
      line.break(new RegExp(`^${probe.record.base}build.json$`), { delay: 4000 })
      const word = locale === 'en-GB' ? title.en : title.fr
      const admin = await person('admin')
      await admin.goto(probe.route)
      await expect(admin.getByText(say('{name} is taking longer than usual.', { name: word }))).toBeVisible()
      await expect(
        admin.getByText(say('The connection may be slow. You can stay here or go to another page.')),
      ).toBeVisible()
      await admin.getByRole('button', { name: say('Use the version before') }).click()
      const chosen = say('You use version {version} of {name}, the one before the current.', {
        version: '0.9.0',
        name: word,
      })
      await expect(admin.getByText(chosen)).toBeVisible()
      await expect(admin.getByText(`${name} 0.9.0 before`)).toBeVisible()
      await admin.getByRole('button', { name: say('Use the current version') }).click()
      const stopped = say('The module {name} stopped while it was starting', { name: word })
      await expect(admin.getByRole('heading', { name: stopped })).toBeVisible()
    })
  })
}
