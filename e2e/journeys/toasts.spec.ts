import type { Page } from '@playwright/test'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, test } from '../test.ts'

/** Shows a toast. What draws it is lazy, and takes the event once it is there. */
const tell = (page: Page, tone: 'good' | 'bad', title: string) =>
  page.waitForFunction(
    (detail) => !window.dispatchEvent(new CustomEvent('portal:message', { cancelable: true, detail })),
    { tone, title },
  )

test('a person can read a toast in peace, and it covers no button', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  await expect(officer.getByRole('table')).toBeVisible()
  const message = officer.getByRole('status').filter({ hasText: 'It is done.' })
  // It passes after five seconds, which may be over before the mouse is there.
  await expect(async () => {
    if (!(await message.isVisible())) await tell(officer, 'good', 'It is done.')
    await message.hover({ timeout: 3_000 })
    await expect(message).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  const under = await officer.getByRole('button', { name: 'Upload Target List File' }).first().boundingBox()
  const over = await message.boundingBox()
  if (!under || !over) throw new Error('Both should be on screen.')
  expect(over.y >= under.y + under.height || over.x + over.width <= under.x).toBe(true)
  await officer.getByRole('button', { name: 'Close' }).last().focus()
  await officer.mouse.move(600, 300)
  // Held by the focus: longer than it would stay by itself.
  await officer.waitForFunction(
    (began) => performance.now() - began > 6000,
    await officer.evaluate(() => performance.now()),
  )
  await expect(message).toBeVisible()
  await officer.keyboard.press('Enter')
  await expect(message).toBeHidden()
})

test('an officer reaches Cancel in a dialog while toasts are shown', async ({ person }) => {
  const officer = await person('officer')
  await settled(officer, '/admin/transfers/cohorts/list')
  await officer.getByRole('button', { name: 'Upload Target List File' }).first().click()
  const cancel = officer.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeVisible()
  await tell(officer, 'good', 'The first is done.')
  await tell(officer, 'good', 'The second is done, and takes two lines to say so.')
  const toasts = officer.getByRole('status').filter({ hasText: 'is done' })
  await expect(toasts).toHaveCount(2)
  const button = await cancel.boundingBox()
  const over = await toasts.last().boundingBox()
  if (!button || !over) throw new Error('Both should be on screen.')
  expect(over.x + over.width).toBeLessThanOrEqual(button.x)
})

test('a person hears what is told over a dialog that was there first', async ({ person, expected }) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/)
  const officer = await person('officer')
  const letIn = Promise.withResolvers<void>()
  // It draws toasts and the notice of the missing connection.
  await officer.route('**/assets/frame.*.js', async (route) => {
    await letIn.promise
    await route.continue()
  })
  await settled(officer, '/admin/transfers/cohorts/list')
  await officer.getByRole('button', { name: 'Upload Target List File' }).first().click()
  await expect(officer.getByRole('dialog')).toBeVisible()
  await tell(officer, 'bad', 'It failed.')
  letIn.resolve()
  // By role Playwright finds only what a screen reader finds.
  await expect(officer.getByText('It failed.')).toBeVisible()
  await expect(officer.getByRole('alert').filter({ hasText: 'It failed.' })).toBeVisible()
  await officer.context().setOffline(true)
  const notice = officer.getByText('There is no connection.')
  await expect(notice).toBeVisible()
  await expect(notice.and(officer.locator('[aria-hidden=true] *'))).toHaveCount(0)
})

test('on a phone an approver reads the status of a cohort while a toast is shown', async ({ person }) => {
  const approver = await person('approver', { width: 360 })
  const { id } = await row<{ id: number }>(
    `select min(id) as id from transfer_cohorts where status = 'approved'`,
  )
  await settled(approver, `/admin/transfers/cohorts/${id}/summary`)
  await tell(approver, 'bad', 'It failed.')
  const toast = await approver.getByRole('alert').filter({ hasText: 'It failed.' }).boundingBox()
  const head = await approver.locator('.page-head').boundingBox()
  if (!toast || !head) throw new Error('Both should be on screen.')
  expect(toast.y).toBeGreaterThan(head.y + head.height)
})
