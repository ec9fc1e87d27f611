import type { Page } from '@playwright/test'
import { agencyBehaves, agencyLedger, paidBy, plenty } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

/** What no list of screens leads to: by light and by dark. */
async function expectReadable(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(
      page,
      `${what}, by ${colorScheme}`,
      colorScheme === 'dark' ? ['color-contrast'] : undefined,
    )
  }
}

test.afterEach(() => agencyBehaves({ float_amount: plenty, latency_ms: 0 }))

test('an approver whose paying account is empty sees the payment error, has it filled and tries again', async ({
  person,
}) => {
  const name = 'Empty account'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(20))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  await agencyBehaves({ float_amount: 0 })

  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver)
  const retry = approver.getByRole('button', { name: 'Retry Cohort Approval' })
  await expect(retry).toBeVisible({ timeout: 60_000 })
  await expect(approver.getByText('PAYMENT ERROR', { exact: true })).toBeVisible()
  await expect(approver.getByText('The paying account is empty.').first()).toBeVisible()
  expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'error', disbursed: 0, pending: 20 })

  await agencyBehaves({ float_amount: plenty })
  await retry.click()
  const dialog = approver.getByRole('dialog', { name: 'Retry Cohort Approval' })
  await expect(cohorts.confirmButton(dialog)).toHaveText('Send the other 20 payments')
  await expectReadable(approver, 'the retry after a payment error')
  await cohorts.confirmButton(dialog).click()
  await cohorts.watchRoundEnd(approver)

  const stored = await cohorts.storedCohort(name)
  expect(stored).toMatchObject({ status: 'approved', disbursed: 20 * 10_500, pending: 0, error_reason: null })
  const ledger = await agencyLedger(await cohorts.referencesOf(id))
  expect(paidBy(ledger)).toBe(stored.disbursed)
  expect(ledger.every(({ executed }) => executed <= 1)).toBe(true)
})

test('an approver stops a round, nothing more is sent, and she lets it go on', async ({ person }) => {
  test.setTimeout(240_000)
  const name = 'Stopped'
  const officer = await person('officer')
  // The agency takes fifty at a time, so all of them need more than half a minute: she stops the round long before.
  const file = await workbook(name, await recipients(300))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  await agencyBehaves({ latency_ms: 6000 })

  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver)
  await approver.getByRole('button', { name: 'Stop payments' }).click()
  await expect(approver.getByText('stopped', { exact: true })).toBeVisible()
  await agencyBehaves({ latency_ms: 0 })
  await expect
    .poll(
      async () =>
        (await agencyLedger(await cohorts.referencesOf(id))).filter(({ result }) => result === 'none').length,
      { timeout: 60_000 },
    )
    .toBe(0)
  const stopped = await cohorts.storedCohort(name)
  expect(stopped.stopped_at).not.toBeNull()
  expect((await agencyLedger(await cohorts.referencesOf(id))).length).toBeLessThan(300)

  await approver.getByRole('button', { name: 'Resume payments' }).click()
  const dialog = approver.getByRole('dialog', { name: 'Resume payments' })
  await expect(cohorts.confirmButton(dialog)).toBeVisible()
  await expectReadable(approver, 'the resumption of a stopped round')
  await cohorts.confirmButton(dialog).click()
  await expect(dialog).toBeHidden()
  await cohorts.watchRoundEnd(approver)
  const stored = await cohorts.storedCohort(name)
  expect(stored).toMatchObject({ stopped_at: null, disbursed: 300 * 10_500, pending: 0 })
  expect(paidBy(await agencyLedger(await cohorts.referencesOf(id)))).toBe(stored.disbursed)
})
