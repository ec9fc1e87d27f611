import type { Page } from '@playwright/test'
import { contractVersion } from '@portal/sdk/registry'
import { newName } from '../faults/probe.ts'
import { expect, goBy, install, makeProbe, test } from '../faults/test.ts'
import { drawn } from '../openings.ts'

const probe = makeProbe({ name: newName('leaving'), contract: contractVersion })
const typed = 'Typed and not saved'
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave this page?' })
const answer = (page: Page, word: 'Leave' | 'Stay') =>
  question(page).getByRole('button', { name: word, exact: true }).click()
const isAt = (page: Page, path: string) => expect(page).toHaveURL((url) => url.pathname === path)
/** Goes back as the browser's button does, whether or not the page lets itself be left. */
const goBack = (page: Page) => page.evaluate(() => window.history.back())

/** On the form of the probe, come to by its list, with something typed. */
async function typing(page: Page) {
  await page.goto(probe.route)
  await page.getByRole('main').getByRole('link', { name: 'Probe form' }).click()
  await page.getByLabel('Note').fill(typed)
}

test.beforeEach(({ line }) => install(line, { probe }))

test('a person who has typed something is asked before a link or Back takes her elsewhere, as often as she stays', async ({
  person,
}) => {
  const admin = await person('admin')
  await typing(admin)
  const stays = async () => {
    await answer(admin, 'Stay')
    await expect(question(admin)).toHaveCount(0)
    await isAt(admin, `${probe.route}/form`)
    await expect(admin.getByLabel('Note')).toHaveValue(typed)
  }
  for (const _ of [1, 2]) {
    await goBy(admin, 'Cases')
    await stays()
    await goBack(admin)
    await stays()
  }
  await test.step('she agrees to Back, and is asked no more', async () => {
    await goBack(admin)
    await answer(admin, 'Leave')
    await isAt(admin, probe.route)
    await expect(admin.getByRole('heading', { name: 'Probe list' })).toBeVisible()
    await goBy(admin, 'Cases')
    await isAt(admin, '/admin/cases')
  })
  await test.step('Back and Forward find every page again, and the form empty', async () => {
    await admin.goBack()
    await isAt(admin, probe.route)
    await admin.goForward()
    await isAt(admin, '/admin/cases')
    await admin.goBack()
    await admin.getByRole('main').getByRole('link', { name: 'Probe form' }).click()
    await expect(admin.getByLabel('Note')).toHaveValue('')
  })
  await test.step('she agrees to a link', async () => {
    await admin.getByLabel('Note').fill(typed)
    await goBy(admin, 'Cases')
    await answer(admin, 'Leave')
    await isAt(admin, '/admin/cases')
    await expect(admin.getByRole('heading', { name: 'Case Management', level: 1 })).toBeVisible()
  })
})

test('a person who answers with Back to the page she is on stays there, and is asked again', async ({
  person,
}) => {
  const admin = await person('admin')
  const openProfile = async () => {
    await admin.getByRole('button', { name: 'Administrator' }).click()
    await admin.getByRole('menuitem', { name: 'My profile' }).click()
    await isAt(admin, '/profile')
  }
  await admin.goto('/home')
  await openProfile()
  await openProfile()
  await admin.getByLabel('First name').fill(typed)
  await goBy(admin, 'Cases')
  await expect(question(admin)).toBeVisible()
  await goBack(admin)
  await expect(question(admin)).toHaveCount(0)
  await isAt(admin, '/profile')
  await expect(admin.getByLabel('First name')).toHaveValue(typed)
  await goBy(admin, 'Cases')
  await answer(admin, 'Leave')
  await isAt(admin, '/admin/cases')
})

test('a person who goes back while her form is sent is asked, and finds what she typed if it could not be saved', async ({
  person,
  expected,
}) => {
  expected.push(/Failed to load resource/)
  const admin = await person('admin')
  const name = `Sent ${newName('role')}`
  const sends = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  let tries = 0
  await admin.route('**/api/admin/roles', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const at = tries++
    await sends[at]?.promise
    return at === 0 ? route.fulfill({ status: 502, body: '' }) : route.fallback()
  })
  await admin.goto('/admin/users')
  await admin.getByRole('main').getByRole('link', { name: 'Roles & Permissions' }).click()
  await isAt(admin, '/admin/roles')
  await admin.getByRole('button', { name: 'Create role' }).first().click()
  const form = admin.getByRole('dialog', { name: 'Create role' })
  const send = () => form.getByRole('button', { name: 'Create role' }).click()
  await form.getByLabel('Role name').fill(name)
  await send()
  await goBack(admin)
  await answer(admin, 'Stay')
  await isAt(admin, '/admin/roles')
  sends[0]?.resolve()
  await expect(form.getByRole('alert')).toBeVisible()
  await expect(form.getByLabel('Role name')).toHaveValue(name)
  await test.step('once it is saved there is nothing to ask', async () => {
    await send()
    await goBack(admin)
    await expect(question(admin)).toBeVisible()
    sends[1]?.resolve()
    await expect(question(admin)).toHaveCount(0)
    await expect(form).toHaveCount(0)
    await isAt(admin, '/admin/roles')
    await goBy(admin, 'Cases')
    await isAt(admin, '/admin/cases')
  })
})

test('the browser asks a person with unsaved changes before she reloads or closes the tab', async ({
  person,
}) => {
  const admin = await person('admin')
  await typing(admin)
  // A browser asks only where somebody has pressed something.
  await admin.getByLabel('Note').click()
  const asks = async (act: () => unknown) => {
    const [dialog] = await Promise.all([admin.waitForEvent('dialog'), act()])
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(admin.getByLabel('Note')).toHaveValue(typed)
  }
  await asks(() => admin.evaluate(() => void setTimeout(() => window.location.reload())))
  await asks(() => admin.close({ runBeforeUnload: true }))
  await admin.getByRole('button', { name: 'Save the note' }).click()
  await expect(admin.getByLabel('Note')).toHaveValue('')
  await admin.reload()
  await expect(admin.getByLabel('Note')).toHaveValue('')
})

test('a person with a stale tab reloads the document at the next link, with its search and fragment', async ({
  person,
  line,
}) => {
  const admin = await person('admin')
  await admin.clock.install()
  // The address changes before the document does.
  const isNew = () =>
    expect(async () => {
      expect(await admin.evaluate(() => 'old' in window)).toBe(false)
    }).toPass({ timeout: 20_000 })
  let newer = 0
  const growsOld = async () => {
    await admin.evaluate(() => Object.assign(window, { old: true }))
    newer += 1
    line.tell((registry) => ({ ...registry, generation: registry.generation + newer }))
    const asked = admin.waitForResponse('**/modules.json')
    await admin.clock.fastForward(5 * 60_000 + 1000)
    await asked
    // By the time a second answer has come, the page has read the first.
    await admin.evaluate(async () => (await fetch('/modules.json')).text())
  }
  await admin.goto('/admin/users?search=admin#page')
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  await goBy(admin, 'Cases')
  await expect(admin.getByRole('heading', { name: 'Case Management', level: 1 })).toBeVisible()
  await growsOld()
  await test.step('by Back', async () => {
    await admin.goBack()
    await expect(admin).toHaveURL(/\/admin\/users\?search=admin#page$/)
    await isNew()
    await expect(admin.getByRole('searchbox').first()).toHaveValue('admin')
  })
  await growsOld()
  await test.step('by a link of a page', async () => {
    await admin.getByRole('main').evaluate((main) => {
      const link = Object.assign(document.createElement('a'), { href: '/admin/cases?search=C#page' })
      main.querySelector('.page-body')?.append(Object.assign(link, { textContent: 'Further' }))
    })
    await admin.getByRole('link', { name: 'Further' }).click()
    await expect(admin).toHaveURL(/\/admin\/cases\?search=C#page$/)
    await isNew()
    await expect(admin.getByRole('heading', { name: 'Case Management', level: 1 })).toBeVisible()
  })
})

test('a person who goes back finds the scroll position, a new page starts at the top, and sorting does not scroll', async ({
  person,
}) => {
  const admin = await person('admin')
  const height = () => admin.evaluate(() => Math.round(window.scrollY))
  await admin.goto('/admin/schools')
  const rows = admin.getByRole('main').getByRole('table').getByRole('row')
  await drawn(admin)
  await expect(rows.nth(5)).toBeVisible()
  await admin.mouse.wheel(0, 240)
  let left = 0
  await expect(async () => {
    const before = left
    left = await height()
    expect(left).toBeGreaterThan(50)
    expect(left, 'scrolled to the end').toBe(before)
  }).toPass({ timeout: 20_000 })
  await goBy(admin, 'Cases')
  await expect(admin.getByRole('heading', { name: 'Case Management', level: 1 })).toBeVisible()
  await expect.poll(height).toBe(0)
  await admin.goBack()
  await expect(rows.nth(5)).toBeVisible()
  await expect.poll(height).toBe(left)
  // Pressed without a pointer, which the test's browser would first scroll to.
  const heading = admin.getByRole('main').getByRole('button', { name: 'School name' }).first()
  await heading.evaluate((button: HTMLElement) => button.click())
  await expect(admin).toHaveURL(/sort=/)
  expect(await height()).toBe(left)
})

test('a person reads that a page of the shell did not load, and opens it with a retry', async ({
  person,
  line,
  expected,
}) => {
  expected.push(/Failed to load resource/, /Loading chunk/, /ChunkLoadError/)
  const admin = await person('admin')
  await admin.goto('/home')
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  line.break(/^\/assets\/attendance\./, 'missing')
  await goBy(admin, 'Attendance')
  await expect(admin.getByText('This page has stopped')).toBeVisible()
  line.mend()
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByRole('heading', { name: 'Attendance', level: 1 })).toBeVisible()
})
