import { uploadTargetList } from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { emailOf } from '../people.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

const forget = () =>
  rows(
    'delete from notice_preferences where user_id = (select id from users where email = $1)',
    emailOf('approver'),
  )
test.beforeEach(forget)
test.afterEach(forget)

test('an approver takes the mails about cohorts once a day, and follows the bell to the next list', async ({
  person,
}) => {
  const approver = await person('approver', { width: 360 })
  await approver.goto('/profile')
  await expect(approver.getByRole('heading', { name: 'My profile' })).toBeVisible()
  const mail = approver.getByRole('combobox', { name: 'By e-mail: Cohort to approve' })
  await expect(mail).toHaveValue('at-once')
  await mail.selectOption({ label: 'Once a day' })
  const form = approver.locator('form').filter({ has: mail })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(approver.getByText('Notification settings saved')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  expect(
    await row(
      `select bell, mail from notice_preferences p join users u on u.id = p.user_id
       where u.email = $1 and kind = 'cohort-to-approve'`,
      emailOf('approver'),
    ),
  ).toEqual({ bell: true, mail: 'digest' })
  await expectAccessible(approver, 'the choices of notices')
  await expectNoSidewaysScroll(approver, 'the choices of notices')

  const name = 'Told once a day'
  const officer = await person('officer')
  const { id } = await uploadTargetList(officer, { name, file: await workbook(name, await recipients(3)) })

  await approver.goto('/home')
  await approver
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click()
  const sheet = approver.getByRole('dialog', { name: 'Notifications' })
  await sheet.getByRole('link', { name: `Cohort "${name}" waits for approval.` }).click()
  await expect(approver).toHaveURL(new RegExp(`/admin/transfers/cohorts/${id}/summary$`))
  await expect(approver.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(
    await row(
      `select n.mail, (select count(*) from mails m where m.notification_id = n.id) as mails
       from notifications n join users u on u.id = n.user_id
       where u.email = $1 and n.kind = 'cohort-to-approve' and n.subject_id = $2`,
      emailOf('approver'),
      id,
    ),
  ).toEqual({ mail: 'digest', mails: 0 })
})
