import { agencyLedger, paidBy } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { rows } from '../database.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test('an approver pays a round that was missed by hand, and only when she says so', async ({ person }) => {
  const name = 'Late by a month'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(5))
  const period = { from: cohorts.dayFromNow(-40), to: cohorts.dayFromNow(20) }
  const { id } = await cohorts.uploadTargetList(officer, { name, file, ...period })

  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver)
  await expect(approver.getByText('Round 2 has ended')).toBeVisible({ timeout: 60_000 })
  expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 5 * 10_500, pending: 0 })
  const plan = () => rows('select n, state from transfer_rounds where cohort_id = $1 order by n', id)
  expect(await plan()).toEqual([
    { n: 1, state: 'missed' },
    { n: 2, state: 'made' },
  ])

  await approver.getByRole('button', { name: 'Start round 1' }).click()
  const dialog = approver.getByRole('dialog', { name: 'Start round 1' })
  await expect(cohorts.confirmButton(dialog)).toHaveText('Send 5 payments')
  await expectAccessible(approver, 'the start of a round')
  await cohorts.confirmButton(dialog).click()
  await expect(dialog).toBeHidden()
  await expect
    .poll(async () => (await cohorts.storedCohort(name)).disbursed, { timeout: 60_000 })
    .toBe(2 * 5 * 10_500)
  expect(await plan()).toEqual([
    { n: 1, state: 'made' },
    { n: 2, state: 'made' },
  ])
  expect(paidBy(await agencyLedger(await cohorts.referencesOf(id)))).toBe(2 * 5 * 10_500)

  await approver.goto(`/admin/transfers/cohorts/${id}/payrolls`)
  const made = approver.getByRole('table', { name: 'Disbursement rounds' })
  await expect(made.getByRole('link', { name: 'See Details' })).toHaveCount(2)
})
