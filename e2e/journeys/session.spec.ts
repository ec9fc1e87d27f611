import type { Locator } from '@playwright/test'
import * as cohorts from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { emailOf, password, type Role, signIn, signOut } from '../people.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

const endSessionsOf = (role: Role) =>
  rows(
    `update sessions s set ended_at = now() from users u
     where u.id = s.user_id and u.email = $1 and s.ended_at is null`,
    emailOf(role),
  )

/** Sends the form, unless a call that the tab makes by itself has asked for the sign-in just before. */
async function uploadOrAsked(dialog: Locator, again: Locator): Promise<void> {
  await expect(async () => {
    if (await again.isVisible()) return
    await dialog.getByRole('button', { name: 'Upload target list' }).click({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

test('an officer whose session ends while she fills in a form signs in over it and loses nothing', async ({
  person,
}) => {
  const name = 'Kept through the night'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(3))
  const dialog = await cohorts.openUpload(officer, { name, file })
  const again = officer.getByRole('dialog', { name: 'Sign in again' })
  await endSessionsOf('officer')
  await uploadOrAsked(dialog, again)
  await expect(again.getByText('What you typed on this page is kept.')).toBeVisible()
  await expect(again.getByLabel('Email')).toHaveValue(emailOf('officer'))
  await expect(again.getByLabel('Password')).toBeFocused()
  await expectAccessible(officer, 'signing in again over a form')
  await again.getByLabel('Password').fill('not the password')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await expect(again.getByRole('alert')).toBeVisible()
  await again.getByLabel('Password').fill(password)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await expect(again).toBeHidden()

  await expect(dialog.getByLabel('Cohort name')).toHaveValue(name)
  await expect(dialog.getByText(`${name}.xlsx`)).toBeVisible()
  expect(await cohorts.countCohorts(name)).toBe(0)
  await dialog.getByRole('button', { name: 'Upload target list' }).click()
  await expect(officer.getByRole('dialog', { name }).getByText('Import finished')).toBeVisible({
    timeout: 60_000,
  })
  expect(await cohorts.countCohorts(name)).toBe(1)
})

test('a person who left a tab open changes nothing in the name of who signs in after her at the same computer', async ({
  person,
}) => {
  const officer = await person('officer')
  const name = 'Typed by the first'
  const dialog = await cohorts.openUpload(officer, { name, file: await workbook(name, await recipients(3)) })
  const next = await officer.context().newPage()
  await next.goto('/home')
  await signOut(next)
  await signIn(next, 'auditor')
  const again = officer.getByRole('dialog', { name: 'Sign in again' })
  await uploadOrAsked(dialog, again)
  await expect(again.getByLabel('Email')).toHaveValue(emailOf('officer'))
  expect(await cohorts.countCohorts(name)).toBe(0)
  await test.step('the first person may go on with it as herself', async () => {
    await again.getByLabel('Password').fill(password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await expect(again).toBeHidden()
    await expect(dialog.getByLabel('Cohort name')).toHaveValue(name)
    await dialog.getByRole('button', { name: 'Upload target list' }).click()
    await expect(officer.getByRole('dialog', { name }).getByText('Import finished')).toBeVisible({
      timeout: 60_000,
    })
  })
  await next.close()
})

test('a visitor who opens a link from a message signs in and stands where it leads', async ({ person }) => {
  const visitor = await person(null)
  await visitor.goto('/admin/transfers/cohorts/list?status=approved')
  await expect(visitor).toHaveURL(/\/login\?/)
  await signIn(visitor, 'auditor')
  await expect(visitor).toHaveURL(/\/admin\/transfers\/cohorts\/list\?status=approved$/)
  await expect(visitor.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible()
  await signOut(visitor)
  await visitor.goto('/home')
  await expect(visitor).toHaveURL(/\/login/)
})

test('a person whose browser fills in the sign-in for her downloads no part of the portal twice', async ({
  person,
}) => {
  const visitor = await person(null)
  const line = await visitor.context().newCDPSession(visitor)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  const brokenOff: string[] = []
  visitor.on('requestfailed', (request) => brokenOff.push(new URL(request.url()).pathname))
  await visitor.goto('/login')
  await signIn(visitor, 'auditor')
  expect(brokenOff.filter((path) => path.startsWith('/assets/'))).toEqual([])
})

test('a person on a slow line who presses Enter before the sign-in page is ready keeps what she typed', async ({
  person,
}) => {
  const visitor = await person(null)
  const ready = Promise.withResolvers<void>()
  await visitor.route('**/assets/*.js', async (route) => {
    await ready.promise
    await route.continue().catch(() => {})
  })
  await visitor.goto('/login', { waitUntil: 'commit' })
  const box = visitor.getByLabel('Password', { exact: true })
  await visitor.getByLabel('Email').fill(emailOf('auditor'))
  await box.fill(password)
  await box.press('Enter')
  await expect(visitor.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await expect(box).toHaveValue(password)
  ready.resolve()
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await expect(visitor).toHaveURL(/\/home$/)
})

test('a person who mistypes her password reads one sentence, and so does whoever has no account', async ({
  person,
}) => {
  const visitor = await person(null)
  const messages: (string | null)[] = []
  for (const email of [emailOf('officer'), 'nobody@portal.example']) {
    await visitor.goto('/login')
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByLabel('Password', { exact: true }).fill('not the password')
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await expect(visitor.getByRole('alert')).toBeVisible()
    messages.push(await visitor.getByRole('alert').textContent())
  }
  expect(messages[0]).toBe(messages[1])
})

test('a person who changes the language keeps what she typed, and finds it again', async ({ person }) => {
  const auditor = await person('auditor')
  await auditor.goto('/profile')
  await auditor.getByLabel('First name').fill('Typed and not saved')
  await auditor.getByRole('button', { name: 'FR', exact: true }).click()
  await expect(auditor.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(auditor.getByLabel('Prénom')).toHaveValue('Typed and not saved')
  await expect(auditor.getByRole('navigation').first()).toContainText('Transferts')
  await auditor.goto('/home')
  await expect(auditor.locator('html')).toHaveAttribute('lang', 'fr')
})

test.describe('without a line', () => {
  test.use({ expected: [/net::ERR_INTERNET_DISCONNECTED/] })

  test('a person whose sign-out does not reach the portal reads that she is still signed in', async ({
    person,
  }) => {
    const approver = await person(null)
    await signIn(approver, 'approver')
    const here = approver.url()
    await approver.route('**/api/logout', (route) => route.abort('internetdisconnected'))
    await approver.getByRole('banner').locator('[aria-haspopup="menu"]').last().click()
    await approver.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(approver.getByText('You are still signed in', { exact: false })).toBeVisible()
    expect(approver.url()).toBe(here)
    await approver.unroute('**/api/logout')
    await signOut(approver)
  })
})

test('a list keeps its page, order and search in the address through back, forward and reload', async ({
  person,
}) => {
  const officer = await person('school')
  await officer.goto('/admin/schools')
  const table = officer.getByRole('table', { name: 'Schools' })
  const first = table.getByRole('row').nth(1)
  await expect(first).not.toHaveText('')
  const firstOfAll = await first.textContent()
  await officer.getByRole('button', { name: 'School ID' }).click()
  await expect(officer).toHaveURL(/sort=admin_code/)
  await officer.getByRole('link', { name: 'Next page' }).click()
  await expect(officer).toHaveURL(/page=2/)
  await expect(officer.getByText(/^16-\d+ of \d+$/)).toBeVisible()
  const onPageTwo = await first.textContent()

  await officer.reload()
  await expect(officer.getByText(/^16-\d+ of \d+$/)).toBeVisible()
  await expect(first).toHaveText(onPageTwo ?? '')
  await officer.goBack()
  await expect(officer.getByText(/^1-15 of \d+$/)).toBeVisible()
  await officer.goBack()
  await expect(officer).toHaveURL(/\/admin\/schools$/)
  await expect(first).toHaveText(firstOfAll ?? '')
  await officer.goForward()
  await officer.goForward()
  await expect(first).toHaveText(onPageTwo ?? '')

  const { admin_code } = await row<{ admin_code: string }>(
    'select admin_code from schools order by id limit 1',
  )
  await officer.getByRole('searchbox', { name: 'School name or ID' }).fill(admin_code)
  await expect(officer).toHaveURL(new RegExp(`search=${admin_code}`))
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(first).toContainText(admin_code)
})
