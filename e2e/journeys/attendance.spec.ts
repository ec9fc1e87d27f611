import ExcelJS from 'exceljs'
import { row } from '../database.ts'
import { looked, report, send, someSchool, today, tokenOf } from '../devices.ts'
import { category, chooseFile, decide, uploadForReview } from '../registers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const summary = '**/api/home/dashboard/attendance'

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an officer sees who is at school today as soon as a school has reported', async ({
      person,
      say,
    }) => {
      const admin = await person('admin')
      const token = await tokenOf(admin, `SMS ${language}`)
      const school = await someSchool(language === 'English' ? 2 : 3)
      const id = `today ${language}`
      await send(token, [report(id, school.admin_code, 37)])
      await looked(id)
      const stored = await row<{ schools: number; present: number }>(
        `select count(distinct school_id) as schools, sum(present) filter (where who = 'learners') as present
         from attendance where date = $1 and not withdrawn`,
        today(),
      )
      for (const width of [1280, 360]) {
        const officer = await person('officer', { width })
        await officer.goto('/home/attendance')
        const card = officer.getByRole('region', { name: say('School attendance report for today') })
        const figure = (words: string) =>
          card.locator('div', { has: officer.getByText(words, { exact: true }) }).locator('.figure')
        await expect(figure(say('Reported schools'))).toHaveText(String(stored.schools))
        await expect(figure(say('Learners'))).toHaveText(
          stored.present.toLocaleString(locale === 'fr-FR' ? 'fr-FR' : 'en-US'),
        )
        const week = officer.getByRole('table', { name: say('This week'), exact: true })
        // On a Monday the week has one row, and on a phone no row of headings stands before it.
        await expect(week.getByRole('cell').first()).toContainText(/\d\d\/\d\d\/\d{4}/)
        await expect(
          officer.getByRole('img', {
            name: new RegExp(say('Attendance of this week. {figures}', { figures: '' }).trim()),
          }),
        ).toBeVisible()
        await expectAccessible(officer, `attendance at ${width}`)
        await expectNoSidewaysScroll(officer, `attendance at ${width}`)
        await expect(officer.getByRole('link', { name: say('Import'), exact: true })).toHaveCount(0)
      }
    })
  })
}

test('an officer reads in a week without reports that there is nothing yet', async ({ person }) => {
  const officer = await person('officer')
  await officer.route(summary, async (route) => {
    const answer = await (await route.fetch()).json()
    const nothing = {
      teacher_attendance: null,
      student_attendance: null,
      absenteeism_rate: null,
      reported_schools: 0,
    }
    const week_summary = answer.week_summary.map(({ date }: { date: string }) => ({ date, ...nothing }))
    await route.fulfill({ json: { ...answer, week_summary } })
  })
  await officer.goto('/home/attendance')
  await expect(officer.getByText('Data not available yet.')).toBeVisible()
})

test('an officer reads that attendance could not be loaded, and retries', async ({ person, expected }) => {
  expected.push(/status of 500/)
  const officer = await person('officer')
  await officer.route(summary, (route) => route.fulfill({ status: 500, json: { message: 'No answer.' } }))
  await officer.goto('/home/attendance')
  const alert = officer.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Server Error: No answer.')
  await officer.unroute(summary)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(officer.getByRole('table', { name: 'This week', exact: true })).toBeVisible()
})

test('an administrator finds a silent school, and brings its attendance in by Excel', async ({ person }) => {
  const school = await someSchool(4)
  await row(
    'with gone as (delete from attendance where school_id = $1 returning 1) select count(*) from gone',
    school.id,
  )
  const admin = await person('admin')
  await admin.goto(`/home/attendance?search=${encodeURIComponent(school.admin_code)}`)
  const silent = admin.getByRole('table', { name: 'Schools that have not reported this week' })
  await expect(silent.getByRole('link', { name: school.name })).toHaveAttribute(
    'href',
    `/admin/schools/${school.id}/users?type=teacher`,
  )
  await admin.getByRole('link', { name: 'Import', exact: true }).click()
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Présence')
  sheet.addRow(['Code de l’établissement', 'Date', 'Classe', 'Élèves inscrits', 'Élèves présents'])
  sheet.addRow([school.admin_code, today(), '7', 50, 44])
  sheet.addRow(['ML-NOWHERE-1', today(), '7', 50, 44])
  await chooseFile(admin, {
    name: 'presence.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await book.xlsx.writeBuffer()),
  })
  await uploadForReview(admin)
  await expect(category(admin, 'new')).toContainText('1')
  await expect(category(admin, 'rejected')).toContainText('1')
  await expectAccessible(admin, 'the rows of attendance')
  await decide(admin).click()
  await expect
    .poll(
      async () =>
        row<{ present: number | null }>(
          'select max(present) as present from attendance where school_id = $1 and date = $2',
          school.id,
          today(),
        ),
      { timeout: 60_000 },
    )
    .toEqual({ present: 44 })
  await admin.goto(`/home/attendance?search=${encodeURIComponent(school.admin_code)}`)
  await expect(silent.getByText('Nothing matches your search')).toBeVisible()
  await expect(silent.getByRole('link', { name: school.name })).toHaveCount(0)
})
