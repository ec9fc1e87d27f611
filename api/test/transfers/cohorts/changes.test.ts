import { afterAll, expect, test } from 'vitest'
import { changesOf } from '../../../src/transfers/cohorts/cohort-changes.service.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'
import { readyFile, sheetOf } from '../../exports/workbook.ts'
import { until } from '../../portal.ts'
import { rowsRead } from '../../server/rows-read.ts'
import { callbackSecret, startWave, waveKey } from '../agencies/wave.ts'

const stage = await startStage(40)
const { portal, officer, approver, imported, approve, progress, cohort } = stage
await portal.worker()

type Kind = { kind: string; count: number; amount: number }
const read = async (id: number, query = '') =>
  (await approver.get(`/admin/transfers/cohorts/${id}/changes${query}`)).body
const summed = (kinds: Kind[], ...of: string[]) =>
  kinds.filter(({ kind }) => of.includes(kind)).reduce((sum, { amount }) => sum + amount, 0)

// The numbers of girls 4 and 5 are refused by the agency.
const first = await imported(
  'Term 1',
  [1, 2, 3, 4, 5, 6].map((n) => recipient(n, n === 4 || n === 5 ? { lastTwo: 2 } : {})),
  { to: dayFromNow(5) },
)
const beforeApproval = await read(first)
await approve(first)
await progress(first, ({ round }) => round?.pending === 0)
// A list of another region, with the same parameter, begins in between.
const region = await imported(
  'Other region',
  [31, 32, 33].map((n) => recipient(n)),
  { from: dayFromNow(10), to: dayFromNow(12) },
)
await approve(region)
const { body: held } = await officer.post('/admin/transfers/payee-holds', {
  student_id: 3,
  reason: 'The school asks for a check',
})
const second = await imported(
  'Term 2',
  [
    recipient(1),
    recipient(2, { amount: 12_000 }),
    recipient(3, { phone: '+22370009911' }),
    recipient(4, { lastTwo: 2, amount: 9_999 }),
    ['=HYPERLINK("x")', 'Diarra', '+22376000077', 'KYS-000007', 20_000],
    recipient(8),
    ['Aïssata', 'Coulibaly 6', String(recipient(6)[2]), 'KYS-000006', null],
  ],
  { from: dayFromNow(30), to: dayFromNow(50) },
)

test('an approver reads that a list without an earlier one of its girls has only girls who are new', async () => {
  expect(beforeApproval.comparison).toMatchObject({
    compared_with: null,
    amount_before: 0,
    amount_after: 63_000,
  })
  expect(beforeApproval.comparison.kinds.filter(({ count }: Kind) => count > 0)).toEqual([
    { kind: 'joined', count: 6, amount: 63_000 },
  ])
  expect((await read(region)).comparison.compared_with).toBe(null)
})

test('an approver reads who is new, left, changed, on hold and still owed since the earlier list, to the franc', async () => {
  expect(held.message).toBeTruthy()
  const { name, comparison, changes } = await read(second)
  expect(name).toBe('Term 2')
  expect(comparison.compared_with).toMatchObject({ id: first, name: 'Term 1' })
  expect(comparison.kinds).toEqual([
    { kind: 'joined', count: 2, amount: 30_500 },
    { kind: 'left', count: 1, amount: -10_500 },
    { kind: 'amount', count: 2, amount: 999 },
    { kind: 'number', count: 1, amount: 10_500 },
    { kind: 'name', count: 1, amount: 10_500 },
    { kind: 'held', count: 1, amount: 10_500 },
    { kind: 'owed', count: 2, amount: 21_000 },
  ])
  const { amount_before, amount_after, kinds } = comparison
  expect(amount_before + summed(kinds, 'joined', 'left', 'amount')).toBe(amount_after)
  expect(summed(kinds, 'owed')).toBe((await cohort(first)).transfer_cohort_stats.total_amount_arrears)
  expect(changes.total).toBe(10)
  expect(
    changes.data.map(({ kind, student_code }: Record<string, string>) => `${kind} ${student_code}`),
  ).toEqual([
    'joined KYS-000007',
    'joined KYS-000008',
    'left KYS-000005',
    'amount KYS-000002',
    'amount KYS-000004',
    'number KYS-000003',
    'name KYS-000006',
    'held KYS-000003',
    'owed KYS-000004',
    'owed KYS-000005',
  ])
})

test('what the earlier list owes an approver’s girls is read without its payments', async () => {
  expect(await rowsRead(portal.db, changesOf(second, first), 'transfer_payrolls')).toBe(0)
})

test('an approver filters, searches and sorts the changes, and each kind has as many rows as it counts', async () => {
  const { kinds } = (await read(second)).comparison
  for (const { kind, count, amount } of kinds as Kind[]) {
    const { data, total } = (await read(second, `?kind=${kind}`)).changes
    expect([kind, total, data.length]).toEqual([kind, count, count])
    expect(data.reduce((sum: number, row: Kind) => sum + row.amount, 0)).toBe(amount)
  }
  expect((await read(second, '?search=70009911')).changes.data).toMatchObject([
    { kind: 'number', before: recipient(3)[2], after: '+22370009911' },
  ])
  expect((await read(second, '?sort=-amount&per_page=1')).changes.data).toMatchObject([
    { kind: 'joined', student_code: 'KYS-000007', amount_before: null, amount_after: 20_000 },
  ])
  expect((await read(second, '?sort=last_name&per_page=4&page=3')).changes).toMatchObject({
    total: 10,
    last_page: 3,
    data: [{ id: expect.any(Number) }, { id: expect.any(Number) }],
  })
  expect((await read(second, '?per_page=4&page=4')).changes).toMatchObject({ total: 10, data: [] })
  expect((await approver.get(`/admin/transfers/cohorts/${second}/changes?kind=other`)).status).toBe(422)
})

test('whoever may not read transfers reads no changes, and of a cohort that does not exist nobody does', async () => {
  const path = `/admin/transfers/cohorts/${second}/changes`
  expect((await (await portal.visitor()).get(path)).status).toBe(401)
  expect((await (await portal.signedIn('schools.view')).get(path)).status).toBe(403)
  expect((await approver.get('/admin/transfers/cohorts/999999/changes')).status).toBe(404)
  const body = { cohort_id: 999_999 }
  expect((await officer.post('/admin/transfers/cohorts/changes/export', body)).status).toBe(404)
})

test('a corrected number of the earlier list is what the next list is compared with', async () => {
  const entry = await portal.owner.query(
    'select id from transfer_master_list where cohort_id = $1 and student_code = $2',
    [first, 'KYS-000004'],
  )
  const proposed = await officer.post(`/admin/transfers/master-list/${entry.rows[0].id}/corrections`, {
    receiver_phone_number: '+22376000444',
    reason: 'She has another number',
  })
  expect(proposed.status).toBe(200)
  const waiting = (await approver.get('/admin/transfers/corrections')).body.corrections.data[0]
  const approved = await approver.post(`/admin/transfers/corrections/${waiting.id}/decide`, {
    action: 'approved',
  })
  expect(approved.status).toBe(200)
  expect((await read(second, '?kind=number')).changes.data).toMatchObject([
    { student_code: 'KYS-000003' },
    { student_code: 'KYS-000004', before: '+22376000444', after: recipient(4, { lastTwo: 2 })[2] },
  ])
})

const heading = { en: 'Change', fr: 'Changement' }
test.each(['en', 'fr'] as const)('an officer downloads the changes as a sheet (%s)', async (language) => {
  const { status, body } = await officer.post(
    '/admin/transfers/cohorts/changes/export',
    { cohort_id: second },
    { 'accept-language': language },
  )
  expect([status, body.file_name]).toEqual([202, expect.stringMatching(/^changes-term-2-.*\.xlsx$/)])
  const sheet = await sheetOf(await readyFile(officer, body.file_name))
  expect(sheet.getRow(1).getCell(1).value).toBe(heading[language])
  expect(sheet.rowCount - 1).toBe((await read(second)).changes.total)
  // A name that looks like a formula is a text.
  expect(sheet.getRow(2).getCell(3).value).toMatch(/HYPERLINK/)
  expect(sheet.getRow(2).getCell(7).value).toBe(20_000)
})

test('an approver is told what the agency has beside what a round needs, and what is missing', async () => {
  const wave = await startWave()
  afterAll(() => wave.close())
  portal.settings.agencyHosts.push(wave.host)
  const details = { protocol: 'wave', wallet: 'Programme', api_key: waveKey, callback_secret: callbackSecret }
  const made = await (await portal.signedInAs('Administrator')).post('/admin/transfers/agency', {
    name: 'Wave Mali',
    description: 'Wallet of the programme',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: wave.url,
    details,
  })
  expect(made.status).toBe(200)
  const { rows } = await portal.owner.query("select id from transfer_agencies where protocol = 'wave'")
  const id = await imported('By Wave', [recipient(20), recipient(21)], { transfer_agency_id: rows[0].id })
  const ask = () => approver.get(`/admin/transfers/cohorts/${id}/balance`)
  const { list_amount, list_fees } = await cohort(id)
  const needed = list_amount + list_fees
  await wave.set({ balance: needed - 1 })
  expect((await ask()).body).toEqual({
    agency: 'Wave Mali',
    balance: needed - 1,
    unknown: null,
    needed,
    others: 0,
    other_lists: 0,
    left: null,
    missing: 1,
  })
  await wave.set({ balance: needed })
  expect((await ask()).body).toMatchObject({ balance: needed, left: 0, missing: 0 })

  // One list waits for its agency's account to be filled, one is paid before this one, one after it.
  await wave.set({ balance: 0 })
  const byWave = { transfer_agency_id: rows[0].id }
  const stuck = await imported('Stuck', [recipient(22)], byWave)
  const before = { ...byWave, from: dayFromNow(4), to: dayFromNow(6) }
  const sooner = await imported('Sooner', [recipient(23), recipient(24)], before)
  const later = { ...byWave, from: dayFromNow(60), to: dayFromNow(65) }
  const third = await imported('Later', [recipient(25)], later)
  for (const list of [stuck, sooner, third]) expect((await approve(list)).status).toBe(200)
  await until(async () => (await cohort(stuck)).status === 'error')
  const asked = await imported('Next', [recipient(26)], { ...byWave, from: dayFromNow(8), to: dayFromNow(9) })
  const one = needed / 2
  await wave.set({ balance: 4 * one })
  const askNext = async () => (await approver.get(`/admin/transfers/cohorts/${asked}/balance`)).body
  expect(await askNext()).toMatchObject({
    needed: one,
    others: 3 * one,
    other_lists: 2,
    left: 0,
    missing: 0,
  })
  await wave.set({ balance: 3 * one })
  expect(await askNext()).toMatchObject({ others: 3 * one, left: null, missing: one })

  // The portal says so when nobody answers, and the list can still be approved.
  await wave.close()
  expect((await ask()).body).toMatchObject({
    balance: null,
    missing: 0,
    unknown: expect.stringMatching(/is not known/),
    left: null,
  })
})

test('an approver is told that an agency does not tell its balance; an officer may not ask', async () => {
  const path = `/admin/transfers/cohorts/${second}/balance`
  expect((await approver.get(path)).body).toMatchObject({
    balance: null,
    unknown: 'This agency does not tell its balance. Look at its own page before you approve.',
    missing: 0,
  })
  expect((await officer.get(path)).status).toBe(403)
  expect((await (await portal.visitor()).get(path)).status).toBe(401)
  expect((await approver.get('/admin/transfers/cohorts/999999/balance')).status).toBe(404)
})
