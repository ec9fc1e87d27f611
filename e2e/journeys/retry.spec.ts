import { agencyBehaves, agencyLedger } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { tabTo } from '../keyboard.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test.afterEach(() => agencyBehaves({ corrected: [] }))

/** How often money moved for each payment of a cohort that the agency was asked to make more than once. */
async function movedAfterRetry(cohort: number): Promise<number[]> {
  const ledger = await agencyLedger(await cohorts.referencesOf(cohort))
  const moved = new Map<string, number[]>()
  for (const { reference, executed } of ledger)
    moved.set(reference, [...(moved.get(reference) ?? []), executed])
  return [...moved.values()]
    .filter((orders) => orders.length > 1)
    .map((orders) => orders.reduce((a, b) => a + b))
}

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an approver has chosen failed payments made again, and then the rest by their reason, without a mouse', async ({
      person,
      say,
    }) => {
      test.setTimeout(300_000)
      const name = `Again ${width}`
      const list = await recipients(4, ['02', '03', '03', '10'])
      const { id } = await cohorts.uploadTargetList(
        await person('officer'),
        {
          name,
          file: await workbook(name, list),
        },
        say,
      )
      const approver = await person('approver', width === 360 ? { width } : {})
      await cohorts.openSummary(approver, id)
      await cohorts.approve(approver, say)
      await cohorts.watchRoundEnd(approver, say)
      expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 10_500, arrears: 31_500 })
      await agencyBehaves({ corrected: list.map(({ phone }) => `+223${phone}`) })

      const { group } = await row<{ group: number }>(
        'select id as "group" from transfer_payroll_groups where cohort_id = $1',
        id,
      )
      await settled(approver, `/admin/transfers/cohorts/payroll/${group}`)
      const table = approver.getByRole('table', { name: say('Payroll details') })
      // The first failed and the one that was paid: the dialog says which of them is made again.
      for (const at of [0, 3]) {
        await tabTo(approver, table.locator('tbody tr').nth(at).getByRole('checkbox'))
        await approver.keyboard.press('Space')
      }
      // What the bar at the top covers while the page is scrolled is no target.
      await approver.evaluate(() => scrollTo(0, 0))
      await expectAccessible(approver, `chosen payments at ${width}`)
      await expectNoSidewaysScroll(approver, `chosen payments at ${width}`)
      await tabTo(approver, approver.getByRole('button', { name: say('Retry the selection') }))
      await approver.keyboard.press('Enter')
      const dialog = approver.getByRole('dialog', { name: say('Retry failed payments') })
      await expect(cohorts.confirmButton(dialog)).toContainText('1')
      await expect(dialog.getByText(/10[,\s\u202f]500/)).toBeVisible()
      await expectAccessible(approver, `the retry of payments at ${width}`)
      await expectNoSidewaysScroll(approver, `the retry of payments at ${width}`)
      await tabTo(approver, cohorts.confirmButton(dialog))
      await approver.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(table.getByText(say('Success'), { exact: true })).toHaveCount(2, { timeout: 60_000 })
      expect(await movedAfterRetry(id)).toEqual([1])

      await settled(approver, `/admin/transfers/cohorts/${id}/payrolls`)
      const failed = approver.getByRole('table', { name: say('Failed payments') })
      await expect(failed.getByText(say('The account is blocked.'))).toBeVisible()
      await expectAccessible(approver, `failed payments by reason at ${width}`)
      await expectNoSidewaysScroll(approver, `failed payments by reason at ${width}`)
      await tabTo(approver, failed.getByRole('button', { name: say('Retry all') }))
      await approver.keyboard.press('Enter')
      await expect(cohorts.confirmButton(dialog)).toContainText('2')
      await tabTo(approver, cohorts.confirmButton(dialog))
      await approver.keyboard.press('Enter')
      await expect(failed).toHaveCount(0, { timeout: 60_000 })
      await expect
        .poll(() => cohorts.storedCohort(name), { timeout: 60_000 })
        .toMatchObject({ disbursed: 4 * 10_500, arrears: 0, pending: 0 })
      expect(await movedAfterRetry(id)).toEqual([1, 1, 1])
    })
  })

test('an auditor sees what failed and why, and neither a box nor a button to have it made again', async ({
  person,
}) => {
  const { id, cohort } = await row<{ id: number; cohort: number }>(
    'select id, cohort_id as cohort from transfer_payroll_groups where failed > 0 order by id limit 1',
  )
  const auditor = await person('auditor')
  await settled(auditor, `/admin/transfers/cohorts/payroll/${id}`)
  await expect(auditor.getByRole('table', { name: 'Payroll details' })).toBeVisible()
  await expect(auditor.getByRole('main').getByRole('checkbox')).toHaveCount(0)
  await settled(auditor, `/admin/transfers/cohorts/${cohort}/payrolls`)
  await expect(auditor.getByRole('table', { name: 'Failed payments' })).toBeVisible()
  await expect(auditor.getByRole('button', { name: /^retry/i })).toHaveCount(0)
})

test('an auditor with a phone reads why a payment failed over the width of its opened row', async ({
  person,
}) => {
  const { id } = await row<{ id: number }>(
    'select id from transfer_payroll_groups where failed > 0 order by id limit 1',
  )
  const auditor = await person('auditor')
  await auditor.setViewportSize({ width: 360, height: 740 })
  await settled(auditor, `/admin/transfers/cohorts/payroll/${id}?status=failed`)
  const payment = auditor.getByRole('table', { name: 'Payroll details' }).locator('tbody tr').first()
  await payment.getByRole('button', { expanded: false }).first().click()
  const boxOf = async (selector: string) => (await payment.locator(selector).first().boundingBox())!
  await expect(payment.locator('.card-main .small').first()).toBeVisible()
  const [whole, name, reason] = [
    await payment.boundingBox(),
    await boxOf('.card-title'),
    await boxOf('.card-main .small'),
  ]
  expect(Math.abs(reason.x - name.x)).toBeLessThan(2)
  expect(reason.width).toBeGreaterThan(0.8 * whole!.width)
})
