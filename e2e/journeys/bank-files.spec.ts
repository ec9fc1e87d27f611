import { readFileSync } from 'node:fs'
import { bank, withBank } from '../bank.ts'
import * as cohorts from '../cohorts.ts'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'
import { bankAccount as account, bankList as list } from '../workbooks.ts'

test.use({ locale: 'fr-FR' })

withBank()

test('an approver makes the file of a round for its bank, and an officer uploads what the bank answers', async ({
  person,
  say,
}) => {
  const name = 'Payée par la banque'
  const officer = await person('officer', { width: 360 })
  const { id } = await cohorts.uploadTargetList(
    officer,
    { name, agency: bank, file: await list(name, 3) },
    say,
  )
  const approver = await person('approver')
  await cohorts.openSummary(approver, id)
  await cohorts.approve(approver, say)
  const { group } = await row<{ group: number }>(
    'select min(id)::int as "group" from transfer_payroll_groups where cohort_id = $1',
    id,
  )
  await settled(approver, `/admin/transfers/cohorts/payroll/${group}`)
  await approver.getByRole('button', { name: say('Make bank file') }).click()
  const dialog = approver.getByRole('dialog', { name: say('Make bank file') })
  await expect(dialog).toContainText(account)
  await expect(dialog).toContainText(/31\s500/)
  await expectAccessible(approver, 'the making of a bank file')
  const download = approver.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Créer le fichier de 3 paiements' }).click()
  const xml = readFileSync(await (await download).path(), 'utf8')
  await expect(dialog).toBeHidden()
  const files = approver.getByRole('table', { name: say('Files for the bank') }).locator('tbody tr')
  await expect(files).toContainText('à la banque : 3')
  await expectAccessible(approver, 'a round with a bank file')

  const message = /<MsgId>(\w+)</.exec(xml)?.[1]
  const [paid, refused] = [...xml.matchAll(/<EndToEndId>(\w+)</g)].map(([, one]) => one)
  const status = (one: string | undefined, code: string) =>
    `<TxInfAndSts><OrgnlEndToEndId>${one}</OrgnlEndToEndId>${code}</TxInfAndSts>`
  const reason = '<TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>'
  const answer = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>
    ${status(paid, '<TxSts>ACSC</TxSts>')}${status(refused, reason)}${status('strange', '<TxSts>ACSC</TxSts>')}
    </OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
  await settled(officer, `/admin/transfers/cohorts/payroll/${group}`)
  await officer.getByRole('button', { name: say('Upload answer') }).click()
  const form = officer.getByRole('dialog', { name: say('Upload answer') })
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'pain002.xml', mimeType: 'application/xml', buffer: Buffer.from(answer) })
  await expectAccessible(officer, 'the answer of a bank at 360')
  await form.getByRole('button', { name: say('Upload and settle') }).click()
  await expect(form).toBeHidden()
  await expect(officer.getByText(say('no payment of the file has this name'))).toBeVisible()
  await expectAccessible(officer, 'a round with a bank’s answer at 360')
  await expectNoSidewaysScroll(officer, 'a round with a bank’s answer at 360')
  expect(await cohorts.storedCohort(name)).toMatchObject({ disbursed: 10_500, pending: 1, arrears: 10_500 })
})
