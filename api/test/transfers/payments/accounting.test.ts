import { expect, test } from 'vitest'
import { dayFromNow } from '../../cohorts.ts'
import { exported, recordsOf } from '../../exports/workbook.ts'
import { type Entry, startRetries } from './retries.ts'

const { portal, approver, imported, approve, ending, settled, paid, correct, retry } = await startRetries()
// One payment was made at once, one was made again, one was written off, and two of another list are owed or had their fee corrected.
const every = await paid('Every way', 10, 2, 3)
const [, again, gone] = every.entries as [Entry, Entry, Entry]
await correct(again)
expect((await retry([again])).status).toBe(200)
await settled(every.id)
await approver.post('/admin/transfers/arrears/write-off', { payroll_ids: [gone.id], reason: 'Moved away' })
const [, charged] = (await paid('Owed', 2, 10)).entries as [Entry, Entry]
for (const more of [5, -5])
  await portal.owner.query('update transfer_payrolls set agency_fees = agency_fees + $2 where id = $1', [
    charged.id,
    more,
  ])

type Row = {
  account: string
  agency: { name: string } | null
  opening: number
  debit: number
  credit: number
  closing: number
}
const read = async (query = '', who = approver) =>
  (await who.get(`/admin/transfers/accounting?per_page=100&${query}`)).body
const balances = (rows: Row[]) => Object.fromEntries(rows.map(({ account, closing }) => [account, closing]))
const sum = (rows: Row[], key: 'opening' | 'debit' | 'credit' | 'closing') =>
  rows.reduce((total, row) => total + row[key], 0)

test('an accountant finds in double entry what the reconciliations say, for the programme, an agency, a cohort and a period', async () => {
  const all = await read()
  const { totals } = (await approver.get('/admin/transfers/reconciliations')).body
  expect(balances(all.accounts)).toEqual({
    programme: totals.total_amount_expected,
    float: -totals.total_amount_disbursed - totals.total_amount_fees,
    fees: totals.total_amount_fees,
    recipients: 0,
    arrears: 0 - totals.total_amount_arrears,
    written_off: -totals.total_amount_written_off,
  })
  expect(totals.total_amount_written_off).toBe(10_500)
  const today = dayFromNow(0)
  for (const query of [
    '',
    'search=every',
    'transfer_agency_id=1',
    `from=${today}&to=${today}`,
    `from=${dayFromNow(1)}`,
  ]) {
    const { accounts, cohorts } = await read(query)
    expect([sum(accounts, 'opening'), sum(accounts, 'closing')], query).toEqual([0, 0])
    expect(sum(accounts, 'debit'), query).toBe(sum(accounts, 'credit'))
    for (const { account, closing } of accounts as Row[])
      expect(
        cohorts.data.reduce(
          (total: number, cohort: Record<string, number>) => total + (cohort[account] ?? 0),
          0,
        ),
        `${query} ${account}`,
      ).toBe(closing)
  }
  const one = await read('search=every')
  expect(one.cohorts.data).toMatchObject([
    { name: 'Every way', programme: 31_500, fees: 420, arrears: 0, written_off: -10_500 },
  ])
  expect(one.accounts.find(({ account }: Row) => account === 'float')).toMatchObject({
    agency: { name: 'Sandbox' },
    opening: 0,
    debit: 0,
    credit: 21_420,
    closing: -21_420,
  })
  // The first day and the last one are both of the period.
  const ofToday = await read(`from=${today}&to=${today}`)
  for (const key of ['opening', 'debit', 'credit', 'closing'] as const)
    expect(
      ofToday.accounts.map((row: Row) => row[key]),
      key,
    ).toEqual(all.accounts.map((row: Row) => row[key]))
  // What was before the first day is brought forward, and what comes after the last day does not count yet.
  const later = await read(`from=${dayFromNow(1)}`)
  expect(later.accounts.map(({ opening }: Row) => opening)).toEqual(
    all.accounts.map(({ closing }: Row) => closing),
  )
  expect(sum(later.accounts, 'debit')).toBe(0)
  expect(balances((await read(`to=${dayFromNow(-1)}`)).accounts)).toEqual({
    programme: 0,
    float: 0,
    fees: 0,
    recipients: 0,
    arrears: 0,
    written_off: 0,
  })
})

test('the finance department gets the journal and the trial balance as Excel, and no name of a cohort is a formula', async () => {
  const id = await imported('=SUM(A1)', ending(10))
  await approve(id)
  await settled(id)
  const exportOf = async (body: object, language = 'en') =>
    recordsOf(await exported(approver, '/admin/transfers/accounting/export', body, language))
  const journal = await exportOf({ part: 'journal', search: 'sum' })
  const told = journal.map((line) => [
    line.Cohort,
    line.Event,
    line.Account,
    line['Debit (XOF)'],
    line['Credit (XOF)'],
  ])
  expect(told).toEqual([
    ["'=SUM(A1)", 'Expected', 'Programme', 10_500, null],
    ["'=SUM(A1)", 'Expected', 'Owed to recipients', null, 10_500],
    ["'=SUM(A1)", 'Paid', 'Owed to recipients', 10_500, null],
    ["'=SUM(A1)", 'Paid', 'Agency float', null, 10_500],
    ["'=SUM(A1)", 'Paid', 'Fees', 210, null],
    ["'=SUM(A1)", 'Paid', 'Agency float', null, 210],
    [null, null, null, 21_210, 21_210],
  ])
  const today = dayFromNow(0)
  const period = { part: 'journal', from: today, to: today }
  expect(await exportOf({ ...period, search: 'sum' })).toEqual(journal)
  // Nothing of the first moment and of the last one is left out.
  expect(await exportOf(period)).toEqual(await exportOf({ part: 'journal' }))
  const before = { part: 'journal', from: dayFromNow(-1), to: dayFromNow(-1) }
  expect((await exportOf(before)).filter(({ Event }) => Event)).toEqual([])
  const { accounts } = await read()
  const balance = await exportOf({ part: 'balance' }, 'fr')
  expect(balance.map((line) => line['Solde (F CFA)'])).toEqual([
    ...accounts.map(({ closing }: Row) => closing),
    0,
  ])
  expect(balance[0]).toMatchObject({
    Compte: 'Programme',
    'Débit (F CFA)': accounts[0].debit,
    'Crédit (F CFA)': 0,
  })
})

test('only whoever sees transfers reads the accounting, and only whoever may export payments takes it along', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const path = '/admin/transfers/accounting'
  expect((await auditor.get(path)).status).toBe(200)
  expect((await auditor.post(`${path}/export`, { part: 'journal' })).status).toBe(403)
  expect((await (await portal.signedInAs('School Officer')).get(path)).status).toBe(403)
  expect((await (await portal.visitor()).get(path)).status).toBe(401)
})
