import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

type Paid = {
  agency: string
  day: string
  lines: { reference: string; amount: number; phone: string }[]
  /** The reference of a payment that the agency refused. */
  refused: string
}

/** A bank's statement with one payment. */
const bankFile = (reference: string, day: string) => ({
  name: 'camt053.xml',
  mimeType: 'application/xml',
  buffer: Buffer.from(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="XOF">700</Amt>
     <CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryDtls><TxDtls><Refs>
     <EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
  ),
})

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'fr-FR'), () => {
    test.use({ locale })

    test('an officer uploads a statement, resolves its differences, and an approver signs it and decides about a payment that had failed', async ({
      person,
      say,
    }) => {
      test.setTimeout(240_000)
      const phone = width === 360 ? { width } : {}
      const officer = await person('officer', phone)
      // The day on which an agency was used least, of those without a statement.
      const paid = await row<Paid>(
        `select a.name as agency, (t.settled_at at time zone 'utc')::date::text as day,
           json_agg(json_build_object('reference', p.reference, 'amount', p.amount, 'phone', p.receiver_phone_number) order by p.id) as lines,
           max(r.reference) as refused
         from payment_attempts t join transfer_payrolls p on p.id = t.payroll_id join transfer_agencies a on a.id = t.agency_id
           cross join lateral (
             select f.reference from payment_attempts n join transfer_payrolls f on f.id = n.payroll_id
             where n.agency_id = a.id and n.state = 'failed' and f.status = 'failed' and f.written_off_at is null
               and not exists (select from payment_exceptions e where e.payroll_id = f.id)
             order by f.id desc limit 1) r
         where t.state = 'success' and not exists (select from statement_findings f where f.payroll_id = p.id)
         group by a.id, a.name, 2 order by count(*), 1, 2 limit 1`,
      )
      const [first, ...others] = paid.lines
      const lines = [`${first?.reference};${(first?.amount ?? 0) - 500};${paid.day}`]
      for (const { reference, amount } of others) lines.push(`${reference};${amount};${paid.day}`)
      lines.push(`X-${width};700;${paid.day}`, `${paid.refused};5000;${paid.day}`)
      const content = ['Reference;Sum;When', ...lines].join('\n')

      await settled(officer, '/admin/transfers/statements')
      await officer.getByRole('button', { name: say('Upload statement') }).click()
      const form = officer.getByRole('dialog', { name: say('Upload statement') })
      await form.getByLabel(say('Transfer agency')).selectOption({ label: paid.agency })
      await form.getByLabel(say('First day of the period')).fill(paid.day)
      await form.getByLabel(say('Last day of the period')).fill(paid.day)
      await form.locator('input[type=file]').setInputFiles(bankFile(first?.reference ?? '', paid.day))
      await expect(
        form.getByText(
          say('A bank’s statement says itself what each field is. There are no columns to choose.'),
        ),
      ).toBeVisible()
      await expectAccessible(officer, `a bank’s statement at ${width}`)
      await expectNoSidewaysScroll(officer, `a bank’s statement at ${width}`)
      const file = { name: `statement-${width}.csv`, mimeType: 'text/csv', buffer: Buffer.from(content) }
      await form.locator('input[type=file]').setInputFiles(file)
      const columns = form.getByRole('group', { name: say('Columns of the file') })
      await columns.getByLabel('Sum').selectOption('amount')
      await columns.getByLabel('When').selectOption('day')
      await expect(columns.getByLabel(/^Reference/)).toHaveValue('reference')
      await expectAccessible(officer, `the upload of a statement at ${width}`)
      await expectNoSidewaysScroll(officer, `the upload of a statement at ${width}`)
      await form.getByRole('button', { name: say('Upload and compare') }).click()
      await expect(form).toBeHidden()
      // A worker compares it.
      await expect(officer.getByRole('heading', { name: say('Totals by category') })).toBeVisible({
        timeout: 60_000,
      })
      await expectAccessible(officer, `a statement at ${width}`)
      await expectNoSidewaysScroll(officer, `a statement at ${width}`)
      const address = new URL(officer.url()).pathname
      for (const category of ['amount', 'theirs']) {
        await settled(officer, `${address}?category=${category}`)
        await officer.getByRole('button', { name: locale === 'en-GB' ? /^Resolve/ : /^Résoudre/ }).click()
        const dialog = officer.getByRole('dialog', { name: say('Resolve differences') })
        await dialog.getByLabel(say('Reason')).fill('The agency corrects it')
        await dialog.getByRole('button', { name: say('Resolve'), exact: true }).click()
        await expect(dialog).toBeHidden()
      }

      const approver = await person('approver', phone)
      await settled(approver, address)
      await approver.getByRole('button', { name: say('Sign statement') }).click()
      const sign = approver.getByRole('dialog', { name: say('Sign statement') })
      await expect(sign).toBeVisible()
      await expectAccessible(approver, `the signature of a statement at ${width}`)
      await sign.getByRole('button', { name: say('Sign and close') }).click()
      await expect(sign).toBeHidden()
      await expect(approver.getByRole('button', { name: say('Sign statement') })).toHaveCount(0)
      expect(
        await row(
          `select s.state, (select count(*)::int from payment_confirmations c where c.statement_id = s.id) as confirmed
           from agency_statements s where s.id = $1`,
          Number(address.split('/').at(-1)),
        ),
      ).toEqual({ state: 'closed', confirmed: others.length })

      // The agency says that it paid what it had refused: an approver decides before it can be made again.
      await settled(approver, '/admin/transfers/exceptions?state=open&kind=statement')
      const answer = approver.getByRole('table', { name: say('Answers to look at') }).locator('tbody tr')
      await expect(answer).toHaveCount(1)
      await expectNoSidewaysScroll(approver, `a payment that a statement has as paid at ${width}`)
      await answer.locator('.menu-cell').getByRole('button').click()
      await approver.getByRole('menuitem', { name: say('Decide'), exact: true }).click()
      const decision = approver.getByRole('dialog', { name: say('Decide on the answer') })
      await decision.getByLabel(say('Reason')).fill('The agency took the line back')
      await decision.getByRole('button', { name: say('Note the decision') }).click()
      await expect(decision).toBeHidden()
      await settled(approver, '/admin/transfers/exceptions?kind=statement')
      if (width === 360) await answer.getByRole('button').first().click()
      const place = `${address.split('/').at(-1)}, ${locale === 'en-GB' ? 'row' : 'ligne'} ${lines.length + 1}`
      await approver.getByRole('link', { name: place }).click()
      await expect(approver.getByRole('heading', { name: say('Totals by category') })).toBeVisible()
      expect(new URL(approver.url()).pathname).toBe(address)
    })
  })
