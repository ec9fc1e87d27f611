import { roundSteps } from '@portal/contracts/transfers/steps/round'
import { bank, withBank } from '../bank.ts'
import * as cohorts from '../cohorts.ts'
import { rows } from '../database.ts'
import { endHolds, loseMark } from '../holds.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { bankList } from '../workbooks.ts'

withBank()

for (const { width, locale } of [
  { width: 1280, locale: 'en-GB' },
  { width: 360, locale: 'fr-FR' },
])
  test.describe(`${locale} at ${width}`, () => {
    test.use({ locale })
    test('an approver asks the bank before she approves a list that may have been paid before sending was held', async ({
      person,
      say,
    }) => {
      const name = `Peut-être payée ${width}`
      const officer = await person('officer')
      const { id } = await cohorts.uploadTargetList(
        officer,
        { name, agency: bank, file: await bankList(name, 3), from: cohorts.dayFromNow(-1) },
        say,
      )
      await loseMark()
      await endHolds()
      const approver = await person('approver', { width })
      await cohorts.openSummary(approver, id)
      await approver.getByRole('button', { name: say('Approve Transfer List') }).click()
      const dialog = approver.getByRole('dialog', { name: say('Approve Transfer List') })
      const paid = dialog.getByText(say('This round may have been paid already'))
      await expect(paid).toBeVisible()
      const send = cohorts.confirmButton(dialog)
      await expect(send).toBeDisabled()
      await expectAccessible(approver, 'an approval that asks about an earlier payment')
      for (const box of await dialog.getByRole('checkbox').all()) await box.check()
      await expect(dialog).toContainText(say('Ask the agency first.'))
      await dialog.getByRole('radio', { name: say('It has not paid this round.') }).check()
      await expect(send).toBeEnabled()
      await send.click()
      await expect(dialog).toBeHidden()

      // A second round that the lost database may have made, too.
      await rows(
        "insert into transfer_rounds (cohort_id, n, due_on, state) values ($1, 2, (now() at time zone 'utc')::date, 'missed')",
        id,
      )
      await approver.reload()
      const round = approver.getByRole('row').filter({ hasText: say('Round {n}', { n: 2 }) })
      await expect(round).toContainText(roundSteps.perhaps_paid.can[locale.startsWith('fr') ? 'fr' : 'en'])
      await expectNoSidewaysScroll(approver, 'a round that may have been paid')
      await approver.getByRole('button', { name: say('Start round {0}', { 0: 2 }) }).click()
      const start = approver.getByRole('dialog')
      const record = cohorts.confirmButton(start)
      await expect(record).toBeDisabled()
      const answer = start.getByRole('group', { name: say('I have asked {agency}:', { agency: bank }) })
      await answer.getByRole('radio', { name: say('It has paid this round.') }).check()
      await expect(start).toContainText(say('Paid before, round {0} of {of}', { 0: 2, of: 1 }))
      await expectAccessible(approver, 'a start that asks about an earlier payment')
      await expectNoSidewaysScroll(approver, 'a start that asks about an earlier payment')
      await record.click()
      await expect(start).toBeHidden()
      await expect(round).not.toContainText(
        roundSteps.perhaps_paid.can[locale.startsWith('fr') ? 'fr' : 'en'],
      )
      const [counted] = await rows<{ success: number; unknown: number }>(
        'select success, unknown from transfer_payroll_groups where cohort_id = $1 and n = 2',
        id,
      )
      expect(counted).toEqual({ success: 0, unknown: 3 })
    })
  })
