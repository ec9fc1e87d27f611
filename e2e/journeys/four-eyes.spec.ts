import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { drawn, settled } from '../openings.ts'
import { category, decide } from '../registers.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test.describe('in French', () => {
  test.use({ locale: 'fr-FR' })

  test('whoever uploaded a cohort reads on her phone why she cannot approve it, and another person can', async ({
    person,
    say,
  }) => {
    const name = 'Four eyes'
    const reason = 'Vous avez envoyé cette liste cible : une autre personne doit en décider.'
    const admin = await person('admin', { width: 360 })
    const file = await workbook(name, await recipients(3))
    const { id } = await cohorts.uploadTargetList(admin, { name, file }, say)
    await cohorts.openSummary(admin, id)
    const own = await cohorts.openApproval(admin, say)
    await expect(own.getByText(reason).first()).toBeVisible()
    await expect(cohorts.confirmButton(own)).toBeDisabled()
    // Beside the button that is barred, without scrolling.
    await expect(own.getByText(say('Somebody else must approve it.'))).toBeInViewport({ ratio: 1 })
    await expectAccessible(admin, 'an approval that is barred at 360')
    await expectNoSidewaysScroll(admin, 'an approval that is barred at 360')
    await own.getByRole('button', { name: say('Cancel') }).click()

    // The button is a courtesy; the refusal is the server's.
    const refusal = await admin.evaluate(async (cohort) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '')
      const answer = await fetch(`/api/admin/transfers/cohorts/${cohort}/approve`, {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'X-Requested-With': 'XMLHttpRequest',
          'X-XSRF-TOKEN': token,
        },
        body: JSON.stringify({ action: 'approved' }),
      })
      return { status: answer.status, body: await answer.json() }
    }, id)
    expect(refusal).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^Vous avez envoyé cette liste cible/) },
    })
    expect((await cohorts.storedCohort(name)).status).toBe('pending')

    const approver = await person('approver')
    await cohorts.openSummary(approver, id)
    await cohorts.approve(approver, say)
    await cohorts.watchRoundEnd(approver, say)
    expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'approved', disbursed: 3 * 10_500 })
  })
})

test('whoever corrects a number in the review reads why she cannot approve, and the approver reads who it was', async ({
  person,
}) => {
  const name = 'Corrected in review'
  const officer = await person('officer')
  const list = await recipients(3)
  const wrong = list.map((one, at) => (at === 1 ? { ...one, phone: `${one.phone.slice(0, -1)}O` } : one))
  const dialog = await cohorts.openUpload(officer, { name, file: await workbook(name, wrong), review: true })
  await dialog.getByRole('button', { name: 'Upload target list' }).click()
  await expect(category(officer, 'new')).toContainText('2', { timeout: 60_000 })

  const admin = await person('admin')
  await admin.goto('/admin/transfers/cohorts/list')
  const waiting = admin.locator('.notice').filter({ hasText: `${name}.xlsx` })
  await waiting.getByRole('link', { name: 'See the rows' }).click()
  await admin.locator('input.cell').fill(list[1]?.phone ?? '')
  await decide(admin).click()
  await expect(category(admin, 'new')).toContainText('3')
  await decide(admin).click()
  await admin.getByRole('link', { name: 'Go to Cohort Approval' }).click()
  await expect(admin).toHaveURL(/\/summary/)
  const { id } = await cohorts.storedCohort(name)
  const own = await cohorts.openApproval(admin)
  const sentence = 'You corrected rows of this target list in its review, so somebody else must decide on it.'
  await expect(own.getByText(sentence).first()).toBeVisible()
  await expect(cohorts.confirmButton(own)).toBeDisabled()

  const { who } = await row<{ who: string }>(
    "select first_name || ' ' || last_name as who from users where email = 'admin@portal.example'",
  )
  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await expect(approver.getByText(`1 row changed in review by ${who}.`)).toBeVisible()
  const theirs = await cohorts.openApproval(approver)
  await expect(theirs.getByText(`1 row changed in review by ${who}.`)).toBeVisible()
  await expect(cohorts.confirmButton(theirs)).toBeEnabled()
  const flag = theirs.getByRole('listitem').filter({ hasText: '1 cell changed in review' })
  await flag.getByRole('button', { name: 'See rows' }).click()
  const seen = approver.getByRole('dialog', { name: '1 cell changed in review' })
  const cells = seen.getByRole('table', { name: 'Rows to look at' })
  await expect(cells).toContainText(list[1]?.phone ?? '')
  await expect(cells).toContainText(wrong[1]?.phone ?? '')
  await expectAccessible(approver, 'the rows of a flag')
})

test('an approver turns a list down with a reason, and the officer is told', async ({ person }) => {
  const name = 'Turned down'
  const reason = 'The second school closed in March: please leave it out.'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(4))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  await cohorts.openSummary(officer, id)
  await drawn(officer)
  await expect(officer.getByRole('button', { name: 'Reject Transfer List' })).toHaveCount(0)

  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await approver.getByRole('button', { name: 'Reject Transfer List' }).click()
  const dialog = approver.getByRole('dialog', { name: 'Reject Transfer List' })
  await dialog.getByLabel('Reason (optional)').fill(reason)
  await cohorts.confirmButton(dialog).click()
  await expect(dialog).toBeHidden()
  await expect(approver.getByText(reason)).toBeVisible()
  await expect(approver.getByRole('button', { name: 'Approve Transfer List' })).toHaveCount(0)

  expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'rejected', comment: reason })
  const notified = await row<{ count: number }>(
    `select count(*) from notifications n join users u on u.id = n.user_id
     where u.email = 'officer@portal.example' and n.text->>'en' = $1`,
    `Your cohort "${name}" was rejected.`,
  )
  expect(notified.count).toBe(1)
  await officer.reload()
  await expect(officer.getByText(reason)).toBeVisible()
})

test('an auditor sees every figure and no way to change one', async ({ person }) => {
  const auditor = await person('auditor')
  // Filters name states; acts begin with a verb.
  const actions =
    /^(approve|reject|stop|resume|start|upload|create|add|import|edit|activate|deactivate)\b(?!ed)|^retry|^export/i
  for (const path of [
    '/admin/transfers',
    '/admin/transfers/settings',
    '/admin/transfers/cohorts/list',
    '/admin/transfers/parameters/list',
    '/admin/transfers/reconciliations',
    '/admin/users',
    '/admin/schools',
  ]) {
    await settled(auditor, path)
    await expect(auditor.getByRole('main').getByRole('button', { name: actions })).toHaveCount(0)
  }
  const { id } = await row<{ id: number }>(
    `select id from transfer_cohorts where status = 'pending' order by id limit 1`,
  )
  await cohorts.openSummary(auditor, id)
  await expect(auditor.getByRole('table', { name: 'Master list' })).toBeVisible()
  await drawn(auditor)
  await expect(auditor.getByRole('main').getByRole('button', { name: actions })).toHaveCount(0)
})
