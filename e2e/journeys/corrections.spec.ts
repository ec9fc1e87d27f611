import { agencyLedger } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { tabTo } from '../keyboard.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

for (const { language, locale, width, phone } of [
  { language: 'English', locale: 'en-GB', width: 1280, phone: '79 88 77 10' },
  { language: 'French', locale: 'fr-FR', width: 360, phone: '79 88 76 10' },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an officer corrects a wrong number, an approver approves it, and the family is paid once', async ({
      person,
      say,
    }) => {
      test.setTimeout(150_000)
      const name = `Corrected ${width}`
      const officer = await person('officer', width === 360 ? { width } : {})
      const { id } = await cohorts.uploadTargetList(
        officer,
        { name, file: await workbook(name, await recipients(2, ['02', '10'])) },
        say,
      )
      const approver = await person('approver', width === 360 ? { width } : {})
      await cohorts.openSummary(approver, id)
      await cohorts.approve(approver, say)
      await cohorts.watchRoundEnd(approver, say)
      const { group, reference } = await row<{ group: number; reference: string }>(
        `select g.id as "group", p.reference from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
         where g.cohort_id = $1 and p.status = 'failed'`,
        id,
      )

      await settled(officer, `/admin/transfers/cohorts/payroll/${group}`)
      const wrong = officer
        .getByRole('table', { name: say('Payroll details') })
        .locator('tbody tr')
        .first()
      const form = officer.getByRole('dialog', { name: say('Correct the recipient') })
      const openForm = async () => {
        await tabTo(officer, wrong.locator('.menu-cell').getByRole('button'))
        await officer.keyboard.press('Enter')
        await officer.getByRole('menuitem', { name: say('Correct the recipient') }).press('Enter')
      }
      await openForm()
      await form.getByLabel(say('Recipient number')).fill('7012')
      await form.getByLabel(say('Reason')).fill('Phoned the guardian')
      const propose = form.getByRole('button', { name: say('Propose the correction') })
      await propose.click()
      await expect(form.getByLabel(say('Recipient number'))).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(officer, `the correction of a recipient at ${width}`)
      await expectNoSidewaysScroll(officer, `the correction of a recipient at ${width}`)
      await form.getByLabel(say('Recipient number')).fill(phone)
      await propose.click()
      await expect(form).toBeHidden()
      const waiting = (page: typeof officer) =>
        page.getByRole('table', { name: say('Corrections to approve') }).locator('tbody tr')
      await expect(waiting(officer)).toHaveCount(1)
      // She may only take it back. Then she proposes it again.
      await waiting(officer).locator('.menu-cell').getByRole('button').click()
      await expect(officer.getByRole('menuitem')).toHaveText([say('Withdraw the proposal')])
      await officer.getByRole('menuitem').click()
      const withdrawal = officer.getByRole('dialog', { name: say('Withdraw the proposal') })
      await expect(withdrawal).toBeVisible()
      await expectAccessible(officer, `the withdrawal of a correction at ${width}`)
      await expectNoSidewaysScroll(officer, `the withdrawal of a correction at ${width}`)
      await withdrawal.getByRole('button', { name: say('Withdraw the proposal') }).click()
      await expect(waiting(officer)).toHaveCount(0)
      await openForm()
      await form.getByLabel(say('Recipient number')).fill(phone)
      await form.getByLabel(say('Reason')).fill('Phoned the guardian')
      await propose.click()
      await expect(waiting(officer)).toHaveCount(1)

      await approver.goto('/home')
      await approver.locator(`a[href$="/payroll/${group}"]`).click()
      await expect(waiting(approver)).toContainText(phone)
      await expectAccessible(approver, `a correction to approve at ${width}`)
      await expectNoSidewaysScroll(approver, `a correction to approve at ${width}`)
      await waiting(approver).locator('.menu-cell').getByRole('button').click()
      await approver.getByRole('menuitem', { name: say('Approve the correction') }).click()
      const dialog = approver.getByRole('dialog', { name: say('Approve the correction') })
      await expect(dialog).toContainText(phone)
      await expectAccessible(approver, `the approval of a correction at ${width}`)
      await expectNoSidewaysScroll(approver, `the approval of a correction at ${width}`)
      await dialog.getByRole('button', { name: say('Approve the correction') }).click()
      await expect(dialog).toBeHidden()
      await expect(waiting(approver)).toHaveCount(0)

      const again = approver
        .getByRole('table', { name: say('Payroll details') })
        .locator('tbody tr')
        .first()
      await expect(again).toContainText(phone)
      await again.locator('.menu-cell').getByRole('button').click()
      await approver.getByRole('menuitem', { name: say('Retry'), exact: true }).click()
      await cohorts
        .confirmButton(approver.getByRole('dialog', { name: say('Retry failed payments') }))
        .click()
      await expect
        .poll(() => cohorts.storedCohort(name), { timeout: 60_000 })
        .toMatchObject({ disbursed: 21_000, arrears: 0, pending: 0 })
      const orders = (await agencyLedger([reference])).map(({ phone: to, executed }) => [to, executed])
      expect(orders).toEqual([
        [expect.stringMatching(/02$/), 0],
        [`+223${phone.replaceAll(' ', '')}`, 1],
      ])
    })
  })
