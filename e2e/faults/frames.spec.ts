import { row, rows } from '../database.ts'
import { emailOf, password } from '../people.ts'
import { makeLive } from '../publish.ts'
import { expect, test } from '../test.ts'
import { makeProbe, newName } from './probe.ts'

const title = { en: 'Pumps', fr: 'Pompes' }
const name = newName('frames')
const probe = makeProbe({
  name,
  contract: '1.5.0',
  list: 'frames-list.js',
  more: {
    tabs: [{ id: 'count', on: 'school', title, permission: 'schools.view', order: 1 }],
    calls: ['POST /home/attendance/import'],
    preloads: { en: ['en.js'], fr: ['fr.js'], '/tabs/school/count': ['tab.js'] },
  },
})
const frameOf = 'iframe.module-frame'

test.beforeAll(() => makeLive(probe, { trusted: false }))

test('what a person may do, and her language, change in a frame without a reload', async ({
  person,
  expected,
}) => {
  expected.push(/401/)
  const email = emailOf('school')
  const { id } = await row<{ id: number }>(`select id from users where email = '${email}'`)
  const officer = await person('school')
  await officer.goto(probe.route)
  const frame = officer.frameLocator(frameOf)
  await expect(frame.getByText('May see users: no')).toBeVisible()
  await frame.getByRole('textbox', { name: 'First' }).fill('kept')
  await officer.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'FR' }).click()
  await expect(frame.getByRole('heading', { name: 'Liste de la sonde' })).toBeVisible()
  await expect(frame.getByText('Language fr')).toBeVisible()
  await officer.getByRole('group', { name: 'Langue' }).getByRole('button', { name: 'EN' }).click()
  await expect(frame.getByText('Language en')).toBeVisible()

  // She gets a second role, her session ends, and she signs in again over the page.
  await rows(
    `insert into user_roles (user_id, role_id) select ${id}, id from roles where name = 'Auditor' on conflict do nothing`,
  )
  try {
    await rows(`update sessions set ended_at = now() where user_id = ${id} and ended_at is null`)
    await frame.getByRole('button', { name: 'Send a file' }).click()
    const again = officer.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Password').fill(password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await expect(again).toBeHidden()
    await expect(frame.getByText('May see users: yes')).toBeVisible()
    await expect(frame.getByRole('textbox', { name: 'First' })).toHaveValue('kept')
  } finally {
    await rows(
      `delete from user_roles where user_id = ${id} and role_id in (select id from roles where name = 'Auditor')`,
    )
  }
})

test('somebody who sends a file from a frame sees how much of it is sent', async ({ person, expected }) => {
  expected.push(/403|422/)
  const admin = await person('admin')
  const line = await admin.context().newCDPSession(admin)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 },
  })
  await admin.goto(probe.route)
  const frame = admin.frameLocator(frameOf)
  await frame.getByRole('button', { name: 'Send a file' }).click()
  await expect(frame.getByText(/^Sent [1-9]\d*, the last 1$/)).toBeVisible()
  const [, steps] = /Sent (\d+)/.exec((await frame.getByText(/^Sent \d+/).textContent()) ?? '') ?? []
  expect(Number(steps)).toBeGreaterThan(1)
})

test('the keyboard goes into a frame and out of it in order, and the focus is seen', async ({ person }) => {
  const officer = await person('school')
  await officer.goto(probe.route)
  const frame = officer.frameLocator(frameOf)
  const first = frame.getByRole('textbox', { name: 'First' })
  const last = frame.getByRole('button', { name: 'Send a file' })
  const before = officer.getByRole('button', { name: /School Officer$/ })
  await expect(first).toBeVisible()
  // From the last control of the portal before the frame.
  await before.focus()
  await officer.keyboard.press('Tab')
  await expect(first).toBeFocused()
  await officer.keyboard.press('Tab')
  await expect(last).toBeFocused()
  expect(await last.evaluate((each) => getComputedStyle(each).outlineStyle)).not.toBe('none')
  await officer.keyboard.press('Shift+Tab')
  await officer.keyboard.press('Shift+Tab')
  await expect(before).toBeFocused()
})

test('the people of a team see how often a tab of theirs was opened', async ({ person }) => {
  const { id } = await row<{ id: number }>('select id from schools order by id limit 1')
  const officer = await person('school')
  await officer.goto(`/admin/schools/${id}/users?tab=${name}:count`)
  await expect(officer.frameLocator('iframe.part-frame').getByText(/knows/)).toBeVisible()
  const loads = () =>
    rows<{ path: string }>(
      `select path from module_reports where module = '${name}' and kind = 'load' and path like '/tabs/%'`,
    )
  await expect.poll(loads).toEqual([{ path: '/tabs/school/count' }])
})
