import type { Page } from '@playwright/test'
import { fileCase, openCase } from '../cases.ts'
import { rows } from '../database.ts'
import { opened, settled } from '../openings.ts'
import { emailOf } from '../people.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

/** Looks at the dialog that a button opens and leaves it by Escape; the focus then is on the button again. */
async function inspect(page: Page, name: string, title: string) {
  const button = page.getByRole('main').getByRole('button', { name, exact: true }).first()
  await button.click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  await opened(page)
  await expectAccessible(page, title)
  await expectNoSidewaysScroll(page, title)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
}

for (const { width, colorScheme } of [
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const) {
  test(
    `a reviewer uses every dialog of a case by keyboard and screen reader at ${width}`,
    walked(width === 360),
    async ({ person }) => {
      const id = await fileCase(await person('admin'), `Dialogs at ${width}`)
      const reviewer = await person('reviewer', { width })
      await reviewer.emulateMedia({ colorScheme })
      await settled(reviewer, '/admin/cases')
      await expect(reviewer.locator('tbody tr').first()).toBeVisible()
      await expectAccessible(reviewer, 'the list of cases')
      await expectNoSidewaysScroll(reviewer, 'the list of cases')
      await inspect(reviewer, 'Create case', 'Create case')
      await openCase(reviewer, id)
      for (const [name, title] of [
        ['Refer external input', 'Refer external input'],
        ['Upload', 'Upload document'],
        ['Record activity', 'Record activity'],
        ['Resolve case', 'Resolve case'],
        ['Reject', 'Reject case'],
        ['Reassign', 'Reassign case'],
      ] as const)
        await inspect(reviewer, name, title)
    },
  )
}

test('a reviewer whose case is given to somebody else while she writes keeps her words and reads why they are not taken', async ({
  person,
}) => {
  const id = await fileCase(await person('admin'), 'Given away')
  const reviewer = await person('reviewer')
  await openCase(reviewer, id)
  await reviewer.getByRole('button', { name: 'Record activity' }).click()
  const dialog = reviewer.getByRole('dialog', { name: 'Record activity' })
  await dialog.locator('[name=note]').fill('The guardian was called twice.')
  await dialog.locator('[name=channel_id]').selectOption({ index: 1 })
  await rows(
    'update cases set assigned_id = (select id from users where email = $2) where id = $1',
    id,
    emailOf('admin'),
  )
  const read = reviewer.waitForResponse((response) => response.url().endsWith(`/cases/${id}/details`))
  await reviewer.context().setOffline(true)
  await reviewer.context().setOffline(false)
  await read
  const refer = { name: 'Refer external input', includeHidden: true }
  await expect(reviewer.getByRole('button', refer)).toHaveCount(0)
  await expect(dialog.locator('[name=note]')).toHaveValue('The guardian was called twice.')
  await dialog.getByRole('button', { name: 'Record activity' }).click()
  await expect(dialog.getByRole('alert')).toContainText('reviewer')
  await expect(dialog.locator('[name=note]')).toHaveValue('The guardian was called twice.')
})

test('a reviewer records an activity, and is told beside the field what is missing', async ({ person }) => {
  const id = await fileCase(await person('admin'), 'An activity')
  const reviewer = await person('reviewer')
  await openCase(reviewer, id)
  await reviewer.getByRole('button', { name: 'Record activity' }).click()
  const dialog = reviewer.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Record activity' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Error: Your request has validation errors!')
  await expect(dialog.locator('[name=channel_id]')).toBeFocused()
  await dialog.locator('[name=channel_id]').selectOption({ index: 1 })
  await dialog.locator('[name=note]').fill('Called the agency.')
  await dialog.getByRole('button', { name: 'Record activity' }).click()
  await expect(dialog).toBeHidden()
  await expect(reviewer.locator('.timeline').getByText('Called the agency.')).toBeVisible()
  await expect(reviewer.locator('.pill').filter({ hasText: 'OPEN' }).first()).toBeVisible()
})
