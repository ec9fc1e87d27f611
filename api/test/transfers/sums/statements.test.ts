import { expect, test } from 'vitest'
import { exported, sheetOf } from '../../exports/workbook.ts'
import {
  countsOf,
  csvOf,
  each,
  type Line,
  lineOf,
  type Payment,
  path,
  size,
  startStatements,
} from './statement-stage.ts'

const { portal, payments, officer, first, upload, read, compared, findings, statementOf, reset } =
  await startStatements()

test('an accountant uploads 15,000 lines with one percent of each difference and finds exactly these', {
  timeout: 60_000,
}, async () => {
  const paid = payments.slice(0, size)
  const slice = (n: number) => paid.slice(n * each, (n + 1) * each)
  const strangers = slice(0).map((payment, n): Line => {
    return [`X-${n}`, `XT-${n}`, `+22399${String(n).padStart(6, '0')}`, 7000, 105, `${payment.day} 10:00`]
  })
  const lines: Line[] = [
    ...slice(0).map((payment) => lineOf(payment).with(3, payment.amount - 500)),
    ...slice(1).map((payment) => lineOf(payment).with(4, 210)),
    // Without reference and transaction: number, amount and day decide.
    ...slice(2).map((payment) => [null, null, ...lineOf(payment).slice(2)] as Line),
    ...slice(3).map((payment) => lineOf(payment).with(0, payment.key)),
    ...paid.slice(4 * each, size - each).map(lineOf),
    ...strangers,
  ]
  expect(lines).toHaveLength(size)
  const file = csvOf(lines)
  const began = performance.now()
  const sent = await upload(file)
  expect(sent).toMatchObject({ status: 200, body: { message: 'The statement is being read and compared.' } })
  const { id } = sent.body.statement
  const statement = await compared(id)
  process.stdout.write(`15,000 lines compared in ${Math.round(performance.now() - began)} ms\n`)
  const missing = payments.length - (size - each)
  const sum = (n: number) => n * 10_500
  expect(statement).toMatchObject({ state: 'open', lines_read: size, lines_repeated: 0, format: 'csv' })
  expect(statement.totals).toMatchObject([
    { category: 'amount', count: each, their_amount: sum(each) - each * 500, our_amount: sum(each) },
    {
      category: 'fee',
      count: each,
      their_amount: sum(each),
      their_fees: each * 210,
      expected_fees: each * 105,
    },
    { category: 'matched', count: size - 3 * each, their_amount: sum(size - 3 * each) },
    { category: 'ours', count: missing, their_amount: 0, our_amount: sum(missing) },
    { category: 'theirs', count: each, their_amount: each * 7000, our_amount: 0 },
  ])
  const { rows } = await portal.owner.query(
    `select f.category, count(*)::int, count(*) filter (where l.reference like 'X-%')::int as strange from statement_findings f
     left join statement_lines l on l.id = f.line_id group by 1 order by 1`,
  )
  expect(rows).toMatchObject([
    { category: 'amount', count: each, strange: 0 },
    { category: 'fee', count: each },
    { category: 'matched', count: size - 3 * each, strange: 0 },
    { category: 'ours', count: missing },
    { category: 'theirs', count: each, strange: each },
  ])
  const grouped = { category: 'ours', reason: 'Paid on the last evening, in the next statement' }
  expect(await officer.post(`${path}/${id}/resolve`, grouped)).toMatchObject({
    status: 200,
    body: { resolved: missing },
  })
  const before = (await portal.owner.query('select count(*) from statement_lines')).rows
  const again = await upload(file, { from: '2026-01-01' })
  expect(again.body).toMatchObject({
    message: 'This file was uploaded before. Nothing has changed.',
    statement: { id },
  })
  expect((await portal.owner.query('select count(*) from statement_lines')).rows).toEqual(before)
  expect((await officer.get(path)).body.statements).toMatchObject({ total: 1 })
})

test('an accountant names the columns of an agency once, and the next file is read with them', async () => {
  await reset()
  const [one, two, three] = payments as [Payment, Payment, Payment]
  const headings = ['Ref', 'Op', 'Beneficiary wallet', 'Sum paid', 'Cost', 'When']
  const preview = (file: File, fields = {}) =>
    officer.upload(`${path}/preview`, { statement_file: file, transfer_agency_id: 1, ...fields })
  const file = csvOf([lineOf(one)], headings)
  const seen = await preview(file)
  expect(seen.body).toMatchObject({
    format: 'csv',
    mapping_version: null,
    headings: [
      { heading: 'Ref', column: 'reference' },
      { heading: 'Op', column: null },
      {},
      { column: null },
      {},
      {},
    ],
    rows: [[one.reference, one.trx, one.phone, '10500', '105', `${one.day}T00:00:00Z`]],
  })
  expect(seen.body.problem).toMatch(/Amount, Day/)
  expect((await upload(file)).body.errors.statement_file[0]).toMatch(/Amount, Day/)
  const named = JSON.stringify({ 'Sum paid': 'amount', Cost: 'fee', When: 'day', Op: 'transaction_id' })
  const sent = await upload(file, { headings: named })
  expect(await compared(sent.body.statement.id)).toMatchObject({ state: 'open' })
  const next = csvOf([lineOf(two)], headings)
  expect((await preview(next)).body).toMatchObject({
    mapping_version: 1,
    problem: null,
    headings: [
      {},
      { column: 'transaction_id' },
      { column: null },
      { column: 'amount' },
      { column: 'fee' },
      {},
    ],
  })
  const other = await compared((await upload(next)).body.statement.id)
  expect(countsOf(other)).toMatchObject({ matched: 1 })
  const changed = JSON.stringify({ 'Beneficiary wallet': 'number' })
  await compared((await upload(csvOf([lineOf(three)], headings), { headings: changed })).body.statement.id)
  expect((await preview(next)).body).toMatchObject({
    mapping_version: 2,
    headings: [{}, {}, { column: 'number' }, {}, {}, {}],
  })
})

test('an accountant sees each line in one category, and what cannot be read or was paid before as a difference', async () => {
  await reset()
  const [one, two, three, four] = payments as [Payment, Payment, Payment, Payment]
  const { rows } = await portal.owner.query(
    "select reference from transfer_payrolls where status = 'failed' limit 1",
  )
  const statement = await statementOf([
    lineOf(one).with(3, '10 500 F CFA'),
    lineOf(one).with(1, 'other'),
    lineOf(two).with(3, '10.500,00').with(0, null).with(1, null).with(2, two.phone.slice(4)),
    lineOf(three)
      .with(3, '-10,500.00')
      .with(5, `${three.day.split('-').reverse().join('/')} 08:00`),
    lineOf(four).with(3, 'total'),
    lineOf(four).with(0, rows[0].reference).with(1, null),
  ])
  expect(countsOf(statement)).toEqual({ matched: 3, theirs: 3, ours: payments.length - 3 })
  const theirs = await findings(statement.id, 'category=theirs')
  expect(theirs.data).toMatchObject([
    { row: 3, cause: 'already', reference: one.reference, payroll_id: one.id, cohort_name: 'Kayes' },
    { row: 6, cause: 'unreadable', problem: '“total” is no amount in whole francs.' },
    { row: 7, cause: 'not_paid', our_amount: null, their_amount: 10_500 },
  ])
  expect((await findings(statement.id, `search=${one.reference}`)).total).toBe(2)
  expect((await findings(statement.id, 'resolved=true')).total).toBe(0)
  // The same line in another statement is matched once, and its payment is not missing there.
  const later = await statementOf([
    lineOf(three)
      .with(3, '-10,500.00')
      .with(5, `${three.day.split('-').reverse().join('/')} 08:00`),
    lineOf(four),
  ])
  expect(later).toMatchObject({ lines_read: 2, lines_repeated: 1 })
  expect(countsOf(later)).toEqual({ matched: 1, ours: payments.length - 4 })
  expect(await officer.post(`${path}/${statement.id}/withdraw`, { reason: 'Wrong month' })).toMatchObject({
    status: 409,
  })
  expect(await officer.post(`${path}/${later.id}/withdraw`, { reason: 'Wrong month' })).toMatchObject({
    status: 200,
  })
  expect(await read(later.id)).toMatchObject({ state: 'withdrawn', totals: [] })
})

test('an accountant exports a category, with texts that no spreadsheet runs', async () => {
  await reset()
  const statement = await statementOf([['=1+1', 'XT', '', 500, 5, first], lineOf(payments[0] as Payment)])
  const wanted = { statement_id: statement.id, category: 'theirs' }
  const sheet = await sheetOf(await exported(officer, `${path}/export`, wanted, 'fr'))
  expect(sheet.rowCount).toBe(2)
  expect(sheet.getRow(2).values).toEqual(
    expect.arrayContaining(['Seulement dans le relevé', 'Aucun paiement du portail', "'=1+1", 500]),
  )
})

/** A bank's statement with an entry for each line: reference, amount, and the day. */
const camtOf = (lines: [reference: string, amount: string][], day: string, currency = 'XOF') =>
  new File(
    [
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt>`,
      ...lines.map(
        ([reference, amount], n) =>
          `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
           <NtryDtls><TxDtls><Refs><AcctSvcrRef>B-${n}</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
      ),
      '</Stmt></BkToCstmrStmt></Document>',
    ],
    'statement.xml',
  )

test('an accountant uploads a bank’s XML without choosing columns, and the same file again changes nothing', async () => {
  await reset()
  const [a, b, c] = payments.filter(({ day }) => day === first) as [Payment, Payment, Payment]
  const file = camtOf(
    [
      [a.reference, String(a.amount)],
      [b.reference, `${b.amount - 500}.00`],
      ['X-1', '700'],
      [c.reference, `${c.amount}.5`],
    ],
    first,
  )
  const seen = await officer.upload(`${path}/preview`, { statement_file: file, transfer_agency_id: 1 })
  expect(seen.body).toMatchObject({ format: 'camt', headings: [], rows: [], problem: null })
  const { id } = (await upload(file, { to: first })).body.statement
  const statement = await compared(id)
  expect(statement).toMatchObject({ state: 'open', format: 'camt', lines_read: 4, lines_repeated: 0 })
  expect(countsOf(statement)).toMatchObject({ matched: 1, amount: 1, theirs: 2 })
  const strange = (await findings(id, 'category=theirs')).data
  expect(strange).toMatchObject([
    { cause: 'unknown', reference: 'X-1', problem: null },
    { cause: 'unreadable', reference: c.reference, payroll_id: c.id, their_amount: null },
  ])
  expect(strange[1].problem).toBe(`“${c.amount}.5” is no amount in whole francs.`)
  expect((await upload(file, { to: first })).body).toMatchObject({
    message: 'This file was uploaded before. Nothing has changed.',
    statement: { id },
  })
  // Another file with a line of the first one: that payment is not matched twice.
  const more = camtOf([[a.reference, String(a.amount)]], first)
  const later = await compared((await upload(more, { to: first })).body.statement.id)
  expect(later).toMatchObject({ lines_read: 1 })
  expect(countsOf(later).matched ?? 0).toBe(0)
})

test('a hostile or foreign XML file is refused with a sentence, and one without payments fails with one', async () => {
  await reset()
  const file = camtOf([['X-1', '700']], first)
  const text = await file.text()
  const refused = async (content: string) =>
    (await upload(new File([content], 'a.xml'))).body.errors.statement_file[0]
  const bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
  expect(await refused(bomb + text)).toMatch(/document type/)
  expect(await refused(text.replace('camt.053.001.08', 'pain.002.001.10'))).toMatch(
    /It is “urn:.*pain\.002\.001\.10”/,
  )
  expect(await refused('<!doctype html><html></html>')).toMatch(/This is no statement/)
  expect(await refused(text.slice(0, 200))).toMatch(/breaks off or is damaged/)
  // What is wrong behind the first payments is found by the job.
  const broken = `${text.slice(0, -12)}${' '.repeat(100_000)}`
  for (const [content, sentence] of [
    [broken, /breaks off or is damaged/],
    [text.replace('BOOK', 'PDNG'), /no payment that the bank has booked/],
  ] as const) {
    const failed = await compared((await upload(new File([content], 'a.xml'))).body.statement.id)
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) })
  }
})
