import * as cohorts from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

const upload = { name: 'Upload target list' }

test('an officer who sends an empty form reads at each field what is missing', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  await officer.getByRole('button', { name: 'Upload Target List File' }).first().click()
  const dialog = officer.getByRole('dialog')
  await dialog.getByRole('button', upload).click()
  await expect(dialog.getByRole('alert')).toContainText('Error: Form has validation errors!')
  for (const label of ['Cohort name', 'Description', 'Start date', 'End date'])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(/Fill in this field\./)
  for (const label of ['Transfer agency', 'Transfer parameter'])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(
      new RegExp(`Choose a ${label.toLowerCase()}\\.`),
    )
  await expect(dialog.locator('input[type=file]')).toHaveAccessibleDescription(/Choose a file\./)
  await expect(dialog.getByLabel('Cohort name')).toBeFocused()
  await expectAccessible(officer, 'the upload form with its errors')
})

test('an officer reads at the end date that the period ends before it begins, and no cohort is made', async ({
  person,
}) => {
  const name = 'Backwards'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(1))
  const [from, to] = [cohorts.dayFromNow(10), cohorts.dayFromNow(2)]
  const dialog = await cohorts.openUpload(officer, { name, file, from, to })
  await dialog.getByRole('button', upload).click()
  await expect(dialog.getByLabel('End date')).toHaveAccessibleDescription(
    /The end date is before the start date\./,
  )
  await expect(dialog.getByLabel('Cohort name')).toHaveValue(name)

  await dialog.getByLabel('Start date').fill('01/02/2020')
  await dialog.getByLabel('End date').fill('01/03/2020')
  await dialog.getByRole('button', upload).click()
  await expect(dialog.getByLabel('End date')).toHaveAccessibleDescription(/This period is already over\./)
  expect(await cohorts.countCohorts(name)).toBe(0)
})

for (const { what, file, sentence } of [
  {
    what: 'a letter named like a workbook',
    file: { name: 'liste.xlsx', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nChère madame') },
    sentence: /This is a PDF, not an Excel file\./,
  },
  {
    what: 'a picture',
    file: { name: 'liste.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71]) },
    sentence: /Choose an Excel file \(\.xlsx or \.xls\)\./,
  },
  {
    what: 'an empty file',
    file: { name: 'liste.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0) },
    sentence: /The file is empty\./,
  },
]) {
  test(`an officer who chooses ${what} reads so at the file`, async ({ person }) => {
    const name = `Not a workbook: ${what}`
    const officer = await person('officer')
    const dialog = await cohorts.openUpload(officer, { name, file })
    await dialog.getByRole('button', upload).click()
    await expect(dialog.locator('input[type=file]')).toHaveAccessibleDescription(sentence)
    expect(await cohorts.countCohorts(name)).toBe(0)
  })
}

test('an officer reads which headings a workbook lacks', async ({ person }) => {
  const name = 'Other headings'
  const officer = await person('officer')
  const head = ['Receiver first name', 'Receiver last name', 'Shoe size', 'Student code', 'Amount']
  const file = await workbook(name, await recipients(2), head)
  const dialog = await cohorts.openUpload(officer, { name, file })
  await dialog.getByRole('button', upload).click()
  await expect(dialog.locator('input[type=file]')).toHaveAccessibleDescription(/Receiver phone number/)
  expect(await cohorts.countCohorts(name)).toBe(0)
})

test('an officer who sends a list at once pays the amounts of a column that she named before, though its name comes late', async ({
  person,
}) => {
  const officer = await person('officer')
  const head = ['Receiver first name', 'Receiver last name', 'Receiver phone number', 'Student code']
  const list = async (name: string) => {
    const people = (await recipients(2)).map((one) => ({ ...one, amount: 7300 }))
    return { name, file: await workbook(name, people, [...head, 'Somme convenue']) }
  }
  const first = await cohorts.openUpload(officer, await list('Named by hand'))
  await first.getByRole('button', { name: 'Say what each column is' }).click()
  await first.getByRole('combobox', { name: /^Somme convenue / }).selectOption('amount')
  await first.getByRole('button', upload).click()
  await expect(officer.getByText('Import finished')).toBeVisible({ timeout: 60_000 })

  const line = Promise.withResolvers<void>()
  await officer.route('**/api/imports/headings?*', async (route) => {
    await line.promise
    await route.continue()
  })
  const next = await list('Named before')
  const dialog = await cohorts.openUpload(officer, next)
  await expect(dialog.getByText('2 rows read.')).toBeVisible()
  await dialog.getByRole('button', upload).click()
  await expect(dialog.getByRole('button', upload)).toBeDisabled()
  line.resolve()
  await expect(officer.getByText('Import finished')).toBeVisible({ timeout: 60_000 })
  const { id } = await cohorts.storedCohort(next.name)
  const amounts = await rows('select distinct amount from transfer_master_list where cohort_id = $1', id)
  expect(amounts).toEqual([{ amount: 7300 }])
})

test('an officer whose rows are all rejected gets no cohort, and reads why for each row', async ({
  person,
}) => {
  const name = 'No good row'
  const officer = await person('officer')
  const list = (await recipients(3)).map((one, at) => ({ ...one, student_code: `UNKNOWN-${at}` }))
  const dialog = await cohorts.openUpload(officer, { name, file: await workbook(name, list) })
  await dialog.getByRole('button', upload).click()
  const ended = officer.getByRole('dialog', { name })
  await expect(ended.getByText('Nothing was imported.')).toBeVisible({ timeout: 60_000 })
  await expect(ended.getByText('Every row of the file was rejected, so no cohort was made.')).toBeVisible()
  for (const { student_code } of list)
    await expect(ended.getByText(student_code, { exact: true })).toBeVisible()
  await expectAccessible(officer, 'an import that has failed')
  expect(await cohorts.countCohorts(name)).toBe(0)
})

test('an officer who clicks twice makes one cohort', async ({ person }) => {
  const name = 'Clicked twice'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(5))
  const dialog = await cohorts.openUpload(officer, { name, file })
  await dialog.getByRole('button', upload).dblclick()
  await expect(officer.getByRole('dialog', { name }).getByText('Import finished')).toBeVisible({
    timeout: 60_000,
  })
  expect(await cohorts.countCohorts(name)).toBe(1)
  const made = await row<{ count: number }>(
    `select count(*) from imports i where i.file_name = $1`,
    `${name}.xlsx`,
  )
  expect(made.count).toBe(1)
})

test('an officer who uploads the same file again gets the existing cohort', async ({ person }) => {
  const name = 'Sent again'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(5))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  const dialog = await cohorts.openUpload(officer, { name, file })
  await dialog.getByRole('button', upload).click()
  // This message passes: it is looked for before the end of the import.
  await expect(officer.getByText(/This target list was uploaded before/)).toBeVisible()
  await expect(officer.getByRole('dialog', { name }).getByText('Import finished')).toBeVisible()
  expect((await cohorts.storedCohort(name)).id).toBe(id)
  expect(await cohorts.countCohorts(name)).toBe(1)
})

test('two people approve at once: one wins, the other reads that it was decided', async ({ person }) => {
  const name = 'Two at once'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(6))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })

  // A second approver: the administrator made the agency, so she does not decide on its lists.
  await rows(
    `insert into user_roles (user_id, role_id) select u.id, r.id from users u, roles r
     where u.email = 'reviewer@portal.example' and r.name = 'Transfer Approver'`,
  )
  const people = await Promise.all([person('approver'), person('reviewer')])
  const dialogs = []
  for (const page of people) {
    await cohorts.openSummary(page, id)
    dialogs.push(await cohorts.openApproval(page))
  }
  // Both calls are held until both have been made.
  const pending: (() => void)[] = []
  for (const page of people) {
    await page.route('**/approve', async (route) => {
      await new Promise<void>((go) => {
        pending.push(go)
        if (pending.length === people.length) for (const each of pending) each()
      })
      await route.continue()
    })
  }
  const answers = people.map((page) => page.waitForResponse('**/approve'))
  await Promise.all(dialogs.map((dialog) => cohorts.confirmButton(dialog).click()))

  const statuses = (await Promise.all(answers)).map((answer) => answer.status())
  expect(statuses.toSorted()).toEqual([200, 409])
  const loser = people[statuses.indexOf(409)] as (typeof people)[number]
  const news = loser.getByRole('dialog', { name: 'Approve Transfer List' })
  await expect(news.getByText('This cohort was decided in the meantime.', { exact: true })).toBeVisible()
  await news.getByText('Close', { exact: true }).click()
  await expect(news).toBeHidden()
  for (const page of people) await page.goto(`/admin/transfers/cohorts/${id}/summary`)
  for (const page of people) await cohorts.watchRoundEnd(page)
  const stored = await cohorts.storedCohort(name)
  expect(stored).toMatchObject({ status: 'approved', disbursed: 6 * 10_500, pending: 0 })
  expect(await cohorts.referencesOf(id)).toHaveLength(6)
  await rows(
    `delete from user_roles using users u, roles r
     where user_roles.user_id = u.id and role_id = r.id and u.email = 'reviewer@portal.example' and r.name = 'Transfer Approver'`,
  )
})
