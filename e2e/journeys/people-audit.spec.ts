import { unusualAge } from '@portal/contracts/registers/school-age'
import { addUser, assignRole, type Colleague, fullName, rowAct } from '../accounts.ts'
import { row, rows } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'
import { readWorkbook } from '../workbooks.ts'

/** A girl whose age fits her class level, so that the form asks nothing, and the next day of the month she was born in. */
async function girlOfUsualAge(nth: number) {
  const girls = await rows<{ code: string; name: string; born: string; level: string; today: string }>(
    `select s.student_code as code, u.first_name || ' ' || u.last_name as name, u.date_of_birth::text as born,
       s.current_class_level as level, (now() at time zone 'utc')::date::text as today
     from students s join users u on u.id = s.user_id
     where u.date_of_birth is not null and s.current_class_level is not null order by s.id desc limit 100`,
  )
  const nextDay = (day: string) =>
    `${day.slice(0, 8)}${String((Number(day.slice(8)) % 28) + 1).padStart(2, '0')}`
  const fits = girls.filter(({ born, level, today }) =>
    [born, nextDay(born)].every((day) => unusualAge(day, level, today) === null),
  )
  const girl = fits[nth]
  if (!girl) throw new Error('No girl of the demo has a usual age.')
  return { ...girl, born: written(girl.born), corrected: written(nextDay(girl.born)) }
}
/** A day as it is written in the portal. */
const written = (day: string) => day.split('-').reverse().join('/')

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an auditor finds who changed what, and takes it along as Excel', async ({ person, say }) => {
      const changed: Colleague = {
        first_name: 'Fanta',
        last_name: `Diarra ${language}`,
        email: `fanta.${language.toLowerCase()}@portal.example`,
        password: '',
      }
      const admin = await person('admin')
      await addUser(admin, changed, say)
      await rowAct(admin, fullName(changed), say('Edit'), say)
      const edit = admin.getByRole('dialog', { name: say('Edit user') })
      await edit.locator('[name=first_name]').fill('Fatoumata')
      await edit.getByRole('button', { name: say('Save') }).click()
      await expect(edit).toBeHidden()
      changed.first_name = 'Fatoumata'
      await assignRole(admin, changed, 'Transfer Officer', say)

      const auditor = await person('auditor')
      await auditor.goto(`/admin/users/audit/logs?search=${encodeURIComponent(changed.last_name)}`)
      const table = auditor.getByRole('table', { name: say('Recent User Logs') })
      await expect(table.getByRole('row')).toHaveCount(5)
      const actor = await row<{ name: string }>(
        `select first_name || ' ' || last_name as name from users where email = 'admin@portal.example'`,
      )
      const renamed = table.getByRole('row').filter({ hasText: 'Fanta' }).filter({ hasText: 'Fatoumata' })
      const entry = renamed.filter({ hasNotText: changed.email })
      await expect(entry).toHaveCount(1)
      await expect(entry).toContainText(actor.name)
      await entry.getByRole('button').click()
      await auditor.getByRole('menuitem', { name: say('See Details') }).click()
      const details = auditor.getByRole('dialog')
      const line = details.getByRole('row').filter({ hasText: say('First name') })
      await expect(line.getByRole('cell').nth(1)).toHaveText('Fanta')
      await expect(line.getByRole('cell').nth(2)).toHaveText('Fatoumata')
      await expectAccessible(auditor, 'an entry of the audit log')
      await auditor.keyboard.press('Escape')

      const download = auditor.waitForEvent('download')
      await auditor.getByRole('button', { name: say('Export User Logs (Excel)') }).click()
      const sheet = await readWorkbook(await download)
      expect(sheet).toHaveLength(4)
      expect(JSON.stringify(sheet)).toContain('Fatoumata')
    })

    test('an auditor asks who changed a girl, by her code, and opens her from the answer', async ({
      person,
      say,
    }) => {
      const { code, name, born, corrected } = await girlOfUsualAge(language === 'English' ? 0 : 1)
      const officer = await person('school')
      await officer.goto(`/admin/schools/students?search=${code}`)
      await rowAct(officer, name, say('Edit'), say)
      const edit = officer.getByRole('dialog')
      await edit.locator('[name=date_of_birth]').fill(corrected)
      await edit.getByRole('button', { name: say('Save'), exact: true }).click()
      await expect(edit).toBeHidden()

      const { actor } = await row<{ actor: string }>(
        `select first_name || ' ' || last_name as actor from users where email = 'school@portal.example'`,
      )
      const sentence =
        language === 'English'
          ? `${actor} changed ${name}’s date of birth: ${born} → ${corrected}`
          : new RegExp(`${actor} a modifié « Date de naissance » d[e’] ?${name} : ${born} → ${corrected}`)
      const auditor = await person('auditor')
      await auditor.goto('/admin/users/audit/logs')
      await auditor.getByRole('searchbox').fill(code)
      await expect(auditor).toHaveURL(/search=/)
      // A job may have written more about her meanwhile.
      const entry = auditor.getByRole('row').filter({ hasText: code }).filter({ hasText: '→' })
      await expect(entry).toHaveCount(1)
      await expect(entry.getByRole('cell').filter({ hasText: '→' })).toContainText(sentence)
      await expectAccessible(auditor, 'an entry about a girl')
      await auditor.setViewportSize({ width: 360, height: 740 })
      await expectNoSidewaysScroll(auditor, 'an entry about a girl on a phone')
      await entry.getByRole('link', { name }).first().click()
      await expect(auditor).toHaveURL(/\/admin\/schools\/students\?search=/)
      await expect(auditor.getByText(code).first()).toBeVisible()
    })
  })
}

test('an auditor reads the log without it moving while new entries arrive', async ({ person }) => {
  test.setTimeout(240_000)
  const auditor = await person('auditor')
  const admin = await person('admin')
  // Enough entries for a second page.
  await admin.goto('/profile')
  const { count } = await row<{ count: number }>('select count(*) from audits')
  for (let at = count; at < 18; at += 1) await person('officer')

  await auditor.goto('/admin/users/audit/logs')
  const table = auditor.getByRole('table', { name: 'Recent User Logs' })
  await expect(table.getByRole('row').nth(15)).toContainText(/\d\d\/\d\d\/\d{4}/)
  await expect(table.getByRole('row')).toHaveCount(16)
  const fifth = table.getByRole('row').nth(5)
  await fifth.scrollIntoViewIfNeeded()
  await auditor.mouse.wheel(0, 300)
  await auditor.waitForFunction(() => window.scrollY > 100)
  await fifth.evaluate((element) => element.setAttribute('data-mark', 'read'))
  const marked = auditor.locator('[data-mark="read"]')
  let before = await marked.boundingBox()
  // The wheel has come to rest.
  await expect
    .poll(async () => {
      const last = before
      before = await marked.boundingBox()
      return before !== null && before.y === last?.y
    })
    .toBe(true)
  await person('reviewer')
  const newest = table.getByRole('row').nth(1)
  const { name } = await row<{ name: string }>(
    `select first_name || ' ' || last_name as name from users where email = 'reviewer@portal.example'`,
  )
  await expect(newest).toContainText(name)
  const moved = async () => Math.abs(((await marked.boundingBox())?.y ?? 0) - (before?.y ?? 0))
  await expect.poll(moved).toBeLessThan(2)

  await auditor.getByRole('link', { name: 'Next page' }).click()
  await expect(auditor).toHaveURL(/until=\d+/)
  await expect(auditor.getByText(/^16-\d+ of /)).toBeVisible()
  const rowsOfPage = () => table.getByRole('row').allTextContents()
  const rowsBefore = await rowsOfPage()
  await person('school')
  const polled = () =>
    auditor.waitForResponse(
      (answer) => answer.url().includes('/audit/logs?') && [200, 304].includes(answer.status()),
    )
  await polled()
  await polled()
  expect(await rowsOfPage()).toEqual(rowsBefore)
  await auditor.getByRole('button', { name: 'Show the newest' }).click()
  await expect(auditor).toHaveURL(/logs$/)
  await expect(newest).not.toContainText(name)
})

test('an auditor narrows the log by person, event, type and day, and finds it so again', async ({
  person,
}) => {
  await person('officer')
  const auditor = await person('auditor')
  await auditor.goto('/admin/users/audit/logs')
  const { id } = await row<{ id: number }>(`select id from users where email = 'officer@portal.example'`)
  // One filter after another, as a person who sees each of them take hold.
  await auditor.getByLabel('User', { exact: true }).selectOption(String(id))
  await expect(auditor.getByLabel('User', { exact: true })).toHaveValue(String(id))
  await auditor.getByLabel('Event', { exact: true }).selectOption('signed in')
  await expect(auditor.getByLabel('Event', { exact: true })).toHaveValue('signed in')
  await auditor.getByLabel('Audited type', { exact: true }).selectOption('user')
  await expect(auditor.getByLabel('Audited type', { exact: true })).toHaveValue('user')
  const today = new Date().toISOString().slice(0, 10)
  await auditor.getByLabel('From', { exact: true }).fill(today.split('-').reverse().join('/'))
  await expect(auditor).toHaveURL(new RegExp(`from=${today}`))
  const { count } = await row<{ count: number }>(
    `select count(*) from audits where user_id = $1 and event = 'signed in'`,
    id,
  )
  await expect(auditor.getByText(new RegExp(`^1-\\d+ of ${count}$`))).toBeVisible()
  await auditor.reload()
  await expect(auditor.getByLabel('Event', { exact: true })).toHaveValue('signed in')
  await expect(auditor.getByLabel('From', { exact: true })).toHaveValue(today.split('-').reverse().join('/'))
  expect(await rows(`select id from audits where user_id = $1`, id)).not.toEqual([])
  await auditor.getByRole('button', { name: 'Clear all' }).click()
  await expect(auditor).toHaveURL(/logs$/)
})
