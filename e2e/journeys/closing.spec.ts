import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const summary = (id: number) => `/admin/transfers/cohorts/${id}/summary`
/** The latest cohort of the demo all of whose payments ended, with or without failed ones. */
const ended = async (failed: boolean) =>
  (
    await row<{ id: number }>(
      `select c.id::int from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id
       where c.status = 'approved' and not exists (select from cohort_closings k where k.cohort_id = c.id)
       group by c.id having sum(g.pending + g.sending + g.unknown) = 0 and (sum(g.failed) > 0) = $1
       order by c.id desc limit 1`,
      failed,
    )
  ).id

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an approver reads what keeps a cohort open, and closes a settled one for good', async ({
      person,
      say,
    }) => {
      const approver = await person('approver', width === 360 ? { width } : {})
      const dialog = approver.getByRole('dialog', { name: say('Close cohort for good') })
      await settled(approver, summary(await ended(true)))
      await approver.getByRole('button', { name: say('Close cohort'), exact: true }).click()
      await expect(dialog.getByText(say('Still open'))).toBeVisible()
      await expect(dialog.getByRole('link').first()).toBeVisible()
      await expectAccessible(approver, `what keeps a cohort open at ${width}`)
      await expectNoSidewaysScroll(approver, `what keeps a cohort open at ${width}`)
      await expect(dialog.getByRole('button', { name: say('Close for good') })).toBeDisabled()

      const id = await ended(false)
      await settled(approver, summary(id))
      await approver.getByRole('button', { name: say('Close cohort'), exact: true }).click()
      await dialog.getByLabel(say('Reason')).fill('The year has ended')
      await dialog.getByRole('button', { name: say('Close for good') }).click()
      await expect(dialog).toBeHidden()
      await expect(approver.getByText('The year has ended')).toBeVisible()
      await expect(
        approver.getByText(locale === 'en-GB' ? 'CLOSED' : 'CLÔTURÉE', { exact: true }),
      ).toBeVisible()
      await expect(approver.getByRole('button', { name: say('Close cohort'), exact: true })).toHaveCount(0)
      await expectAccessible(approver, `a closed cohort at ${width}`)
      expect(
        await row(
          `select k.reason, (select count(*)::int from transfer_rounds r where r.cohort_id = k.cohort_id and r.state = 'scheduled') as planned
           from cohort_closings k where k.cohort_id = $1`,
          id,
        ),
      ).toEqual({ reason: 'The year has ended', planned: 0 })
    })
  })
