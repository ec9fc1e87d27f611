import type { Page } from '@playwright/test'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

const publicPages = ['/', '/login']
const pages = [
  '/home',
  '/profile',
  '/admin/transfers',
  '/admin/transfers/settings',
  '/admin/transfers/reconciliations',
  '/admin/transfers/cohorts/list',
  '/admin/transfers/parameters/list',
  '/admin/users',
  '/admin/roles',
  '/admin/schools',
  '/admin/cases',
  '/admin/nothing-here',
]
/** Main pages are looked at in the dark too. */
const inTheDark = ['/home', '/admin/transfers/reconciliations', '/admin/transfers/settings', '/admin/schools']

/** A paid cohort and one that waits, as the demo has them. */
async function cohortPages(): Promise<string[]> {
  const paid = await row<{ id: number; group_id: number }>(
    `select c.id, max(g.id) as group_id from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id
     where c.status = 'approved' group by c.id order by c.id limit 1`,
  )
  const others = await row<{ pending: number; rejected: number }>(
    `select min(id) filter (where status = 'pending') as pending, min(id) filter (where status = 'rejected') as rejected
     from transfer_cohorts where imported_at is not null`,
  )
  return [
    `/admin/transfers/cohorts/${paid.id}/summary`,
    `/admin/transfers/cohorts/${others.pending}/summary`,
    `/admin/transfers/cohorts/${others.rejected}/summary`,
    `/admin/transfers/cohorts/${paid.id}/payrolls`,
    `/admin/transfers/cohorts/payroll/${paid.group_id}`,
  ]
}

/** The page has drawn what it came for. */
async function settled(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

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

test('an administrator who uses a screen reader can use every page, by light and by dark', async ({
  person,
}) => {
  test.setTimeout(120_000)
  const admin = await person('admin')
  const summaries = await cohortPages()
  for (const path of [...pages, ...summaries]) {
    await settled(admin, path)
    await expectAccessible(admin, path)
  }
  await admin.emulateMedia({ colorScheme: 'dark' })
  for (const path of [...inTheDark, ...summaries.slice(0, 2)]) {
    await settled(admin, path)
    await expectAccessible(admin, `${path} in the dark`)
  }
})

test('an administrator with a phone scrolls no page sideways', async ({ person }) => {
  const admin = await person('admin', { width: 360 })
  for (const path of [...pages, ...(await cohortPages())]) {
    await settled(admin, path)
    await expectNoSidewaysScroll(admin, path)
  }
})

test('an administrator with a small window sees the first row of a list below its headings', async ({
  person,
}) => {
  const admin = await person('admin', { width: 900 })
  await settled(admin, '/admin/transfers/reconciliations')
  const [heading, first] = [admin.locator('thead').first(), admin.locator('tbody tr').first()]
  const [above, below] = [await heading.locator('th').first().boundingBox(), await first.boundingBox()]
  expect(above && above.y + above.height).toBeCloseTo(below?.y ?? 0, 0)
})

test('every dialog of transfer settings can be used by keyboard and screen reader', async ({ person }) => {
  const admin = await person('admin')
  await settled(admin, '/admin/transfers/settings')
  const main = admin.getByRole('main')
  for (const name of ['Create agency', 'Create parameter', 'Upload cohort']) {
    const button = main.getByRole('button', { name }).first()
    await button.click()
    await inspectDialog(admin, name)
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
    await inspectDialog(admin, `${table}: ${act}`)
    await expect(actions).toBeFocused()
  }
})

/** Looks at the open dialog and leaves it by Escape; the focus then is where it was before. */
async function inspectDialog(page: Page, what: string) {
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectAccessible(page, what)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

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
    await expectAccessible(approver, `${button} on a phone`)
    await expectNoSidewaysScroll(approver, `${button} on a phone`)
    await expect(cohorts.confirmButton(dialog)).toBeInViewport()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
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
