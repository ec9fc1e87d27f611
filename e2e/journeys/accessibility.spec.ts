import * as cohorts from '../cohorts.ts'
import { leave, opened, settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

const publicPages = ['/', '/login', '/password/forgot']

test('a visitor who cannot see well reads the front page and signs in', async ({ person }) => {
  for (const width of [1280, 360]) {
    const visitor = await person(null, { width })
    for (const path of publicPages) {
      await settled(visitor, path)
      await expectAccessible(visitor, `${path} at ${width}`)
      await expectNoSidewaysScroll(visitor, `${path} at ${width}`)
    }
  }
})

test('an administrator with a small window sees the first row of a list below its headings', async ({
  person,
}) => {
  const admin = await person('admin', { width: 900 })
  await settled(admin, '/admin/transfers/reconciliations')
  await expect(admin.locator('tbody tr').first()).toBeVisible()
  // Both at one moment: what the filters offer may still be on its way, and moves the table.
  const { above, below } = await admin.evaluate(() => ({
    above: document.querySelector('thead th')?.getBoundingClientRect().bottom,
    below: document.querySelector('tbody tr')?.getBoundingClientRect().top,
  }))
  expect(above).toBeGreaterThan(0)
  expect(above).toBeCloseTo(below ?? 0, 0)
})

test('every dialog of transfer settings is left by Escape, back to where it was opened', async ({
  person,
}) => {
  const admin = await person('admin')
  await settled(admin, '/admin/transfers/settings')
  const main = admin.getByRole('main')
  for (const name of ['Create agency', 'Create parameter', 'Upload cohort']) {
    const button = main.getByRole('button', { name }).first()
    await button.click()
    await opened(admin)
    await leave(admin)
    await expect(button).toBeFocused()
  }
  for (const [table, act] of [
    ['Transfer agencies', 'See Details'],
    ['Latest transfer parameters', 'See Details'],
    ['Latest cohorts', 'Preview Cohort Summary'],
  ] as const) {
    const actions = main
      .getByRole('table', { name: table })
      .getByRole('button', { name: /Actions/ })
      .first()
    // A scrolling page closes menus, and this one must not scroll after the click.
    await actions.scrollIntoViewIfNeeded()
    await actions.click()
    await admin.getByRole('menuitem', { name: act }).click()
    await opened(admin)
    await leave(admin)
    await expect(actions).toBeFocused()
  }
})

test('an approver approves a list on a phone', async ({ person }) => {
  const name = 'From the road'
  const officer = await person('officer')
  const { id } = await cohorts.uploadTargetList(officer, {
    name,
    file: await workbook(name, await recipients(8)),
  })
  const approver = await person('approver', { width: 360 })
  await cohorts.openSummary(approver, id)
  for (const button of ['Reject Transfer List', 'Approve Transfer List']) {
    await approver.getByRole('button', { name: button }).click()
    const dialog = approver.getByRole('dialog', { name: button })
    await expect(cohorts.confirmButton(dialog)).toBeInViewport()
    await opened(approver)
    await expectAccessible(approver, `${button} on a phone`)
    await expectNoSidewaysScroll(approver, `${button} on a phone`)
    await expect(cohorts.confirmButton(dialog)).toBeInViewport()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  }
  await cohorts.approve(approver)
  await cohorts.watchRoundEnd(approver)
  await expectNoSidewaysScroll(approver, 'the summary of a paid cohort')
  expect(await cohorts.storedCohort(name)).toMatchObject({
    status: 'approved',
    disbursed: 8 * 10_500,
    pending: 0,
  })
})
