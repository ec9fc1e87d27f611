import { Workbook } from 'exceljs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { settlePast } from '../../../src/demo/transfers.seed.ts'
import type { Client } from '../../client.ts'
import { sheetFile } from '../../cohorts.ts'
import { linesWith } from '../../letters/notices.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'

const path = '/admin/transfers/statements'
const size = 15_000
const each = size / 100
const portal = await startPortal()
const { officer: uploader } = await addPeople(portal.db, size + each, 'http://127.0.0.1:9')
// They have an account too, and their agency names telephones.
await addRound(portal.db, uploader, size + each, 'Kayes', (n) => (n === size ? 2 : 10 + (n % 90)), true)
await portal.db.transaction().execute((tx) => settlePast(tx))
// The demo's own agency charges one percent, as its tariff says.
const { rows: payments } = await sql<Payment>`
  select p.id, p.reference, a.idempotency_key as key, a.external_trx_id as trx, p.receiver_phone_number as phone, p.amount,
    (a.settled_at at time zone 'utc')::date::text as day
  from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id where p.status = 'success' order by p.id`.execute(
  portal.db,
)
const officer = await portal.signedInAs('Transfer Officer')
const colleague = await portal.signedInAs('Transfer Officer')
const approver = await portal.signedInAs('Transfer Approver')
const auditor = await portal.signedInAs('Auditor')
await portal.worker()

type Payment = {
  id: number
  reference: string
  key: string
  trx: string
  phone: string
  amount: number
  day: string
}
type Line = (string | number | null)[]
const titles = ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Fee', 'Timestamp']
const [first, last] = [payments[0]?.day ?? '', payments.at(-1)?.day ?? '']
const lineOf = ({ reference, trx, phone, amount, day }: Payment): Line => [
  reference,
  trx,
  phone,
  amount,
  105,
  `${day}T00:00:00Z`,
]
const csvOf = (lines: Line[], headings = titles, name = 'statement.csv') =>
  new File([[headings, ...lines].map((line) => line.join(';')).join('\r\n')], name)

const upload = (file: File, fields: Record<string, string | number> = {}, who: Client = officer) =>
  who.upload(path, { statement_file: file, transfer_agency_id: 1, from: first, to: last, ...fields })
const read = async (id: number, who: Client = officer) => (await who.get(`${path}/${id}`)).body.statement
const compared = (id: number) =>
  until(async () => {
    const statement = await read(id)
    return ['open', 'failed'].includes(statement.state) && statement
  })
const findings = async (id: number, query = '') =>
  (await officer.get(`${path}/${id}/findings?${query}`)).body.findings
/** Uploads lines and waits until they are compared. */
async function statementOf(lines: Line[], fields: Record<string, string | number> = {}) {
  const sent = await upload(csvOf(lines), fields)
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  return compared(sent.body.statement.id)
}
type Total = { category: string; count: number; their_amount: number; our_amount: number }
const countsOf = ({ totals }: { totals: Total[] }) =>
  Object.fromEntries(totals.map(({ category, count }) => [category, count]))
const reset = () =>
  portal.owner.query(`begin; set local portal.maintenance = 'on'; truncate payment_confirmations, round_confirmations, statement_totals,
    statement_findings, statement_resolutions, statement_lines, agency_statements, statement_mappings cascade; commit`)

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

test('a second person signs a statement whose differences are resolved, and nothing of it changes any more', async () => {
  await reset()
  const paid = payments.slice(0, 6) as [Payment, Payment, Payment, Payment, Payment, Payment]

  // Of a period without payments, so that none is missing.
  const quiet = { from: '2020-01-01', to: '2020-01-31' }
  const statement = await statementOf(
    [
      ...paid.slice(0, 4).map(lineOf),
      lineOf(paid[4]).with(3, 10_000),
      ['X-1', 'XT-1', '', 500, 5, paid[0].day],
    ],
    quiet,
  )
  const at = `${path}/${statement.id}`
  const sign = (who: Client, version: number) => who.post(`${at}/sign`, { version })
  expect((await read(statement.id, approver)).barred).toMatch(/Differences that are not resolved: \d+\./)
  expect(await sign(approver, statement.version)).toMatchObject({ status: 409 })
  const wrong = (await findings(statement.id, 'category=amount')).data[0].id
  const resolve = (body: object, who: Client = colleague) => who.post(`${at}/resolve`, body)
  expect(await resolve({ finding_ids: [wrong], reason: '  ' })).toMatchObject({ status: 422 })
  expect(await resolve({ reason: 'x' })).toMatchObject({ status: 422 })
  expect(await resolve({ finding_ids: [wrong, 999_999], reason: 'x' })).toMatchObject({ status: 409 })
  expect(await resolve({ finding_ids: [wrong], reason: 'The agency corrects it in May' })).toMatchObject({
    status: 200,
    body: { message: 'Resolved differences: 1', resolved: 1 },
  })
  expect((await findings(statement.id, 'category=amount&resolved=true')).data).toMatchObject([
    { id: wrong, reason: 'The agency corrects it in May', resolved_by: { first_name: expect.any(String) } },
  ])
  const all = { category: 'theirs', reason: 'Not of this programme' }
  expect(await resolve(all)).toMatchObject({ status: 200, body: { resolved: 1 } })
  expect(await resolve(all)).toMatchObject({ status: 409 })
  const { version } = await read(statement.id)
  const admin = await portal.signedInAs('Administrator')
  await resolve({ finding_ids: [wrong], reason: 'The agency corrected it' }, admin)
  // Only whoever may sign it finds it on the dashboard of transfers: the administrator has resolved a difference.
  const toSign = async (who: Client) => (await who.get('/admin/transfers/dashboard')).body.waits.statements
  expect(await Promise.all([approver, admin, officer].map(toSign))).toEqual([1, 0, 0])
  expect(await sign(approver, version)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('since you opened') },
  })
  expect(await sign(admin, version + 1)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('somebody else') },
  })
  await expect(
    portal.db.pool.query(
      "update agency_statements set state = 'closed', ended_by = $1, ended_at = now() where id = $2",
      [admin.user.id, statement.id],
    ),
  ).rejects.toThrow('worked on it')
  expect(await sign(officer, version + 1)).toMatchObject({ status: 403 })
  expect(await sign(approver, version + 1)).toMatchObject({
    status: 200,
    body: { message: 'The statement is signed and closed.' },
  })
  expect(await read(statement.id)).toMatchObject({
    state: 'closed',
    ended_by: { first_name: expect.any(String) },
  })
  expect(await resolve({ finding_ids: [wrong], reason: 'Once more' })).toMatchObject({ status: 409 })
  expect(await officer.post(`${at}/withdraw`, { reason: 'No' })).toMatchObject({ status: 409 })
  for (const change of [
    "update agency_statements set state = 'open'",
    'delete from agency_statements',
    'update statement_lines set amount = 1',
    'delete from statement_lines',
    'update statement_findings set resolution_id = null',
    'delete from statement_findings',
    "update statement_resolutions set reason = 'x'",
    `insert into statement_resolutions (statement_id, reason, user_id) values (${statement.id}, 'x', ${admin.user.id})`,
  ])
    await expect(portal.db.pool.query(change), change).rejects.toThrow()
  await portal.db.pool.query('update statement_lines set number = null, name = null')
  const { rows } = await portal.owner.query('select count, amount::int from round_confirmations')
  expect(rows).toEqual([{ count: 4, amount: 42_000 }])

  // A correcting statement confirms in its place, once it is signed by somebody else.
  expect((await upload(csvOf([lineOf(paid[5])]), { corrects_id: 999 })).body.errors.corrects_id).toHaveLength(
    1,
  )
  const right = await statementOf([...paid.slice(0, 5).map(lineOf)], { ...quiet, corrects_id: statement.id })
  expect(countsOf(right)).toMatchObject({ matched: 5 })
  expect((await portal.owner.query('select count from round_confirmations')).rows).toEqual([{ count: 4 }])
  expect(await approver.post(`${path}/${right.id}/sign`, { version: 1 })).toMatchObject({ status: 200 })
  expect((await portal.owner.query('select count, amount::int from round_confirmations')).rows).toEqual([
    { count: 5, amount: 52_500 },
  ])
  expect(await read(statement.id)).toMatchObject({ corrected_by_id: right.id })
  // What the correcting statement has is no difference in a later one that has it again.
  const later = await statementOf(paid.slice(0, 6).map(lineOf), { from: '2020-05-01', to: '2020-05-31' })
  expect(later).toMatchObject({ lines_repeated: 5 })
  expect(countsOf(later)).toEqual({ matched: 1 })
})

test('whoever may sign a statement is asked once and until it was signed, and nobody who has worked on it', async () => {
  await reset()
  const [one, two] = payments.slice(20, 22) as [Payment, Payment]
  const quiet = { from: '2020-03-01', to: '2020-03-31' }
  const rights = ['transfers.view', 'statements.import', 'statements.sign'] as const
  const [accountant, resolver] = [await portal.signedIn(...rights), await portal.signedIn(...rights)]
  const asked = (...people: (typeof approver)[]) => linesWith('statement of', people)
  const before = await asked(approver)
  const lines = [lineOf(one), lineOf(two).with(3, 10_000)]
  const sent = await upload(csvOf(lines, titles, 'march.csv'), quiet, accountant)
  const { id } = await compared(sent.body.statement.id)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, ...before])
  const [{ id: wrong }] = (await findings(id, 'category=amount')).data
  for (const reason of ['Corrected in April', 'Corrected in May'])
    expect((await resolver.post(`${path}/${id}/resolve`, { finding_ids: [wrong], reason })).status).toBe(200)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, Number(before) + 1])
  const { version } = await read(id)
  expect((await approver.post(`${path}/${id}/sign`, { version })).status).toBe(200)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, ...before])
})

test('an accountant exports a category, with texts that no spreadsheet runs', async () => {
  await reset()
  const statement = await statementOf([['=1+1', 'XT', '', 500, 5, first], lineOf(payments[0] as Payment)])
  const asked = await officer.post(
    `${path}/export`,
    { statement_id: statement.id, category: 'theirs' },
    { 'accept-language': 'fr' },
  )
  const file = await until(async () => {
    const got = await officer.get(`/storage/exports/${asked.body.file_name}`)
    return got.status === 200 && got
  })
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  const sheet = book.worksheets[0]
  expect(sheet?.rowCount).toBe(2)
  expect(sheet?.getRow(2).values).toEqual(
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

test('an auditor reads statements and acts on none, and a file that is no statement is refused with a sentence', async () => {
  await reset()
  const book = sheetFile([titles, lineOf(payments[0] as Payment)], 'wave.xlsx')
  const statement = await compared((await upload(book)).body.statement.id)
  expect(statement).toMatchObject({ format: 'xlsx', lines_read: 1 })
  expect(countsOf(statement)).toMatchObject({ matched: 1 })
  expect(await read(statement.id, auditor)).toMatchObject({ state: 'open' })
  expect((await auditor.get(`${path}/${statement.id}/findings`)).status).toBe(200)
  expect((await upload(csvOf([]), {}, auditor)).status).toBe(403)
  for (const [act, body] of [
    ['resolve', { category: 'ours', reason: 'x' }],
    ['sign', { version: 1 }],
    ['withdraw', { reason: 'x' }],
  ] as const)
    expect((await auditor.post(`${path}/${statement.id}/${act}`, body)).status, act).toBe(403)
  expect((await auditor.post(`${path}/export`, { statement_id: statement.id })).status).toBe(403)
  expect((await officer.post(`${path}/export`, { statement_id: 999 })).status).toBe(404)
  expect((await officer.post(`${path}/${statement.id}/sign`, { version: 1 })).status).toBe(403)
  const refused = async (content: string, name: string) =>
    (await upload(new File([content], name))).body.errors.statement_file[0]
  expect(await refused('', 'a.csv')).toBe('The file is empty.')
  expect(await refused('%PDF-1.4', 'a.csv')).toMatch(/no statement/)
  expect(await refused('Amount;Day\n"10500;2026-01-01', 'a.csv')).toMatch(/quotation mark/)
  expect(
    (await upload(csvOf([['r', 't', 'n', 1, 1, first]]), { from: last, to: '2020-01-01' })).body.errors.to,
  ).toHaveLength(1)
  expect((await officer.get(`${path}/999`)).status).toBe(404)
  expect((await officer.get(`${path}/999/findings`)).status).toBe(404)
  expect(
    (await officer.get(`${path}?state=open&transfer_agency_id=1&search=sandbox`)).body.statements.total,
  ).toBe(1)
  expect((await officer.get(`${path}?to=2000-01-01`)).body.statements.total).toBe(0)
})
