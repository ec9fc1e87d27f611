import * as cohorts from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { tabTo } from '../keyboard.ts'
import {
  category,
  chooseFile,
  decide,
  decision,
  guardians,
  newStudents,
  storedImport,
  uploadForReview,
} from '../registers.ts'
import { expect, expectAccessible, test, walked } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

/** Headings that nobody knows, and that nobody named in another journey. */
const foreign = (prefix: string) =>
  ['Ident', 'Petit nom', 'Grand nom', 'Cel', 'Fille', 'Obs'].map((heading) => `${heading} ${prefix}`)

for (const { language, locale, letters, width } of [
  { language: 'English', locale: 'en-GB', letters: 'BEN', width: 1280 },
  { language: 'French', locale: 'fr-FR', letters: 'BFR', width: 360 },
]) {
  test.describe(`in ${language} at ${width} px`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('a school officer says what the headings of a file are, and keeps one of two duplicates', async ({
      person,
      say,
    }, { retry, repeatEachIndex }) => {
      // What was named is remembered: whoever runs this again comes with other headings.
      const prefix = `${letters}${retry}${repeatEachIndex}`
      const list = [
        { code: `${prefix}-1`, first_name: 'Sitan', last_name: 'Kanté', phone: '76 12 34 11' },
        { code: `${prefix}-2`, first_name: 'Nana', last_name: 'Ba', phone: '76 12 34 12' },
        { code: `${prefix}-2`, first_name: 'Nana', last_name: 'Bah', phone: '76 12 34 12' },
      ]
      const officer = await person('school', { width })
      await officer.goto('/admin/schools/parents/import')
      await chooseFile(officer, await guardians(`banc-${prefix}`, list, foreign(prefix)))
      await expect(officer.getByText(/3 (rows in the file|lignes dans le fichier)/)).toBeVisible()
      for (const [heading, column] of [
        ['Ident', 'parent_assigned_id'],
        ['Petit nom', 'first_name'],
        ['Grand nom', 'last_name'],
        ['Cel', 'contact_1'],
      ] as const)
        await officer
          .getByRole('combobox', { name: new RegExp(`^${heading} ${prefix} `) })
          .selectOption(column)
      await expect(officer.getByRole('combobox', { name: new RegExp(`^Cel ${prefix} `) })).toHaveValue(
        'contact_1',
      )
      await expectAccessible(officer, 'the headings of a file')
      const id = await uploadForReview(officer)
      await expect(officer.getByText(say('Named by hand:'))).toBeVisible()
      expect(await storedImport(id)).toMatchObject({ rows_new: 1, rows_rejected: 2 })

      const keep = officer.getByRole('button', { name: say('Keep this one, row {row}', { row: 4 }) })
      await tabTo(officer, keep)
      await officer.keyboard.press('Enter')
      await expect(keep).toHaveAttribute('aria-pressed', 'true')
      await expectAccessible(officer, 'the decision about two duplicates')
      await decide(officer).click()
      await expect(category(officer, 'new')).toContainText('2')
      await expect(category(officer, 'rejected')).toContainText('1')
      await decide(officer).click()
      await expect(officer.getByText(say('The rows have been saved.'))).toBeVisible({ timeout: 60_000 })
      expect(
        await rows(
          `select p.parent_assigned_id as code, u.last_name from parents p join users u on u.id = p.user_id
           where p.parent_assigned_id like $1 order by 1`,
          `${prefix}-%`,
        ),
      ).toEqual([
        { code: `${prefix}-1`, last_name: 'Kanté' },
        { code: `${prefix}-2`, last_name: 'Bah' },
      ])

      // The next file of these headings needs no hand.
      await officer.goto('/admin/schools/parents/import')
      await chooseFile(officer, await guardians(`banc-${prefix}`, list.slice(0, 1), foreign(prefix)))
      await decide(officer).click()
      await expect(category(officer, 'unchanged')).toContainText('1', { timeout: 60_000 })
    })

    test('a school officer confirms unusual ages, and leaves out one of two rows for the same girl', async ({
      person,
      say,
    }, { retry, repeatEachIndex }) => {
      const prefix = `${letters}A${retry}${repeatEachIndex}`
      const infant = cohorts.dayFromNow(-270)
      const pupil = cohorts.dayFromNow(-10 * 365)
      const officer = await person('school', { width })
      await officer.goto('/admin/schools/students/import')
      await chooseFile(
        officer,
        await newStudents(`ages-${prefix}`, [
          { code: `${prefix}-1`, first_name: 'Wanda', last_name: 'Xylo', born: infant },
          { code: `${prefix}-2`, first_name: 'Ingrid', last_name: 'Quist', born: infant },
          { code: `${prefix}-3`, first_name: 'Zoë', last_name: 'Wexford', born: pupil },
          { code: `${prefix}-4`, first_name: 'Zoe', last_name: 'Wexfort', born: pupil },
        ]),
      )
      const id = await uploadForReview(officer)
      expect(await storedImport(id)).toMatchObject({ rows_new: 2, rows_rejected: 2 })
      await category(officer, 'rejected').click()
      await expect(
        officer.getByRole('button', { name: say('It is right, row {row}', { row: 2 }) }),
      ).toBeVisible()
      await expectAccessible(officer, 'unusual ages of an import')
      await officer.getByRole('button', { name: /^(Confirm all 2 rows|Confirmer les 2 lignes)$/ }).click()
      await decide(officer).click()
      await expect(category(officer, 'new')).toContainText('4')

      await category(officer, 'new').click()
      await officer.getByRole('button', { name: /^(Show only these|N’afficher qu’elles)$/ }).click()
      await expect(officer.getByText(say('Row {twin} of this file', { twin: 4 }))).toBeVisible()
      await expect(officer.locator('main table tbody tr')).toHaveCount(2)
      await expectAccessible(officer, 'likely duplicates of an import')
      await officer.getByRole('button', { name: say('Leave this row out, row {row}', { row: 5 }) }).click()
      await decide(officer).click()
      await expect(officer.locator('main table tbody tr')).toHaveCount(3)
      expect(await storedImport(id)).toMatchObject({ state: 'review', rows_new: 3, rows_rejected: 1 })
      const corrected = await rows(
        'select "row", "column" from import_corrections where import_id = $1 order by id',
        id,
      )
      expect(corrected).toEqual([
        { row: 2, column: 'confirmed' },
        { row: 3, column: 'confirmed' },
        { row: 5, column: 'left_out' },
      ])
      await decision(officer)
        .getByRole('button', { name: say('Cancel'), exact: true })
        .click()
      await officer
        .getByRole('dialog')
        .getByRole('button', { name: say('Cancel the import') })
        .click()
      await expect(
        officer.getByText(say('The import was cancelled. Nothing was saved.')).first(),
      ).toBeVisible()
    })
  })
}

test('a school officer sends no file before the headings that she named earlier are read', async ({
  person,
}) => {
  const officer = await person('school')
  const named = Promise.withResolvers<void>()
  await officer.route('**/api/imports/headings?*', async (route) => {
    await named.promise
    await route.continue().catch(() => {})
  })
  await officer.goto('/admin/schools/parents/import')
  const list = [{ code: 'WAIT-1', first_name: 'Sitan', last_name: 'Kanté', phone: '76 12 34 21' }]
  await chooseFile(officer, await guardians('waits', list))
  await expect(officer.getByText('No fault was found in this file.')).toBeVisible()
  await expect(decide(officer)).toBeDisabled()
  named.resolve()
  await expect(decide(officer)).toBeEnabled()
})

test('an officer finds the student of an unknown code by name, leaves a row out, and the approver reads both', async ({
  person,
}) => {
  const name = 'Found by name'
  const list = await recipients(3)
  const real = list[1]?.student_code ?? ''
  const wrong = list.map((one, at) => (at === 1 ? { ...one, student_code: 'NOBODY-1' } : one))
  const officer = await person('officer')
  const dialog = await cohorts.openUpload(officer, { name, file: await workbook(name, wrong), review: true })
  await dialog.getByRole('button', { name: 'Upload target list' }).click()
  await expect(category(officer, 'rejected')).toContainText('1', { timeout: 60_000 })

  await officer.getByRole('button', { name: 'Find by name, row 3' }).click()
  const finding = officer.getByRole('dialog', { name: 'Which student is row 3 for?' })
  await finding.getByRole('searchbox').fill(real)
  await finding.getByRole('button', { name: real }).click()
  await expect(officer.locator('input.cell')).toHaveValue(real)
  await decide(officer).click()
  await expect(category(officer, 'new')).toContainText('3')

  await category(officer, 'new').click()
  await officer.getByRole('button', { name: 'Leave this row out, row 4' }).click()
  await decide(officer).click()
  await expect(category(officer, 'new')).toContainText('2')
  await officer.getByRole('button', { name: 'Undo' }).click()
  await expect(category(officer, 'new')).toContainText('3')
  await officer.getByRole('button', { name: 'Undo' }).click()
  await expect(category(officer, 'new')).toContainText('2')
  await decide(officer).click()
  await officer.getByRole('link', { name: 'Go to Cohort Approval' }).click()
  expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'pending', master_list_count: 2 })

  const approver = await person('approver')
  const { id } = await row<{ id: number }>('select id from transfer_cohorts where name = $1', name)
  await cohorts.openSummary(approver, id)
  await expect(approver.getByText(/2 rows changed in review by/)).toBeVisible()
  await expect(approver.getByText('1 row was left out by hand.')).toBeVisible()
})
