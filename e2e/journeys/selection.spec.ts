import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

const page = '/admin/transfers/cohorts/selection'

test('an officer makes a target list from the register, sees who is left out, and reviews it like a file', async ({
  person,
}) => {
  const officer = await person('officer')
  await officer.goto('/admin/transfers/cohorts/list')
  await officer.getByRole('link', { name: 'From the register' }).click()
  const steps = officer.getByRole('table', { name: 'Who remains' })
  const { cap, girls } = await row<{ cap: string; girls: number }>(
    `select c.name as cap, count(*) as girls from students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id join caps c on c.id = sc.cap_id
      join academies a on a.id = c.academy_id join regions g on g.id = a.region_id
      where g.country = 'ml' and u.gender = 'female' group by c.id, c.name order by count(*) desc, c.id limit 1`,
  )
  await officer.getByLabel('CAP', { exact: true }).selectOption({ label: cap })
  await expect(steps.getByRole('row', { name: 'in the place' }).getByRole('cell').nth(1)).toHaveText(
    new Intl.NumberFormat('en-GB').format(girls),
  )
  // Figures of before stay until those of the whole selection have come.
  const counted = officer.waitForResponse((answer) => {
    const { pathname, searchParams } = new URL(answer.url())
    return (
      pathname.endsWith('/transfers/target-selection') &&
      ['cap', 'levels', 'transfer_parameter_id'].every((each) => searchParams.has(each))
    )
  })
  await officer.getByRole('group', { name: 'Class levels' }).getByRole('checkbox').first().check()
  await officer.getByLabel('Transfer parameter').selectOption({ index: 1 })
  await expect(officer.getByText(/per round, and/)).toBeVisible()
  await expect(officer).toHaveURL(/levels=/)
  const { steps: found } = (await (await counted).json()) as { steps: { conditions: number } }
  const end = steps.getByRole('row').last()
  await expect(end.getByRole('cell').nth(1)).toHaveText(
    new Intl.NumberFormat('en-GB').format(found.conditions),
  )
  const before = await end.innerText()

  // The address keeps the selection.
  await officer.reload()
  await expect(
    officer.getByRole('group', { name: 'Class levels' }).getByRole('checkbox').first(),
  ).toBeChecked()
  await expect(end).toHaveText(new RegExp(before.replace(/\s+/g, '\\s*')))
  await expectAccessible(officer, 'a target list from the register')

  await officer.getByRole('button', { name: 'Make cohort' }).click()
  const form = officer.getByRole('dialog', { name: 'Make a cohort of the selection' })
  await form.getByRole('button', { name: 'Make cohort' }).click()
  await expect(form.getByLabel('Cohort name')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Cohort name').fill('From the register')
  await form.getByLabel('Description').fill('Second term')
  await form.getByLabel('Start date').fill(cohorts.dayFromNow(0))
  await form.getByLabel('End date').fill(cohorts.dayFromNow(20))
  const agency = form.getByLabel('Transfer agency')
  await agency.selectOption(
    await agency.locator('option', { hasText: cohorts.paysInMali }).getAttribute('value'),
  )
  await form.getByRole('button', { name: 'Make cohort' }).click()
  await expect(officer).toHaveURL(/cohorts\/import\?import=\d+/)
  const shown = Number(before.replace(/\D/g, ''))
  await expect
    .poll(stored, { message: 'rows of the review', timeout: 60_000 })
    .toMatchObject({ rows_read: shown, state: 'review', guardian: 'yes' })
})

const stored = () =>
  row<{ state: string; rows_read: number; guardian: string }>(
    `select i.state, i.rows_read, i.params->'selection'->>'guardian' as guardian
     from transfer_cohorts c join imports i on i.id = c.import_id where c.name = 'From the register'`,
  )

test('an officer who chooses something else makes no cohort of the figures before', async ({ person }) => {
  const officer = await person('officer')
  await settled(officer, `${page}?guardian=yes`)
  const make = officer.getByRole('button', { name: 'Make cohort' })
  const figures = officer.getByRole('table', { name: 'Who remains' })
  await expect(make).toBeEnabled()
  const counted = Promise.withResolvers<void>()
  await officer.route('**/transfers/target-selection?*', async (route) => {
    await counted.promise
    await route.continue().catch(() => {})
  })
  await officer.getByRole('group', { name: 'Class levels' }).getByRole('checkbox').first().check()
  await expect(make).toBeDisabled()
  await expect(figures).toHaveAttribute('aria-busy', 'true')
  await expect(officer.getByText(/^[\d,]+ girls?$/)).toHaveCount(0)
  counted.resolve()
  await expect(make).toBeEnabled()
  await expect(figures).not.toHaveAttribute('aria-busy')
})

test.describe('in French at 360', () => {
  test.use({ locale: 'fr-FR' })

  test('an officer chooses girls on her phone, and the page fits', async ({ person, say }) => {
    const officer = await person('officer', { width: 360 })
    await settled(officer, `${page}?guardian=yes&not_held=yes&attendance=75`)
    await expect(officer.getByRole('table', { name: say('Who remains') })).toContainText(
      say('On the list after the conditions'),
    )
    await expectAccessible(officer, 'a target list on a phone')
    await expectNoSidewaysScroll(officer, 'a target list on a phone')
  })
})
