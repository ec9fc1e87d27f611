import type { Locator, Page } from '@playwright/test'
import { approvedCohort } from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { tabTo } from '../keyboard.ts'
import { drawn, settled } from '../openings.ts'
import { idOf } from '../screens/screen.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { readWorkbook } from '../workbooks.ts'

/** Two accounts that nobody else needs. */
async function twoUsers(family: string): Promise<number[]> {
  const made = await rows<{ id: number }>(
    `insert into users (account, first_name, last_name) values (true, 'Awa', $1), (true, 'Zeynab', $1) returning id`,
    family,
  )
  return made.map(({ id }) => Number(id))
}

const press = async (page: Page, name: string | RegExp, within = page.locator('body')) => {
  await tabTo(page, within.getByRole('button', { name, exact: true }).filter({ visible: true }).first())
  await page.keyboard.press('Enter')
}

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
])
  for (const width of [1280, 360])
    test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB' && width === 1280), () => {
      test.use({ locale })

      test('an administrator arranges, sorts and filters a list, and deactivates whom she chose, without a mouse', async ({
        person,
        say,
      }) => {
        test.setTimeout(240_000)
        const family = `Tabou${language}${width}`
        const ids = await twoUsers(family)
        const admin = await person('admin', width === 360 ? { width } : {})
        await settled(admin, '/admin/users')

        await press(admin, say('Columns'))
        const dialog = admin.getByRole('dialog', { name: say('Choose columns') })
        await tabTo(admin, dialog.getByRole('checkbox', { name: say('Email'), exact: true }))
        await admin.keyboard.press('Space')
        await press(admin, say('Move {label} up', { label: say('Roles') }), dialog)
        await expectAccessible(admin, `the choice of columns at ${width}`)
        await expectNoSidewaysScroll(admin, `the choice of columns at ${width}`)
        await admin.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)

        await tabTo(admin, admin.getByRole('searchbox', { name: say('Name or email') }))
        await admin.keyboard.type(family)
        const people = admin.getByRole('table', { name: say('System Users') })
        await expect(people.locator('tbody tr')).toHaveCount(2)
        if (width === 1280) {
          await press(admin, say('Name'), people)
          await expect(admin).toHaveURL(/sort=first_name/)
          await press(admin, say('Name'), people)
        } else {
          await tabTo(admin, admin.getByRole('combobox', { name: say('Sort by') }))
          await admin.keyboard.type(say('Name'))
          await press(admin, say('Ascending order'))
        }
        await expect(admin).toHaveURL(/sort=-first_name/)
        await expect(people.locator('tbody tr').first()).toContainText('Zeynab')
        await expect(people.locator('[data-label]').first()).toBeVisible()
        const labels = await people
          .locator('tbody tr')
          .first()
          .locator('td[data-label]')
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label')))
        expect(labels).not.toContain(say('Email'))
        expect(labels.indexOf(say('Roles'))).toBeLessThan(labels.indexOf(say('Status')))

        // Somebody else opens the link: the same rows in the same order, and her own columns.
        const other = await person('auditor')
        await settled(other, admin.url().replace(/^https?:\/\/[^/]+/, ''))
        const same = other.getByRole('table', { name: say('System Users') })
        await expect(same.locator('tbody tr').first()).toContainText('Zeynab')
        await expect(same.getByRole('columnheader', { name: say('Email') })).toBeVisible()
        await expect(same.getByRole('checkbox')).toHaveCount(0)

        await tabTo(
          admin,
          admin
            .getByRole('checkbox', { name: say('Select all rows of this page') })
            .filter({ visible: true }),
        )
        await admin.keyboard.press('Space')
        await expectAccessible(admin, `chosen rows at ${width}`)
        await expectNoSidewaysScroll(admin, `chosen rows at ${width}`)
        await press(admin, say('Deactivate the selection'))
        const question = admin.getByRole('dialog', { name: say('Deactivate users') })
        await expect(question).toContainText(`Zeynab ${family}`)
        await expectAccessible(admin, `the question at ${width}`)
        await tabTo(admin, question.locator('button[type="submit"]'))
        await admin.keyboard.press('Enter')
        await expect(question).toHaveCount(0)
        await expect(people.getByText(say('Deactivated'), { exact: true })).toHaveCount(2)
        const stored = await row<{ off: number }>(
          `select count(*)::int as off from users u where id = any($1) and deactivated_at is not null
           and exists (select from audits a where a.auditable_id = u.id and a.event = 'deactivated')`,
          ids,
        )
        expect(stored.off).toBe(2)

        await admin.reload()
        await drawn(admin)
        await expect(people.locator(`td[data-label="${say('Email')}"]`)).toHaveCount(0)
      })
    })

test('a school officer who works by keys keeps her place at the last page, and when she clears a search', async ({
  person,
}) => {
  const officer = await person('school')
  await settled(officer, '/admin/schools')
  const of = await officer.getByText(/^1-15 of \d+$/).textContent()
  const last = Math.ceil(Number(of?.split(' ').at(-1)) / 15)
  await settled(officer, `/admin/schools?page=${last - 1}`)
  const next = officer.getByRole('link', { name: 'Next page' })
  await tabTo(officer, next)
  await officer.keyboard.press('Enter')
  await expect(officer).toHaveURL(new RegExp(`page=${last}$`))
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await expect(next).toBeFocused()
  await expectAccessible(officer, 'the last page of a list')

  for (const words of ['a', 'nothing has this name']) {
    await settled(officer, `/admin/schools?search=${words}`)
    await press(officer, 'Clear all')
    await expect(officer).toHaveURL(/schools$/)
    await expect(officer.getByRole('button', { name: 'Clear all' })).toHaveCount(0)
    await expect(officer.locator('section.card:has(table)')).toBeFocused()
  }
})

test('a school officer exports the schools she chose, and keeps their names in sight in a small window', async ({
  person,
}) => {
  const officer = await person('school', { width: 900 })
  await settled(officer, '/admin/schools')
  const schools = officer.getByRole('table', { name: 'Schools' })
  const boxes = schools.locator('tbody').getByRole('checkbox')
  await boxes.nth(0).check()
  await boxes.nth(2).check()
  await expect(officer.getByText('2 rows selected')).toBeVisible()
  const saving = officer.waitForEvent('download')
  await officer.getByRole('button', { name: 'Export the selection' }).click()
  expect(await readWorkbook(await saving)).toHaveLength(2)

  const name = schools.locator('tbody td.pinned').first()
  const before = await name.boundingBox()
  await officer.getByRole('group', { name: 'Schools' }).focus()
  await officer.locator('.scroll').evaluate((box) => box.scrollTo({ left: 400 }))
  const after = await name.boundingBox()
  expect(after?.x).toBeLessThanOrEqual(before?.x ?? 0)
  expect(after?.x).toBeGreaterThan(0)
  await expect(name).toBeInViewport()
  await expect.poll(() => heightsOfHeadings(schools)).toHaveLength(1)
})

test('an officer whose table is wider than a large window still reads the heading of the names', async ({
  person,
}) => {
  const officer = await person('school', { width: 1200 })
  await settled(officer, '/admin/schools')
  const schools = officer.getByRole('table', { name: 'Schools' })
  await schools.evaluate((table) => {
    table.style.minWidth = '2000px'
  })
  await expect(officer.getByRole('group', { name: 'Schools' })).toBeVisible()
  await expect(schools.locator('th.pinned')).toBeVisible()
  await expect.poll(() => heightsOfHeadings(schools)).toHaveLength(1)
})

/** The distances of a table's headings from the top of the window, each once. */
const heightsOfHeadings = (table: Locator) =>
  table
    .locator('thead th')
    .evaluateAll((headings) => [
      ...new Set(headings.map((each) => Math.round(each.getBoundingClientRect().top))),
    ])

/** Long lists: who looks at them, and what is seen of a row only once it is opened. */
const longLists = [
  {
    list: 'Master list',
    role: 'approver',
    path: async () => `/admin/transfers/cohorts/${await idOf(approvedCohort)}/summary`,
    more: 'Student code',
  },
  {
    list: 'Payroll details',
    role: 'approver',
    path: async () =>
      `/admin/transfers/cohorts/payroll/${await idOf('select min(id) as id from transfer_payroll_groups')}`,
    more: 'Transaction id',
  },
  {
    list: 'Cohorts',
    role: 'approver',
    path: async () => '/admin/transfers/reconciliations',
    more: 'Expected (XOF)',
  },
  {
    list: 'Students',
    role: 'school',
    path: async () => '/admin/schools/students',
    more: 'Date of birth',
  },
  {
    list: 'Transfer parameters',
    role: 'admin',
    path: async () => '/admin/transfers/parameters/list',
    more: 'Commission',
  },
  { list: 'System Users', role: 'admin', path: async () => '/admin/users', more: 'Roles' },
] as const

for (const { list, role, path, more } of longLists)
  test(`on a phone somebody reads a row of "${list}" in two lines, and all of it once it is opened`, async ({
    person,
  }) => {
    const page = await person(role, { width: 360 })
    await settled(page, await path())
    const rows = page.getByRole('table', { name: list }).locator('tbody tr')
    const first = rows.first()
    const fact = first.locator(`td[data-label="${more}"]`)
    await expect(first).toBeVisible()
    await expect(fact).toBeHidden()
    await tabTo(page, first.getByRole('button', { name: /^More details/ }))
    await page.keyboard.press('Enter')
    await expect(fact).toBeVisible()
    await expect(rows.nth(1).locator(`td[data-label="${more}"]`)).toBeHidden()
    await expectAccessible(page, `an opened row of ${list}`)
    await expectNoSidewaysScroll(page, `an opened row of ${list}`)
    await page.keyboard.press('Enter')
    await expect(fact).toBeHidden()

    // A large window has columns, and nothing to open.
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect(fact).toBeVisible()
    await expect(first.getByRole('button', { name: /^More details/ })).toHaveCount(0)
    // The style sheet lays the row out at once, and the cell of the button leaves a moment later.
    await expect(first.locator('.open-cell')).toHaveCount(0)
    const edges = (cells: Locator) =>
      cells.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
    await expect(async () => {
      const headings = await edges(page.getByRole('table', { name: list }).locator('th'))
      expect(await edges(first.locator('td'))).toEqual(headings)
    }).toPass({ timeout: 20_000 })
  })
