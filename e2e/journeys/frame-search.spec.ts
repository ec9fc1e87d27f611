import { row, rows } from '../database.ts'
import { keys } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { english } from '../words.ts'

test('an approver goes to a cohort and to a page by typing, arrows and Enter, and finds both again', async ({
  person,
}) => {
  const cohort = await row<{ id: number; name: string }>(
    `select id, name from transfer_cohorts where status = 'approved' order by id limit 1`,
  )
  const approver = await person('approver')
  await approver.goto('/home')
  await expect(approver.getByRole('heading', { level: 1 })).toBeVisible()
  await approver.keyboard.press('Control+k')
  const search = approver.getByRole('dialog', { name: 'Search' })
  const field = search.getByRole('combobox')
  await expect(field).toBeFocused()
  await expectAccessible(approver, 'the search')
  await field.fill(cohort.name)
  // What another list finds later may stand before it.
  await expect(search.getByRole('listbox')).toHaveAttribute('aria-busy', 'false')
  const found = search.getByRole('group', { name: 'Cohorts' }).getByRole('option').first()
  await expect(found).toContainText(cohort.name)
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(approver, 'what was found')
  await field.press('Enter')
  await expect(approver).toHaveURL(new RegExp(`/admin/transfers/cohorts/${cohort.id}/summary$`))
  await expect(search).toBeHidden()

  await approver.getByRole('banner').getByRole('button', { name: 'Search or go to…' }).first().click()
  await expect(search.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    new RegExp(cohort.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  ])
  await field.fill('reconcil')
  await expect(search.getByRole('option', { name: /Reconciliations/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await field.press('Enter')
  await expect(approver).toHaveURL(/\/admin\/transfers\/reconciliations$/)
  await expect(search).toBeHidden()

  // Words in any order, whatever case and accents: of a page's section and name, and of a cohort.
  await approver.keyboard.press('Control+k')
  await field.fill('transfers RÉCONCIL')
  const page = search.getByRole('group', { name: 'Pages' }).getByRole('option', { name: /Reconciliations/ })
  await expect(page.locator('mark')).toHaveText('Reconcil')
  await field.fill(cohort.name.toUpperCase().split(/\s+/).reverse().join(' '))
  await expect(
    search.getByRole('group', { name: 'Cohorts' }).getByRole('option', { name: cohort.name }).first(),
  ).toBeVisible()
  await field.fill('zzzz zzzz')
  await expect(search.getByText('Nothing matches “zzzz zzzz”.')).toBeVisible()
  await field.press('Escape')
  await expect(search).toBeHidden()
})

test('an approver who types on and presses Enter before the answer opens what she typed, not what was found before', async ({
  person,
}) => {
  const [other, wanted] = await rows<{ id: number; name: string }>(
    `select id, name from transfer_cohorts c where status = 'approved'
       and (select count(*) from transfer_cohorts o where o.name = c.name) = 1 order by id limit 2`,
  )
  const approver = await person('approver')
  await approver.goto('/home')
  await expect(approver.getByRole('heading', { level: 1 })).toBeVisible()
  await keys('Control+k')(approver, english)
  const search = approver.getByRole('dialog', { name: 'Search' })
  const field = search.getByRole('combobox')
  await field.fill(other?.name ?? '')
  await expect(search.getByRole('listbox')).toHaveAttribute('aria-busy', 'false')
  await expect(search.getByRole('option', { name: other?.name }).first()).toBeVisible()
  const answer = Promise.withResolvers<void>()
  await approver.route(/\/api\/.*search=/, async (route) => {
    await answer.promise
    await route.continue().catch(() => {})
  })
  const asked = approver.waitForRequest(/\/api\/.*search=/)
  await field.fill(wanted?.name ?? '')
  await asked
  await field.press('Enter')
  await expect(search.getByText('Searching…')).toBeVisible()
  answer.resolve()
  await expect(approver).toHaveURL(new RegExp(`/admin/transfers/cohorts/${wanted?.id}/summary$`))
  await expect(search).toBeHidden()
})

test('a school officer finds schools and students on her phone, and no cohort', async ({ person }) => {
  const school = await row<{ name: string; admin_code: string }>(
    'select name, admin_code from schools order by id limit 1',
  )
  const officer = await person('school', { width: 360 })
  const requests: string[] = []
  officer.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await officer.goto('/home')
  await officer.getByRole('banner').getByRole('button', { name: 'Search or go to…' }).click()
  const search = officer.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill(school.admin_code)
  await expectNoSidewaysScroll(officer, 'the search')
  await search.getByRole('group', { name: 'Schools' }).getByRole('option').first().click()
  await expect(officer).toHaveURL(new RegExp(`/admin/schools\\?search=${school.admin_code}$`))
  await expect(officer.getByRole('table').getByText(school.name).first()).toBeVisible()
  expect(requests).not.toContain('/api/admin/transfers/cohorts')
})
