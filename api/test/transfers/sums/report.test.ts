import type { DonorReport } from '@portal/contracts/transfers/donor-report'
import { Workbook } from 'exceljs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { settlePast } from '../../../src/demo/transfers.seed.ts'
import { makeRound } from '../../../src/transfers/rounds/rounds.service.ts'
import { addList, addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'
import { ribOf } from '../banks/rib.ts'

const path = '/admin/transfers/report'
const portal = await startPortal()
const { owner, db } = portal
const { officer: uploader } = await addPeople(db, 30, 'http://127.0.0.1:9')
// Of thirty girls two are in year 7 of Yélimané, eight in its year 8; of Kayes six are in year 7, the others of no known class.
await owner.query(`
  with cap as (insert into caps (academy_id, name) select id, 'CAP YÉLIMANÉ' from academies returning id),
  school as (insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'Yélimané 1', 'YEL-001', 'primary', id, '2026-2027' from cap returning id)
  update students s set school_id = case when n.n <= 10 then (select id from school) else s.school_id end,
    current_class_level = case when n.n <= 2 or n.n between 11 and 16 then '7' when n.n <= 10 then '8' end
  from (select id, row_number() over (order by id) as n from students) n where n.id = s.id`)

await owner.query(`insert into reference_values (list, code, en, fr, position) values
  ('class_level', '7', 'Year 7, fundamental', '7e année, fondamentale', 7),
  ('class_level', '8', 'Year 8, fundamental', '8e année, fondamentale', 8)`)

const lastEvent = async (): Promise<number> =>
  (await owner.query('select coalesce(max(id), 0) as id from money_events')).rows[0].id
/** What was noted after this event is of a day of the past. */
const noted = (after: number, day: string) =>
  owner.query(`begin; set local portal.maintenance = 'on';
    update money_events set created_at = '${day}' where id > ${after}; commit`)

/** A round of all girls on a day of the past; the agency refuses as many of the first ones as it is told. */
async function roundOn(day: string, refused: number) {
  const before = await lastEvent()
  const { round } = await addRound(db, uploader, 30, day, (n) => (n < refused ? 2 : 10 + n))
  await owner.query('update transfer_payrolls set created_at = $2 where payroll_group_id = $1', [round, day])
  await noted(before, day)
  return round
}
const february = await roundOn('2026-02-28T23:50:00Z', 2)
// Its payments are settled two minutes later, on the first of April.
await roundOn('2026-03-31T23:59:00Z', 1)
await db.transaction().execute((tx) => settlePast(tx))
// The last girl is on hold in June; all others are paid.
await owner.query(
  `insert into payee_holds (student_id, reason, user_id, created_at)
   select max(id), '=HYPERLINK("x")', $1, '2026-06-01' from students`,
  [uploader],
)
const june = await roundOn('2026-06-10T08:00:00Z', 0)
/** An agency pays what waits, on the day of the round, but for the numbers that it refuses. */
async function settleAll() {
  const { rows } = await owner.query(
    `insert into payment_attempts (payroll_id, state, reason, created_at, settled_at)
     select id, case when refused then 'failed' else 'success' end, case when refused then 'Refused' end, created_at, created_at
     from (select *, right(receiver_phone_number, 2) = '02' as refused from transfer_payrolls where status = 'pending') p
     returning payroll_id, state`,
  )
  await owner.query(`update transfer_payrolls set status = 'sending' where status = 'pending'`)
  for (const state of ['success', 'failed'])
    await owner.query('update transfer_payrolls set status = $1 where id = any($2)', [
      state,
      rows.filter((row) => row.state === state).map((row) => row.payroll_id),
    ])
}
await settleAll()
const firstOf = async (round: number, offset = 0): Promise<number> =>
  (
    await owner.query(
      'select id from transfer_payrolls where payroll_group_id = $1 order by id offset $2 limit 1',
      [round, offset],
    )
  ).rows[0].id

/** A payment that failed or was withheld is made again, with a new attempt unless one waits, and succeeds. */
async function payAgain(id: number, n: number, at: string) {
  const before = await lastEvent()
  await owner.query(
    `insert into payment_attempts (payroll_id, n, state, created_at) values ($1, $2, 'pending', $3)
     on conflict (payroll_id, n) do nothing`,
    [id, n, at],
  )
  for (const status of ['pending', 'sending'])
    await owner.query(
      'update transfer_payrolls set status = $2, failure_reason = null, withheld_at = null where id = $1',
      [id, status],
    )
  await owner.query(
    `update payment_attempts set state = 'success', settled_at = $3 where payroll_id = $1 and n = $2`,
    [id, n, at],
  )
  await owner.query(`update transfer_payrolls set status = 'success' where id = $1`, [id])
  await noted(before, at)
}
// The second girl of February is paid in March, and the payment of the first one is written off in May.
await payAgain(await firstOf(february, 1), 2, '2026-03-10T12:00:00Z')
await owner.query(
  `insert into payment_write_offs (payroll_id, reason, user_id, two_people, created_at)
   values ($1, 'Moved away', $2, false, '2026-05-05')`,
  [await firstOf(february), uploader],
)

const officer = await portal.signedInAs('Transfer Officer')
const approver = await portal.signedInAs('Transfer Approver')
const auditor = await portal.signedInAs('Auditor')
await portal.worker()
const read = async (from: string, to: string, more = ''): Promise<DonorReport> => {
  const { status, body } = await auditor.get(`${path}?from=${from}&to=${to}${more}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.report
}
/** Asks for an export and waits for its workbook. */
async function bookOf(of: string, body: object, language: string): Promise<Workbook> {
  const asked = await officer.post(`/admin/transfers/${of}`, body, { 'accept-language': language })
  expect(asked.status, JSON.stringify(asked.body)).toBe(202)
  const file = await until(async () => {
    const got = await officer.get(`/storage/exports/${asked.body.file_name}`)
    return got.status === 200 && got
  }, 10_000)
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  return book
}
const year = ['2026-01-01', '2026-12-31'] as const

test('a donor reads what was disbursed in a period of whole days in UTC, to the franc', async () => {
  expect(await read('2026-02-01', '2026-02-28')).toMatchObject({
    disbursed: 28 * 10_500,
    payments: 28,
    recipients: 28,
    girls: 28,
    refused: 2,
    success_rate: 28 / 30,
    arrears: { amount: 21_000, payments: 2, girls: null },
    commission: 28 * 210,
  })
  // In March one payment of February was made again; the round of the last minute of March was settled in April.
  expect(await read('2026-03-01', '2026-03-31')).toMatchObject({
    disbursed: 10_500,
    payments: 1,
    recipients: null,
    girls: null,
    refused: 0,
    success_rate: 1,
    arrears: { amount: 10_500, payments: 1 },
  })
  expect(await read('2026-04-01', '2026-04-30')).toMatchObject({
    disbursed: 29 * 10_500,
    refused: 1,
    arrears: { amount: 21_000, payments: 2, girls: null },
  })
  expect(await read('2026-05-01', '2026-05-31')).toMatchObject({
    disbursed: 0,
    payments: 0,
    recipients: 0,
    girls: 0,
    success_rate: null,
    arrears: { amount: 10_500, payments: 1 },
    places: [],
    levels: [],
    girls_by_place_and_level: [],
  })
})

test('girls and recipients are counted once, and a payment that was made again is no refusal', async () => {
  const report = await read(...year)
  // The second girl was paid at two numbers.
  expect(report).toMatchObject({ payments: 87, girls: 30, recipients: 31, refused: 2, success_rate: 87 / 89 })
  const { totals } = (await auditor.get('/admin/transfers/reconciliations')).body
  expect(report.disbursed).toBe(totals.total_amount_disbursed)
  expect(report.commission).toBe(totals.total_amount_fees)
  expect(report.arrears.amount).toBe(totals.total_amount_arrears)
})

const releaseAll = () =>
  owner.query('update payee_holds set released_at = now(), released_by = $1 where released_at is null', [
    uploader,
  ])

test('a girl on hold stays in the arrears of that period after she was released and paid', async () => {
  const held = await firstOf(june, 29)
  const inJune = async () => (await read('2026-06-01', '2026-06-30')).arrears.payments
  expect(await inJune()).toBe(2)
  await releaseAll()
  await payAgain(held, 1, '2026-07-02T09:00:00Z')
  expect(await inJune()).toBe(2)
  expect((await read('2026-07-01', '2026-07-31')).arrears.payments).toBe(1)
})

test('fewer than five girls of a place and class level are hidden, and so is what would tell how many', async () => {
  const report = await read(...year)
  expect(report.place).toBe('cap')
  expect(report.places.map(({ name }) => name)).toEqual(['CAP KAYES', 'CAP YÉLIMANÉ'])
  expect(report.levels.map(({ key, name }) => [key, name])).toEqual([
    ['7', 'Year 7, fundamental'],
    ['8', 'Year 8, fundamental'],
    [null, null],
  ])
  for (const row of report.girls_by_place_and_level)
    for (const girls of row) expect(girls === null || girls === 0 || girls >= 5).toBe(true)
  expect(report.girls_by_place_and_level[1]).toEqual([null, null, 0])
  const inFrench = await auditor.get(`${path}?from=${year[0]}&to=${year[1]}`, { 'accept-language': 'fr' })
  expect(inFrench.body.report.levels[0].name).toBe('7e année, fondamentale')
})

test('an accountant chooses a CAP, whose schools are the places, and an agency', async () => {
  const { rows } = await owner.query(`select id from caps where name = 'CAP YÉLIMANÉ'`)
  const ofCap = await read('2026-02-01', '2026-02-28', `&cap=${rows[0].id}`)
  expect(ofCap).toMatchObject({ place: 'school', payments: 8, refused: 2, arrears: { payments: 2 } })
  expect(ofCap.places).toMatchObject([{ name: 'Yélimané 1', girls: 8, amount: 84_000 }])
  expect(await read('2026-02-01', '2026-02-28', '&transfer_agency_id=999')).toMatchObject({
    disbursed: 0,
    arrears: { amount: 0 },
  })
  expect(await read('2026-02-01', '2026-02-28', '&transfer_agency_id=1')).toMatchObject({ payments: 28 })
})

test('the agency’s fees are those of its signed statement, and of its tariff where no statement has the payment', async () => {
  const period = ['2026-02-01', '2026-02-28'] as const
  expect(await read(...period)).toMatchObject({
    stated_fees: { payments: 0, amount: 0 },
    tariff_fees: { payments: 28, amount: 28 * 105 },
  })
  const { rows } = await owner.query(
    `select p.reference, p.amount from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id
     where a.state = 'success' and a.n = 1 and p.payroll_group_id = ${february} order by p.id limit 20`,
  )
  const lines = rows.map(({ reference, amount }) => [reference, amount, 100, '2026-02-28'].join(';'))
  const file = new File([['Reference;Amount;Fee;Date', ...lines].join('\r\n')], '=february.csv')
  const statements = '/admin/transfers/statements'
  const sent = await officer.upload(statements, {
    statement_file: file,
    transfer_agency_id: 1,
    from: period[0],
    to: period[1],
  })
  expect(sent.body.message).toBe('The statement is being read and compared.')
  const { id } = sent.body.statement
  const version = async () => (await officer.get(`${statements}/${id}`)).body.statement.version
  const statement = await until(async () => {
    const { body } = await officer.get(`${statements}/${id}`)
    return body.statement.state === 'open' && body.statement
  })
  for (const { category } of statement.totals)
    await officer.post(`${statements}/${id}/resolve`, { category, reason: 'Agreed with the agency' })
  expect((await read(...period)).stated_fees.payments).toBe(0)
  const document = async () => (await auditor.get(`${statements}/${id}/report`)).body.report
  expect(await document()).toMatchObject({ state: 'open', ended_by: null, differences_total: 20 + 8 })
  const signed = await approver.post(`${statements}/${id}/sign`, { version: await version() })
  expect(signed.status, JSON.stringify(signed.body)).toBe(200)
  expect(await read(...period)).toMatchObject({
    stated_fees: { payments: 20, amount: 2000 },
    tariff_fees: { payments: 8, amount: 8 * 105 },
  })
  // The document for the files says what was compared, and who answers for it.
  const report = await document()
  expect(report).toMatchObject({
    state: 'closed',
    file_name: '=february.csv',
    file_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    commission: 20 * 210,
    ended_by: { last_name: expect.any(String) },
    ended_at: expect.any(String),
  })
  expect(report.differences).toHaveLength(28)
  for (const { category, reason, resolved_by } of report.differences)
    expect([category, reason, typeof resolved_by.last_name]).toEqual([
      category,
      'Agreed with the agency',
      'string',
    ])
  expect((await (await portal.visitor()).get(`${statements}/${id}/report`)).status).toBe(401)
  expect((await (await portal.signedIn('schools.view')).get(`${statements}/${id}/report`)).status).toBe(403)
  expect((await auditor.get(`${statements}/999/report`)).status).toBe(404)
})

test('an accountant has the report as a workbook with the same figures, which the audit log names', async () => {
  const report = await read(...year)
  const book = await bookOf('report/export', { from: year[0], to: year[1] }, 'en')
  expect(book.worksheets.map(({ name }) => name)).toEqual(['Report', 'CAP', 'Class level', 'Girls reached'])
  const cells = Object.fromEntries(
    (book.getWorksheet('Report')?.getRows(2, 20) ?? []).map((row) => [row.getCell(1).value, row]),
  )
  expect(cells.Disbursed?.getCell(2).value).toBe(report.payments)
  expect(cells.Disbursed?.getCell(3).value).toBe(report.disbursed)
  expect(cells['Girls reached']?.getCell(2).value).toBe(report.girls)
  expect(book.getWorksheet('Girls reached')?.getRow(3).getCell(2).value).toMatch(/^hidden/)
  const { rows } = await owner.query(
    `select v.new_values as new from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'exported' and a.auditable_type = 'donor report'`,
  )
  expect(rows).toMatchObject([{ new: { from: year[0], to: year[1] } }])
})

test('a report that reads more payments than a call has time for is counted by a worker, and found by whoever comes back', async () => {
  const query = `${path}?from=${year[0]}&to=${year[1]}`
  const body = { from: year[0], to: year[1] }
  const atOnce = await read(...year)
  // A nation was paid in January, as the totals say from which a report takes its time.
  await owner.query(
    `insert into payment_totals (cap_id, cohort_id, month, payments, amount)
     select c.id, t.id, '2026-01-01', 9000000, 1 from transfer_cohorts t, caps c where c.name = 'CAP KAYES' order by t.id limit 1`,
  )
  const payments = 9_000_000 + atOnce.payments
  const none = { state: 'none', payments, payments_done: 0, counted_at: null }
  expect((await auditor.get(query)).body).toEqual({ report: null, counted: none })
  expect((await (await portal.visitor()).post(`${path}/count`, body)).status).toBe(401)
  expect((await (await portal.signedIn('schools.view')).post(`${path}/count`, body)).status).toBe(403)
  expect((await auditor.post(`${path}/count`, { ...body, to: '2025-01-01' })).status).toBe(422)
  const asked = await Promise.all([auditor.post(`${path}/count`, body), officer.post(`${path}/count`, body)])
  for (const { status, body: said } of asked)
    expect([status, said.message]).toEqual([202, 'The report is being counted.'])
  const ready = async () => {
    const { body: found } = await auditor.get(query)
    return found.counted.state === 'ready' && found
  }
  const counted = await until(ready)
  expect(counted.report).toEqual(atOnce)
  expect(counted.counted).toMatchObject({ payments, payments_done: payments })
  // Another agency or language is another report; a place that was paid little is read at once.
  expect((await auditor.get(`${query}&transfer_agency_id=1`)).body.counted.state).toBe('none')
  const { rows } = await owner.query(`select id from caps where name = 'CAP YÉLIMANÉ'`)
  expect((await auditor.get(`${query}&cap=${rows[0].id}`)).body).toMatchObject({
    counted: null,
    report: { place: 'school' },
  })
  // Counted again, it stays until the new one is there, and two who ask at once have it counted once.
  expect((await officer.post(`${path}/count`, body)).status).toBe(202)
  const again = await until(async () => {
    const found = await ready()
    return found && found.counted.counted_at !== counted.counted.counted_at && found
  })
  expect(again.report).toEqual(atOnce)
  const { rows: audits } = await owner.query(
    `select count(*)::int as asked from audits where event = 'counted' and auditable_type = 'donor report'`,
  )
  expect(audits).toEqual([{ asked: 2 }])
  const { rows: jobs } = await owner.query(
    `select count(*)::int as many from pgboss.job where name = 'donor-report'`,
  )
  expect(jobs).toEqual([{ many: 2 }])
  await owner.query('delete from payment_totals where payments = 9000000')
})

test('a report needs the right to see transfers, its file the right to export, and both a period that ends after it begins', async () => {
  const query = `${path}?from=2026-01-01&to=2026-12-31`
  const body = { from: '2026-01-01', to: '2026-12-31' }
  const visitor = await portal.visitor()
  expect((await visitor.get(query)).status).toBe(401)
  expect((await visitor.post(`${path}/export`, body)).status).toBe(401)
  const stranger = await portal.signedIn('schools.view')
  expect((await stranger.get(query)).status).toBe(403)
  expect((await stranger.post(`${path}/export`, body)).status).toBe(403)
  const reader = await portal.signedIn('transfers.view')
  expect((await reader.get(query)).status).toBe(200)
  expect((await reader.post(`${path}/export`, body)).status).toBe(403)
  expect((await reader.get(`${path}?from=2026-02-01&to=2026-01-01`)).body.errors).toEqual({
    to: ['The end date is before the start date.'],
  })
  expect((await reader.get(path)).body.errors).toMatchObject({
    from: expect.anything(),
    to: expect.anything(),
  })
})

test('every export of transfers has numbers as numbers, days as days, headings in both languages, and no formulas', async () => {
  const { rows } = await owner.query(
    `select (select min(id) from agency_statements)::int as statement, (select min(id) from transfer_cohorts)::int as cohort`,
  )
  await owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'recipient', '-1+1', '@SUM(1+1)' from payment_attempts where state = 'success' order by id limit 1`,
  )
  await owner.query(`update users set first_name = '=HYPERLINK("x")' where type = 'student'`)
  const all = { from: year[0], to: year[1] }
  const wanted: Record<string, object> = {
    'accounting/export': { part: 'journal' },
    'arrears/export': {},
    'cohorts/attendance/export': { cohort_id: rows[0].cohort },
    'cohorts/changes/export': { cohort_id: rows[0].cohort },
    'cohorts/export': { cohort_id: rows[0].cohort },
    'cohorts/payroll/export': { payroll_id: february },
    'exceptions/export': {},
    'payee-holds/export': {},
    'reconciliations/export': {},
    'report/export': all,
    'statements/export': { statement_id: rows[0].statement },
    'statements/list/export': {},
  }
  const found = portal.endpoints.flatMap(({ path: of }) =>
    /^\/admin\/transfers\/.*\bexport$/.test(of) ? [of.slice('/admin/transfers/'.length)] : [],
  )
  // A target list from the register is the file that its import reads, the same in both languages; checks of names need an
  // agency that tells them. Both have tests of their own.
  const others = ['cohorts/names/export', 'target-selection/export']
  expect(found.toSorted()).toEqual([...Object.keys(wanted), ...others].toSorted())
  for (const [of, body] of Object.entries(wanted)) {
    const [english, french] = await Promise.all([bookOf(of, body, 'en'), bookOf(of, body, 'fr')])
    const headings = (book: Workbook) => book.worksheets.map((sheet) => sheet.getRow(1).values)
    expect(headings(english), of).not.toEqual(headings(french))
    let cells = 0
    for (const sheet of english.worksheets)
      sheet.eachRow((row, number) =>
        row.eachCell(({ value, numFmt, address }) => {
          if (number === 1) return
          cells += 1
          const where = `${of} ${address}: ${JSON.stringify(value)}`
          // A formula would be an object. What begins as one is text behind an apostrophe, or a telephone number.
          if (typeof value === 'string') expect(value, where).not.toMatch(/^(?:[=@\t\r]|[+-](?!\d[\d ]*$))/)
          else expect(typeof value === 'number' || value instanceof Date, where).toBe(true)
          if (/^(0|#,##0\.00)$/.test(numFmt ?? '') && value !== null)
            expect(typeof value === 'number' || /^hidden|–/.test(String(value)), where).toBe(true)
          if (/^dd\/mm\/yyyy/.test(numFmt ?? '')) expect(value, where).toBeInstanceOf(Date)
        }),
      )
    expect(cells, of).toBeGreaterThan(0)
  }
})

test('an export has the rows that search and filters of the list leave', async () => {
  const rowsOf = async (of: string, body: object) =>
    (await bookOf(of, body, 'en')).worksheets[0]?.actualRowCount
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february })).toBe(31)
  // What was written off is no payment that failed and is still owed.
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, status: 'failed' })).toBe(1)
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, status: 'written_off' })).toBe(2)
  const listed = (await auditor.get(`/admin/transfers/cohorts/payroll/${february}?search=coulibaly+30`)).body
  const { total } = listed.payrollGroup.transfer_payrolls
  expect(total).toBeLessThan(30)
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, search: 'coulibaly 30' })).toBe(
    total + 1,
  )
  expect(await rowsOf('exceptions/export', { state: 'closed' })).toBe(1)
  expect(await rowsOf('exceptions/export', { kind: 'recipient' })).toBe(2)
  expect(await rowsOf('payee-holds/export', { state: 'open' })).toBe(1)
  expect(await rowsOf('payee-holds/export', { state: 'ended' })).toBe(2)
  expect(await rowsOf('statements/list/export', { state: 'closed', search: 'february' })).toBe(2)
  expect(await rowsOf('statements/list/export', { to: '2020-01-01' })).toBe(1)
  expect(await rowsOf('statements/export', { statement_id: 1, category: 'fee' })).toBe(21)
  expect(await rowsOf('statements/export', { statement_id: 1, category: 'fee', search: 'nobody' })).toBe(1)
})

test('an export of a list needs its right', async () => {
  const reader = await portal.signedIn('transfers.view')
  const visitor = await portal.visitor()
  for (const list of ['exceptions/export', 'payee-holds/export', 'statements/list/export']) {
    expect((await reader.post(`/admin/transfers/${list}`, {})).status).toBe(403)
    expect((await visitor.post(`/admin/transfers/${list}`, {})).status).toBe(401)
  }
})

test('a payment that was written off before it was sent again is no refusal of that day', async () => {
  const { rows: days } = await owner.query("select (now() at time zone 'utc')::date::text as today")
  const { today } = days[0]
  const before = await read(today, today)
  const { rows } = await owner.query(
    "select id from transfer_payrolls where status = 'failed' and written_off_at is null and withheld_at is null order by id limit 1",
  )
  const { id } = rows[0]
  await owner.query("insert into payment_attempts (payroll_id, n, state) values ($1, 2, 'pending')", [id])
  await owner.query("update transfer_payrolls set status = 'pending', failure_reason = null where id = $1", [
    id,
  ])
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [id],
    reason: 'She has moved away',
  })
  expect(written.status, JSON.stringify(written.body)).toBe(200)
  const after = await read(today, today)
  expect([after.refused, after.success_rate]).toEqual([before.refused, before.success_rate])
  expect(after.arrears.payments).toBe(before.arrears.payments - 1)
})

/** Puts the girl of a payment on hold while her order is on its way, and the order comes back unsent on that day. */
async function withholdOnItsWay(id: number, day: string) {
  const before = await lastEvent()
  await owner.query(
    `insert into payment_attempts (payroll_id, state, tries, created_at) values ($1, 'sending', 1, $2)`,
    [id, day],
  )
  await owner.query(`update transfer_payrolls set status = 'sending' where id = $1`, [id])
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at)
     select m.student_id, 'Somebody else took it', $2, $3 from transfer_payrolls p
       join transfer_master_list m on m.id = p.master_list_id where p.id = $1`,
    [id, uploader, day],
  )
  await owner.query(`update payment_attempts set state = 'pending' where payroll_id = $1`, [id])
  const { rows } = await owner.query(
    `update transfer_payrolls set status = 'pending' where id = $1 returning status, failure_reason`,
    [id],
  )
  expect(rows).toEqual([{ status: 'failed', failure_reason: 'withheld' }])
  await noted(before, day)
}

test('a girl whose order came back unsent while she was on hold stays in the arrears of that month after she was paid', async () => {
  const held = await firstOf(await roundOn('2025-06-10T08:00:00Z', 0))
  const arrearsOf = async (month: string) => (await read(`${month}-01`, `${month}-30`)).arrears.payments
  expect(await arrearsOf('2025-06')).toBe(0)
  await withholdOnItsWay(held, '2025-06-11T08:00:00Z')
  await settleAll()
  expect(await arrearsOf('2025-06')).toBe(1)
  await releaseAll()
  // She was released, but not paid yet.
  expect(await arrearsOf('2025-07')).toBe(1)
  await payAgain(held, 1, '2025-08-02T09:00:00Z')
  expect([await arrearsOf('2025-06'), await arrearsOf('2025-07')]).toEqual([1, 1])
  expect(await arrearsOf('2025-08')).toBe(0)
})

/** Another agency that pays in Mali. Returns its id. */
async function addAgency(name: string, type: string): Promise<number> {
  const { rows } = await owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
     values ($1, 'Simulator', $2, 'ml', 1, 'http://127.0.0.1:9', 'sandbox', '{"protocol": "sandbox"}', $3) returning id`,
    [name, type, uploader],
  )
  return rows[0].id
}

test('what an agency refused stays in its own report of that month after the cohort moved to another agency', async () => {
  await releaseAll()
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at) select max(id), 'Lost her phone', $1, '2025-01-01' from students`,
    [uploader],
  )
  const round = await roundOn('2025-01-10T08:00:00Z', 2)
  await settleAll()
  const second = await addAgency('Second', 'mobile_money')
  const january = async (agency: number) =>
    await read('2025-01-01', '2025-01-31', `&transfer_agency_id=${agency}`)
  const before = await january(1)
  expect(before).toMatchObject({ payments: 27, refused: 2, arrears: { payments: 3 } })
  await owner.query(
    `insert into cohort_moves (cohort_id, from_agency_id, to_agency_id, reason, user_id)
     select cohort_id, 1, $2, 'Its contract ends', $3 from transfer_payroll_groups where id = $1`,
    [round, second, uploader],
  )
  await owner.query(
    `update cohort_moves set state = 'approved', two_people = false,
       decided_by = (select id from users where account and id <> $1 limit 1)`,
    [uploader],
  )
  expect(await january(1)).toEqual(before)
  expect(await january(second)).toMatchObject({
    payments: 0,
    refused: 0,
    arrears: { payments: 0, amount: 0 },
  })
  // What was withheld waits, and goes through the other agency from now on.
  const { rows } = await owner.query("select (now() at time zone 'utc')::date::text as today")
  const now = await read('2025-01-01', rows[0].today, `&transfer_agency_id=${second}`)
  expect(now.arrears.payments).toBe(1)
})

test('girls whose grants a bank pays into one account are one recipient, whatever telephone numbers the list has', async () => {
  const bank = await addAgency('Bank', 'bank')
  await db.transaction().execute(async (tx) => {
    const cohort = await addList(tx, uploader, 30, 'At the bank', undefined, true)
    const accounts = Array.from({ length: 6 }, (_, n) => ribOf(n + 1))
    await sql`
      update transfer_master_list set receiver_account = (${accounts}::text[])[1 + "row" % 6] where cohort_id = ${cohort}`.execute(
      tx,
    )
    await sql`
      update transfer_cohorts set transfer_agency_id = ${bank}, list_hash = transfer_list_hash(id), status = 'approved',
        decided_by = user_id, decided_at = now() where id = ${cohort}`.execute(tx)
    await sql`insert into transfer_rounds (cohort_id, n, due_on) values (${cohort}, 1, current_date)`.execute(
      tx,
    )
    const round = await makeRound(tx, cohort, 1)
    await sql`update transfer_payrolls set created_at = '2025-03-10' where payroll_group_id = ${round}`.execute(
      tx,
    )
  })
  await settleAll()
  // One girl is on hold.
  const report = await read('2025-03-01', '2025-03-31')
  expect(report).toMatchObject({ payments: 29, girls: 29, recipients: 6 })
})
