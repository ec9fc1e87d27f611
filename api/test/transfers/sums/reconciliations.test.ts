import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { readyFile, sheetOf } from '../../exports/workbook.ts'
import { until } from '../../portal.ts'
import { copyAgency } from '../agencies/copied.ts'

const stage = await startStage(60)
const { portal, officer, approver, imported, approve, progress } = stage
const path = '/admin/transfers/reconciliations'

// The first ten students go to school in Kayes, all others in Yélimané.
const { rows: districts } = await portal.owner.query(`
  with cap as (insert into caps (academy_id, name) select id, 'CAP YÉLIMANÉ' from academies returning id),
  school as (insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'Yélimané 1', 'YEL-001', 'primary', id, '2026-2027' from cap returning id),
  moved as (update students set school_id = (select id from school) where student_code > 'KYS-000010' returning id)
  select (select id from cap) as yelimane, (select min(id) from caps) as kayes, count(*) from moved`)
const { kayes, yelimane } = districts[0] as Record<'kayes' | 'yelimane', number>
const second = await copyAgency(portal, 'Second agency')

await portal.worker()
/** Students 1 to 20; the agency refuses the first two in each district. It pays its only round today. */
const paid = await imported(
  'Zone nord',
  Array.from({ length: 20 }, (_, n) =>
    recipient(n + 1, { amount: 1000 + n, ...(n % 10 < 2 ? { lastTwo: 2 } : {}) }),
  ),
)
await approve(paid)
await progress(paid, ({ round }) => round?.executed_at)
/** Its first round is made with the approval and sent on its day, so nothing of it moves meanwhile. */
const ahead = await imported('Zone sud', [recipient(31, { amount: 9000 }), recipient(32, { amount: 500 })], {
  from: dayFromNow(3),
  to: dayFromNow(60),
})
await approve(ahead)
const waiting = await imported('Zone est', [recipient(41)], { transfer_agency_id: second })
const { cohort } = (await officer.get(`/admin/transfers/cohorts/${ahead}/payrolls`)).body
const due: string = cohort.transfer_payroll_groups.data[0].due_on

type Row = Record<`total_amount_${'disbursed' | 'arrears' | 'pending' | 'unknown' | 'written_off'}`, number>
const read = async (query = '') => (await officer.get(`${path}?${query}`)).body
const names = async (query: string) =>
  (await read(query)).reconciliations.data.map(({ name }: { name: string }) => name)
const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)
const parts = (row: Row) => [
  row.total_amount_disbursed,
  row.total_amount_arrears,
  row.total_amount_pending,
  row.total_amount_unknown,
  row.total_amount_written_off,
]

test('an accountant reads of every cohort what was expected, paid and owed, and the same sums as the programme has', async () => {
  const { reconciliations: list, totals } = await read()
  expect(list).toMatchObject({ total: 3, current_page: 1, last_page: 1 })
  expect(list.data).toMatchObject([
    { id: waiting, name: 'Zone est', rounds: 0, total_amount_expected: 0 },
    { id: ahead, name: 'Zone sud', rounds: 1, total_amount_expected: 9500, total_amount_pending: 9500 },
    {
      id: paid,
      rounds: 1,
      total_amount_expected: 20_190,
      total_amount_arrears: 4022,
      total_amount_disbursed: 16_168,
    },
  ])
  for (const row of [...list.data, totals]) expect(sum(parts(row))).toBe(row.total_amount_expected)
  const { body: settings } = await officer.get('/admin/transfers/settings')
  expect(totals).toMatchObject({
    total_amount_expected: settings.totalAmountExpected,
    total_amount_disbursed: settings.totalAmountDisbursed,
    total_amount_arrears: settings.finalAmountArrears,
    total_amount_fees: settings.totalAmountFees,
  })
})

test('an accountant reads the sums of one CAP, which add up to all and agree with the home page', async () => {
  const [north, south, all] = [await read(`cap=${kayes}`), await read(`cap=${yelimane}`), await read()]
  expect(north.reconciliations.data).toMatchObject([
    { name: 'Zone nord', rounds: 1, total_amount_expected: 10_045, total_amount_arrears: 2001 },
  ])
  expect(await names(`cap=${yelimane}`)).toEqual(['Zone est', 'Zone sud', 'Zone nord'])
  for (const [name, total] of Object.entries(all.totals))
    expect(north.totals[name] + south.totals[name], name).toBe(total)
  const admin = await portal.signedInAs('Administrator')
  const home = (await admin.get('/home/statistics')).body.disbursementByCap
  expect(home).toContainEqual(
    expect.objectContaining({
      admin_district_as_cap: 'CAP KAYES',
      total_disbursed: north.totals.total_amount_disbursed,
    }),
  )
  expect(await read('cap=999999')).toMatchObject({
    reconciliations: { data: [], total: 0 },
    totals: { total_amount_expected: 0 },
  })
})

test('an accountant reads the sums of the rounds that are due in a period', async () => {
  const ofDay = await read(`from=${due}&to=${due}`)
  expect(ofDay.totals).toMatchObject({ total_amount_expected: 9500, total_amount_disbursed: 0 })
  expect(ofDay.reconciliations.data.find(({ id }: { id: number }) => id === paid)).toMatchObject({
    rounds: 0,
    total_amount_expected: 0,
  })
  expect(await names(`from=${cohort.to}`)).toEqual(['Zone sud'])
  expect(await names('to=2020-01-01')).toEqual([])
  expect((await read(`cap=${yelimane}&from=${due}`)).totals.total_amount_expected).toBe(9500)
  expect((await read(`cap=${kayes}&from=${due}`)).totals.total_amount_expected).toBe(0)
  expect(await officer.get(`${path}?from=2026-02-30`)).toMatchObject({ status: 422 })
})

test('an accountant finds cohorts by agency, status and words, and reads the sums of those', async () => {
  expect(await names(`transfer_agency_id=${second}`)).toEqual(['Zone est'])
  expect(await names('status=approved')).toEqual(['Zone sud', 'Zone nord'])
  expect(await names('search=nord+ZONE')).toEqual(['Zone nord'])
  expect((await read('search=nord')).totals).toMatchObject({ total_amount_expected: 20_190 })
})

test('an accountant sorts by every amount, over all pages', async () => {
  expect(await names('sort=total_amount_expected')).toEqual(['Zone est', 'Zone sud', 'Zone nord'])
  expect(await names('sort=-total_amount_pending')).toEqual(['Zone sud', 'Zone est', 'Zone nord'])
  for (const [n, name] of ['Zone nord', 'Zone sud', 'Zone est'].entries()) {
    const { reconciliations: page, totals } = await read(
      `sort=${n === 0 ? '-' : ''}total_amount_disbursed&per_page=1&page=${n === 0 ? 1 : n}`,
    )
    expect(page).toMatchObject({ total: 3, last_page: 3, data: [{ name }] })
    expect(totals.total_amount_expected).toBe(29_690)
  }
  for (const field of ['arrears', 'fees'])
    expect((await names(`sort=-total_amount_${field}`))[0], field).toBe('Zone nord')
  expect((await officer.get(`${path}?sort=file_hash`)).status).toBe(422)
})

test('an accountant reads what signed statements confirm, in payments and francs, and finds the cohorts by it', async () => {
  const statements = '/admin/transfers/statements'
  const { rows: payments } = await portal.owner.query(
    `select p.reference, p.amount, p.fees, (a.settled_at at time zone 'utc')::date::text as day, m.student_code
     from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id join transfer_master_list m on m.id = p.master_list_id
     where p.status = 'success' order by p.id`,
  )
  type Paid = { reference: string; amount: number; fees: number; day: string; student_code: string }
  const all = payments as Paid[]
  const days = all.map(({ day }) => day).sort()
  /** Uploads a statement of some payments, and has it signed by another person. */
  const signed = async (paidOnes: Paid[], sign = true) => {
    const lines = [
      'Client reference;Amount;Fee;Timestamp',
      ...paidOnes.map(({ reference, amount, fees, day }) => `${reference};${amount};${fees};${day}`),
    ]
    const sent = await officer.upload(statements, {
      statement_file: new File([lines.join('\n')], 'statement.csv'),
      transfer_agency_id: 1,
      from: days[0] ?? '',
      to: days.at(-1) ?? '',
    })
    const at = `${statements}/${sent.body.statement.id}`
    await until(async () => (await officer.get(at)).body.statement.state === 'open')
    for (const category of ['fee', 'ours'])
      await officer.post(`${at}/resolve`, { category, reason: 'On the next statement' })
    const { version } = (await approver.get(at)).body.statement
    if (sign) expect(await approver.post(`${at}/sign`, { version })).toMatchObject({ status: 200 })
  }
  const confirmedOf = ({ reconciliations: list, totals }: Awaited<ReturnType<typeof read>>) => [
    list.data.map((row: Row & { payments_confirmed: number; total_amount_confirmed: number }) => [
      row.payments_confirmed,
      row.total_amount_confirmed,
    ]),
    [totals.payments_disbursed, totals.payments_confirmed, totals.total_amount_confirmed],
  ]
  const summary = async () => (await officer.get(`/admin/transfers/cohorts/${paid}/summary`)).body.cohort
  const amounts = (some: Paid[]) => sum(some.map(({ amount }) => amount))
  expect(all).toHaveLength(16)
  expect(confirmedOf(await read())).toEqual([
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    [16, 0, 0],
  ])
  expect(await names('confirmed=none')).toEqual(['Zone nord'])

  const [half, rest] = [all.slice(4, 12), [...all.slice(0, 4), ...all.slice(12)]]
  await signed(half)
  expect(confirmedOf(await read())).toEqual([
    [
      [0, 0],
      [0, 0],
      [8, amounts(half)],
    ],
    [16, 8, amounts(half)],
  ])
  const ofKayes = half.filter(({ student_code }) => student_code <= 'KYS-000010')
  expect(ofKayes.length).toBeGreaterThan(0)
  expect((await read(`cap=${kayes}`)).totals).toMatchObject({
    payments_disbursed: 8,
    payments_confirmed: ofKayes.length,
    total_amount_confirmed: amounts(ofKayes),
  })
  expect(await names('confirmed=part')).toEqual(['Zone nord'])
  expect([await names('confirmed=none'), await names('confirmed=full')]).toEqual([[], []])
  expect((await names('sort=-total_amount_confirmed'))[0]).toBe('Zone nord')
  expect(await summary()).toMatchObject({
    payments_disbursed: 16,
    payments_confirmed: 8,
    total_amount_confirmed: amounts(half),
  })
  const { id: round } = (await officer.get(`/admin/transfers/cohorts/${paid}/payrolls`)).body.cohort
    .transfer_payroll_groups.data[0]
  expect((await officer.get(`/admin/transfers/cohorts/payroll/${round}`)).body.payrollGroup).toMatchObject({
    confirmed: 8,
    confirmed_amount: amounts(half),
  })

  // Only a signature counts.
  await signed(rest, false)
  expect((await read()).totals).toMatchObject({ payments_confirmed: 8 })
  const { rows: open } = await portal.owner.query(
    `select id, version from agency_statements where state = 'open'`,
  )
  const { id, version } = open[0] as { id: number; version: number }
  expect(await approver.post(`${statements}/${id}/sign`, { version })).toMatchObject({ status: 200 })
  expect((await read()).totals).toMatchObject({ payments_confirmed: 16, total_amount_confirmed: 16_168 })
  expect(await names('confirmed=full')).toEqual(['Zone nord'])
  expect((await read(`confirmed=full&from=${due}`)).reconciliations.total).toBe(0)
  expect((await officer.get(`${path}?confirmed=some`)).status).toBe(422)
})

const fileOf = async (name: string) => sheetOf(await readyFile(approver, name))

test('an accountant exports exactly what is filtered, in her language', async () => {
  const asked = { cap: kayes, from: dayFromNow(-1), search: 'nord' }
  const answer = await approver.post(`${path}/export`, asked, { 'accept-language': 'fr' })
  expect(answer).toMatchObject({ status: 202 })
  expect(answer.body.file_name).toMatch(/^reconciliations-\d{4}-\d\d-\d\d-.*\.xlsx$/)
  const sheet = await fileOf(answer.body.file_name)
  const values = (n: number) => Object.values(sheet?.getRow(n).values ?? [])
  const line = Object.fromEntries(values(1).map((heading, n) => [heading, values(2)[n]]))
  expect(sheet?.rowCount).toBe(2)
  expect(line).toMatchObject({
    Cohorte: 'Zone nord',
    'Agence de transfert': 'Sandbox',
    Statut: 'Approuvée',
    Tours: 1,
    'Attendu (F CFA)': 10_045,
    'Décaissé (F CFA)': 8044,
    'Arriérés (F CFA)': 2001,
    'En attente (F CFA)': 0,
    'Paiements décaissés': 8,
    'Paiements confirmés par un relevé': 8,
    'Confirmé par un relevé (F CFA)': 8044,
  })
})

test('only whoever may export payments exports reconciliations', async () => {
  const auditor = await portal.signedInAs('Auditor')
  expect((await auditor.get(path)).status).toBe(200)
  expect((await auditor.post(`${path}/export`, {})).status).toBe(403)
  const stranger = await portal.signedInAs('School Officer')
  expect((await stranger.get(path)).status).toBe(403)
  expect((await officer.post(`${path}/export`, { from: 'soon' })).status).toBe(422)
})

test('an officer who asks for a day of the year 0 reads that the request is wrong', async () => {
  for (const query of ['from=0000-01-01', 'to=0000-12-31'])
    expect(await officer.get(`${path}?${query}`), query).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('has validation errors') },
    })
})

test('an accountant finds closed cohorts by their own word, and no longer among the approved ones', async () => {
  const done = await imported('Zone close', [recipient(51)])
  await approve(done)
  await progress(done, ({ round }) => round?.executed_at)
  expect(await names('status=approved')).toContain('Zone close')
  const { status } = await approver.post(`/admin/transfers/cohorts/${done}/close`, { reason: 'All is paid' })
  expect(status).toBe(200)
  expect(await names('status=closed')).toEqual(['Zone close'])
  expect(await names('status=approved')).not.toContain('Zone close')
  const statuses = (await read('sort=status')).reconciliations.data.map(
    ({ status, closed }: { status: string; closed: boolean }) => (closed ? 'closed' : status),
  )
  expect(statuses).toEqual([...statuses].toSorted())
  const { body } = await approver.post(`${path}/export`, { status: 'closed' })
  const sheet = await fileOf(body.file_name)
  expect(sheet?.rowCount).toBe(2)
  expect(sheet?.getRow(2).values).toContain('Closed')
})
