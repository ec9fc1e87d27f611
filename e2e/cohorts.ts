import { expect, type Locator, type Page } from '@playwright/test'
import { row, rows } from './database.ts'
import { english, type Say } from './words.ts'

/** A file as a person chooses it. */
export type Upload = string | { name: string; mimeType: string; buffer: Buffer }
type Form = {
  name: string
  file?: Upload
  from?: string
  to?: string
  parameter?: string
  agency?: string
  /** Looks at the rows first, which is what the dialog proposes. */
  review?: boolean
}

/** The id of the cohort that was approved first, in the demo. */
export const approvedCohort = `select min(id) as id from transfer_cohorts where status = 'approved'`

/** What is stored of a cohort, with the figures of its rounds. */
export type StoredCohort = {
  id: number
  status: string
  stopped_at: string | null
  comment: string | null
  error_reason: string | null
  master_list_count: number
  disbursed: number
  arrears: number
  fees: number
  pending: number
}

/** A day from today in UTC, as people type it: `dd/mm/yyyy`. */
export const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('/')

/** The agency of the demo that pays in Mali. */
export const paysInMali = 'Sahel Mobile Money'

/** Reads `1,234,500.00 XOF` and `1 234 500 F CFA` as whole francs. */
export const francs = (text: string | null): number => Number((text ?? '').replace(/[^\d.-]/g, ''))

/** From the list of cohorts into the upload dialog, filled in as far as the form says. */
export async function openUpload(page: Page, form: Form, say: Say = english): Promise<Locator> {
  await page.goto('/admin/transfers/cohorts/list')
  await page
    .getByRole('button', { name: say('Upload Target List File') })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: say('Upload Target List File') })
  await dialog.getByLabel(say('Cohort name')).fill(form.name)
  await dialog.getByLabel(say('Description')).fill('Monthly grant for girls of the first cycle')
  await dialog.getByLabel(say('Start date')).fill(form.from ?? dayFromNow(0))
  await dialog.getByLabel(say('End date')).fill(form.to ?? dayFromNow(20))
  await choose(dialog.getByLabel(say('Transfer agency')), form.agency ?? paysInMali)
  await choose(dialog.getByLabel(say('Transfer parameter')), form.parameter ?? 'Monthly grant')
  const review = dialog.getByLabel(say('Show me the rows before the cohort is made'))
  await expect(review).toBeChecked()
  if (!form.review) await review.uncheck()
  if (form.file) await dialog.locator('input[type=file]').setInputFiles(form.file)
  return dialog
}

/** The option of a select whose words begin like this. */
async function choose(select: Locator, words: string) {
  await select.selectOption(await select.locator('option', { hasText: words }).first().getAttribute('value'))
}

/** Uploads a list and waits until it is in; the dialog then shows its counts. */
export async function uploadTargetList(page: Page, form: Form & { file: Upload }, say: Say = english) {
  const dialog = await openUpload(page, form, say)
  await dialog.getByRole('button', { name: say('Upload target list') }).click()
  const imported = page.getByRole('dialog', { name: form.name })
  // A worker reads the file, which takes its time on a busy machine.
  await expect(imported.getByText(say('Import finished'))).toBeVisible({ timeout: 60_000 })
  const { id } = await storedCohort(form.name)
  return { id, dialog: imported }
}

export const openSummary = (page: Page, cohort: number) =>
  page.goto(`/admin/transfers/cohorts/${cohort}/summary`)

/** Opens the approval of a cohort whose summary is shown, and confirms what has to be confirmed. */
export async function openApproval(page: Page, say: Say = english): Promise<Locator> {
  await page.getByRole('button', { name: say('Approve Transfer List') }).click()
  const dialog = page.getByRole('dialog', { name: say('Approve Transfer List') })
  // The dialog comes after its page: what has to be confirmed is there once its button is.
  await expect(confirmButton(dialog)).toBeVisible()
  for (const overlap of await dialog.getByRole('checkbox').all()) await overlap.check()
  return dialog
}

/** The button that says the act in figures. */
export const confirmButton = (dialog: Locator) =>
  dialog.locator('button[type=submit]').and(dialog.getByRole('button', { name: /\d/ }))

/** Approves the cohort whose summary is shown. */
export async function approve(page: Page, say: Say = english): Promise<void> {
  const dialog = await openApproval(page, say)
  await confirmButton(dialog).click()
  await expect(dialog).toBeHidden()
}

/** Waits until the round on the summary has been paid out. */
export async function watchRoundEnd(page: Page, say: Say = english): Promise<void> {
  await expect(page.getByText(say('Round {0} has ended', { 0: 1 }))).toBeVisible({
    timeout: 60_000,
  })
}

/** What the database holds of the one cohort of that name. */
export function storedCohort(name: string): Promise<StoredCohort> {
  return row<StoredCohort>(
    `select c.id, c.status, c.stopped_at, c.comment, c.error_reason, c.master_list_count,
       coalesce(sum(e.amount) filter (where e.status = 'success'), 0) as disbursed,
       coalesce(sum(e.amount) filter (where e.status = 'failed' and e.written_off_at is null), 0) as arrears,
       coalesce(sum(e.fees) filter (where e.status = 'success'), 0) as fees,
       count(e.id) filter (where e.status in ('pending', 'sending', 'unknown')) as pending
     from transfer_cohorts c left join transfer_payroll_groups g on g.cohort_id = c.id
     left join transfer_payrolls e on e.payroll_group_id = g.id
     where c.name = $1 group by c.id`,
    name,
  )
}

/** What the agency's ledger knows a cohort's payments by. */
export async function referencesOf(cohort: number): Promise<string[]> {
  const found = await rows<{ reference: string }>(
    `select e.reference from transfer_payrolls e join transfer_payroll_groups g on g.id = e.payroll_group_id
     where g.cohort_id = $1`,
    cohort,
  )
  return found.map(({ reference }) => reference)
}

/** How many cohorts of that name there are. */
export async function countCohorts(name: string): Promise<number> {
  return (await row<{ count: number }>('select count(*) from transfer_cohorts where name = $1', name)).count
}

/** The figure under its label, in a strip of figures. */
export async function figure(page: Page, label: string): Promise<number> {
  const term = page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .first()
  return francs(await term.locator('dd').first().textContent())
}
