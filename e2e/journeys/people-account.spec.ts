import { addUser, colleague, fullName, rowAct, setPassword, signInAs } from '../accounts.ts'
import { rows } from '../database.ts'
import { linkTo } from '../outbox.ts'
import { expect, test } from '../test.ts'

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
