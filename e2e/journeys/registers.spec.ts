import { rowAct } from '../accounts.ts'
import { row, rows } from '../database.ts'
import {
  category,
  chooseFile,
  decide,
  decision,
  guardians,
  storedImport,
  studentCodes,
  uploadForReview,
} from '../registers.ts'
import { expect, expectAccessible, test, walked } from '../test.ts'

const stored = (prefix: string) =>
  rows<{ parent_assigned_id: string; contact_1: string; students: number }>(
    `select p.parent_assigned_id, p.contact_1, count(s.student_id) as students from parents p
     left join parent_students s on s.parent_id = p.id where p.parent_assigned_id like $1
     group by p.id order by p.parent_assigned_id`,
    `${prefix}-%`,
  )

for (const { language, locale, prefix } of [
  { language: 'English', locale: 'en-GB', prefix: 'E2E' },
  { language: 'French', locale: 'fr-FR', prefix: 'EFR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('a school officer sees what is wrong with a file before it is sent, corrects it and imports it', async ({
      person,
      say,
    }) => {
      const [student] = await studentCodes(1)
      const good = Array.from({ length: 5 }, (_, at) => ({
        code: `${prefix}-${at}`,
        first_name: 'Sitan',
        last_name: 'Kanté',
        phone: `76 12 34 1${at}`,
        student,
      }))
      const file = await guardians(`tuteurs-${prefix}`, [
        ...good,
        { code: `${prefix}-7`, first_name: 'Nana', last_name: 'Doucouré', phone: '78 20 44 O5', student },
        { code: `${prefix}-8`, first_name: 'Bakary', last_name: 'Fofana', phone: '7612345' },
        {
          code: `${prefix}-9`,
          first_name: 'Lamine',
          last_name: 'Sacko',
          phone: '76 55 55 55',
          student: 'KYG-0000',
        },
      ])
      const officer = await person('school')
      const sent: string[] = []
      officer.on('request', (request) => {
        // How long a page took is reported whenever it is; the file is what must not travel yet.
        if (request.method() === 'POST' && !request.url().endsWith('/reports')) sent.push(request.url())
      })

      await officer.goto('/admin/schools/parents')
      await officer.getByRole('link', { name: say('Import'), exact: true }).click()
      await expect(officer.getByRole('heading', { level: 1, name: say('Import parents') })).toBeVisible()
      const headings = await chooseFile(officer, file)
      await expect(headings).toHaveCount(6)
      await expect(headings.filter({ hasText: 'Observations' })).toHaveClass('off')
      await expect(officer.getByText('78 20 44 O5').first()).toBeVisible()
      expect(sent).toEqual([])

      const id = await uploadForReview(officer)
      expect(await storedImport(id)).toMatchObject({ state: 'review', rows_new: 5, rows_rejected: 3 })
      expect(await stored(prefix)).toEqual([])
      await expect(category(officer, 'new')).toContainText('5')
      await expect(decide(officer)).toContainText('5')

      await officer.locator('.group-head').filter({ hasText: 'O5' }).click()
      await officer.getByRole('textbox', { name: /7$/ }).fill('78 20 44 05')
      await expect(officer.getByText(say('Corrected, to be checked'))).toBeVisible()
      await officer.locator('.group-head').filter({ hasText: '7612345' }).click()
      const short = officer.getByRole('textbox', { name: /8$/ })
      await short.fill('76 12 34 9')
      await expect(short).toHaveAttribute('aria-invalid', 'true')
      await short.fill('76 12 34 98')
      await short.press('Escape')
      await expect(short).toHaveValue('7612345')

      await decide(officer).click()
      await expect(category(officer, 'new')).toContainText('6')
      await expect(category(officer, 'rejected')).toContainText('2')
      await decide(officer).click()
      await expect(officer.getByText(say('The rows have been saved.'))).toBeVisible({ timeout: 60_000 })
      expect(await storedImport(id)).toMatchObject({ state: 'imported', rows_new: 6, rows_rejected: 2 })
      expect(await stored(prefix)).toHaveLength(6)
      expect((await stored(prefix)).at(-1)).toMatchObject({ contact_1: '+22378204405', students: 1 })

      await officer.goto('/admin/schools/parents/import')
      await expect(officer.getByRole('link', { name: file.name }).first()).toBeVisible()
      await chooseFile(officer, await guardians(`tuteurs-${prefix}`, good))
      await decide(officer).click()
      await expect(category(officer, 'unchanged')).toContainText('5', { timeout: 60_000 })
      await expect(decision(officer)).toContainText(say('Nothing would be saved.'))
    })

    test('two officers edit a school: the second sees what the first changed and keeps what she typed', async ({
      person,
      say,
    }) => {
      const { id, name } = await row<{ id: number; name: string }>(
        'select id, name from schools order by id desc limit 1 offset $1',
        language === 'English' ? 0 : 1,
      )
      const people = [await person('school'), await person('admin')]
      const dialogs = []
      for (const page of people) {
        await page.goto(`/admin/schools?search=${encodeURIComponent(name)}`)
        await page.locator('tbody .menu-cell').getByRole('button').first().click()
        await page.getByRole('menuitem', { name: say('Edit'), exact: true }).click()
        const dialog = page.getByRole('dialog')
        // Both have read the school before one of them saves.
        await expect(dialog.locator('[name=name]')).toHaveValue(name)
        dialogs.push(dialog)
      }
      const [first, second] = dialogs
      await first?.getByLabel(say('Academic year')).fill('2027-2028')
      await first?.getByRole('button', { name: say('Save'), exact: true }).click()
      await expect(first as NonNullable<typeof first>).toBeHidden()

      await second?.locator('[name=name]').fill(`${name} Nord`)
      await second?.getByRole('button', { name: say('Save'), exact: true }).click()
      const notice = second
        ?.getByRole('alert')
        .filter({ hasText: say('Somebody else has saved this meanwhile.') })
      await expect(notice as NonNullable<typeof notice>).toContainText('2027-2028')
      await notice?.getByRole('button', { name: say('Save mine over it') }).click()
      await expect(second as NonNullable<typeof second>).toBeHidden()
      expect(await row('select name, academic_year from schools where id = $1', id)).toEqual({
        name: `${name} Nord`,
        academic_year: '2027-2028',
      })
    })
  })
}

test('a school officer leaves while her file is reviewed, comes back by the list of imports and cancels it', async ({
  person,
}) => {
  const officer = await person('school')
  const file = await guardians('parti', [
    { code: 'LEFT-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
  ])
  await officer.goto('/admin/schools/parents/import')
  await chooseFile(officer, file)
  const id = await uploadForReview(officer)
  await officer.goto('/admin/schools/students')
  await officer.goto('/admin/schools/parents/import')
  await officer.getByRole('link', { name: file.name }).first().click()
  await expect(category(officer, 'new')).toContainText('1')
  await decision(officer).getByRole('button', { name: 'Cancel' }).click()
  await officer.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
  await expect(officer.getByText('The import was cancelled. Nothing was saved.').first()).toBeVisible()
  expect(await storedImport(id)).toMatchObject({ state: 'cancelled' })
  expect(await stored('LEFT')).toEqual([])
})

test('an officer whose upload is interrupted sends the file again with the same button, and nothing was made before', async ({
  person,
  expected,
}) => {
  expected.push(/ERR_FAILED/)
  const officer = await person('school')
  await officer.goto('/admin/schools/parents/import')
  const file = await guardians('coupure', [
    { code: 'CUT-1', first_name: 'Awa', last_name: 'Keïta', phone: '76 12 34 56' },
  ])
  await chooseFile(officer, file)
  await officer.route('**/parents/import*', (route) => route.abort())
  await decide(officer).click()
  await expect(officer.getByRole('alert')).toContainText('The file was not uploaded.')
  expect(await rows('select id from imports where file_name = $1', file.name)).toEqual([])
  await officer.unroute('**/parents/import*')
  const id = await uploadForReview(officer)
  expect(await storedImport(id)).toMatchObject({ state: 'review', rows_new: 1 })
})

test('an officer reads that a file is no workbook before anything is sent', async ({ person }) => {
  const officer = await person('school')
  await officer.goto('/admin/schools/import')
  const file = {
    name: 'liste.xlsx',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\nChère madame'),
  }
  await officer.locator('input[type=file]').setInputFiles(file)
  await expect(officer.getByText(/This is a PDF, not an Excel file\./)).toBeVisible()
  await expect(decision(officer).getByRole('button', { name: 'Upload the file' })).toBeDisabled()
})

test('a school officer is asked before she saves a child of nine months in her year, and confirms it', async ({
  person,
}) => {
  const student = await row<{ id: number; student_code: string; name: string }>(
    `select s.id, s.student_code, u.first_name || ' ' || u.last_name as name from students s
     join users u on u.id = s.user_id where s.current_class_level = '7' order by s.id desc limit 1`,
  )
  const born = () =>
    row<{ born: string }>(
      `select u.date_of_birth::text as born from students s join users u on u.id = s.user_id where s.id = $1`,
      student.id,
    )
  const before = await born()
  const baby = new Date(Date.now() - 270 * 86_400_000).toISOString().slice(0, 10)
  const officer = await person('school')
  await officer.goto(`/admin/schools/students?search=${encodeURIComponent(student.student_code)}`)
  await rowAct(officer, student.name, 'Edit')
  const dialog = officer.getByRole('dialog', { name: 'Edit student' })
  const confirmation = dialog.getByLabel('Date of birth and class level are right')
  await expect(confirmation).toHaveCount(0)
  const birthday = dialog.getByRole('textbox', { name: 'Date of birth' })
  await birthday.fill(baby.split('-').reverse().join('/'))
  await birthday.blur()
  await expect(dialog).toContainText('The age would be 0; at this class level about 13 is usual.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/confirm that both are right/)).toBeVisible()
  expect(await born()).toEqual(before)
  await confirmation.check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await born()).toEqual({ born: baby })
})

test('a school officer places a school by words in any order, whatever case', async ({ person }) => {
  const place = await row<{ id: number; words: string; label: string }>(
    `select l.id, lower(g.name || ' ' || m.name || ' ' || l.name) as words,
       l.name || ' (' || m.name || ', ' || c.name || ', ' || g.name || ')' as label
     from arrondissements l join communes m on m.id = l.commune_id join cercles c on c.id = m.cercle_id
     join regions g on g.id = c.region_id order by length(m.name || l.name) desc, l.id limit 1`,
  )
  const school = await row<{ id: number; name: string; admin_code: string }>(
    `select id, name, admin_code from schools where arrondissement_id is distinct from $1 order by id desc limit 1`,
    place.id,
  )
  const officer = await person('school')
  await officer.goto(`/admin/schools?search=${encodeURIComponent(school.admin_code)}`)
  await rowAct(officer, school.name, 'Edit')
  const dialog = officer.getByRole('dialog', { name: 'Edit school' })
  const field = dialog.getByRole('combobox', { name: 'Arrondissement' })
  await field.fill(place.words)
  const found = dialog.getByRole('listbox', { name: 'Places found' })
  await expect(found.getByRole('option', { name: place.label })).toBeVisible()
  await expectAccessible(officer, 'the places found')
  await found.getByRole('option', { name: place.label }).click()
  await expect(found).toHaveCount(0)
  await expect(field).toHaveValue(place.label)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(await row('select arrondissement_id as id from schools where id = $1', school.id)).toEqual({
    id: place.id,
  })
})

test('an officer who may not see health finds nothing of it in a student', async ({ person }) => {
  const [school, auditor] = [await person('school'), await person('auditor')]
  for (const [page, seen] of [
    [school, true],
    [auditor, false],
  ] as const) {
    await page.goto('/admin/schools/students')
    await page.locator('tbody .link-button').first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Admission number')).toBeVisible()
    await expect(dialog.getByText('Maternal status')).toHaveCount(seen ? 1 : 0)
  }
})
