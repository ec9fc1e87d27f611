import { addUser, type Colleague, fullName, rowAct, setPassword, signInAs } from '../accounts.ts'
import { codeOf } from '../authenticator.ts'
import { row, rows } from '../database.ts'
import { linkTo } from '../outbox.ts'
import { expect, test } from '../test.ts'

const colleague = (first_name: string): Colleague => ({
  first_name,
  last_name: 'Sidibé',
  email: `${first_name.toLowerCase()}.sidibe@portal.example`,
  password: `quatre mots pour ${first_name}`,
})

test('whoever forgot her password asks for a link, and whoever has no account reads the same', async ({
  person,
}) => {
  const oumou = colleague('Oumou')
  const admin = await person('admin')
  await addUser(admin, oumou)
  const visitor = await person(null)
  await setPassword(visitor, oumou)

  const messages: (string | null)[] = []
  for (const email of ['nobody@portal.example', oumou.email]) {
    await visitor.goto('/login')
    await visitor.getByRole('link', { name: 'Forgot password?' }).click()
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByRole('button', { name: 'Send the link' }).click()
    await expect(visitor.getByRole('status')).toBeVisible()
    messages.push(await visitor.getByRole('status').textContent())
  }
  expect(messages[0]).toBe(messages[1])

  const link = await linkTo(oumou.email, 2)
  await visitor.goto(link)
  await visitor.getByLabel('New password').fill('too short')
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor.getByLabel('New password')).toHaveAccessibleDescription(/12 to 200 characters\./)
  oumou.password = 'cinq mots pour la même Oumou'
  await setPassword(visitor, oumou, undefined, 2)
  await expect(visitor.getByRole('link', { name: 'Ask for a new link' })).toBeHidden()
  await visitor.getByRole('link', { name: 'Sign in' }).click()
  await signInAs(visitor, oumou)
  await expect(visitor).toHaveURL(/\/home$/)

  const later = await person(null)
  await later.goto(link)
  await later.getByLabel('New password').fill('une autre phrase encore')
  await later.getByRole('button', { name: 'Set password' }).click()
  await expect(later.getByRole('alert')).toContainText(/link/i)
  await later.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(later.getByRole('heading', { name: 'Forgot password?' })).toBeVisible()
})

test('an invited colleague who lost her letter gets another, and only its link leads in', async ({
  person,
}) => {
  const kadia = colleague('Kadia')
  const admin = await person('admin')
  await addUser(admin, kadia)
  const first = await linkTo(kadia.email)
  await rowAct(admin, fullName(kadia), 'Send the invitation again')
  const dialog = admin.getByRole('dialog', { name: 'Send the invitation again' })
  await expect(dialog).toContainText(kadia.email)
  await dialog.getByRole('button', { name: 'Send the invitation again' }).click()
  await expect(dialog).toBeHidden()
  const visitor = await person(null)
  await setPassword(visitor, kadia, undefined, 2)
  expect(await linkTo(kadia.email, 2)).not.toBe(first)
  await signInAs(visitor, kadia)
  await expect(visitor).toHaveURL(/\/home$/)
  await admin.goto(`/admin/users?search=${encodeURIComponent(kadia.email)}`)
  await admin.getByRole('button', { name: `Actions for ${fullName(kadia)}` }).click()
  await expect(admin.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await expect(admin.getByRole('menuitem', { name: 'Send the invitation again' })).toHaveCount(0)
})

test('a person who is deactivated is led to the sign-in at her next call, and back once she may', async ({
  person,
}) => {
  test.setTimeout(240_000)
  const sira = colleague('Sira')
  const admin = await person('admin')
  await addUser(admin, sira)
  const visitor = await person(null)
  await setPassword(visitor, sira)
  await signInAs(visitor, sira)
  await expect(visitor).toHaveURL(/\/home$/)
  await visitor.goto('/profile')
  await expect(visitor.getByRole('heading', { name: 'My profile' })).toBeVisible()

  await admin.getByRole('button', { name: `Deactivate ${fullName(sira)}` }).click()
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: `Deactivate ${fullName(sira)}` })
    .click()
  await expect(admin.getByRole('button', { name: `Activate ${fullName(sira)}` })).toBeVisible()

  // The next call of her open tab: by her own hand, or one of those that a tab makes by itself. The bell shows what was read less
  // than ten seconds ago without a call, so she opens it until it reads.
  const bell = visitor.getByRole('button', { name: /^Notifications/ })
  await expect(async () => {
    await bell.click({ timeout: 1000 }).catch(() => {})
    await expect(visitor).toHaveURL(/\/login\?next=%2Fprofile$/, { timeout: 2000 })
  }).toPass()
  await signInAs(visitor, sira)
  await expect(visitor.getByRole('alert')).toBeVisible()

  await admin.getByRole('button', { name: `Activate ${fullName(sira)}` }).click()
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: `Activate ${fullName(sira)}` })
    .click()
  await expect(admin.getByRole('button', { name: `Deactivate ${fullName(sira)}` })).toBeVisible()
  await signInAs(visitor, sira)
  await expect(visitor).toHaveURL(/\/profile$/)
  await expect(visitor.getByRole('heading', { name: 'My profile' })).toBeVisible()
})

test('a person turns on one-time codes, signs in with one, and with a recovery code only once', async ({
  person,
}) => {
  const nana = colleague('Nana')
  const admin = await person('admin')
  await addUser(admin, nana)
  const visitor = await person(null)
  await setPassword(visitor, nana)
  await signInAs(visitor, nana)
  await expect(visitor).toHaveURL(/\/home$/)
  await visitor.goto('/profile')
  await visitor.getByRole('button', { name: 'Set up one-time codes' }).click()
  const dialog = visitor.getByRole('dialog', { name: 'Set up one-time codes' })
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const code = dialog.getByRole('textbox', { name: 'Code' })
  const secret = (await dialog.locator('.qr-key').textContent()) ?? ''
  await code.fill('000000')
  await dialog.getByRole('button', { name: 'Turn on one-time codes' }).click()
  await expect(code).toHaveAccessibleDescription(/This code is not right\./)
  // Now this code and later the next one: neither has ended when it arrives, however slow the machine.
  await code.fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on one-time codes' }).click()
  const kept = visitor.getByRole('dialog', { name: 'Keep your recovery codes' })
  await expect(kept.getByRole('listitem').first()).toBeVisible()
  const [recovery = ''] = await kept.getByRole('listitem').allTextContents()
  await kept.getByRole('button', { name: 'I have kept them' }).click()

  const signIn = async (code: string) => {
    const page = await person(null)
    await page.goto('/login')
    await expect(page.getByLabel('One-time code')).toBeHidden()
    await signInAs(page, nana)
    await expect(page.getByLabel('One-time code')).toBeFocused()
    await page.getByLabel('One-time code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }
  await expect(await signIn(codeOf(secret, 1))).toHaveURL(/\/home$/)
  await expect(await signIn(recovery)).toHaveURL(/\/home$/)
  const again = await signIn(recovery)
  await expect(again.getByLabel('One-time code')).toHaveAccessibleDescription(/not right/)

  await visitor.goto('/profile')
  const count = await row<{ left: number }>(
    `select count(*)::int as left from recovery_codes c join users u on u.id = c.user_id
     where u.email = $1 and c.used_at is null`,
    nana.email,
  )
  await expect(visitor.getByText(`${count.left} recovery codes are left.`)).toBeVisible()

  await visitor.getByRole('button', { name: 'New recovery codes' }).click()
  await visitor
    .getByRole('dialog', { name: 'New recovery codes' })
    .getByRole('button', { name: 'Replace the recovery codes' })
    .click()
  await expect(kept.getByRole('listitem').first()).toBeVisible()
  expect(await kept.getByRole('listitem').allTextContents()).not.toContain(recovery)
  await kept.getByRole('button', { name: 'I have kept them' }).click()
  await expect(visitor.getByText('10 recovery codes are left.')).toBeVisible()

  // Whoever lost phone and codes asks an administrator.
  await admin.goto('/admin/users')
  await rowAct(admin, fullName(nana), 'Turn off one-time codes')
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: /^Turn off the codes/ })
    .click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  const plain = await person(null)
  await signInAs(plain, nana)
  await expect(plain).toHaveURL(/\/home$/)
})

test('an approver whose role asks for one-time codes is led to her profile, sets them up and goes on', async ({
  person,
}) => {
  const niagale = colleague('Niagale')
  const admin = await person('admin')
  await addUser(admin, niagale)
  const approver = await person(null)
  await setPassword(approver, niagale)
  await rows(
    `with made as (insert into roles (name, requires_totp) values ('Role that asks for codes', true) returning id),
       granted as (insert into role_permissions (role_id, permission_id)
         select made.id, p.id from made, permissions p where p.name in ('transfers.view', 'cohorts.approve'))
     insert into user_roles (user_id, role_id) select u.id, made.id from made, users u where u.email = $1`,
    niagale.email,
  )
  await approver.goto('/login?next=%2Fadmin%2Ftransfers%2Fcohorts')
  await signInAs(approver, niagale)
  await expect(approver).toHaveURL(/\/profile$/)
  const dialog = approver.getByRole('dialog', { name: 'Set up one-time codes' })
  await expect(dialog.getByText('Your roles ask for one-time codes.')).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(approver.getByText('Until you have set them up, only your profile is open')).toBeVisible()
  await expect(approver.getByRole('button', { name: /^Notifications/ })).toHaveCount(0)
  await approver.goto('/home')
  await expect(approver).toHaveURL(/\/profile$/)

  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const secret = (await dialog.locator('.qr-key').textContent()) ?? ''
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on one-time codes' }).click()
  await approver
    .getByRole('dialog', { name: 'Keep your recovery codes' })
    .getByRole('button', { name: 'I have kept them' })
    .click()
  await expect(approver.getByText('so they cannot be turned off.')).toBeVisible()
  await expect(approver.getByRole('button', { name: 'Turn off' })).toHaveCount(0)
  await approver
    .getByRole('navigation')
    .getByRole('link', { name: /^Transfers/ })
    .click()
  await expect(approver).toHaveURL(/\/admin\/transfers/)
  await expect(approver.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a person changes her name, language and password, and ends a session elsewhere', async ({ person }) => {
  const awa = colleague('Awa')
  const admin = await person('admin')
  await addUser(admin, awa)
  const here = await person(null)
  await setPassword(here, awa)
  await signInAs(here, awa)
  await expect(here).toHaveURL(/\/home$/)
  const elsewhere = await person(null)
  await signInAs(elsewhere, awa)
  await expect(elsewhere).toHaveURL(/\/home$/)

  await here.goto('/profile')
  await here.getByLabel('First name').fill('')
  await here.getByRole('button', { name: 'Update Profile' }).click()
  await expect(here.getByRole('alert')).toContainText('The form has errors')
  await here.getByLabel('First name').fill('Awa Marie')
  await here.getByRole('button', { name: 'Update Profile' }).click()
  await expect(here.getByRole('banner')).toContainText('Awa Marie')

  await here.getByRole('button', { name: /^Sign out: / }).click()
  await here.getByRole('dialog').getByRole('button', { name: 'Sign out this device' }).click()
  await expect(here.getByRole('button', { name: /^Sign out: / })).toHaveCount(0)
  await elsewhere.goto('/home')
  await expect(elsewhere).toHaveURL(/\/login/)

  await here.getByLabel('Current password').fill('not the password')
  await here.getByLabel('New password').fill('six mots de plus pour Awa')
  await here.getByRole('button', { name: 'Change password' }).click()
  await expect(here.getByLabel('Current password')).toHaveAccessibleDescription(/\./)
  await here.getByLabel('Current password').fill(awa.password)
  await rows(
    `update sessions set created_at = now() - interval '6 minutes'
     where user_id = (select id from users where email = $1)`,
    awa.email,
  )
  // Reads that set out with the session of before are answered after that session has ended.
  const before = (await here.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const replaced = Promise.withResolvers<void>()
  let isReplaced = false
  await here.route('**/api/sessions', async (route) => {
    if (isReplaced) return route.continue()
    await replaced.promise
    const headers = { ...(await route.request().allHeaders()), cookie: before }
    // A later read of the same list breaks off an earlier one.
    await route.fulfill({ response: await route.fetch({ headers }) }).catch(() => {})
  })
  await here.getByRole('button', { name: 'Change password' }).click()
  const confirming = here.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirming.getByLabel('Password', { exact: true }).fill(awa.password)
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  await expect(here.getByLabel('New password')).toHaveValue('')
  const answered = (status: number) =>
    here.waitForResponse((answer) => answer.url().endsWith('/api/sessions') && answer.status() === status)
  const answers = Promise.all([answered(401), answered(200)])
  const opened: string[] = []
  here.on('framenavigated', (frame) => opened.push(frame.url()))
  isReplaced = true
  replaced.resolve()
  await answers
  expect(opened).toEqual([])

  const language = here.getByRole('combobox', { name: 'Language' })
  await language.selectOption('fr')
  await here.locator('form').filter({ has: language }).getByRole('button', { name: 'Save' }).click()
  await expect(here.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(here.getByRole('heading', { name: 'Mon profil' })).toBeVisible()

  // Another browser, whose own language is English.
  const third = await person(null)
  await signInAs(third, { ...awa, password: 'six mots de plus pour Awa' })
  await expect(third.locator('html')).toHaveAttribute('lang', 'fr')
  const [stored] = await rows(`select first_name, locale from users where email = $1`, awa.email)
  expect(stored).toEqual({ first_name: 'Awa Marie', locale: 'fr' })
})
