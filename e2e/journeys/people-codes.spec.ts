import { addUser, colleague, fullName, rowAct, setPassword, signInAs } from '../accounts.ts'
import { codeOf } from '../authenticator.ts'
import { row, rows } from '../database.ts'
import { expect, test } from '../test.ts'

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
