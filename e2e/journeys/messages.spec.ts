import { rows } from '../database.ts'
import { looked, report, send, someSchool, tokenOf } from '../devices.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const log = 'Recent messages sync log'

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an administrator lets a device send, sees why its message failed, and has it tried again', async ({
      person,
      say,
    }) => {
      const device = `Kobo ${language}`
      const unknown = `ML-NEW-${language.slice(0, 2).toUpperCase()}`
      const admin = await person('admin')
      await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await admin.goto('/admin/sync')
      await admin.getByRole('button', { name: say('Add device') }).click()
      const adding = admin.getByRole('dialog', { name: say('Add device') })
      await adding.getByRole('button', { name: say('Make its token') }).click()
      await expect(adding.locator('[aria-invalid=true]')).toBeFocused()
      await expectAccessible(admin, 'adding a device')
      await adding.locator('[name=name]').fill(device)
      await admin.keyboard.press('Enter')
      const made = admin.getByRole('dialog', { name: say('Keep this token') })
      const token = await made.getByText(/^[\w-]{43}$/).innerText()
      await expectAccessible(admin, 'a new token')
      await made.getByRole('button', { name: say('Copy') }).click()
      await expect.poll(() => admin.evaluate(() => navigator.clipboard.readText())).toBe(token)
      await made.getByRole('button', { name: say('I have kept it') }).click()
      await expect(admin.getByText(token)).toHaveCount(0)
      const stored = await rows('select encode(token_hash, $1) as hash from sync_tokens', 'escape')
      expect(JSON.stringify(stored)).not.toContain(token)

      const id = `${language} 1`
      expect(await send(token, [report(id, unknown, 41)])).toMatchObject({ status: 202 })
      await looked(id)
      await admin.goto('/home/messages')
      const line = admin
        .getByRole('table', { name: say(log) })
        .getByRole('row')
        .filter({ hasText: unknown })
      await expect(line).toContainText(say('Learner attendance'))
      await expect(line).toContainText(say('Failed'))
      await expectAccessible(admin, 'the log of messages')
      await line.getByRole('button').click()
      await admin.getByRole('menuitem', { name: say('See Details') }).click()
      const details = admin.getByRole('dialog')
      await expect(details.getByRole('definition').filter({ hasText: unknown })).toBeVisible()
      await expect(details).toContainText(say('It could not be processed.'))
      await expectAccessible(admin, 'a message')

      // The register learns of the school; the message is taken in when it is tried again.
      const school = await someSchool(language === 'English' ? 0 : 1)
      await rows('update schools set admin_code = $2 where id = $1', school.id, unknown)
      await details.getByRole('button', { name: say('Retry') }).click()
      // While the dialog is open, no row is found by its role.
      await expect(details).toBeHidden()
      await expect(line).toHaveCount(0)
      await expect
        .poll(
          () => rows('select 1 from synced_messages where message_id = $1 and processed_at is not null', id),
          { timeout: 60_000 },
        )
        .toHaveLength(1)
      await rows('update schools set admin_code = $2 where id = $1', school.id, school.admin_code)

      await admin.goto('/admin/sync')
      const listed = admin.getByRole('row').filter({ hasText: device })
      await listed.getByRole('button').click()
      await admin.getByRole('menuitem', { name: say('Revoke'), exact: true }).click()
      const revoking = admin.getByRole('dialog', { name: say('Revoke the token') })
      await expect(revoking).toBeVisible()
      await expectAccessible(admin, 'revoking a token')
      await revoking.getByRole('button', { name: say('Revoke this token') }).click()
      await expect(listed).toContainText(say('Revoked'))
      expect((await send(token, [report(`${language} 2`, school.admin_code, 40)])).status).toBe(401)
    })

    test('an officer reads in an empty log that all messages have been processed', async ({
      person,
      say,
    }) => {
      for (const width of [1280, 360]) {
        const officer = await person('officer', { width })
        await officer.route('**/api/home/messages*', (route) =>
          route.fulfill({
            json: {
              messages: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 },
              waiting: 0,
              failed: 0,
            },
          }),
        )
        await officer.goto('/home/messages')
        await expect(officer.getByText(say('All messages have been processed!'))).toBeVisible()
        await expectAccessible(officer, `an empty log at ${width}`)
        await expectNoSidewaysScroll(officer, `an empty log at ${width}`)
      }
    })
  })
}

test('the log is kept up to date while an officer reads a later page, and she may retry nothing', async ({
  person,
}) => {
  const admin = await person('admin')
  const token = await tokenOf(admin, 'Many')
  const ids = Array.from({ length: 18 }, (_, at) => `many ${at}`)
  await send(
    token,
    ids.map((id, at) => report(id, `ML-NONE-${at}`, 30)),
  )
  await looked(...ids)
  const officer = await person('officer', { width: 360 })
  await officer.goto('/home/messages?state=failed')
  await expectNoSidewaysScroll(officer, 'the log on a phone')
  await officer.getByRole('link', { name: 'Next page' }).click()
  await expect(officer).toHaveURL(/state=failed&page=2|page=2&state=failed/)
  const second = officer.getByText(/^16-\d+ of /)
  await expect(second).toBeVisible()
  const actions = officer.getByRole('button', { name: /Actions for/ }).first()
  await actions.click()
  await expect(officer.getByRole('menuitem', { name: 'See Details' })).toBeVisible()
  await expect(officer.getByRole('menuitem', { name: 'Retry' })).toHaveCount(0)
  await officer.getByRole('menuitem', { name: 'See Details' }).click()
  const details = officer.getByRole('dialog')
  await expect(details).toContainText('It could not be processed.')
  const words = await details.innerText()
  const polled = () => officer.waitForResponse((answer) => /home\/messages\?.*page=2/.test(answer.url()))
  await polled()
  await send(token, [report('one more', 'ML-NONE-X', 30)])
  await looked('one more')
  await polled()
  await expect(details).toBeVisible()
  expect(await details.innerText()).toBe(words)
  await officer.keyboard.press('Escape')
  await expect(second).toBeVisible()
  await officer.reload()
  await expect(second).toBeVisible()
})

test('an officer may not open the devices, nor have a message tried again', async ({ person }) => {
  const officer = await person('officer')
  await officer.goto('/admin/sync')
  await expect(officer.getByRole('main')).toContainText('Access Denied')
  await officer.goto('/home/messages')
  await expect(officer.getByRole('link', { name: 'Message devices' })).toHaveCount(0)
})

test('an administrator who goes offline keeps the messages on screen, and reads that she is offline', async ({
  person,
  expected,
}) => {
  expected.push(/Failed to load resource/)
  const admin = await person('admin')
  await settled(admin, '/home/messages')
  await admin.route('**/api/home/messages*', (route) => route.abort())
  await expect(admin.getByRole('main').getByRole('alert')).toContainText(
    'An unexpected error occurred. Please try again later.',
    { timeout: 60_000 },
  )
  // The next call of the timer would take the button away, so calls wait until it has been pressed.
  const pressed = Promise.withResolvers<void>()
  await admin.route('**/api/home/messages*', async (route) => {
    await pressed.promise
    await route.continue().catch(() => {})
  })
  await admin.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  pressed.resolve()
  await expect(admin.getByRole('main').getByRole('alert')).toHaveCount(0)
})
