import type { Page } from '@playwright/test'
import { row, rows } from '../database.ts'
import { emailOf } from '../people.ts'
import { expect, expectAccessible, test } from '../test.ts'

const name = 'Koniba Erasable'

/** A teacher without e-mail, at the first school. */
async function makeTeacher(): Promise<number> {
  const { id } = await row<{ id: number }>(
    `with u as (insert into users (first_name, last_name, type) values ('Koniba', 'Erasable', 'teacher') returning id)
     insert into teachers (user_id, school_id, natural_key, phone_1)
     select u.id, (select min(id) from schools), 'koniba', '+22370555501' from u returning id`,
  )
  return id
}

/** Lets the approver of the demo erase people, too, as an administrator could. */
const allowApprover = () =>
  rows(
    `with r as (insert into roles (name) values ('Data protection') returning id),
     p as (insert into role_permissions (role_id, permission_id) select r.id, q.id from r, permissions q where q.name = 'people.erase')
     insert into user_roles (user_id, role_id) select u.id, r.id from users u, r where u.email = $1`,
    emailOf('approver'),
  )

async function fill(page: Page, title: string, label: string, reason: string, confirm: string) {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel(label).fill(reason)
  await expectAccessible(page, title)
  await dialog.getByRole('button', { name: confirm }).click()
  await expect(dialog).toBeHidden()
}

test('one person exports a teacher’s data and asks for the erasure, another one approves it, and the teacher is gone', async ({
  person,
}) => {
  const id = await makeTeacher()
  await allowApprover()
  const admin = await person('admin')
  await admin.goto('/admin/schools/teachers?search=Erasable')
  await admin
    .getByRole('row')
    .filter({ hasText: 'Erasable' })
    .locator('.menu-cell')
    .getByRole('button')
    .click()
  await admin.getByRole('menuitem', { name: 'Personal data' }).click()
  await expect(admin.getByRole('heading', { name })).toBeVisible()
  await expect(admin.getByText(`Teacher, number ${id}`)).toBeVisible()

  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Export personal data' }).click()
  await fill(admin, 'Export personal data', 'Reason', 'She asked for them', 'Export')
  expect((await download).suggestedFilename()).toMatch(new RegExp(`^person-teacher-${id}-.*\\.zip$`))

  await admin.getByRole('button', { name: 'Ask for erasure' }).click()
  await fill(admin, 'Ask for erasure', 'Reason', 'She left the school', 'Ask for erasure')
  await expect(admin.getByText('To decide', { exact: true })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Approve erasure' })).toHaveCount(0)

  const approver = await person('approver')
  await approver.goto('/admin/users/erasures')
  await approver.getByRole('link', { name }).click()
  await approver.getByRole('button', { name: 'Approve erasure' }).click()
  await fill(approver, 'Approve erasure', 'Reason of the decision', 'I telephoned her', 'Erase for good')
  await expect(approver.getByRole('heading', { name: 'Erased person' })).toBeVisible({ timeout: 60_000 })
  await expect(approver.getByText('Erased', { exact: true })).toBeVisible()
  await admin.goto('/admin/schools/teachers?search=Erasable')
  await expect(admin.getByText('Nothing matches your search')).toBeVisible()
  expect(await rows('select from teachers where id = $1', id)).toEqual([])
})
