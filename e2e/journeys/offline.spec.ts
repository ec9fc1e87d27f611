import type { Locator, Page } from '@playwright/test'
import * as cohorts from '../cohorts.ts'
import { expect, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

// The browser itself notes each call that finds no line, and a worker that it could not fetch.
test.use({
  serviceWorkers: 'allow',
  expected: [
    /net::ERR_(INTERNET_DISCONNECTED|FAILED)|^An unknown error occurred when fetching the script\.$/,
  ],
})

/** The worker has been told which builds are current, and holds the page for when there is no line. */
const isReady = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const worker = (await navigator.serviceWorker.getRegistration())?.active
        const offline = await caches.match('/offline', { ignoreVary: true })
        return worker?.state === 'activated' && Boolean(offline)
      }),
    )
    .toBe(true)

/** Nothing lies above the middle of an element. */
const expectOnTop = (element: Locator) =>
  expect
    .poll(() =>
      element.evaluate((own) => {
        const { left, top, width, height } = own.getBoundingClientRect()
        return own.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }),
    )
    .toBe(true)

const kept = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths
  })

test('a person who is offline reads so in her language, and the page opens by itself when the network is back', async ({
  person,
}) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByRole('table')).toBeVisible()
  await isReady(officer)
  await officer.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'FR' }).click()
  await expect(officer.locator('html')).toHaveAttribute('lang', 'fr')
  await expect
    .poll(() => officer.evaluate(async () => (await caches.match('/offline', { ignoreVary: true }))?.text()))
    .toContain('lang="fr"')
  // From here on the worker serves this tab.
  await officer.reload()
  await expect(officer.getByRole('table')).toBeVisible()

  await officer.context().setOffline(true)
  await officer.goto('/admin/transfers/settings')
  await expect(officer.getByRole('heading', { name: 'Il n’y a pas de connexion' })).toBeVisible()
  await officer.getByRole('button', { name: 'Réessayer' }).click()
  await expect(officer.getByRole('heading', { name: 'Il n’y a pas de connexion' })).toBeVisible()
  await officer.context().setOffline(false)
  await expect(officer.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await expect(officer).toHaveURL(/\/admin\/transfers\/settings$/)

  // The worker keeps a file after the page has it.
  const ofTransfers = (path: string) => path.startsWith('/modules/mfe-transfers/')
  await expect.poll(async () => (await kept(officer)).some(ofTransfers)).toBe(true)
  const paths = await kept(officer)
  expect(paths.filter((path) => !/^\/(assets\/|modules\/|offline$)/.test(path))).toEqual([])
  await officer.getByRole('group', { name: 'Langue' }).getByRole('button', { name: 'EN' }).click()
  await expect(officer.locator('html')).toHaveAttribute('lang', 'en')
})

test('a person keeps what she typed while offline, and sends the form when the network is back', async ({
  person,
}) => {
  const name = 'Kept through the cut'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(2))
  const dialog = await cohorts.openUpload(officer, { name, file })
  await isReady(officer)
  // The browser has read the file by then.
  await expect(dialog.getByText('2 rows read.')).toBeVisible()
  await officer.context().setOffline(true)
  const banner = officer.getByText('There is no connection.')
  // Neither the dialog nor, on a phone, the full-height sheet covers the banner, and the banner does not cover them.
  for (const width of [1280, 360]) {
    await officer.setViewportSize({ width, height: 740 })
    await expectOnTop(banner)
    await expectOnTop(dialog.getByRole('button', { name: 'Close' }))
  }
  await dialog.getByRole('button', { name: 'Upload target list' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Nothing is lost: what you typed stays here')
  await expect(dialog.getByLabel('Cohort name')).toHaveValue(name)
  await officer.context().setOffline(false)
  await expect(officer.getByText('There is no connection.')).toBeHidden()
  await expect(dialog.getByLabel('Cohort name')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Upload target list' }).click()
  await expect(officer.getByRole('dialog', { name }).getByText('Import finished')).toBeVisible({
    timeout: 60_000,
  })
  expect(await cohorts.countCohorts(name)).toBe(1)
})

test('a person who goes offline in the first moments reads so above the page', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  // Fetched ahead, long before anything of the frame is asked for.
  const isAhead = () =>
    officer.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')]
      const came = ({ href }: HTMLLinkElement) => performance.getEntriesByName(href).length > 0
      return links.length > 1 && links.every(came)
    })
  await expect.poll(isAhead).toBe(true)
  // Its words are among what came, whatever else the page has fetched by now.
  const ahead = await officer
    .locator('link[rel=prefetch]')
    .evaluateAll((links) => links.map((link) => link.outerHTML))
  expect(ahead.join()).toContain('/assets/lazy-en.')
  await officer.context().setOffline(true)
  await expect(officer.getByText('There is no connection.')).toBeVisible()
  await officer.context().setOffline(false)
  await expect(officer.getByText('There is no connection.')).toBeHidden()
})

test('a person sees a failed list again when the network is back', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByRole('table')).toBeVisible()
  await isReady(officer)
  await officer.context().setOffline(true)
  await officer.getByRole('searchbox').fill('Ségou')
  await expect(officer.getByRole('button', { name: 'Try again' })).toBeVisible()
  await officer.context().setOffline(false)
  await expect(officer.getByRole('button', { name: 'Try again' })).toBeHidden()
  await expect(officer.getByRole('table').getByText('Ségou').first()).toBeVisible()
})

test('a person whose CSRF token is gone still sends a form, once', async ({ person }) => {
  const reviewer = await person('auditor')
  await reviewer.goto('/profile')
  const first = reviewer.locator('#page input').first()
  await expect(first).not.toHaveValue('')
  const name = await first.inputValue()
  const sent: number[] = []
  reviewer.on('response', (answer) => {
    if (answer.request().method() === 'PUT') sent.push(answer.status())
  })
  await first.fill(`${name}e`)
  // Just before: the answer to a call that the tab makes by itself would bring the token back.
  await reviewer.context().clearCookies({ name: 'XSRF-TOKEN' })
  await reviewer.getByRole('button', { name: 'Update Profile' }).first().click()
  await expect.poll(() => sent).toEqual([419, 200])
  await first.fill(name)
  await reviewer.getByRole('button', { name: 'Update Profile' }).first().click()
  await expect.poll(() => sent).toEqual([419, 200, 200])
})
