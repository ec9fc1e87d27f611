import { row, rows } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an approver finds an answer that does not agree on the page of its round, and decides on it', async ({
      person,
      say,
    }) => {
      // A payment that the agency refused in the demo, as if it had answered something else later.
      const { payment, group } = await row<{ payment: number; group: number }>(
        `select p.id as payment, p.payroll_group_id as "group" from transfer_payrolls p
         where p.status = 'failed' and p.written_off_at is null
           and not exists (select from payment_exceptions e where e.payroll_id = p.id) order by p.id limit 1`,
      )
      await rows(
        `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
         select payroll_id, max(id), 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1 group by 1`,
        payment,
      )
      const approver = await person('approver', width === 360 ? { width } : {})
      await settled(approver, `/admin/transfers/cohorts/payroll/${group}`)
      await approver.getByRole('link', { name: say('Decide on them') }).click()
      const answers = approver.getByRole('table', { name: say('Answers to look at') }).locator('tbody tr')
      await expect(answers).toHaveCount(1)
      await expectAccessible(approver, `answers to look at, at ${width}`)
      await expectNoSidewaysScroll(approver, `answers to look at, at ${width}`)
      await answers.locator('.menu-cell').getByRole('button').click()
      await approver.getByRole('menuitem', { name: say('Decide'), exact: true }).click()
      const dialog = approver.getByRole('dialog', { name: say('Decide on the answer') })
      await dialog.getByLabel(say('What is true')).selectOption('money_moved')
      await dialog.getByLabel(say('Reason')).fill('The agency sent the receipt')
      await expectAccessible(approver, `the decision on an answer at ${width}`)
      await expectNoSidewaysScroll(approver, `the decision on an answer at ${width}`)

      await dialog.getByRole('button', { name: say('Note the decision') }).click()
      await expect(dialog).toBeHidden()
      await expect(answers).not.toContainText([say('To decide')])
      expect(
        await row('select decision, resolved from payment_exceptions where payroll_id = $1', payment),
      ).toEqual({ decision: 'money_moved', resolved: true })
      await settled(approver, '/admin/transfers/exceptions')
    })
  })
