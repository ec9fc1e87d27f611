import { row } from '../database.ts'
import { drawn, settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an accountant reads to whom money is owed, and filters by its age', async ({ person, say }) => {
      const officer = await person('officer', width === 360 ? { width } : {})
      await settled(officer, '/admin/transfers/arrears')
      const girls = officer.getByRole('table', { name: say('Girls in arrears') }).locator('tbody tr')
      const { owed } = await row<{ owed: number }>(
        `select count(distinct m.student_id)::int as owed from transfer_payrolls p
         join transfer_master_list m on m.id = p.master_list_id where p.status = 'failed' and p.written_off_at is null`,
      )
      await expect(girls).toHaveCount(Math.min(owed, 15))
      await expectAccessible(officer, `arrears at ${width}`)
      await expectNoSidewaysScroll(officer, `arrears at ${width}`)
      // The rows of all ages stand until those of one have come.
      const ofOneAge = officer.waitForResponse(/\/api\/.*arrears\?(.*&)?age=/)
      await officer
        .getByRole('table', { name: say('Arrears by age') })
        .getByRole('link')
        .first()
        .click()
      await expect(officer).toHaveURL(/age=/)
      await ofOneAge
      await drawn(officer)
      await expect(girls.first()).toBeVisible()

      await girls.first().getByRole('link').first().click()
      const payments = officer.getByRole('table', { name: say('Payments') }).locator('tbody tr')
      await expect(payments.first()).toBeVisible()
      await drawn(officer)
      await expectAccessible(officer, `payments of a girl at ${width}`)
      await expectNoSidewaysScroll(officer, `payments of a girl at ${width}`)
    })
  })
