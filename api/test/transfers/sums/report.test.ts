import { expect, test } from 'vitest'
import { until } from '../../portal.ts'
import { path, startReport, year } from './report-stage.ts'

const {
  portal,
  payAgain,
  officer,
  auditor,
  read,
  exportedBook,
  releaseAll,
  owner,
  firstOf,
  june,
  resolvedStatement,
  sign,
} = await startReport()

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
  const address = await resolvedStatement()
  expect((await read(...period)).stated_fees.payments).toBe(0)
  const document = async () => (await auditor.get(`${address}/report`)).body.report
  expect(await document()).toMatchObject({ state: 'open', ended_by: null, differences_total: 20 + 8 })
  await sign(address)
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
  expect((await (await portal.visitor()).get(`${address}/report`)).status).toBe(401)
  expect((await (await portal.signedIn('schools.view')).get(`${address}/report`)).status).toBe(403)
  expect((await auditor.get('/admin/transfers/statements/999/report')).status).toBe(404)
})

test('an accountant has the report as a workbook with the same figures, which the audit log names', async () => {
  const report = await read(...year)
  const book = await exportedBook('report/export', { from: year[0], to: year[1] }, 'en')
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
