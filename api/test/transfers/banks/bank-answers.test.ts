import { expect, test } from 'vitest'
import { dayFromNow } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { untilLocked } from '../../locks.ts'
import { until } from '../../portal.ts'
import { startAnswers } from './answer-stage.ts'
import { pain002, tx, why } from './answers.ts'

const stage = await startAnswers()
const { portal, officer, approver, cohort, bank, agency } = stage
const { answersOf, answerWith, now, sent } = stage

test('answers of the bank settle its file in any order, each once, and its statement settles the rest', {
  timeout: 60_000,
}, async () => {
  // By their last two digits: 01 closed, 02 unknown, 03 blocked, 04 only shown by the statement.
  const made = await sent('Answered', [101, 102, 103, 104, 105, 106, 107, 108])
  expect([await bank.take(made.file), await bank.take(made.file)]).toEqual([true, false])
  const [received, final, again] = [
    await bank.answer(made.message, 'received'),
    await bank.answer(made.message, 'final'),
    await bank.answer(made.message, 'again'),
  ]
  const first = await answerWith(final)
  expect(first.body).toMatchObject({ message: 'Paid: 4. Refused: 3. Others: 1.' })
  for (const file of [received, again]) expect((await answerWith(file)).status).toBe(200)
  expect((await answerWith(final)).body).toEqual({
    message: 'This answer was uploaded before. Nothing has changed.',
    bank_answer: first.body.bank_answer,
  })
  expect(await now(made)).toMatchObject({ success: 4, failed: 3, pending: 1, unknown: 0 })
  expect(await answersOf(made)).toMatchObject([
    {
      file_name: 'again.xml',
      paid: 0,
      failed: 0,
      others: 8,
      to_look_at: [...Array(8)].map(() => ({ effect: 'duplicate', reason: 'AM05' })),
    },
    { file_name: 'received.xml', paid: 0, failed: 0, unchanged: 8, others: 0 },
    { file_name: 'final.xml', paid: 4, failed: 3, unchanged: 1, others: 0 },
  ])
  const page = (await approver.get(`/admin/transfers/cohorts/${made.cohort}/payrolls`)).body.cohort
  expect(page.failures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        reason: 'AC04',
        next_step: expect.stringContaining('correct the recipient'),
        count: 1,
      }),
    ]),
  )

  const upload = await officer.upload('/admin/transfers/statements', {
    statement_file: await bank.statement(),
    transfer_agency_id: agency,
    from: dayFromNow(-1),
    to: dayFromNow(0),
  })
  const statement = await until(async () => {
    const { body } = await officer.get(`/admin/transfers/statements/${upload.body.statement.id}`)
    return ['open', 'failed'].includes(body.statement.state) && body.statement
  })
  expect(statement.totals).toMatchObject([{ category: 'matched', count: 5 }])
  expect(await now(made)).toMatchObject({ success: 5, failed: 3, pending: 0, unknown: 0 })
  const { moved } = await bank.ledger()
  expect((await cohort(made.cohort)).transfer_cohort_stats.total_amount_disbursed).toBe(moved)
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
})

test('what does not agree is never believed, and is listed for a person', { timeout: 30_000 }, async () => {
  const made = await sent('Disagreeing', [111, 112, 113, 114, 115, 116])
  const [a, b, c, d, e, f] = made.names
  const amount = (francs: string, currency = 'XOF') =>
    `<OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${francs}</InstdAmt></Amt></OrgnlTxRef>`
  const mixed = pain002(
    made.message,
    [
      tx(a, 'ACSC', amount('10500.00')),
      tx(b, 'ACSC', amount('10501')),
      tx(c, 'ACSC', amount('10500', 'EUR')),
      tx(f, 'ACSC', amount('10500').replace(' Ccy="XOF"', '')),
      tx(d, 'WHAT'),
      tx('nobody', 'ACSC'),
      tx(a, 'RJCT', why('AC04')),
    ].join(''),
  )
  expect((await answerWith(mixed)).status).toBe(200)
  expect(await now(made)).toMatchObject({ success: 1, unknown: 3, pending: 2, failed: 0 })
  expect((await answersOf(made))[0].to_look_at).toEqual([
    { end_to_end_id: b, status: 'ACSC', reason: null, effect: 'differs' },
    { end_to_end_id: c, status: 'ACSC', reason: null, effect: 'differs' },
    { end_to_end_id: f, status: 'ACSC', reason: null, effect: 'differs' },
    { end_to_end_id: d, status: 'WHAT', reason: null, effect: 'unreadable' },
    { end_to_end_id: 'nobody', status: 'ACSC', reason: null, effect: 'unknown' },
    { end_to_end_id: a, status: '', reason: 'AC04', effect: 'unreadable' },
  ])
  // Later the bank says otherwise of a payment that is settled: an exception for a person.
  await answerWith(pain002(made.message, tx(a, 'RJCT', why('AC04')) + tx(e, 'RJCT', why('AM05'))))
  expect((await answersOf(made))[0].to_look_at).toMatchObject([
    { effect: 'contradicts' },
    { effect: 'duplicate' },
  ])
  const { rows } = await portal.owner.query(
    `select x.kind, x.expected, x.answered from payment_exceptions x join transfer_payrolls p on p.id = x.payroll_id
     where p.payroll_group_id = $1 order by x.id`,
    [made.round],
  )
  expect(rows).toEqual([
    { kind: 'amount', expected: '10500', answered: '10501 XOF' },
    { kind: 'amount', expected: '10500', answered: '10500 EUR' },
    { kind: 'amount', expected: '10500', answered: '10500' },
    { kind: 'contradiction', expected: 'success', answered: 'failed: AC04' },
  ])
})

test('the status of the whole file holds for payments that have none of their own', {
  timeout: 30_000,
}, async () => {
  const accepted = await sent('Accepted whole', [121, 122, 123])
  const [one] = accepted.names
  await answerWith(pain002(accepted.message, tx(one, 'RJCT', why('AC01')), '<GrpSts>ACSC</GrpSts>', '03'))
  expect(await now(accepted)).toMatchObject({ success: 2, failed: 1, pending: 0 })
  const refused = await sent('Refused whole', [131, 132])
  await answerWith(
    pain002(refused.message, `<PmtInfSts>RJCT</PmtInfSts>${why('AG01')}`, '<GrpSts>RJCT</GrpSts>'),
  )
  expect(await now(refused)).toMatchObject({ success: 0, failed: 2, pending: 0 })
})

test('the status of one group of a bank’s answer is not taken for payments of another group, nor for those that it does not name', {
  timeout: 30_000,
}, async () => {
  const made = await sent('Two groups', [181, 182, 183])
  const [a, b] = made.names
  const groups = `<PmtInfSts>RJCT</PmtInfSts>${why('AC04')}<TxInfAndSts><OrgnlEndToEndId>${a}</OrgnlEndToEndId></TxInfAndSts>
    </OrgnlPmtInfAndSts><OrgnlPmtInfAndSts><PmtInfSts>ACSC</PmtInfSts><TxInfAndSts><OrgnlEndToEndId>${b}</OrgnlEndToEndId></TxInfAndSts>`
  await answerWith(pain002(made.message, groups))
  expect(await now(made)).toMatchObject({ failed: 1, success: 1, pending: 1 })
})

test('a girl whose order came twice is not taken for one whom the bank refused', {
  timeout: 30_000,
}, async () => {
  const made = await sent('Handed in twice', [151, 152, 153])
  const [a, b, c] = made.names
  const waits = { pending: 3, failed: 0, success: 0 }
  // The second file is refused as a whole. What stands beside its payments says nothing of the first one.
  const again = `<GrpSts>RJCT</GrpSts>${why('AM05')}`
  await answerWith(
    pain002(made.message, `<PmtInfSts>RJCT</PmtInfSts>${tx(a, 'RJCT')}${tx(b, 'RJCT', why('NARR'))}`, again),
  )
  expect(await now(made)).toMatchObject(waits)
  expect((await answersOf(made))[0].to_look_at).toMatchObject([
    { end_to_end_id: a, effect: 'duplicate' },
    { end_to_end_id: b, effect: 'duplicate' },
    { end_to_end_id: c, effect: 'duplicate' },
  ])
  // One of several reasons is enough.
  await answerWith(pain002(made.message, tx(a, 'RJCT', why('NARR') + why('DU04'))))
  const ownWords = '<StsRsnInf><Rsn><Prtry>DUPL</Prtry></Rsn></StsRsnInf>'
  await answerWith(pain002(made.message, tx(b, 'RJCT', why('NARR') + ownWords)))
  // The bank refuses an order and still has it, by the same answer.
  await answerWith(pain002(made.message, tx(c, 'RJCT', why('AC04')) + tx(c, 'ACSP')))
  expect(await now(made)).toMatchObject(waits)
  // The bank refuses and pays the same order in one answer: a person looks at both lines.
  await answerWith(pain002(made.message, tx(c, 'RJCT', why('AC04')) + tx(c, 'ACSC')))
  expect(await now(made)).toMatchObject(waits)
  expect((await answersOf(made))[0].to_look_at).toMatchObject([
    { end_to_end_id: c, effect: 'unreadable', reason: 'AC04' },
    { end_to_end_id: c, effect: 'unreadable' },
  ])
})

test('a girl’s payment waits as long as the bank only says that it has her order, whatever it calls that', {
  timeout: 30_000,
}, async () => {
  const made = await sent('Only received', [191])
  const [name] = made.names
  const words = ['RCVD', 'ACTC', 'ACCP', 'ACFC', 'ACSP', 'ACWC', 'ACWP', 'PATC', 'PDNG', 'BLCK']
  for (const status of words)
    expect((await answerWith(pain002(made.message, tx(name, status)))).status, status).toBe(200)
  expect(await now(made)).toMatchObject({ pending: 1, success: 0, failed: 0, unknown: 0 })
  expect(await answersOf(made)).toMatchObject(words.map(() => ({ unchanged: 1, others: 0 })))
  const paid = tx(name, 'ACCC', '<StsId>Not of the payment</StsId><AcctSvcrRef>FT26-191</AcctSvcrRef>')
  expect((await answerWith(pain002(made.message, paid))).body.message).toBe('Paid: 1. Refused: 0. Others: 0.')
  const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${made.round}`)
  expect(body.payrollGroup.transfer_payrolls.data).toMatchObject([
    { status: 'success', external_trx_id: 'FT26-191' },
  ])
})

test('a girl of whom the bank says afterwards that it paid her is not paid by the next file until a person decides', {
  timeout: 60_000,
}, async () => {
  const made = await sent('Paid after all', [161, 162])
  const [first, second] = made.names
  await answerWith(pain002(made.message, tx(first, 'RJCT', why('AC04')) + tx(second, 'RJCT', why('AC04'))))
  const payments = async () =>
    (await approver.get(`/admin/transfers/cohorts/payroll/${made.round}`)).body.payrollGroup.transfer_payrolls
      .data
  const [girl, other] = await payments()
  const retry = (entry: { id: number }) =>
    approver.post('/admin/transfers/payrolls/retry', { payroll_ids: [entry.id] })
  expect((await retry(girl)).status).toBe(200)
  expect(await payments()).toMatchObject([{ state: 'pending' }, { state: 'failed' }])

  // She waits for the next file when the bank says that it paid the first order.
  await answerWith(pain002(made.message, tx(first, 'ACSC')))
  expect(await payments()).toMatchObject([{ state: 'doubted', failure_reason: 'AC04' }, { state: 'failed' }])
  expect((await retry(girl)).status).toBe(409)
  const files = `/admin/transfers/cohorts/payroll/${made.round}/bank-files`
  const next = await approver.post(files, { payments: 1, amount: 10_500 })
  expect(next.status).toBe(409)
  expect(await now(made)).toMatchObject({ pending: 0, failed: 2 })

  // The answer about the other comes at the moment at which an approver makes her payment again.
  const answer = await portal.owner.connect()
  await answer.query('begin')
  await answer.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
    [other.id],
  )
  const asked = retry(other)
  await untilLocked(portal.owner).finally(async () => {
    await answer.query('commit')
    answer.release()
  })
  expect(await asked).toMatchObject({
    status: 409,
    body: { errors: { [`payroll_ids.${other.id}`]: [expect.stringContaining('must be looked at first')] } },
  })
  expect(await payments()).toMatchObject([{ state: 'doubted' }, { state: 'doubted' }])

  // A person finds that the bank was wrong about one of them, and the next file pays her.
  const open = (await approver.get('/admin/transfers/exceptions?state=open')).body.exceptions.data
  const { id } = open.find(({ payroll_id }: { payroll_id: number }) => payroll_id === girl.id)
  const closing = { decision: 'status_stands', reason: 'The bank has corrected its answer' }
  expect((await approver.post(`/admin/transfers/exceptions/${id}/close`, closing)).status).toBe(200)
  expect((await retry(girl)).status).toBe(200)
  expect((await approver.post(files, { payments: 1, amount: 10_500 })).status).toBe(200)
  const { rows } = await portal.owner.query(
    'select n, state, reason from payment_attempts where payroll_id = $1 order by n',
    [girl.id],
  )
  expect(rows).toEqual([
    { n: 1, state: 'failed', reason: 'AC04' },
    { n: 2, state: 'failed', reason: 'cancelled' },
    { n: 3, state: 'sending', reason: null },
  ])
  const verified = await runCommand(portal.settings, 'ledger-verify', [])
  expect([verified.code, verified.err]).toEqual([0, ''])
})

test('a file that is no answer is refused with a sentence, and so is a person without the right', async () => {
  const made = await sent('Hostile', [141])
  const good = await pain002(made.message, tx(made.names[0], 'ACSC')).text()
  const refused = async (content: string) =>
    (await answerWith(new File([content], 'a.xml'))).body.errors.answer_file[0]
  const bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
  expect(await refused(bomb + good)).toMatch(/document type/)
  expect(await refused(good.replace('pain.002.001.10', 'camt.053.001.08'))).toMatch(/no answer to a file/)
  expect(await refused(good.slice(0, 300))).toMatch(/breaks off or is damaged/)
  expect(await refused(good.replace(made.message, 'f'.repeat(32)))).toMatch(/made no file of this name/)
  expect(await refused(good.replace('OrgnlMsgId>', 'OtherId>').replace('/OrgnlMsgId>', '/OtherId>'))).toMatch(
    /to which file/,
  )
  expect(await refused(`${'<a>'.repeat(60)}`)).toBeTruthy()
  expect((await officer.post('/admin/transfers/bank-answers', {})).status).toBe(415)
  expect((await answerWith(new File([good], 'a.xml'), approver)).status).toBe(403)
  expect((await answerWith(new File([good], 'a.xml'), await portal.visitor())).status).toBe(401)
  expect(await now(made)).toMatchObject({ pending: 1, success: 0 })
  await expect(portal.db.pool.query('delete from bank_answer_lines')).rejects.toThrow()
})
