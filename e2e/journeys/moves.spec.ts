import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test.use({ locale: 'fr-FR' })

test('an officer proposes to pay a cohort through another agency, withdraws it and proposes it again, and an approver reads what moves and approves', async ({
  person,
  say,
}) => {
  test.setTimeout(240_000)
  const { agency } = await row<{ agency: number }>(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
     select 'Niger Mobile Money', description, type, country, fees, endpoint, protocol, details, user_id
     from transfer_agencies where name = $1 returning id::int as agency`,
    cohorts.paysInMali,
  )
  const officer = await person('officer')
  const { id } = await cohorts.uploadTargetList(
    officer,
    {
      name: 'Moved to another agency',
      file: await workbook('Moved', await recipients(2, ['10', '10'])),
      from: cohorts.dayFromNow(5),
      to: cohorts.dayFromNow(60),
    },
    say,
  )
  const approver = await person('approver', { width: 360 })
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver, say)

  await settled(officer, `/admin/transfers/cohorts/${id}/summary`)
  const form = officer.getByRole('dialog', { name: say('Pay through another agency') })
  const propose = async (reason: string) => {
    await officer.getByRole('button', { name: say('Change agency') }).click()
    await form.getByLabel(say('New agency')).selectOption({ label: 'Niger Mobile Money · Mobile money' })
    await form.getByLabel(say('Reason')).fill(reason)
  }
  await propose('Proposé par erreur')
  await form.getByRole('button', { name: say('Propose the new agency') }).click()
  await officer.getByRole('button', { name: say('Withdraw the change') }).click()
  const withdrawal = officer.getByRole('dialog', { name: say('Withdraw the change of agency') })
  await expect(withdrawal).toBeVisible()
  await expectAccessible(officer, 'the withdrawal of a move')
  await withdrawal.getByRole('button', { name: say('Withdraw the change') }).click()
  await expect(withdrawal).toBeHidden()
  await expect(officer.getByText('Proposé par erreur')).toHaveCount(0)

  await propose('Son contrat prend fin')
  await expect(form.getByText(say('What moves'))).toHaveCount(0)
  await expect(form.getByText(say('Amount to send'))).toBeVisible()
  await expectAccessible(officer, 'the move of a cohort')
  await form.getByRole('button', { name: say('Propose the new agency') }).click()
  await expect(form).toBeHidden()
  await expect(officer.getByText('Son contrat prend fin')).toBeVisible()

  await settled(approver, `/admin/transfers/cohorts/${id}/summary`)
  await expectAccessible(approver, 'a proposed move at 360')
  await expectNoSidewaysScroll(approver, 'a proposed move at 360')
  await approver.getByRole('button', { name: say('Look at it and approve') }).click()
  const dialog = approver.getByRole('dialog', { name: say('Approve the new agency') })
  await expect(dialog.getByText('Niger Mobile Money')).toBeVisible()
  await expectAccessible(approver, 'the approval of a move at 360')
  await expectNoSidewaysScroll(approver, 'the approval of a move at 360')
  await dialog.getByRole('button', { name: say('Approve the new agency') }).click()
  await expect(dialog).toBeHidden()
  await expect(approver.getByRole('button', { name: say('Look at it and approve') })).toHaveCount(0)
  expect(
    await row(
      `select c.transfer_agency_id::int as agency, m.payments, m.amount::int, m.decided_by <> m.user_id as two
       from transfer_cohorts c join cohort_moves m on m.cohort_id = c.id
       where c.id = $1 and m.state = 'approved'`,
      id,
    ),
  ).toEqual({ agency, payments: 2, amount: 21_000, two: true })
})
