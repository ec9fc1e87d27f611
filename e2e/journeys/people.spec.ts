import type { Page } from '@playwright/test'
import { addUser, assignRole, type Colleague, fullName, setPassword, signInAs } from '../accounts.ts'
import { row, rows } from '../database.ts'
import { leave, opened, settled } from '../openings.ts'
import { password } from '../people.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const colleagueOf = (language: string): Colleague => ({
  first_name: 'Hawa',
  last_name: `Coulibaly ${language}`,
  email: `hawa.${language.toLowerCase()}@portal.example`,
  password: 'quatre mots pour Hawa',
})

const sections = (page: Page) => page.getByRole('navigation').first()

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('a colleague is invited, sets a password from the mail, gets a role and sees only what it allows', async ({
      person,
      say,
    }) => {
      const hawa = colleagueOf(language)
      const admin = await person('admin')
      await addUser(admin, hawa, say)
      const invited = admin.getByRole('row').filter({ hasText: hawa.email })
      await expect(invited).toContainText(say('Invited'))

      const visitor = await person(null)
      await setPassword(visitor, hawa, say)
      await visitor.getByRole('link', { name: say('Sign in') }).click()
      await signInAs(visitor, hawa, say)
      await expect(visitor).toHaveURL(/\/home$/)
      for (const closed of ['Users', 'Transfers'])
        await expect(sections(visitor)).not.toContainText(say(closed))
      await visitor.goto('/admin/users')
      await expect(visitor.getByText(say('Access Denied: you may not open this page.'))).toBeVisible()

      const role = `Visitor ${language}`
      await makeRole(admin, role, say)
      await admin.goto('/admin/users')
      await expect(invited).not.toContainText(say('Invited'))
      await assignRole(admin, hawa, role, say)

      await visitor.goto('/admin/users')
      const her = visitor.getByRole('row').filter({ hasText: hawa.email })
      await expect(her).toContainText(role)
      await expect(sections(visitor)).toContainText(say('Users'))
      await expect(sections(visitor)).not.toContainText(say('Transfers'))
      await expect(visitor.getByRole('button', { name: say('Add user') })).toHaveCount(0)
      await expect(her.getByRole('button')).toHaveCount(0)
      await expect(visitor.getByRole('link', { name: say('Roles & Permissions') })).toHaveCount(0)

      await admin
        .getByRole('button', { name: say('Remove {held} from {name}', { held: role, name: fullName(hawa) }) })
        .click()
      const removal = admin.getByRole('dialog', { name: say('Remove role') })
      await removal.getByRole('button', { name: say('Remove {held}', { held: role }) }).click()
      await expect(removal).toBeHidden()
      await visitor.goto('/admin/users')
      await expect(visitor.getByText(say('Access Denied: you may not open this page.'))).toBeVisible()

      const stored = await row(
        `select email, account, password_hash is not null as has_password from users where email = $1`,
        hawa.email,
      )
      expect(stored).toEqual({ email: hawa.email, account: true, has_password: true })
      const events = await rows<{ event: string }>(
        `select a.event from audits a join users u on u.id = a.auditable_id and a.auditable_type = 'user'
         where u.email = $1 order by a.id`,
        hawa.email,
      )
      expect(events.map(({ event }) => event)).toEqual([
        'created',
        'invited',
        'password set',
        'signed in',
        'role assigned',
        'role removed',
      ])
    })
  })
}

async function makeRole(admin: Page, name: string, say: (text: string) => string) {
  await admin.goto('/admin/roles')
  await admin.getByRole('button', { name: say('Create role') }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel(say('Role name')).fill(name)
  await dialog.getByRole('button', { name: say('Create role') }).click()
  const made = admin.getByRole('row').filter({ hasText: name })
  await made.getByRole('button', { name: say('Assign Permissions') }).click()
  const submit = dialog.getByRole('button', { name: say('Assign Permissions') })
  await expect(submit).toBeDisabled()
  await dialog
    .getByRole('group', { name: say('Users'), exact: true })
    .getByLabel(say('view'))
    .check()
  await submit.click()
  await expect(dialog).toBeHidden()
  await expect(made).toContainText(`${say('Users')}`)
}

test('an administrator deletes a role after two sentences, and its holders lose it', async ({ person }) => {
  const admin = await person('admin')
  await makeRole(admin, 'Short-lived', (text) => text)
  await admin.getByRole('button', { name: 'Actions for Short-lived' }).click()
  await admin.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Delete role' })
  await expect(dialog).toContainText('Are you sure you want to delete this role?')
  await expect(dialog).toContainText(
    'This action will detach all associated users and permissions from this role.',
  )
  await dialog.getByRole('button', { name: 'Delete Short-lived' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('row').filter({ hasText: 'Short-lived' })).toHaveCount(0)
  expect(await rows(`select id from roles where name = 'Short-lived'`)).toEqual([])
})

test('an administrator who signed in long ago gives her password before a role is deleted', async ({
  person,
}) => {
  const admin = await person('admin')
  await makeRole(admin, 'Asked first', (text) => text)
  await rows("update sessions set created_at = now() - interval '10 minutes' where ended_at is null")
  await admin.getByRole('button', { name: 'Actions for Asked first' }).click()
  await admin.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Delete role' })
  await dialog.getByRole('button', { name: 'Delete Asked first' }).click()
  const proof = admin.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof).toBeVisible()
  await expectAccessible(admin, 'the question for the password over a dialog')
  expect(await rows(`select id from roles where name = 'Asked first'`)).toHaveLength(1)
  await proof.getByLabel('Password').fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  // The dialog below is hidden as long as the question is open, so it says nothing about the call.
  await expect.poll(() => rows(`select id from roles where name = 'Asked first'`)).toEqual([])
  await expect(proof).toBeHidden()
  await expect(dialog).toBeHidden()
})

test('an administrator reads at the field why an account cannot be made, and keeps what she typed', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.goto('/admin/users')
  await admin.getByRole('button', { name: 'Add user' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Add user' })
  const send = dialog.getByRole('button', { name: 'Add user' })
  // Only the names carry the mark; the others say in words that they are needed, before anything is sent.
  for (const label of ['Title', 'Gender', 'User type'])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription('Needed')
  await send.click()
  for (const label of ['First name', 'Last name'])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(/Fill in this field\./)
  for (const [label, word] of [
    ['Title', 'title'],
    ['Gender', 'gender'],
    ['User type', 'type'],
  ] as const)
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(new RegExp(`Choose a ${word}\\.`))

  await dialog.getByLabel('First name').fill('Second')
  await dialog.getByLabel('Last name').fill('Officer')
  await dialog.getByLabel('Email').fill('OFFICER@Portal.Example')
  await dialog.getByLabel('Title').selectOption('Mr')
  await dialog.getByLabel('Gender').selectOption('Male')
  await dialog.getByLabel('User type').selectOption('Developer')
  await send.click()
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription(/in use/)
  await expect(dialog.getByLabel('Last name')).toHaveValue('Officer')
  expect(await rows(`select id from users where first_name = 'Second' and last_name = 'Officer'`)).toEqual([])
})

test('an administrator cannot deactivate herself, and reads why before she tries', async ({ person }) => {
  const admin = await person('admin')
  await admin.goto('/admin/users?search=admin')
  await admin.getByRole('button', { name: /^Deactivate / }).click()
  const dialog = admin.getByRole('dialog', { name: 'Deactivate user' })
  await expect(dialog).toContainText('You cannot deactivate yourself.')
  await expect(dialog.getByRole('button', { name: /^Deactivate / })).toBeDisabled()
})

test(
  'an administrator uses the screens of people on a phone and with a screen reader',
  walked(false),
  async ({ person }) => {
    test.setTimeout(240_000)
    for (const width of [1280, 360]) {
      const admin = await person('admin', { width })
      for (const path of ['/admin/users', '/admin/roles', '/admin/users/audit/logs', '/profile']) {
        await settled(admin, path)
        await expectAccessible(admin, `${path} at ${width}`)
        await expectNoSidewaysScroll(admin, `${path} at ${width}`)
      }
      await admin.emulateMedia({ colorScheme: 'dark' })
      await settled(admin, '/admin/users/audit/logs')
      await expectAccessible(admin, `the audit log in the dark at ${width}`)
      const visitor = await person(null, { width })
      for (const path of ['/password/forgot', '/password/reset/somebodys-link']) {
        await visitor.goto(path)
        await expectAccessible(visitor, `${path} at ${width}`)
        await expectNoSidewaysScroll(visitor, `${path} at ${width}`)
      }
    }
  },
)

test('an administrator uses every dialog of users and roles by keyboard and screen reader', async ({
  person,
}) => {
  const admin = await person('admin')
  const inspect = async (what: string) => {
    await opened(admin)
    await expectAccessible(admin, what)
    await leave(admin)
  }
  await admin.goto('/admin/users?search=officer%40portal')
  await admin.getByRole('button', { name: 'Add user' }).click()
  await inspect('Add user')
  await admin.getByRole('button', { name: /^Deactivate / }).click()
  await inspect('Deactivate')
  await admin.getByRole('button', { name: /^Remove Transfer Officer from / }).click()
  await inspect('Remove role')
  for (const act of ['Edit', 'Assign role', 'Turn off one-time codes']) {
    await admin.getByRole('button', { name: /^Actions for / }).click()
    await admin.getByRole('menuitem', { name: act }).click()
    await inspect(act)
  }
  await admin.goto('/admin/roles?search=Officer')
  await admin.getByRole('button', { name: 'Create role' }).click()
  await inspect('Create role')
  for (const act of ['Edit', 'Assign Permissions', 'Delete']) {
    await admin.getByRole('button', { name: 'Actions for School Officer' }).click()
    await admin.getByRole('menuitem', { name: act }).click()
    await inspect(`role: ${act}`)
  }
})
