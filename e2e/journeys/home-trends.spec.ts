import type { Page } from '@playwright/test'
import { movedOn, shiftOf, watchShifts } from '../shifts.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const trends = '**/api/home/trends'
/** Twelve months until November 2026; nobody reported in August, and nothing was paid in September. */
const months = Array.from({ length: 12 }, (_, n) => ({
  month: new Date(Date.UTC(2025, 11 + n, 1)).toISOString().slice(0, 10),
  payments: n === 9 ? 0 : 180 + 10 * n,
  disbursed: n === 9 ? 0 : 10_500 * (180 + 10 * n),
  student_attendance: n === 8 ? null : 81.5 + n,
}))
const none = months.map(({ month }) => ({ month, payments: 0, disbursed: 0, student_attendance: null }))
const shows = (page: Page, of: typeof months | typeof none) =>
  page.route(trends, (route) => route.fulfill({ json: { months: of } }))

for (const { language, locale, november, amount, share } of [
  {
    language: 'English',
    locale: 'en-GB',
    november: 'November 2026',
    amount: '3,045,000.00',
    share: '92.5%',
  },
  {
    language: 'French',
    locale: 'fr-FR',
    november: 'novembre 2026',
    amount: '3 045 000',
    share: '92,5 %',
  },
]) {
  test.describe(`in ${language}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('a person sees money and attendance by month, drawn and read out as a table', async ({
      person,
      say,
    }) => {
      for (const width of [1280, 360]) {
        const officer = await person('officer', { width })
        await watchShifts(officer.context())
        await shows(officer, months)
        await officer.goto('/home')
        for (const [title, value] of [
          ['Transferred by month', amount],
          ['Attendance by month', share],
        ] as const) {
          const card = officer.getByRole('region', { name: say(title) })
          await expect(card.locator('.bars li')).toHaveCount(12)
          const drawn = card.locator('.bars li').last()
          await expect(drawn).toContainText(november)
          await expect(drawn).toContainText(value)
          const row = card.getByRole('table', { name: say(title) }).getByRole('row', { name: november })
          await expect(row.getByRole('cell')).toHaveText(value)
        }
        await officer.waitForLoadState('networkidle')
        expect(await shiftOf(officer), `${width}: ${await movedOn(officer)}`).toBeLessThanOrEqual(0.02)
        await expectAccessible(officer, `months at ${width}`)
        await expectNoSidewaysScroll(officer, `months at ${width}`)
      }
    })
  })
}

test('an auditor sees the payments of the programme in the month in which they were settled', async ({
  person,
}) => {
  const auditor = await person('auditor')
  await auditor.goto('/home')
  const card = auditor.getByRole('region', { name: 'Transferred by month' })
  await expect(card.locator('.bars .fill').first()).toBeVisible()
  await expect(card.getByRole('table').getByRole('row')).toHaveCount(13)
})

test('a person reads that no month has a payment or a report yet', async ({ person }) => {
  const officer = await person('officer')
  await shows(officer, none)
  await officer.goto('/home')
  const main = officer.getByRole('main')
  await expect(main.getByText('Nothing was transferred in the last 12 months.')).toBeVisible()
  await expect(main.getByText('No school has reported in the last 12 months.')).toBeVisible()
})

test('a person reads that the months could not be loaded, and retries, with the figures above', async ({
  person,
  expected,
}) => {
  expected.push(/status of 500/)
  const officer = await person('officer')
  await officer.route(trends, (route) =>
    route.fulfill({ status: 500, json: { message: 'The database does not answer.', request_id: 'r1' } }),
  )
  await officer.goto('/home')
  const failed = officer.getByRole('region', { name: 'Month by month' })
  await expect(failed.getByRole('alert')).toContainText('The database does not answer.')
  await expect(officer.locator('table.cards tbody tr').first()).toContainText(/\d/)
  await officer.unroute(trends)
  await shows(officer, months)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(officer.getByRole('region', { name: 'Attendance by month' })).toContainText('92.5%')
})
