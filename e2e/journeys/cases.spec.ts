import type { Page } from '@playwright/test'
import { decide, fileCase, logs, notificationsOf, openCase, paper, refer } from '../cases.ts'
import { row, rows } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const question = 'Le programme peut-il payer de nouveau la mère de l’élève F. C. ?'
const opinion = 'Oui, si l’agence confirme par écrit que le numéro a changé de titulaire.'

/** All that a browser asks for from now on, with the page it says it comes from. */
function watchRequests(page: Page) {
  const seen: { url: string; referer: string }[] = []
  page.on('request', (request) => seen.push({ url: request.url(), referer: request.headers().referer ?? '' }))
  return seen
}

for (const { locale, language } of [
  { locale: 'en-GB', language: 'English' },
  { locale: 'fr-FR', language: 'French' },
]) {
  test.describe(() => {
    test.use({ locale })

    test(
      `a case is filed, referred, answered from a phone and resolved in ${language}`,
      walked(locale === 'en-GB'),
      async ({ person, say, expected }) => {
        test.setTimeout(120_000)
        expected.push(/ERR_INTERNET_DISCONNECTED/)
        const staff = await person('admin')
        const title = `October payment missing (${language})`
        const id = await fileCase(staff, title, say)
        expect(await row('select status, number from cases where id = $1', id)).toMatchObject({
          status: 'new',
        })

        const reviewer = await person('reviewer')
        await openCase(reviewer, id)
        await expectAccessible(reviewer, 'a new case')
        const invite = await refer(
          reviewer,
          {
            first_name: 'Oumar',
            last_name: 'Ballo',
            email: `o.ballo.${language.toLowerCase()}@conseil.example`,
            comment: question,
          },
          say,
        )
        await expect(reviewer.getByText(say('AWAITING EXTERNAL INPUT')).first()).toBeVisible()
        await expectAccessible(reviewer, 'a case that waits')

        // A fresh browser, the size of a phone.
        const expert = await person(null, { width: 360 })
        const requests = watchRequests(expert)
        await expert.goto(invite)
        await expect(expert.getByText(question)).toBeVisible()
        await expect(expert.getByText('S•••• D••••', { exact: true })).toBeVisible()
        await expect(expert.getByText(title)).toHaveCount(0)
        await expectAccessible(expert, 'the consultation request')
        await expectNoSidewaysScroll(expert, 'the consultation request')
        await expert.emulateMedia({ colorScheme: 'dark' })
        await expectAccessible(expert, 'the consultation request in the dark')

        const saving = expert.waitForEvent('download')
        await expert.getByRole('button', { name: say('Save {0}', { 0: 'plainte.pdf' }) }).click()
        expect((await saving).suggestedFilename()).toBe('plainte.pdf')

        await expert.getByRole('button', { name: say('Upload document') }).click()
        await expert.locator('[name=description]').fill('Attestation')
        await expert.locator('input[name=document]').setInputFiles(paper('attestation.pdf'))
        await expert.getByRole('button', { name: say('Upload document') }).click()
        await expect(expert.getByText('Attestation', { exact: true })).toBeVisible()

        // An empty answer is refused where it is written; a draft outlives a reload and a broken line.
        await expert.getByRole('button', { name: say('Send feedback') }).click()
        await expect(expert.locator('[name=comment]')).toBeFocused()
        await expectAccessible(expert, 'a refused answer')
        await expert.locator('[name=comment]').fill(opinion)
        await expert.reload()
        await expect(expert.locator('[name=comment]')).toHaveValue(opinion)
        expect(await stored(expert)).toContain(opinion)
        expect(await stored(expert)).not.toContain(invite.split('/').at(-1))
        await expert.context().setOffline(true)
        await expert.getByRole('button', { name: say('Send feedback') }).click()
        await expect(expert.getByRole('alert')).toBeVisible()
        await expert.context().setOffline(false)
        await expert.locator('input[name=file]').setInputFiles(paper('avis.pdf'))
        await expert.getByRole('button', { name: say('Send feedback') }).click()
        await expect(expert.getByRole('heading', { level: 1, name: say('Thank you') })).toBeFocused()
        await expect(expert.getByText(opinion)).toBeVisible()
        await expectAccessible(expert, 'the receipt')
        await expectNoSidewaysScroll(expert, 'the receipt')
        await expert.reload()
        await expect(expert.getByRole('heading', { level: 1, name: say('Thank you') })).toBeVisible()
        await expect(expert.getByText(question)).toHaveCount(0)

        await keepsTheInvite(expert, requests, invite)

        await openCase(reviewer, id)
        await reviewer.getByRole('button', { name: say('See Details') }).click()
        await expect(reviewer.getByRole('dialog').getByText(opinion)).toBeVisible()
        await expectAccessible(reviewer, 'an answered consultation')
        await reviewer.keyboard.press('Escape')
        await decide(reviewer, 'resolve', 'The grant is paid again.', say)
        await expect(reviewer.getByText(say('RESOLVED')).first()).toBeVisible()
        await expect(reviewer.getByRole('button', { name: say('Record activity') })).toHaveCount(0)
        expect(await row('select status, verdict from cases where id = $1', id)).toEqual({
          status: 'resolved',
          verdict: 'The grant is paid again.',
        })

        const { stored: notices, read } = await notificationsOf(staff, 'admin', id)
        expect(notices).toBe(1)
        expect(read).toHaveLength(1)
        await openCase(staff, id)
        await expect(staff.getByText('The grant is paid again.').first()).toBeVisible()
        await expectNoSidewaysScroll(staff, 'a resolved case')
      },
    )
  })
}

/** What a browser keeps of the page. */
const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))

/** Nothing of the invite is in a referer, an address but its own two, a cookie, the storage or a log. */
async function keepsTheInvite(
  expert: Page,
  requests: { url: string; referer: string }[],
  invite: string,
): Promise<void> {
  const secret = invite.split('/').at(-1) as string
  const origin = new URL(expert.url()).origin
  const own = [origin + invite, `${origin}/api${invite}`]
  expect(requests.filter(({ url }) => url.includes(secret) && !own.includes(url))).toEqual([])
  expect(requests.filter(({ referer }) => referer.includes(secret))).toEqual([])
  expect(requests.filter(({ url }) => !url.startsWith(origin) && !url.startsWith('blob:'))).toEqual([])
  expect((await expert.context().cookies()).map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
  expect(await stored(expert)).not.toContain(secret)
  expect(await stored(expert)).not.toContain(opinion)
  expect(logs()).not.toContain(secret)
  expect(await rows('select from audit_values v where v::text like $1', `%${secret}%`)).toEqual([])
}

test('only the assigned reviewer is offered the acts of a case, and only they may call them', async ({
  person,
}) => {
  const admin = await person('admin')
  const id = await fileCase(admin, 'Somebody else’s case')
  await openCase(admin, id)
  for (const name of ['Reject', 'Resolve case', 'Record activity', 'Refer external input', 'Upload'])
    await expect(admin.getByRole('button', { name, exact: true })).toHaveCount(0)
  const token = (await admin.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const refused = await admin.request.post('/api/admin/cases/resolve', {
    headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': decodeURIComponent(token) },
    data: { complain_id: id, action: 'resolve' },
  })
  expect(refused.status()).toBe(403)
  expect(await row('select status from cases where id = $1', id)).toEqual({ status: 'new' })
})

test('a school officer finds the cases she filed by the menu', async ({ person }) => {
  const officer = await person('school')
  await officer.goto('/home')
  await officer.getByRole('navigation').getByRole('link', { name: 'Cases' }).click()
  await expect(officer).toHaveURL(/\/admin\/cases$/)
  await expect(officer.getByText('The cases that you filed or review')).toBeVisible()
  await expect(officer.getByRole('table').getByRole('link').first()).toBeVisible()
  await expect(officer.getByRole('button', { name: 'Create case' })).toHaveCount(0)
})

test('a reviewer finds a case by a word, by button or Enter, and reads when none matches', async ({
  person,
}) => {
  const reviewer = await person('reviewer')
  const title = 'Kiosk closed on market day'
  await fileCase(await person('admin'), title)
  await reviewer.goto('/admin/cases')
  const box = reviewer.getByRole('searchbox')
  await box.fill('kiosk closed')
  await reviewer.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(reviewer).toHaveURL(/search_term=kiosk/)
  await expect(reviewer.getByRole('row').filter({ hasText: title })).toBeVisible()
  await expect(reviewer.locator('tbody tr')).toHaveCount(1)
  await expectAccessible(reviewer, 'a search')
  await box.fill('zzzzzz')
  await box.press('Enter')
  await expect(reviewer.getByText('Nothing matches your search')).toBeVisible()
})

test('a reviewer filters by one button with the keyboard, and removes a filter by its chip', async ({
  person,
}) => {
  for (const width of [1280, 360]) {
    const reviewer = await person('reviewer', { width })
    await reviewer.goto('/admin/cases?priority=high_1_day')
    const button = reviewer.getByRole('main').getByRole('button', { name: 'Filters', exact: false }).first()
    await expect(button).toHaveText(/Filters\s*1/)
    await expect(reviewer.getByRole('main').getByRole('combobox', { name: 'Category' })).toHaveCount(0)
    await button.press('Enter')
    const panel = reviewer.getByRole('dialog', { name: 'Filters' })
    await expect(panel.getByRole('combobox')).toHaveCount(5)
    await expect(panel.getByLabel('Priority')).toBeFocused()
    await expect(panel.getByLabel('Priority')).toHaveValue('high_1_day')
    await panel.getByLabel('Due').selectOption('overdue')
    await expect(reviewer).toHaveURL(/\?priority=high_1_day&due=overdue$/)
    await expectAccessible(reviewer, `the filters at ${width}`)
    await expectNoSidewaysScroll(reviewer, `the filters at ${width}`)
    await reviewer.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button).toBeFocused()
    const chip = reviewer.getByRole('button', { name: 'Remove filter Priority: High - 1 Day' })
    await chip.press('Enter')
    await expect(reviewer).toHaveURL(/\?due=overdue$/)
    await expect(chip).toHaveCount(0)
    await expect(button).toBeFocused()
    await expectAccessible(reviewer, `a filtered list at ${width}`)
    await expectNoSidewaysScroll(reviewer, `a filtered list at ${width}`)
  }
})

test('a reviewer finds what is hers and overdue at the top, and opens it by its title', async ({
  person,
}) => {
  const title = `Overdue at the top ${Date.now()}`
  const id = await fileCase(await person('admin'), title)
  await rows(`update cases set created_at = now() - interval '400 days' where id = $1 returning id`, id)
  const reviewer = await person('reviewer')
  await reviewer.goto('/admin/cases')
  await expect(reviewer.getByText('Yours that are overdue come first, then the newest.')).toBeVisible()
  const first = reviewer.locator('tbody tr').first()
  await expect(first).toContainText(title)
  await expect(first).toContainText('Overdue')
  await reviewer.getByRole('button', { name: 'Filing date' }).click()
  await expect(reviewer).toHaveURL(/sort=created_at$/)
  await reviewer.getByRole('button', { name: 'Put mine that are overdue first' }).click()
  await expect(reviewer).toHaveURL(/sort=-mine_overdue$/)
  await first.getByRole('link', { name: title, exact: true }).click()
  await expect(reviewer).toHaveURL(new RegExp(`/admin/cases/${id}/details$`))
  await expect(reviewer.getByRole('heading', { name: title })).toBeVisible()
})
