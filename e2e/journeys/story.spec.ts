import { agencyBehaves, agencyLedger, paidBy } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { signIn, signOut } from '../people.ts'
import { expect, test } from '../test.ts'
import { readWorkbook, recipients, workbook } from '../workbooks.ts'

/** The endings of numbers that the agency treats in its own way, and how many of those it refuses for good. */
const awkward = ['02', '03', '04', '05', '06', '07', '08', '09']
const refused = 4

const languages = [
  { locale: 'en-GB', language: 'English', name: 'Story of a term', total: 60 },
  { locale: 'fr-FR', language: 'French', name: 'Récit d’un trimestre', total: 30 },
]

for (const { locale, language, name, total } of languages) {
  test.describe(() => {
    test.use({ locale })

    test(`a list goes from an officer's file to the agency's ledger, and every figure agrees, in ${language}`, async ({
      person,
      say,
    }) => {
      const list = await recipients(total, awkward)
      const [first, second] = list.slice(-2)
      if (!first || !second) throw new Error('The list is too short.')
      second.amount = 12_500
      const bad = [
        { ...first, student_code: 'NO-SUCH-GIRL' },
        { ...(await recipients(1))[0], phone: '7612' },
        { ...(await recipients(1))[0], amount: -5 },
        first,
      ] as typeof list
      const file = await workbook(name, [...list, ...bad])
      await agencyBehaves({ latency_ms: 300 })

      const officer = await person(null)
      await signIn(officer, 'officer', say)
      const { id, dialog } = await cohorts.uploadTargetList(officer, { name, file }, say)
      await expect(dialog.getByText(say('Rejected rows')).first()).toBeVisible()
      await expect(dialog.getByText('NO-SUCH-GIRL', { exact: true })).toBeVisible()
      const stored = await row(
        `select rows_read, rows_new, rows_duplicate, rows_rejected from imports i
         join transfer_cohorts c on c.import_id = i.id where c.id = $1`,
        id,
      )
      expect(stored).toEqual({ rows_read: total + 4, rows_new: total, rows_duplicate: 1, rows_rejected: 3 })
      await dialog.getByRole('link', { name: say('Go to Cohort Approval') }).click()
      await expect(officer.getByRole('heading', { name, level: 1 })).toBeVisible()
      await expect(officer.getByRole('button', { name: say('Approve Transfer List') })).toHaveCount(0)
      await signOut(officer, say)

      await signIn(officer, 'approver', say)
      const approver = officer
      await cohorts.openSummary(approver, id)
      const approval = await cohorts.openApproval(approver, say)
      await expect(cohorts.confirmButton(approval)).toHaveText(new RegExp(`\\b${total}\\b`))
      await expect(approval.getByLabel(say('Control totals'))).toContainText(String(total + 4))
      await cohorts.confirmButton(approval).click()
      await expect(
        approver.getByRole('heading', { name: say('Disbursing money to beneficiaries') }),
      ).toBeVisible()
      await cohorts.watchRoundEnd(approver, say)
      await expect(approver.getByRole('progressbar').first()).toHaveAttribute('aria-valuenow', '100')
      await agencyBehaves({ latency_ms: 0 })

      const after = await cohorts.storedCohort(name)
      expect(after).toMatchObject({ status: 'approved', pending: 0, master_list_count: total })
      const ledger = await agencyLedger(await cohorts.paymentsOf(id))
      expect(new Set(ledger.map(({ reference }) => reference)).size).toBe(total)
      expect(ledger.every(({ executed }) => executed <= 1)).toBe(true)
      expect(paidBy(ledger)).toBe(after.disbursed)
      expect(after.arrears).toBe(refused * 10_500)

      const masterList = await exported(approver, say('Export Cohort Master List (Excel)'))
      await approver.getByRole('link', { name: say('See disbursement rounds') }).click()
      await approver
        .getByRole('link', { name: say('See Details') })
        .first()
        .click()
      await expect(approver.getByRole('table', { name: say('Payroll details') })).toBeVisible()
      const payroll = await exported(approver, say('Export Payroll (Excel)'))
      for (const [sheet, column] of [
        [masterList, { en: 'Expected amount (XOF)', fr: 'Montant attendu (XOF)' }],
        [payroll, { en: 'Amount (XOF)', fr: 'Montant (XOF)' }],
      ] as const) {
        const [success, status] = locale === 'en-GB' ? ['Success', 'Status'] : ['Réussi', 'Statut']
        const paid = sheet.filter((line) => line[status] === success)
        const amounts = paid.map((line) => Number(line[locale === 'en-GB' ? column.en : column.fr]))
        expect(sheet).toHaveLength(total)
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(after.disbursed)
      }

      await approver.goto('/admin/transfers/reconciliations')
      const line = approver.getByRole('row').filter({ hasText: name })
      const cell = line.locator(`td[data-label="${say('Disbursed (XOF)')}"]`)
      expect(cohorts.francs(await cell.textContent())).toBe(after.disbursed)
      const answer = await approver.request.get('/api/admin/transfers/settings')
      const settings = await answer.json()
      expect(await cohorts.figure(approver, say('Total disbursed'))).toBe(settings.totalAmountDisbursed)
    })
  })
}

async function exported(page: import('@playwright/test').Page, button: string) {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readWorkbook(await download)
}
