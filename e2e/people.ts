import { type BrowserContext, expect, type Page } from '@playwright/test'
import { rows } from './database.ts'
import { english, type Say } from './words.ts'

/** The demo's accounts, each with the shipped role of that name. */
export type Role = 'admin' | 'officer' | 'approver' | 'school' | 'reviewer' | 'auditor'

export const emailOf = (role: Role) => `${role}@portal.example`
export const password = 'portal-demo-2026'

/** Gives a browser the session of somebody who has signed in before, without the form, and has chosen no language yet. */
export async function giveSession(context: BrowserContext, role: Role): Promise<void> {
  await rows('update users set locale = null where email = $1', emailOf(role))
  await context.request.get('/api/session')
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await context.request.post('/api/login', {
    headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': decodeURIComponent(token) },
    data: { email: emailOf(role), password },
  })
  expect(answer.status(), `sign-in of ${role}`).toBe(200)
}

/** From wherever the sign-in form is shown, or from the front page. */
export async function signIn(page: Page, role: Role, say: Say = english): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login')
  await page.getByLabel(say('Email')).fill(emailOf(role))
  await page.getByLabel(say('Password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: say('Sign in') }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page).not.toHaveURL(/\/login/)
}

/** Through the menu of her own name. */
export async function signOut(page: Page, say: Say = english): Promise<void> {
  await page.getByRole('banner').locator('[aria-haspopup="menu"]').last().click()
  await page.getByRole('menuitem', { name: say('Sign out') }).click()
  await expect(page).toHaveURL(/\/login/)
}
