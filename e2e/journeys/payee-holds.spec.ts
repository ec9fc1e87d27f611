import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an officer puts a girl on hold, her round withholds the payment, and an approver releases her', async ({
      person,
      say,
    }) => {
      test.setTimeout(240_000)
      const phone = width === 360 ? { width } : {}
      const officer = await person('officer', phone)
      const file = await workbook(`On hold ${width}`, await recipients(2, ['10', '10']))
      const { id } = await cohorts.uploadTargetList(officer, { name: `On hold ${width}`, file }, say)
      const { student } = await row<{ student: number }>(
        'select min(student_id) as student from transfer_master_list where cohort_id = $1',
        id,
      )
      // The address opens the dialog, which may be there before the page has settled.
      await officer.goto(`/admin/transfers/payee-holds?hold=${student}`)
      const form = officer.getByRole('dialog', { name: say('Put the girl on hold') })
      await form.getByRole('button', { name: say('Put on hold') }).click()
      await expect(form.getByLabel(say('Reason'))).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(officer, `the dialog of a hold at ${width}`)
      await expectNoSidewaysScroll(officer, `the dialog of a hold at ${width}`)
      await form.getByLabel(say('Reason')).fill('Two families claim the money')
      await form.getByRole('button', { name: say('Put on hold') }).click()
      await expect(form).toBeHidden()
      const girls = (page: typeof officer) =>
        page.getByRole('table', { name: say('Girls on hold') }).locator('tbody tr')
      await expect(girls(officer).first()).toContainText('Two families claim the money')
      await expect(girls(officer).first().locator('.menu-cell').getByRole('button')).toHaveCount(0)

      const approver = await person('approver', phone)
      await cohorts.openSummary(approver, id)
      await cohorts.approve(approver, say)
      await cohorts.watchRoundEnd(approver, say)
      const { group } = await row<{ group: number }>(
        `select g.id as "group" from transfer_payroll_groups g
         where g.cohort_id = $1 and g.withheld = 1 and g.success = 1 and g.failed_amount = g.withheld_amount`,
        id,
      )
      await settled(approver, `/admin/transfers/cohorts/payroll/${group}`)
      await expect(approver.getByRole('main')).toContainText(say('It was withheld: the girl was on hold.'))
      await expectNoSidewaysScroll(approver, `a round with a withheld payment at ${width}`)

      await settled(approver, '/admin/transfers/payee-holds?state=open')
      const hold = girls(approver).filter({ hasText: 'Two families claim the money' }).first()
      await hold.locator('.menu-cell').getByRole('button').click()
      await approver.getByRole('menuitem', { name: say('Release') }).click()
      const release = approver.getByRole('dialog', { name: say('Release the girl') })
      await expect(release).toBeVisible()
      await expectAccessible(approver, `the release of a girl at ${width}`)
      await release.getByRole('button', { name: say('Release') }).click()
      await expect(release).toBeHidden()
      await expect(hold).toHaveCount(0)
      expect(
        await row(
          `select h.released_by is not null as released, p.status, p.withheld_at is not null as withheld
           from payee_holds h join transfer_payrolls p on p.payroll_group_id = $2 and p.status = 'failed'
           where h.student_id = $1`,
          student,
          group,
        ),
      ).toEqual({ released: true, status: 'failed', withheld: true })
    })
  })
