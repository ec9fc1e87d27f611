import type { Page } from '@playwright/test'
import { row, rows } from '../database.ts'
import { drawn, settled } from '../openings.ts'
import { emailOf, type Role } from '../people.ts'
import { place } from '../stage/place.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { speak } from '../visits.ts'

/** The portal tells somebody something, as it would after an act of somebody else. */
const notify = (role: Role, text: string, link: string | null) =>
  rows(
    `insert into notifications (user_id, text, link)
     select id, jsonb_build_object('en', $2::text, 'fr', $2::text), $3 from users where email = $1`,
    emailOf(role),
    text,
    link,
  )

const unreadOf = async (role: Role) =>
  (
    await row<{ n: number }>(
      `select count(*) as n from notifications n join users u on u.id = n.user_id where u.email = $1 and read_at is null and n.bell`,
      emailOf(role),
    )
  ).n

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ })

for (const width of [1280, 360]) {
  test(`a reviewer hears of what waits for her, follows it and marks the rest as read, ${width} wide`, async ({
    person,
  }) => {
    // No case becomes due on her bell while its lines are counted.
    await rows(
      `insert into notice_preferences (user_id, kind, bell, mail)
       select id, 'case-due', false, 'off' from users where email = $1 on conflict do nothing`,
      emailOf('reviewer'),
    )
    await notify('reviewer', `A case waits at ${width}.`, '/admin/cases')
    await notify('reviewer', `Something is only said at ${width}.`, null)
    const reviewer = await person('reviewer', width < 720 ? { width } : {})
    await reviewer.goto('/home')
    await expect(bell(reviewer)).toHaveAccessibleName(/unread: \d+/)
    await bell(reviewer).press('Enter')
    const sheet = reviewer.getByRole('dialog', { name: 'Notifications' })
    await expect(sheet.getByText(`A case waits at ${width}.`)).toBeVisible()
    await expectAccessible(reviewer, 'the notifications')
    await expectNoSidewaysScroll(reviewer, 'the notifications')
    await reviewer.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(bell(reviewer)).toBeFocused()

    const before = await unreadOf('reviewer')
    await bell(reviewer).click()
    await sheet.getByRole('link', { name: `A case waits at ${width}.` }).click()
    await expect(reviewer).toHaveURL(/\/admin\/cases$/)
    await expect(sheet).toBeHidden()
    await expect.poll(() => unreadOf('reviewer')).toBe(before - 1)

    await bell(reviewer).click()
    await sheet.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(bell(reviewer)).toHaveAccessibleName('Notifications')
    expect(await unreadOf('reviewer')).toBe(0)
  })
}

test('a person without notifications reads what they are for, and loads older ones on request', async ({
  person,
}) => {
  await rows(
    `delete from notifications where user_id = (select id from users where email = $1)`,
    emailOf('auditor'),
  )
  const auditor = await person('auditor')
  await auditor.goto('/home')
  await bell(auditor).click()
  const sheet = auditor.getByRole('dialog', { name: 'Notifications' })
  await expect(sheet.getByText('Nothing to tell you yet')).toBeVisible()
  for (let at = 1; at <= 20; at += 1) await notify('auditor', `News ${at}.`, '/home')
  await auditor.reload()
  await bell(auditor).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(15)
  await sheet.getByRole('button', { name: 'Show earlier' }).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(20)
  await expect(sheet.getByText('News 1.')).toBeVisible()
})

test('an officer works by single keys, never while she types, and can switch them off', async ({
  person,
}) => {
  const officer = await person('officer')
  await officer.goto('/home')
  const keys = officer.getByRole('dialog', { name: 'Keyboard shortcuts' })
  // The keys come after the page.
  await expect(async () => {
    await officer.keyboard.press('?')
    await expect(keys.getByText('Go to Transfers')).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(keys.getByText('Go to Users')).toHaveCount(0)
  await expectAccessible(officer, 'the list of keys')
  await officer.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  // The second key counts only soon after the first.
  await expect(async () => {
    await officer.keyboard.press('g')
    await officer.keyboard.press('t')
    await expect(officer).toHaveURL(/\/admin\/transfers$/, { timeout: 3000 })
  }).toPass()
  await officer.goto('/admin/transfers/cohorts/list')
  const field = officer.getByRole('searchbox')
  await expect(field).toBeVisible()
  await expect(async () => {
    // Pressed a second time it would be typed into the field that has the focus by then.
    await field.clear()
    await field.blur()
    await officer.keyboard.press('/')
    await expect(field).toBeFocused({ timeout: 2000 })
    await expect(field).toHaveValue('')
  }).toPass()
  await officer.keyboard.type('gh?')
  await expect(field).toHaveValue('gh?')
  await expect(officer).toHaveURL(/cohorts\/list/)

  await field.blur()
  await officer.keyboard.press('?')
  await keys.getByLabel('Use single keys').uncheck()
  await officer.keyboard.press('Escape')
  await officer.reload()
  await expect(officer.getByRole('table')).toBeVisible()
  await officer.keyboard.press('g')
  await officer.keyboard.press('h')
  await officer.keyboard.press('?')
  await expect(keys).toHaveCount(0)
  await expect(officer).toHaveURL(/cohorts\/list/)
})

test('the language changes over what is typed, in the frame and in the page', async ({ person }) => {
  const auditor = await person('auditor')
  await auditor.goto('/profile')
  const first = auditor.locator('#page input').first()
  await first.fill('Not yet saved')
  await auditor.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'FR' }).click()
  await expect(auditor.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(auditor.getByRole('navigation', { name: 'Navigation principale' })).toBeVisible()
  await expect(auditor.getByRole('heading', { name: 'Mon profil', level: 1 })).toBeVisible()
  await expect(first).toHaveValue('Not yet saved')
  await auditor.getByRole('group', { name: 'Langue' }).getByRole('button', { name: 'EN' }).click()
  await expect(auditor.locator('html')).toHaveAttribute('lang', 'en')
  await expect(first).toHaveValue('Not yet saved')
})

for (const locale of ['en', 'fr'] as const) {
  test(`a person at a small laptop reads the whole top bar in ${locale === 'fr' ? 'French' : 'English'}: nothing sticks out of its place`, async ({
    person,
  }) => {
    const approver = await person('approver')
    await speak(approver.context(), locale, place.url)
    // The longest ways to a page, just above the width at which the search becomes an icon, and on a usual screen.
    for (const width of [1101, 1280]) {
      await approver.setViewportSize({ width, height: 800 })
      for (const path of ['/home/attendance', '/admin/transfers/sending-hold']) {
        await settled(approver, path)
        const search = approver.getByRole('banner').getByRole('button', { name: searchLabel[locale] })
        await expect(search.locator('kbd')).toBeVisible()
        await expect.poll(() => sticksOut(approver), `${path}, ${width} wide`).toEqual([])
      }
    }
  })
}

const searchLabel = { en: 'Search or go to…', fr: 'Rechercher ou aller à…' }

/** What of the top bar reaches beyond the box that holds it, or into the next one. */
const sticksOut = (page: Page) =>
  page.getByRole('banner').evaluate((bar) => {
    const shown = [...bar.querySelectorAll<HTMLElement>('*')].filter(
      (each) => each.checkVisibility() && !each.closest('svg, .dot, .badge'),
    )
    const name = (each: Element) => `${each.tagName}.${each.className}: ${each.textContent?.slice(0, 40)}`
    const beyond = shown.filter((each) => {
      const { left, right } = each.getBoundingClientRect()
      const box = (each.parentElement ?? bar).getBoundingClientRect()
      return left < box.left - 1 || right > box.right + 1
    })
    const parts = [...bar.children].filter((each) => each.checkVisibility() && each.clientWidth > 0)
    const overlapping = parts.filter((each, at) => {
      const next = parts[at + 1]
      return next && each.getBoundingClientRect().right > next.getBoundingClientRect().left + 1
    })
    return [...beyond, ...overlapping].map(name)
  })

test('an administrator who opens an address reads its page from the top, and after a reload where she was', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.setViewportSize({ width: 1280, height: 500 })
  const scrolled = () => admin.evaluate(() => Math.round(window.scrollY))
  await settled(admin, '/admin/users')
  await admin.evaluate(() => window.scrollTo(0, 300))
  expect(await scrolled()).toBe(300)
  await settled(admin, '/admin/roles')
  expect(await scrolled()).toBe(0)
  await admin.evaluate(() => window.scrollTo(0, 100))
  await admin.reload()
  await drawn(admin)
  await expect.poll(scrolled).toBe(100)
})
