import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { withFrenchSpaces } from '@portal/contracts/sentences'
import { agencyBehaves, agencyLedger, agencySummary, paidBy } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { signIn, signOut } from '../people.ts'
import { expect, test, walked } from '../test.ts'
import type { Say } from '../words.ts'
import { type Recipient, readWorkbook, recipients, workbook } from '../workbooks.ts'

type Words = { expected: string; amount: string; status: string; success: string }
type Story = {
  language: string
  locale: string
  name: string
  /** The list, and what the import has to make of it. */
  file: () => cohorts.Upload | Promise<cohorts.Upload>
  rows: { rows_read: number; rows_new: number; rows_duplicate: number; rows_rejected: number }
  unknown: string
  /** Headings and words of the exported workbooks. */
  words: Words
}

const stories: Story[] = [
  {
    language: 'English',
    locale: 'en-GB',
    name: 'First term, all of Kayes',
    // Written by LibreOffice (fixtures/make-list.ts), numbers of telephones as numbers.
    file: () => join(import.meta.dirname, '../fixtures/liste-cible.xlsx'),
    rows: { rows_read: 307, rows_new: 300, rows_duplicate: 1, rows_rejected: 6 },
    unknown: 'KYD-9999',
    words: {
      expected: 'Expected amount (XOF)',
      amount: 'Amount (XOF)',
      status: 'Status',
      success: 'Success',
    },
  },
  {
    language: 'French',
    locale: 'fr-FR',
    name: 'Rattrapage du premier trimestre',
    file: awkwardList,
    rows: { rows_read: 42, rows_new: 40, rows_duplicate: 1, rows_rejected: 1 },
    unknown: 'INCONNUE-1',
    words: {
      expected: 'Montant attendu (F CFA)',
      amount: 'Montant (F CFA)',
      status: 'Statut',
      success: 'Succès',
    },
  },
]

/** One number of each ending that the agency treats in its own way, and two rows too many. */
async function awkwardList() {
  const list = await recipients(40, ['02', '03', '04', '05', '06', '07', '08', '09'])
  const last = list.at(-1) as Recipient
  return workbook('Rattrapage', [...list, last, { ...last, student_code: 'INCONNUE-1' }])
}

for (const story of stories) {
  const { language, locale, name, rows } = story
  test.describe(() => {
    test.use({ locale })
    test.afterEach(() => agencyBehaves({ latency_ms: 0 }))

    test(
      `a list goes from an officer's file to the agency's ledger, and every figure agrees, in ${language}`,
      walked(locale === 'en-GB'),
      async ({ person, say }) => {
        const page = await person(null)
        await signIn(page, 'officer', say)
        const id = await officerUploads(page, say, story)
        await signOut(page, say)

        await signIn(page, 'approver', say)
        await agencyBehaves({ latency_ms: 3000 })
        await approverApproves(page, say, id, rows)
        const stored = await cohorts.storedCohort(name)
        expect(stored).toMatchObject({ status: 'approved', pending: 0, master_list_count: rows.rows_new })
        await expectLedgerAgrees(id, stored)
        await expectExportsAgree(page, say, story, stored)
        await expectReconciliationAgrees(page, say, name, stored)
      },
    )
  })
}

async function officerUploads(page: Page, say: Say, { name, file, rows, unknown }: Story): Promise<number> {
  const { id, dialog } = await cohorts.uploadTargetList(page, { name, file: await file() }, say)
  await expect(dialog.getByRole('table', { name: say('Rejected rows') })).toContainText(unknown)
  const stored = await row(
    `select rows_read, rows_new, rows_duplicate, rows_rejected from imports i
     join transfer_cohorts c on c.import_id = i.id where c.id = $1`,
    id,
  )
  expect(stored).toEqual(rows)
  await dialog.getByRole('link', { name: say('Go to Cohort Approval') }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: say('Approve Transfer List') })).toHaveCount(0)
  return id
}

async function approverApproves(page: Page, say: Say, id: number, { rows_read, rows_new }: Story['rows']) {
  await cohorts.openSummary(page, id)
  const dialog = await cohorts.openApproval(page, say)
  const totals = dialog.getByLabel(say('Control totals'))
  await expect(totals).toContainText(String(rows_read))
  await expect(cohorts.confirmButton(dialog)).toHaveText(new RegExp(`\\b${rows_new}\\b`))
  await cohorts.confirmButton(dialog).click()
  await expect(page.getByRole('heading', { name: say('Disbursing money to beneficiaries') })).toBeVisible()
  // Slow until she has seen it on its way, however late her page looked.
  await agencyBehaves({ latency_ms: 0 })
  await cohorts.watchRoundEnd(page, say)
  await expect(page.getByRole('progressbar').first()).toHaveAttribute('aria-valuenow', '100')
}

/** The agency's own books, by entry: nobody paid twice, and the sums are the same to the franc. */
async function expectLedgerAgrees(id: number, stored: cohorts.StoredCohort) {
  const payments = await cohorts.referencesOf(id)
  const ledger = await agencyLedger(payments)
  expect(new Set(ledger.map(({ reference }) => reference)).size).toBe(payments.length)
  for (const { executed, result } of ledger) expect(executed).toBe(result === 'success' ? 1 : 0)
  expect(paidBy(ledger)).toBe(stored.disbursed)
  expect(stored.arrears).toBeGreaterThan(0)
}

/** Both workbooks hold the whole list, and what they call paid adds up to what was disbursed. */
async function expectExportsAgree(
  page: Page,
  say: Say,
  { words, rows }: Story,
  stored: cohorts.StoredCohort,
) {
  const masterList = await exported(page, say('Export Cohort Master List (Excel)'))
  await page.getByRole('link', { name: say('See disbursement rounds') }).click()
  await page
    .getByRole('link', { name: say('See Details') })
    .first()
    .click()
  await expect(page.getByRole('table', { name: say('Payroll details') })).toBeVisible()
  const payroll = await exported(page, say('Export Payroll (Excel)'))
  for (const [lines, amount] of [
    [masterList, words.expected],
    [payroll, words.amount],
  ] as const) {
    const paid = lines.filter((line) => line[words.status] === words.success)
    expect(lines).toHaveLength(rows.rows_new)
    expect(paid.reduce((sum, line) => sum + Number(line[amount]), 0)).toBe(stored.disbursed)
  }
}

async function exported(page: Page, button: string) {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readWorkbook(await download)
}

/** The cohort's line is what was disbursed; the programme's total is all that the agency has ever paid. */
async function expectReconciliationAgrees(page: Page, say: Say, name: string, stored: cohorts.StoredCohort) {
  await page.goto('/admin/transfers/reconciliations')
  const line = page.getByRole('row').filter({ hasText: name })
  for (const [column, figure] of [
    ['Disbursed (XOF)', stored.disbursed],
    ['Arrears (XOF)', stored.arrears],
    ['Fees (XOF)', stored.fees],
  ] as const) {
    // In French the spaces of "F CFA" are hard.
    const cell = line.locator(`td[data-label="${withFrenchSpaces(say(column))}"]`)
    await expect.poll(async () => cohorts.francs(await cell.textContent())).toBe(figure)
  }
  const answer = await page.request.get('/api/admin/transfers/settings')
  const { totalAmountDisbursed } = (await answer.json()) as { totalAmountDisbursed: number }
  await expect.poll(() => cohorts.figure(page, say('Total disbursed'))).toBe(totalAmountDisbursed)
  expect((await agencySummary()).executed_amount).toBe(totalAmountDisbursed)
}
