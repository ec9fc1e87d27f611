import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { expect, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test('whoever uploaded a cohort reads why she cannot approve it, and another person can', async ({
  person,
}) => {
  const name = 'Four eyes'
  const admin = await person('admin')
  const file = await workbook(name, await recipients(3))
  const { id } = await cohorts.uploadTargetList(admin, { name, file })
  await cohorts.openSummary(admin, id)
  const own = await cohorts.openApproval(admin)
  await expect(
    own.getByText('You uploaded this target list, so somebody else must decide on it.').first(),
  ).toBeVisible()
  await expect(cohorts.confirmButton(own)).toBeDisabled()
  await own.getByRole('button', { name: 'Cancel' }).click()

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
    body: { message: 'You uploaded this target list, so somebody else must decide on it.' },
  })
  expect((await cohorts.storedCohort(name)).status).toBe('pending')

  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver)
  await cohorts.watchRoundEnd(approver)
  expect(await cohorts.storedCohort(name)).toMatchObject({ status: 'approved', disbursed: 3 * 10_500 })
})

test('an approver turns a list down with a reason, and the officer is told', async ({ person }) => {
  const name = 'Turned down'
  const reason = 'The second school closed in March: please leave it out.'
  const officer = await person('officer')
  const file = await workbook(name, await recipients(4))
  const { id } = await cohorts.uploadTargetList(officer, { name, file })
  await cohorts.openSummary(officer, id)
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
  const told = await row<{ count: number }>(
    `select count(*) from notifications n join users u on u.id = n.user_id
     where u.email = 'officer@portal.example' and n.text->>'en' = $1`,
    `Your cohort "${name}" was rejected.`,
  )
  expect(told.count).toBe(1)
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
    await auditor.goto(path)
    await expect(auditor.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(auditor.getByRole('main').getByRole('button', { name: actions })).toHaveCount(0)
  }
  const { id } = await row<{ id: number }>(
    `select id from transfer_cohorts where status = 'pending' order by id limit 1`,
  )
  await cohorts.openSummary(auditor, id)
  await expect(auditor.getByRole('table', { name: 'Master list' })).toBeVisible()
  await expect(auditor.getByRole('main').getByRole('button', { name: actions })).toHaveCount(0)
})
