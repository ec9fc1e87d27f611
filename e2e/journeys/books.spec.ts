import { row } from '../database.ts'
import { drawn, settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

/** The largest approved cohort, and its agency. */
const paidCohort = () =>
  row<{ id: number; name: string; agency: string }>(
    `select c.id, c.name, a.name as agency from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id
     where c.status = 'approved' order by c.master_list_count desc, c.id limit 1`,
  )

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an auditor follows the money of a cohort into the books and the log, is offered no act, and an accountant takes the books along', async ({
      person,
      say,
    }) => {
      const cohort = await paidCohort()
      const auditor = await person('auditor', width === 360 ? { width } : {})
      const main = auditor.getByRole('main')

      await settled(auditor, `/admin/transfers/reconciliations?search=${encodeURIComponent(cohort.name)}`)
      await auditor.getByRole('link', { name: cohort.name, exact: true }).click()
      await expect(auditor).toHaveURL(new RegExp(`/cohorts/${cohort.id}/summary`))
      await expect(auditor.getByRole('heading', { name: cohort.name })).toBeVisible()
      await drawn(auditor)
      for (const act of ['Stop payments', 'Close cohort', 'Pay through another agency', 'Retry'])
        await expect(main.getByRole('button', { name: say(act) })).toHaveCount(0)

      await settled(auditor, '/admin/transfers/accounting')
      const books = auditor.getByRole('table', { name: say('Trial balance') })
      await expect(books.locator('tbody tr')).not.toHaveCount(0)
      await expectAccessible(auditor, `the books at ${width}`)
      await expectNoSidewaysScroll(auditor, `the books at ${width}`)
      // What is taken along leaves the portal, and is for whoever does the accounts.
      const take = say('Export Trial Balance (Excel)')
      await expect(main.getByRole('button', { name: take })).toHaveCount(0)
      const accountant = await person('officer', width === 360 ? { width } : {})
      await settled(accountant, '/admin/transfers/accounting')
      const download = accountant.waitForEvent('download')
      await accountant.getByRole('main').getByRole('button', { name: take }).click()
      expect((await download).suggestedFilename()).toMatch(/\.xlsx$/)

      // The log is open to her, too.
      await settled(auditor, '/admin/users/audit/logs')
      await expect(main.locator('tbody tr')).not.toHaveCount(0)
    })
  })
