import type { Page } from '@playwright/test'
import { row, rows } from '../database.ts'
import { endHolds, loseMark, openHolds } from '../holds.ts'
import { expect, expectAccessible, test } from '../test.ts'

/** Everybody signed in longer ago than five minutes. */
const signedInLongAgo = () =>
  rows("update sessions set created_at = now() - interval '10 minutes' where ended_at is null")

test.afterEach(endHolds)

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an approver sees why nothing is sent, gives her password and releases payments', async ({ person }) => {
  await loseMark()
  const approver = await person('approver')
  await approver.goto('/admin/transfers')
  const reason = 'The mark that is kept outside of the database is gone.'
  await expect(approver.getByText(reason)).toBeVisible()
  await approver.getByRole('link', { name: 'See what to do' }).click()
  await expect(approver.getByRole('heading', { level: 1, name: 'Held payments' })).toBeVisible()
  await expect(approver.getByRole('table', { name: 'The agencies’ own lists' })).toBeVisible()
  await expectAccessible(approver, 'the page of a hold')

  await signedInLongAgo()
  await approver.getByRole('button', { name: 'Release payments' }).click()
  const dialog = approver.getByRole('dialog', { name: 'Release payments' })
  const release = dialog.getByRole('button', { name: 'Release payments' })
  await expect(release).toBeEnabled({ timeout: 60_000 })
  await release.click()
  const proof = approver.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof).toBeVisible()
  await expectAccessible(approver, 'the question for the password')
  await proof.getByLabel('Password').fill('portal-demo-2026')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof).toBeHidden()
  await expect(dialog).toBeHidden()
  await expect(approver.getByText('Nothing is held.')).toBeVisible()
  expect(await openHolds()).toEqual([])
  const released = await row<{ email: string }>(
    `select u.email from audits a join users u on u.id = a.user_id where a.event = 'sending released'
     order by a.id desc limit 1`,
  )
  expect(released.email).toBe('approver@portal.example')
})

test('somebody who does not give the password releases nothing', async ({ person }) => {
  await loseMark()
  const approver = await person('approver')
  await approver.goto('/admin/transfers/sending-hold')
  await signedInLongAgo()
  await approver.getByRole('button', { name: 'Release payments' }).click()
  const dialog = approver.getByRole('dialog', { name: 'Release payments' })
  const release = dialog.getByRole('button', { name: 'Release payments' })
  await expect(release).toBeEnabled({ timeout: 60_000 })
  await release.click()
  await approver.getByRole('dialog', { name: 'Confirm that it is you' }).press('Escape')
  await expect(dialog.getByText('For this act, confirm with your password that it is you.')).toBeVisible()
  expect(await openHolds()).toHaveLength(1)
})

for (const width of [1280, 360]) {
  test(`an auditor reads about a hold at ${width} px and cannot release it`, async ({ person }) => {
    await loseMark()
    const auditor = await person('auditor', width === 360 ? { width } : {})
    for (const path of ['/admin/transfers/cohorts/list', '/admin/transfers/reconciliations']) {
      await auditor.goto(path)
      await expect(auditor.getByText('No payments are being sent.')).toBeVisible()
    }
    await auditor.goto('/admin/transfers/sending-hold')
    await expect(auditor.getByText('The mark that is kept outside of the database is gone.')).toBeVisible()
    await expect(auditor.getByRole('heading', { name: 'Differences', exact: true })).toBeVisible()
    await expect(auditor.getByRole('button', { name: /release|confirm/i })).toHaveCount(0)
    await expect.poll(() => overflow(auditor)).toBe(0)
    await expectAccessible(auditor, `the page of a hold at ${width} px`)
  })
}

test.describe('in French', () => {
  test.use({ locale: 'fr-FR' })
  test('an approver reads in French why nothing is sent', async ({ person }) => {
    await loseMark()
    const approver = await person('approver')
    await approver.goto('/admin/transfers/sending-hold')
    await expect(approver.getByRole('heading', { level: 1, name: 'Paiements suspendus' })).toBeVisible()
    await expect(
      approver.getByText('Le repère conservé en dehors de la base de données a disparu.'),
    ).toBeVisible()
    await expect(approver.getByRole('button', { name: 'Rétablir l’envoi' })).toBeVisible()
  })
})
