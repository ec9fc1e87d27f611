import { expect, type Page } from '@playwright/test'
import { roleName } from '@portal/contracts/access/role-names'
import { linkTo } from './outbox.ts'
import { english, type Say } from './words.ts'

/** Somebody whom a journey invites. */
export type Colleague = { first_name: string; last_name: string; email: string; password: string }

/** A colleague with this name, whom no other journey adds. */
export const colleague = (first_name: string): Colleague => ({
  first_name,
  last_name: 'Sidibé',
  email: `${first_name.toLowerCase()}.sidibe@portal.example`,
  password: `quatre mots pour ${first_name}`,
})

export const fullName = ({ first_name, last_name }: Colleague) => `${first_name} ${last_name}`

/** Fills in and sends the form of a new account. */
export async function addUser(admin: Page, colleague: Colleague, say: Say = english): Promise<void> {
  await admin.goto('/admin/users')
  await admin.getByRole('button', { name: say('Add user') }).click()
  const dialog = admin.getByRole('dialog', { name: say('Add user') })
  await dialog.getByLabel(say('First name')).fill(colleague.first_name)
  // In French its label is part of the other's.
  await dialog.locator('[name=last_name]').fill(colleague.last_name)
  await dialog.getByLabel(say('Email')).fill(colleague.email)
  await dialog.locator('[name=user_title]').selectOption('mrs')
  await dialog.locator('[name=gender]').selectOption('female')
  await dialog.locator('[name=type]').selectOption('developer')
  await dialog.getByRole('button', { name: say('Add user') }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('row').filter({ hasText: colleague.email })).toBeVisible()
}

/** Opens the link of her letter and sets her password there. */
export async function setPassword(
  visitor: Page,
  colleague: Colleague,
  say: Say = english,
  letters = 1,
): Promise<void> {
  await visitor.goto(await linkTo(colleague.email, letters))
  await visitor.getByLabel(say('New password')).fill(colleague.password)
  await visitor.getByRole('button', { name: say('Set password') }).click()
  await expect(visitor.getByRole('status')).toBeVisible()
}

/** Signs in by the form, from wherever it is shown. */
export async function signInAs(page: Page, colleague: Colleague, say: Say = english): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login')
  await page.getByLabel(say('Email')).fill(colleague.email)
  await page.getByLabel(say('Password'), { exact: true }).fill(colleague.password)
  await page.getByRole('button', { name: say('Sign in') }).click()
}

/** Opens an act of a row's menu. */
export async function rowAct(page: Page, row: string, act: string, say: Say = english): Promise<void> {
  await page.getByRole('button', { name: say('Actions for {name}', { name: row }) }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

/** Gives a role from the list of users. */
export async function assignRole(
  admin: Page,
  colleague: Colleague,
  role: string,
  say: Say = english,
): Promise<void> {
  await rowAct(admin, fullName(colleague), say('Assign role'), say)
  const dialog = admin.getByRole('dialog', { name: say('Assign role') })
  await dialog.getByRole('combobox').selectOption({ label: roleName(role, say === english ? 'en' : 'fr') })
  await dialog.getByRole('button', { name: say('Assign role') }).click()
  await expect(dialog).toBeHidden()
}
