import type { Page } from '@playwright/test'
import { fileCase } from '../cases.ts'
import { movedOn, shiftOf, watchShifts } from '../shifts.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const statistics = '**/api/home/statistics'
/** One of everything that can wait for a person. */
const everything = {
  imports: {
    count: 2,
    rows_rejected: 14,
    oldest: { file_name: 'kita.xlsx', link: '/admin/transfers/cohorts/import?import=7' },
  },
  cohorts: { rejected: 1, error: 2 },
  cases: { due: 3, overdue: 1 },
  builds: {
    count: 2,
    oldest: {
      title: { en: 'School gardens', fr: 'Jardins scolaires' },
      version: '1.0.0',
      link: '/admin/modules?build=0123456789ab',
    },
  },
}
const nothing = {
  imports: { count: 0, rows_rejected: 0, oldest: null },
  cohorts: { rejected: 0, error: 0 },
  cases: { due: 0, overdue: 0 },
  builds: { count: 0, oldest: null },
}
const waits = (page: Page, json: typeof everything | typeof nothing) =>
  page.route('**/api/home/waiting', (route) => route.fulfill({ json }))

for (const { language, locale, lines } of [
  {
    language: 'English',
    locale: 'en-GB',
    lines: [
      '2 lists to check',
      '1 cohort rejected',
      '2 cohorts in payment error',
      '3 cases due within a week',
      '2 modules to admit',
    ],
  },
  {
    language: 'French',
    locale: 'fr-FR',
    lines: [
      '2 listes à vérifier',
      '1 cohorte rejetée',
      '2 cohortes en erreur de paiement',
      '3 dossiers à traiter sous une semaine',
      '2 modules à admettre',
    ],
  },
]) {
  test.describe(`what needs a person, in ${language}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an officer reads what needs her, each with the way to it, and that nothing does', async ({
      person,
      say,
    }) => {
      for (const width of [1280, 360]) {
        const officer = await person('officer', { width })
        await waits(officer, everything)
        await officer.goto('/home')
        const card = officer.getByRole('region', { name: say('What needs you') })
        for (const [name, href] of [
          [lines[0], everything.imports.oldest.link],
          [lines[1], '/admin/transfers/cohorts/list?waits=rejected'],
          [lines[2], '/admin/transfers/cohorts/list?waits=error'],
          [lines[3], '/admin/cases?due=mine'],
          [lines[4], everything.builds.oldest.link],
        ])
          await expect(card.getByRole('link', { name, exact: true })).toHaveAttribute('href', `${href}`)
        await expect(card).toContainText('kita.xlsx')
        await expect(card).toContainText(/(School gardens|Jardins scolaires) 1\.0\.0/)
        await expect(officer.locator('tbody tr').first()).toContainText(/\d/)
        await expectAccessible(officer, `what needs an officer at ${width}`)
        await expectNoSidewaysScroll(officer, `what needs an officer at ${width}`)
        await officer.unroute('**/api/home/waiting')
        await waits(officer, nothing)
        await officer.reload()
        await expect(card).toContainText(say('Nothing waits in your own lists, cohorts and cases.'))
      }
    })

    test('nothing that she reads moves while the home page comes', async ({ person }) => {
      for (const [role, width] of [
        ['officer', 1280],
        ['officer', 412],
        ['reviewer', 412],
        ['reviewer', 360],
      ] as const) {
        const one = await person(role, { width })
        await watchShifts(one.context())
        // The page waits two seconds for her lines: here they come just after the figures on any machine.
        const figures = one.waitForResponse(statistics)
        const read = Promise.withResolvers<void>()
        await one.route('**/api/home/waiting', async (route) => {
          const answer = role === 'officer' ? { json: everything } : { response: await route.fetch() }
          read.resolve()
          await figures
          await route.fulfill(answer)
        })
        await one.route(statistics, async (route) => {
          await read.promise
          await route.continue()
        })
        await one.goto('/home')
        await expect(one.locator('.needs-me a').first()).toBeVisible()
        await expect(one.locator('tbody tr').first()).toContainText(/\d/)
        await one.waitForLoadState('networkidle')
        expect(await shiftOf(one), `${role} at ${width}: ${await movedOn(one)}`).toBeLessThanOrEqual(0.02)
      }
    })
  })
}

test('a reviewer comes from the home page to her cases that are due', async ({ person }) => {
  await fileCase(await person('admin'), `Due tomorrow ${Date.now()}`)
  const reviewer = await person('reviewer')
  await reviewer.goto('/home')
  const card = reviewer.getByRole('region', { name: 'What needs you' })
  await card.getByRole('link', { name: /cases? due within a week$/ }).click()
  await expect(reviewer).toHaveURL(/\/admin\/cases\?due=mine$/)
  await expect(reviewer.getByRole('button', { name: 'Remove filter Due: Mine within a week' })).toBeVisible()
  await expect(reviewer.getByRole('table').getByRole('link').first()).toBeVisible()
})

test('nothing is asked of an auditor, and an approver has her own card', async ({ person }) => {
  for (const role of ['auditor', 'approver'] as const) {
    const one = await person(role)
    let asked = 0
    one.on('request', (request) => {
      if (request.url().endsWith('/api/home/waiting')) asked += 1
    })
    await one.goto('/home')
    await expect(one.locator('tbody tr').first()).toContainText(/\d/)
    await expect(one.getByRole('heading', { name: 'What needs you' })).toHaveCount(0)
    expect(asked).toBe(0)
  }
})

test('a person reads that what needs her could not be loaded, and retries', async ({ person, expected }) => {
  expected.push(/status of 500/)
  const officer = await person('officer')
  await officer.route('**/api/home/waiting', (route) =>
    route.fulfill({ status: 500, json: { message: 'The database does not answer.', request_id: 'r1' } }),
  )
  await officer.goto('/home')
  const card = officer.getByRole('region', { name: 'What needs you' })
  await expect(card.getByRole('alert')).toContainText('The database does not answer.')
  await officer.unroute('**/api/home/waiting')
  await waits(officer, nothing)
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card).toContainText('Nothing waits in your own lists, cohorts and cases.')
})
