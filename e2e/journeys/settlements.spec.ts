import { agencyBehaves, agencyLedger, paidBy } from '../agency.ts'
import * as cohorts from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { recipients, workbook } from '../workbooks.ts'

test.use({ locale: 'fr-FR' })
test.afterEach(() => agencyBehaves({ hostile: [] }))

test('an officer settles a payment without an answer by the agency’s letter, and an approver looks at it and approves', async ({
  person,
  say,
}) => {
  test.setTimeout(300_000)
  const name = 'Settled with evidence'
  // The agency pays, and nobody can read its answers.
  await agencyBehaves({ hostile: [{ mode: 'not_json', numbers: ['47'] }] })
  const officer = await person('officer')
  const { id } = await cohorts.uploadTargetList(
    officer,
    { name, file: await workbook(name, await recipients(2, ['47', '10'])) },
    say,
  )
  const approver = await person('approver', { width: 360 })
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver, say)
  const payment = `select p.id, p.status, p.reference, p.payroll_group_id as "group" from transfer_payrolls p
    join transfer_payroll_groups g on g.id = p.payroll_group_id where g.cohort_id = $1 and p.receiver_phone_number like '%47'`
  type Payment = { id: number; status: string; reference: string; group: number }
  await expect
    .poll(async () => (await rows<Payment>(payment, id))[0]?.status, { timeout: 60_000 })
    .toBe('unknown')
  const { group, reference } = await row<Payment>(payment, id)

  await settled(officer, `/admin/transfers/cohorts/payroll/${group}?status=unknown`)
  const unknown = officer.getByRole('table', { name: say('Payroll details') }).locator('tbody tr')
  // The row is read again while its payment is asked about, which may close a menu that is just being opened.
  await expect(async () => {
    await unknown.locator('.menu-cell').getByRole('button').click({ timeout: 5_000 })
    await officer.getByRole('menuitem', { name: say('Settle with evidence') }).click({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  const form = officer.getByRole('dialog', { name: say('Settle with evidence') })
  await form.getByLabel(say('What the evidence says')).selectOption('paid')
  await form.locator('input[type=file]').setInputFiles({
    name: 'lettre.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'),
  })
  await form.getByLabel(say('Reason')).fill('Lettre de l’agence du lundi')
  await expectAccessible(officer, 'the settlement of a payment')
  await form.getByRole('button', { name: say('Propose the settlement') }).click()
  await expect(form).toBeHidden()
  // Calls from before the proposal have ended when it is a minute old and the agency was asked again.
  await rows(`
    begin;
    alter table payment_settlements disable trigger user;
    update payment_settlements set created_at = created_at - interval '61 seconds';
    alter table payment_settlements enable trigger user;
    commit`)
  await rows(
    'update payment_attempts a set ask_at = now() from transfer_payrolls p where p.id = a.payroll_id and p.reference = $1',
    reference,
  )

  await settled(approver, '/home')
  await approver.getByRole('button', { name: /^Notifications/ }).click()
  const bell = approver.getByRole('dialog', { name: 'Notifications' })
  await bell.getByRole('link', { name: `« ${name} » : un paiement sans réponse` }).click()
  const waiting = approver
    .getByRole('table', { name: say('Settlements to approve') })
    .locator('tbody tr')
    .first()
  await expect(waiting).toContainText('Lettre de l’agence')
  await expectAccessible(approver, 'a settlement to approve at 360')
  await expectNoSidewaysScroll(approver, 'a settlement to approve at 360')
  const dialog = approver.getByRole('dialog', { name: say('Approve the settlement') })
  const submit = dialog.getByRole('button', { name: say('Approve the settlement') })
  await expect(async () => {
    await approver.reload()
    await waiting.locator('.menu-cell').getByRole('button').click()
    await approver.getByRole('menuitem', { name: say('Approve the settlement') }).click()
    await expect(submit).toBeEnabled({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  const download = approver.waitForEvent('download')
  await dialog.getByRole('button', { name: 'lettre.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('lettre.pdf')
  await expectAccessible(approver, 'the approval of a settlement at 360')
  await expectNoSidewaysScroll(approver, 'the approval of a settlement at 360')
  await submit.click()
  await expect(dialog).toBeHidden()
  expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 21_000, pending: 0, arrears: 0 })
  expect(paidBy(await agencyLedger([reference]))).toBe(10_500)
})
