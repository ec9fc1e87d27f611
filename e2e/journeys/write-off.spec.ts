import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { tabTo } from '../keyboard.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an approver writes off a failed payment with a reason, without a mouse, and reads it beside the payment', async ({
      person,
      say,
    }) => {
      test.setTimeout(240_000)
      const name = `Written off ${width}`
      const { id } = await cohorts.uploadTargetList(
        await person('officer'),
        { name, file: await workbook(name, await recipients(3, ['02', '03', '10'])) },
        say,
      )
      const approver = await person('approver', width === 360 ? { width } : {})
      await cohorts.openSummary(approver, id)
      await cohorts.approve(approver, say)
      await cohorts.watchRoundEnd(approver, say)
      expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 10_500, arrears: 21_000 })

      const { group } = await row<{ group: number }>(
        'select id as "group" from transfer_payroll_groups where cohort_id = $1',
        id,
      )
      await settled(approver, `/admin/transfers/cohorts/payroll/${group}`)
      const table = approver.getByRole('table', { name: say('Payroll details') })
      const refused = table.locator('tbody tr').first()
      // On a phone the reason is behind the arrow of the row.
      if (width === 360) await refused.locator('.open-cell').getByRole('button').press('Enter')
      await expect(refused.getByText(say('No account has this number.'))).toBeVisible()
      await expectAccessible(approver, `payments with their next steps at ${width}`)
      await expectNoSidewaysScroll(approver, `payments with their next steps at ${width}`)
      await tabTo(approver, refused.locator('.menu-cell').getByRole('button'))
      await approver.keyboard.press('Enter')
      await approver.getByRole('menuitem', { name: say('Write off'), exact: true }).press('Enter')

      const dialog = approver.getByRole('dialog', { name: say('Write off payments') })
      await expect(dialog.getByText(/10[,\s\u202f]500/)).toBeVisible()
      await expectAccessible(approver, `the write-off at ${width}`)
      await expectNoSidewaysScroll(approver, `the write-off at ${width}`)
      // Without a reason nothing is written off.
      await tabTo(approver, cohorts.confirmButton(dialog))
      await approver.keyboard.press('Enter')
      const reason = dialog.getByRole('textbox')
      await expect(reason).toHaveAttribute('aria-invalid', 'true')
      await reason.fill('Moved to Nioro, no number')
      await tabTo(approver, cohorts.confirmButton(dialog))
      await approver.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(refused.getByText('Moved to Nioro, no number')).toBeVisible()
      // The girl may still be put on hold for the rounds to come; nothing more is done about this payment.
      await refused.locator('.menu-cell').getByRole('button').click()
      await expect(approver.getByRole('menuitem')).toHaveText([say('Put the girl on hold')])
      await approver.keyboard.press('Escape')

      expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 10_500, arrears: 10_500 })
      const stored = await row<{ amount: number; reason: string }>(
        `select w.amount::int, w.reason from payment_write_offs w join transfer_payrolls p on p.id = w.payroll_id
         where p.payroll_group_id = $1`,
        group,
      )
      expect(stored).toEqual({ amount: 10_500, reason: 'Moved to Nioro, no number' })
    })
  })
