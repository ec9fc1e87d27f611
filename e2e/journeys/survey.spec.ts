import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const embed = '**/api/home/survey/embed'
const frameOf = (page: Page) => page.frameLocator('main iframe')

/** How often a page has asked for an address. */
function counted(page: Page) {
  const seen = { count: 0 }
  page.on('request', (request) => {
    if (request.url().endsWith('/api/home/survey/embed')) seen.count += 1
  })
  return seen
}

for (const { language, locale, title } of [
  { language: 'English', locale: 'en-GB', title: 'School reports of the first term' },
  { language: 'French', locale: 'fr-FR', title: 'Bulletins du premier trimestre' },
]) {
  test.describe(`in ${language}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an auditor reads the survey that another host draws', async ({ person, say }) => {
      for (const width of [1280, 360]) {
        const auditor = await person('auditor', { width })
        await auditor.goto('/home')
        if (width > 720)
          await auditor
            .getByRole('navigation', { name: say('Main navigation') })
            .getByRole('link', { name: say('Survey'), exact: true })
            .click()
        else await auditor.goto('/home/survey')
        await expect(auditor.getByRole('heading', { level: 1 })).toHaveText(say('Bulletin Scolaire Survey'))
        await expect(frameOf(auditor).getByRole('heading', { name: title })).toBeVisible()
        const frame = auditor.getByTitle(say('Bulletin Scolaire Survey'))
        expect((await frame.boundingBox())?.height).toBe(600)
        await expectAccessible(auditor, `the survey at ${width}`)
        await expectNoSidewaysScroll(auditor, `the survey at ${width}`)
      }
    })

    test('somebody reads both sentences when there is no address, and tries again', async ({
      person,
      say,
    }) => {
      const auditor = await person('auditor')
      await auditor.route(embed, (route) =>
        route.fulfill({ json: { url: null, issued_at: null, expires_at: null } }),
      )
      await auditor.goto('/home/survey')
      const alert = auditor.getByRole('main').getByRole('alert')
      await expect(alert).toContainText(say('Error encountered!'))
      await expect(alert).toContainText(
        say('Could not load the data from our external source. Please try again later.'),
      )
      await expectAccessible(auditor, 'the survey without an address')
      await auditor.unroute(embed)
      await alert.getByRole('button', { name: say('Try again') }).press('Enter')
      await expect(frameOf(auditor).getByRole('heading', { name: title })).toBeVisible()
    })
  })
}

test('an auditor keeps reading while the address is renewed before its ten minutes are over', async ({
  person,
}) => {
  const auditor = await person('auditor')
  await auditor.clock.install()
  const requests = counted(auditor)
  await auditor.goto('/home/survey')
  await expect(frameOf(auditor).getByRole('heading', { level: 1 })).toBeVisible()
  const first = await auditor.locator('main iframe').getAttribute('src')
  // Two addresses signed in one second are the same.
  const signed = Date.now()
  await expect.poll(() => Date.now() - signed).toBeGreaterThan(1000)
  // It is due after nine minutes; the clock has also gone on by itself since the page was opened.
  await auditor.clock.runFor(480_000)
  expect(requests.count).toBe(1)
  await auditor.clock.runFor(70_000)
  await expect.poll(() => requests.count).toBe(2)
  await expect(auditor.locator(`main iframe[src="${first}"]`)).toHaveCount(0)
  await expect(auditor.locator('main iframe')).toHaveCount(1)
  await expect(frameOf(auditor).getByRole('heading', { level: 1 })).toBeVisible()
})

test('a hidden tab of an auditor renews the address only when it is visible again', async ({ person }) => {
  const auditor = await person('auditor')
  await auditor.clock.install()
  const requests = counted(auditor)
  await auditor.goto('/home/survey')
  await expect(frameOf(auditor).getByRole('heading', { level: 1 })).toBeVisible()
  const look = (hidden: boolean) =>
    auditor.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await look(true)
  await auditor.clock.runFor(700_000)
  expect(requests.count).toBe(1)
  await look(false)
  await expect.poll(() => requests.count).toBe(2)
})

test('an officer may not see the survey, and its figures are not fetched for her', async ({ person }) => {
  const officer = await person('officer')
  const requests = counted(officer)
  await officer.goto('/home/survey')
  await expect(officer.getByRole('main')).toContainText('Access Denied')
  expect(requests.count).toBe(0)
})
