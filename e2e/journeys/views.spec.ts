import type { Page } from '@playwright/test'
import { rows } from '../database.ts'
import { emailOf, signIn } from '../people.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const forget = async () => {
  for (const table of ['start_pages', 'saved_views'])
    await rows(
      `delete from ${table} where user_id = (select id from users where email = $1)`,
      emailOf('school'),
    )
}
test.beforeEach(forget)
test.afterEach(forget)

const viewsOf = () =>
  rows<{ list: string; name: string; query: string }>(
    `select v.list, v.name, v.query from saved_views v join users u on u.id = v.user_id
     where u.email = $1 order by v.name`,
    emailOf('school'),
  )
const button = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Views', exact: true })
const act = async (page: Page, name: string) => {
  await button(page).click()
  await page.getByRole('menuitem', { name }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return dialog
}

for (const width of [1280, 360])
  test(
    `at ${width} px a school officer saves what she filtered, opens it by keyboard, changes it and deletes it`,
    walked(width === 1280),
    async ({ person }) => {
      const officer = await person('school', { width })
      await officer.goto('/admin/schools?search=a&sort=-name')
      const saving = await act(officer, 'Save this view…')
      await expectAccessible(officer, 'saving a view')
      await saving.getByLabel('Name of the view').fill('All with an A')
      await saving.getByRole('button', { name: 'Save' }).click()
      await expect(officer.getByText('View saved')).toBeVisible()
      const list = '/admin/schools'
      expect(await viewsOf()).toEqual([{ list, name: 'All with an A', query: 'search=a&sort=-name' }])

      const again = await act(officer, 'Save this view…')
      await again.getByLabel('Name of the view').fill('ALL WITH AN A')
      await again.getByRole('button', { name: 'Save' }).click()
      await expect(again.getByText('You have a view of this name for this list already.')).toBeVisible()
      await again.getByLabel('Name of the view').fill('Second')
      await again.getByRole('button', { name: 'Save' }).click()
      await expect(again).toBeHidden()

      await officer.goto('/admin/schools?search=b')
      await button(officer).focus()
      await officer.keyboard.press('Enter')
      const view = officer.getByRole('menuitemradio', { name: 'All with an A' })
      await expect(view).toHaveAttribute('aria-checked', 'false')
      await expectAccessible(officer, 'the menu of views')
      await expectNoSidewaysScroll(officer, 'the menu of views')
      await officer.keyboard.press('Home')
      await expect(view).toBeFocused()
      await officer.keyboard.press('Enter')
      await expect(officer).toHaveURL(/\/admin\/schools\?search=a&sort=-name$/)
      await expect(button(officer)).toBeFocused()
      await officer.keyboard.press('Enter')
      await expect(view).toHaveAttribute('aria-checked', 'true')
      await officer.keyboard.press('Escape')

      await officer.goto('/admin/schools?search=kayes')
      const own = await act(officer, 'Rename or delete…')
      await expectAccessible(officer, 'the list of views')
      await own.getByRole('button', { name: 'Change All with an A' }).click()
      await own.getByLabel('Name of the view').fill('Kayes')
      await own.getByLabel('Replace it with what the list shows now').check()
      await own.getByRole('button', { name: 'Save' }).click()
      await own.getByRole('button', { name: 'Delete Second' }).click()
      // The question has a button of the same name.
      const question = officer.getByRole('dialog', { name: 'Delete the view' })
      await question.getByRole('button', { name: 'Delete Second' }).click()
      await expect(own.getByRole('listitem')).toHaveText(['Kayes'])
      expect(await viewsOf()).toEqual([{ list, name: 'Kayes', query: 'search=kayes' }])
      // The button that opened the list of views is gone with the dialog in which it stood.
      await own.getByRole('button', { name: 'Close' }).last().press('Enter')
      await expect(own).toHaveCount(0)
      await expect(officer.locator('#page')).toBeFocused()
    },
  )

test('a school officer whose network is away reads it in the menu and tries again', async ({
  person,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/)
  const officer = await person('school')
  await officer.goto('/admin/schools')
  const calls = '**/api/views?*'
  let away = true
  await officer.route(calls, (route) => (away ? route.abort('internetdisconnected') : route.continue()))
  await button(officer).click()
  const menu = officer.getByRole('menu')
  await expect(menu).toContainText('An unexpected error occurred')
  // The line is away while the menu tries by itself, every five seconds. Her own try is made twice, a second apart.
  await expect(async () => {
    if (!(await menu.isVisible())) await button(officer).click({ timeout: 5_000 })
    await officer.getByRole('menuitem', { name: 'Try again' }).click({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  away = false
  await button(officer).click()
  await expect(officer.getByRole('menu')).toContainText('No view of this list is saved yet.')
})

test('a school officer begins with the view that she chose on her profile, and at home once it is not hers', async ({
  person,
}) => {
  await rows(
    `insert into saved_views (user_id, list, name, query)
     select id, '/admin/schools', 'Kayes', 'search=kayes' from users where email = $1`,
    emailOf('school'),
  )
  const officer = await person('school', { width: 360 })
  await officer.goto('/profile')
  const choice = officer.getByRole('combobox', { name: 'Page to begin with' })
  await expect(choice).toHaveValue('')
  await choice.selectOption({ label: 'Schools and people › Schools › Kayes' })
  await officer.locator('form').filter({ has: choice }).getByRole('button', { name: 'Save' }).click()
  await expect(officer.getByText('Start page saved')).toBeVisible()
  await expectAccessible(officer, 'the choice of the start page')
  await expectNoSidewaysScroll(officer, 'the choice of the start page')

  const morning = await person(null)
  await signIn(morning, 'school')
  await expect(morning).toHaveURL(/\/admin\/schools\?search=kayes$/)
  await expect(morning.getByRole('heading', { level: 1, name: 'Schools' })).toBeVisible()

  await rows(
    `update start_pages set view_id = null, path = '/admin/users' where user_id = (select id from users where email = $1)`,
    emailOf('school'),
  )
  const later = await person(null)
  await signIn(later, 'school')
  await expect(later).toHaveURL(/\/home$/)
  await expect(later.getByRole('heading', { level: 1 })).toBeVisible()
  await later.goto('/profile')
  await expect(later.getByText('The page that you chose is not open to you any more')).toBeVisible()
  await later.goto('/admin/users')
  await expect(later).toHaveURL(/\/admin\/users$/)
})
