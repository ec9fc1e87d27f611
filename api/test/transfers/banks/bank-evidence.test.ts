import { expect, test } from 'vitest'
import { file, pdf } from '../../cases/case-stage.ts'
import { dayFromNow, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { addBank, type SentFile, sentFile } from './bank.ts'

const stage = await startStage(60)
const { portal, officer, approver, progress } = stage
await portal.worker()
const agency = await addBank(portal)
const today = dayFromNow(0)
const path = '/admin/transfers/statements'
const now = async ({ cohort }: SentFile) => (await progress(cohort, () => true)).round

type Entry = { name?: string | undefined; side?: 'DBIT' | 'CRDT'; id: string; amount?: number }
/** Uploads a statement of the bank, and waits until it is compared. */
async function compared(entries: Entry[]) {
  const text = entries.map(
    ({ name, side = 'DBIT', id, amount = 10_500 }) =>
      `<Ntry><Amt Ccy="XOF">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today}</Dt></BookgDt>
       <NtryDtls><TxDtls><Refs><AcctSvcrRef>${id}</AcctSvcrRef><EndToEndId>${name}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
  )
  const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${text.join('')}</Stmt></BkToCstmrStmt></Document>`
  const sent = await officer.upload(path, {
    statement_file: new File([xml], 'camt.xml'),
    transfer_agency_id: agency,
    from: today,
    to: today,
  })
  return until(async () => {
    const { statement } = (await officer.get(`${path}/${sent.body.statement.id}`)).body
    return ['open', 'failed'].includes(statement.state) && statement
  })
}
/** The payments of a file whose bank has had them for longer than it may. */
async function overdue(made: SentFile): Promise<{ id: number }[]> {
  await portal.owner.query(
    `update payment_attempts set sent_at = now() - interval '30 days' where state = 'sending' and payroll_id in (
       select id from transfer_payrolls where payroll_group_id = $1)`,
    [made.round],
  )
  const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${made.round}`)
  return body.payrollGroup.transfer_payrolls.data
}
const settlements = (id?: number) => `/admin/transfers/payments/${id}/settlements`

test('a line that says that her money came back is no evidence that a girl was paid', async () => {
  const made = await sentFile(stage, agency, 'Came back', [1, 2])
  const [name] = made.names
  const statement = await compared([{ name, side: 'CRDT', id: 'return' }])
  expect(statement).toMatchObject({ state: 'open', lines_read: 1 })
  const [girl] = await overdue(made)
  const { rows } = await portal.owner.query('select id from statement_lines where statement_id = $1', [
    statement.id,
  ])
  expect((await officer.get(`/admin/transfers/payments/${girl?.id}/evidence`)).body.lines).toEqual([])
  const proposed = await officer.upload(settlements(girl?.id), {
    outcome: 'paid',
    reason: 'The statement names her',
    line_id: rows[0].id,
  })
  expect([proposed.status, proposed.body.errors.line_id]).toEqual([
    422,
    [expect.stringContaining('does not show this payment')],
  ])
})

test('one transaction of a bank pays one girl, although its statements name two with it', async () => {
  const made = await sentFile(stage, agency, 'One transaction', [11, 12, 13])
  const [a, b, c] = made.names
  // One statement names two girls with one transaction, and a later one names the third with that of the first.
  expect(
    await compared([
      { name: a, id: 'twice' },
      { name: b, id: 'twice' },
    ]),
  ).toMatchObject({ state: 'open' })
  expect(await now(made)).toMatchObject({ success: 0, pending: 3 })
  expect(await compared([{ name: a, id: 'once' }])).toMatchObject({ state: 'open' })
  expect(await compared([{ name: c, id: 'once' }])).toMatchObject({ state: 'open' })
  expect(await now(made)).toMatchObject({ success: 1, pending: 2 })
})

test('a proposal to settle a payment as not paid ends with the statement that has it as paid', async () => {
  const made = await sentFile(stage, agency, 'Proposed', [21])
  const [girl] = await overdue(made)
  const proposed = await officer.upload(settlements(girl?.id), {
    outcome: 'not_paid',
    reason: 'The bank wrote on Monday',
    file: file('letter.pdf', pdf),
  })
  expect(proposed.status).toBe(200)
  const waiting = async () => (await approver.get('/admin/transfers/settlements')).body.settlements.data
  const [shown] = await waiting()
  await compared([{ name: made.names[0], id: 'proposed' }])
  expect(await now(made)).toMatchObject({ success: 1 })
  expect(await waiting()).toEqual([])
  const decided = await approver.post(`/admin/transfers/settlements/${shown.id}/decide`, {
    action: 'approved',
  })
  expect([decided.status, decided.body.message]).toEqual([
    409,
    expect.stringContaining('has answered meanwhile'),
  ])
})

test('a line of another amount pays no girl, although it names her', async () => {
  const made = await sentFile(stage, agency, 'Another amount', [31])
  const statement = await compared([{ name: made.names[0], id: 'less', amount: 10_000 }])
  expect(statement).toMatchObject({ state: 'open', totals: [{ category: 'theirs', count: 1 }] })
  expect(await now(made)).toMatchObject({ success: 0, pending: 1 })
})

test('a statement that has a payment and its return confirms nothing, and a person decides about it', async () => {
  const made = await sentFile(stage, agency, 'Paid and returned', [41])
  const [name] = made.names
  const answer = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>A</MsgId></GrpHdr>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${made.message}</OrgnlMsgId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
  const paid = await officer.upload('/admin/transfers/bank-answers', {
    answer_file: new File([answer], 'answer.xml'),
  })
  expect(paid.status).toBe(200)
  expect(await now(made)).toMatchObject({ success: 1 })
  const { id } = await compared([
    { name, id: 'paid' },
    { name, side: 'CRDT', id: 'returned' },
  ])
  const colleague = await portal.signedInAs('Transfer Officer')
  for (const category of ['theirs', 'ours'])
    await colleague.post(`${path}/${id}/resolve`, { category, reason: 'The bank says so' })
  const { version } = (await officer.get(`${path}/${id}`)).body.statement
  expect((await approver.post(`${path}/${id}/sign`, { version })).status).toBe(200)
  const { rows } = await portal.owner.query(
    'select from payment_confirmations c join transfer_payrolls p on p.id = c.payroll_id where p.payroll_group_id = $1',
    [made.round],
  )
  expect(rows).toEqual([])
  const open = await approver.get(`/admin/transfers/exceptions?state=open&payroll_group_id=${made.round}`)
  expect(open.body.exceptions.data).toMatchObject([{ kind: 'returned' }])
})
