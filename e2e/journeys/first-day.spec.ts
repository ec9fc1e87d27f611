import type { Page } from '@playwright/test'
import { addUser, assignRole, type Colleague, setPassword, signInAs } from '../accounts.ts'
import { row, rows } from '../database.ts'
import { movedOn, shiftOf, watchShifts } from '../shifts.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const dayOf = ({ email }: Colleague) =>
  row<{ left: boolean; steps: string[] }>(
    `select d.left_at is not null as left, array(select s.step from first_day_steps s where s.user_id = d.user_id) as steps
     from first_days d join users u on u.id = d.user_id where u.email = $1`,
    email,
  )
const cardOf = (page: Page, name = 'Your first day') => page.getByRole('region', { name })

/** Looks at the home page, and comes again if her first day was read too late: the next visit has it then. */
async function atHome(page: Page, look: () => Promise<void>): Promise<void> {
  let visits = 0
  await expect(async () => {
    if (visits++) await page.goto('/home')
    await look()
  }).toPass({ timeout: 90_000 })
}
const soon = { timeout: 10_000 }

for (const { language, locale, title, leave, again, step, done } of [
  {
    ...{ language: 'English', locale: 'en-GB', title: 'Your first day', leave: 'Leave the tour' },
    ...{ again: 'Show my first day again', step: 'Follow the payments', done: 'Done' },
  },
  {
    ...{ language: 'French', locale: 'fr-FR', title: 'Votre premier jour', leave: 'Quitter la visite' },
    ...{ again: 'Revoir mon premier jour', step: 'Suivez les paiements', done: 'Terminé' },
  },
])
  test.describe(`in ${language}`, () => {
    test.use({ locale })

    for (const width of [1280, 360])
      test(
        `at ${width} px a new officer does a step of her first day, leaves it and brings it back`,
        walked((locale === 'en-GB') === (width === 1280)),
        async ({ person, say }) => {
          const colleague: Colleague = {
            first_name: locale === 'fr-FR' ? 'Nana' : 'Mina',
            last_name: width === 360 ? 'Koné' : 'Berthé',
            email: `nana.${locale}.${width}.${Date.now()}@portal.example`.toLowerCase(),
            password: 'quatre mots sans aucun lien',
          }
          const admin = await person('admin')
          await addUser(admin, colleague, say)
          await assignRole(admin, colleague, 'Transfer Officer', say)
          const officer = await person(null, { width })
          await watchShifts(officer.context())
          await setPassword(officer, colleague, say)
          await signInAs(officer, colleague, say)
          await expect(officer).not.toHaveURL(/\/login/)

          const card = cardOf(officer, title)
          const items = card.getByRole('listitem')
          const fiveSteps = () => expect(items).toHaveCount(5, soon)
          const isDone = () => expect(items.filter({ hasText: step })).toContainText(done, soon)
          await atHome(officer, fiveSteps)
          await expect(items.filter({ hasText: say('To do') })).toHaveCount(5)
          await expectAccessible(officer, `the first day at ${width}`)
          await expectNoSidewaysScroll(officer, `the first day at ${width}`)
          await expect(officer.locator('tbody tr').first()).toContainText(/\d/)
          await officer.reload()
          await atHome(officer, fiveSteps)
          await officer.waitForLoadState('networkidle')
          expect(await shiftOf(officer), `${await movedOn(officer)}`).toBeLessThanOrEqual(0.002)

          await card.getByRole('link', { name: step }).focus()
          await officer.keyboard.press('Enter')
          await expect(officer).toHaveURL(/\/admin\/transfers\/reconciliations$/)
          await expect(officer.getByRole('heading', { level: 1 })).toBeVisible()
          await expect
            .poll(async () => (await dayOf(colleague)).steps)
            .toEqual(['mfe-transfers/reconciliations'])
          await officer.goBack()
          await atHome(officer, isDone)
          await expect(items.filter({ hasText: say('To do') })).toHaveCount(4)

          await card.getByRole('button', { name: leave }).focus()
          await officer.keyboard.press('Enter')
          await expect(card).toBeHidden()
          await expect(officer.getByRole('heading', { level: 1 })).toBeFocused()
          expect((await dayOf(colleague)).left).toBe(true)
          await officer.reload()
          await expect(officer.locator('tbody tr').first()).toContainText(/\d/)
          await expect(card).toBeHidden()

          await officer.goto('/profile')
          await card.getByRole('button', { name: again }).focus()
          await officer.keyboard.press('Enter')
          await expect(card.getByRole('button', { name: leave })).toBeFocused()
          await officer.waitForLoadState('networkidle')
          await expectAccessible(officer, `the profile at ${width}`)
          await expectNoSidewaysScroll(officer, `the profile at ${width}`)
          await card.getByRole('link', { name: say('Go back home') }).click()
          await atHome(officer, isDone)
          expect((await dayOf(colleague)).left).toBe(false)
        },
      )
  })

/** A first day that was asked for, without the invitation; forgotten again after the journey. */
const forget = () =>
  rows(`delete from first_days where user_id in (select id from users where email like '%@portal.example')`)
test.afterEach(forget)

test('an auditor has steps to read only, and one friendly line at the end', async ({ person }) => {
  await forget()
  const auditor = await person('auditor')
  await auditor.goto('/home')
  await expect(auditor.locator('tbody tr').first()).toContainText(/\d/)
  await expect(cardOf(auditor)).toBeHidden()
  await auditor.goto('/profile')
  await cardOf(auditor).getByRole('button', { name: 'Show my first day again' }).click()
  await cardOf(auditor).getByRole('link', { name: 'Go back home' }).click()
  const items = cardOf(auditor).getByRole('listitem')
  await atHome(auditor, () => expect(items).toHaveCount(5, soon))
  const steps = [
    'See where the money stands',
    'Read the audit log',
    'Open a case',
    'Find a girl',
    'Look at the schools',
  ]
  for (const step of steps) await expect(items.filter({ hasText: step })).toBeVisible()

  for (const name of ['See where the money stands', 'Read the audit log', 'Look at the schools']) {
    await cardOf(auditor).getByRole('link', { name }).click()
    await expect(auditor.getByRole('heading', { level: 1 })).not.toContainText('Hello')
    await auditor.goBack()
    await atHome(auditor, () => expect(items.filter({ hasText: name })).toContainText('Done', soon))
  }
  await cardOf(auditor).getByRole('link', { name: 'Open a case' }).click()
  await auditor.getByRole('table').getByRole('link').first().click()
  await expect(auditor).toHaveURL(/\/admin\/cases\/\d+\/details$/)
  await expect(auditor.getByRole('heading', { name: 'Description' })).toBeVisible()
  await auditor.goto('/admin/schools/students')
  const found = auditor.waitForResponse(/\/api\/.*search=aminata/)
  await auditor.getByRole('main').getByRole('searchbox').fill('aminata')
  await expect(auditor).toHaveURL(/search=aminata/)
  await found
  await expect(auditor.getByRole('main').locator('tbody tr').first()).toContainText('Aminata')
  await auditor.goto('/home')
  await atHome(auditor, () =>
    expect(cardOf(auditor)).toContainText('You have done every step. Welcome to the team!', soon),
  )
  await expect(items).toHaveCount(0)
  await expectAccessible(auditor, 'the end of the first day')
  await cardOf(auditor).getByRole('button', { name: 'Close' }).click()
  await expect(cardOf(auditor)).toBeHidden()
})

test('an auditor who comes home before a step is marked sees its mark as soon as it is', async ({
  person,
}) => {
  await forget()
  await rows(`insert into first_days (user_id) select id from users where email = 'auditor@portal.example'`)
  const auditor = await person('auditor')
  const items = cardOf(auditor).getByRole('listitem')
  await auditor.goto('/home')
  await atHome(auditor, () => expect(items).toHaveCount(5, soon))
  const marked = Promise.withResolvers<void>()
  await auditor.route('**/api/first-day**', async (route) => {
    if (route.request().method() !== 'GET') await marked.promise
    await route.continue().catch(() => {})
  })
  const step = items.filter({ hasText: 'Look at the schools' })
  await step.getByRole('link').click()
  await expect(auditor).toHaveURL(/\/admin\/schools$/)
  await auditor.goBack()
  await expect(step).toContainText('To do')
  marked.resolve()
  await expect(step).toContainText('Done')
})

test('a person whose steps cannot be read has the rest of her home page, and the steps later', async ({
  person,
  expected,
}) => {
  expected.push(/status of 500/)
  await rows(`insert into first_days (user_id) select id from users where email = 'officer@portal.example'`)
  const officer = await person('officer')
  await officer.route('**/api/first-day', (route) =>
    route.fulfill({ status: 500, json: { message: 'The database does not answer.', request_id: 'r1' } }),
  )
  await officer.goto('/home')
  await expect(officer.locator('tbody tr').first()).toContainText(/\d/)
  await expect(officer.getByRole('region', { name: 'What needs you' })).toBeVisible()
  await expect(cardOf(officer)).toBeHidden()
  await officer.unroute('**/api/first-day')
  await officer.reload()
  await atHome(officer, () => expect(cardOf(officer).getByRole('listitem')).toHaveCount(5, soon))
})

test('home asks nothing about a first day for whoever has none', async ({ person }) => {
  const officer = await person('officer')
  const asked: string[] = []
  officer.on('request', (request) => asked.push(request.url()))
  await officer.goto('/home')
  await expect(officer.locator('tbody tr').first()).toContainText(/\d/)
  await officer.waitForLoadState('networkidle')
  expect(asked.filter((url) => url.includes('first-day'))).toEqual([])
})
