import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { row, rows } from './database.ts'
import { linkTo } from './outbox.ts'
import { emailOf, type Role } from './people.ts'
import { place } from './stage/place.ts'
import { english, type Say } from './words.ts'

/** A small document that is what its name says. */
export const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  ),
})

/** An expert whom a journey asks. */
export type Expert = { first_name: string; last_name: string; email: string; comment: string }

/** Files a case by the dialog of the list, for the demo's reviewer. Returns its id. */
export async function fileCase(staff: Page, title: string, say: Say = english): Promise<number> {
  const reviewer = await userId('reviewer')
  await staff.goto('/admin/cases')
  await staff
    .getByRole('main')
    .getByRole('button', { name: say('Create case') })
    .first()
    .click()
  const dialog = staff.getByRole('dialog', { name: say('Create case') })
  await dialog.locator('[name=title]').fill(title)
  await dialog.locator('[name=description]').fill('The mother of the pupil was not paid in October.')
  await dialog.locator('[name=type]').selectOption({ index: 1 })
  await dialog.locator('[name=channel]').selectOption({ index: 1 })
  await dialog.locator('[name=reviewer]').selectOption(String(reviewer))
  await dialog.locator('[name=priority]').selectOption('high_1_day')
  await dialog.getByRole('checkbox').first().check()
  await dialog.locator('input[type=file]').setInputFiles(paper('plainte.pdf'))
  await dialog.getByRole('button', { name: say('Create case') }).click()
  await expect(dialog).toBeHidden()
  await expect(staff.getByRole('row').filter({ hasText: title })).toBeVisible()
  return (await row<{ id: number }>('select id from cases where title = $1', title)).id
}

export async function openCase(page: Page, id: number): Promise<void> {
  await page.goto(`/admin/cases/${id}/details`)
  await expect(page.locator('.timeline')).toBeVisible()
}

/** Asks an expert, sharing every document of the case. Returns where the letter leads. */
export async function refer(reviewer: Page, expert: Expert, say: Say = english): Promise<string> {
  await reviewer.getByRole('button', { name: say('Refer external input') }).click()
  const dialog = reviewer.getByRole('dialog', { name: say('Refer external input') })
  await dialog.locator('[name=salutation]').selectOption('dr')
  await dialog.locator('[name=profession]').fill('Juriste')
  for (const [name, text] of Object.entries(expert)) await dialog.locator(`[name=${name}]`).fill(text)
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await expect(dialog.getByText(say('Your comment: {comment}', { comment: expert.comment }))).toBeVisible()
  await dialog.getByRole('button', { name: say('Send request') }).click()
  await expect(dialog).toBeHidden()
  return inviteTo(expert.email)
}

/** The path of the newest invitation to an address. */
export const inviteTo = (email: string) => linkTo(email, 1, /https?:\/\/\S+\/external\/cases\/[\w-]+/)

/** Resolves or rejects, with what is said about it. */
export async function decide(reviewer: Page, act: 'resolve' | 'reject', verdict: string, say: Say = english) {
  const [button, title, confirm] =
    act === 'resolve'
      ? ['Resolve case', 'Resolve case', 'Deliver verdict']
      : ['Reject', 'Reject case', 'Reject case']
  await reviewer
    .getByRole('button', { name: say(button as string), exact: true })
    .first()
    .click()
  const dialog = reviewer.getByRole('dialog', { name: say(title as string) })
  await dialog.locator('[name=verdict]').fill(verdict)
  await dialog.getByRole('button', { name: say(confirm as string) }).click()
  await expect(dialog).toBeHidden()
}

export const userId = async (role: Role): Promise<number> =>
  (await row<{ id: number }>('select id from users where email = $1', emailOf(role))).id

/** The notifications of a person about a case, newest first: the number stored, and the texts that the call returns. */
export async function notificationsOf(
  page: Page,
  role: Role,
  caseId: number,
): Promise<{ stored: number; read: string[] }> {
  const link = `/admin/cases/${caseId}/details`
  const stored = await rows(
    'select from notifications where user_id = $1 and link = $2',
    await userId(role),
    link,
  )
  const answer = await page.request.get('/api/notifications', {
    headers: { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
  })
  const { notifications } = (await answer.json()) as {
    notifications: { data: { link: string | null; text: string }[] }
  }
  return {
    stored: stored.length,
    read: notifications.data.filter((each) => each.link === link).map(({ text }) => text),
  }
}

/** Every log of the run, as one text. */
export function logs(): string {
  const folder = join(place.folder, 'logs')
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
}
