import type { Page } from '@playwright/test'
import { row, rows } from '../database.ts'
import { signIn, signOut } from '../people.ts'
import { expect, expectAccessible, test } from '../test.ts'

const typed = 'Typed before the tab was closed'
const form = (page: Page) => page.getByRole('dialog', { name: 'Create case' })
const note = (page: Page) => form(page).getByText(/^We kept what you typed at \d\d:\d\d\./)
/** The forms that the session of this browser keeps. */
const sessionOf = async (page: Page): Promise<number> => {
  const { sessions } = await (await page.request.get('/api/sessions')).json()
  return sessions.find(({ current }: { current: boolean }) => current).id
}
const drafts = async (session: number) =>
  (await rows<{ form: string }>('select form from drafts where session_id = $1', session)).map(
    ({ form }) => form,
  )

async function openForm(page: Page) {
  await page.goto('/admin/cases')
  const read = page.waitForResponse((answer) => answer.url().includes('/api/drafts'))
  await page.getByRole('main').getByRole('button', { name: 'Create case' }).first().click()
  await read
}
/** The answer to what keeps these words. A pause between two fields keeps the first one by itself. */
const kept = (page: Page, words: string) =>
  page.waitForResponse((answer) => {
    const asked = answer.request()
    return (
      answer.url().endsWith('/api/drafts') &&
      asked.method() === 'PUT' &&
      Boolean(asked.postData()?.includes(words))
    )
  })

test('a person finds a long form as she typed it after she closed its tab, and sends it', async ({
  person,
}) => {
  const page = await person('reviewer')
  const session = await sessionOf(page)
  await openForm(page)
  const saved = kept(page, 'low_1_month')
  await form(page).locator('[name=title]').fill(typed)
  await form(page).locator('[name=description]').fill('The grant of March has not arrived.')
  await form(page).locator('[name=priority]').selectOption('low_1_month')
  expect((await saved).status()).toBe(200)
  await expect.poll(() => drafts(session)).toEqual(['POST /admin/cases 1'])
  const next = await page.context().newPage()
  await page.close({ runBeforeUnload: false })
  await openForm(next)
  await expect(note(next)).toBeVisible()
  await expect(form(next).locator('[name=title]')).toHaveValue(typed)
  await expect(form(next).locator('[name=priority]')).toHaveValue('low_1_month')
  await expectAccessible(next, 'a form with what was kept')
  await test.step('she discards it, and takes it back', async () => {
    await form(next).getByRole('button', { name: 'Discard' }).click()
    await expect(form(next).locator('[name=title]')).toHaveValue('')
    await form(next).getByRole('button', { name: 'Undo' }).click()
    await expect(form(next).locator('[name=title]')).toHaveValue(typed)
  })
  for (const name of ['type', 'channel', 'reviewer'])
    await form(next).locator(`[name=${name}]`).selectOption({ index: 1 })
  await form(next).getByRole('button', { name: 'Create case' }).click()
  await expect(form(next)).toHaveCount(0)
  const { n } = await row<{ n: number }>('select count(*) as n from cases where title = $1', typed)
  expect(n).toBe(1)
  await expect.poll(() => drafts(session)).toEqual([])
})

test('a person who signs out finds nothing of what was typed, nor does the next one', async ({ person }) => {
  const page = await person('reviewer')
  const session = await sessionOf(page)
  await openForm(page)
  const saved = kept(page, typed)
  await form(page).locator('[name=title]').fill(typed)
  await saved
  expect(await drafts(session)).toHaveLength(1)
  const next = await page.context().newPage()
  await page.close({ runBeforeUnload: false })
  await next.goto('/admin/cases')
  await signOut(next)
  expect(await drafts(session)).toEqual([])
  await signIn(next, 'reviewer')
  await openForm(next)
  await expect(form(next).locator('[name=title]')).toHaveValue('')
  await expect(note(next)).toHaveCount(0)
  const stored = await next.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(stored).not.toContain(typed)
})
