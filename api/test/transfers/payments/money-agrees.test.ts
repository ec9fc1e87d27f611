import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { exported, sheetOf } from '../../exports/workbook.ts'
import {
  all,
  approver,
  type Entry,
  ids,
  odd,
  owner,
  portal,
  read,
  type Stats,
  second,
  transfers,
  truth,
} from './money-world.ts'

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

test('an accountant reads the same francs of the programme on the dashboard, the home page, the settings and the reconciliations', async () => {
  // Every kind of outcome is there, and no two figures are equal by chance.
  expect(new Set(Object.values(all)).size).toBe(7)
  expect(Math.min(...Object.values(all))).toBeGreaterThan(0)

  const { totals, reconciliations } = await transfers('reconciliations')
  expect(totals).toMatchObject(all)
  expect(await transfers('settings')).toMatchObject({
    totalAmountExpected: all.total_amount_expected,
    totalAmountDisbursed: all.total_amount_disbursed,
    totalAmountFees: all.total_amount_fees,
    finalAmountArrears: all.total_amount_arrears,
    totalAmountWrittenOff: all.total_amount_written_off,
    totalAmountPending: all.total_amount_pending,
    totalAmountUnknown: all.total_amount_unknown,
  })
  for (const key of Object.keys(all)) {
    expect(sum(reconciliations.data.map((row: Stats) => row[key])), key).toBe(all[key])
    const parts = [`transfer_agency_id=1`, `transfer_agency_id=${second}`]
    const byAgency = await Promise.all(
      parts.map(async (part) => (await transfers(`reconciliations?${part}`)).totals[key]),
    )
    expect(sum(byAgency), key).toBe(all[key])
  }

  const home = await read('/home/statistics')
  expect(home.totalDisbursed).toBe(all.total_amount_disbursed)
  expect(sum(home.disbursementByCap.map((cap: Stats) => cap.total_disbursed))).toBe(
    all.total_amount_disbursed,
  )
  const { months } = await read('/home/trends')
  expect(sum(months.map((month: Stats) => month.disbursed))).toBe(all.total_amount_disbursed)
  const dashboard = await transfers('dashboard')
  expect(sum(dashboard.agencies.map((each: Stats) => each.disbursed))).toBe(all.total_amount_disbursed)
})

test('an accountant reads the same francs of a cohort in its summary, its rounds, each of them and the reconciliations', async () => {
  const { reconciliations } = await transfers('reconciliations')
  const { cohorts } = await transfers('cohorts?per_page=100')
  for (const id of ids) {
    const expected = await truth(id)
    const { cohort } = await transfers(`cohorts/${id}/summary`)
    expect(cohort.transfer_cohort_stats, cohort.name).toMatchObject(expected)
    expect((await transfers(`cohorts/${id}/progress`)).transfer_cohort_stats).toMatchObject(expected)
    expect(cohorts.data.find((each: { id: number }) => each.id === id).transfer_cohort_stats).toMatchObject(
      expected,
    )
    expect(reconciliations.data.find((each: { id: number }) => each.id === id)).toMatchObject(expected)

    const { cohort: paid } = await transfers(`cohorts/${id}/payrolls`)
    expect(paid.transfer_cohort_stats).toMatchObject(expected)
    const groups = paid.transfer_payroll_groups.data
    const of = (key: string) => sum(groups.map((group: Stats) => group[key]))
    expect({
      total_amount_expected: of('expected'),
      total_amount_disbursed: of('disbursed'),
      total_amount_fees: of('fees'),
      total_amount_arrears: of('arrears'),
      total_amount_written_off: of('written_off'),
      total_amount_pending: of('pending_amount'),
      total_amount_unknown: of('unknown_amount'),
    }).toEqual(expected)
    for (const group of groups) {
      const { payrollGroup } = await transfers(`cohorts/payroll/${group.id}?per_page=100`)
      for (const key of [
        'count',
        'expected',
        'disbursed',
        'fees',
        'arrears',
        'written_off',
        'pending_amount',
      ])
        expect(payrollGroup[key], key).toBe(group[key])
      const rows: Entry[] = payrollGroup.transfer_payrolls.data
      expect(sum(rows.map(({ amount }) => amount))).toBe(group.expected)
      expect(sum(rows.filter(({ status }) => status === 'success').map(({ amount }) => amount))).toBe(
        group.disbursed,
      )
    }
  }
})

test('an accountant reads the arrears to the franc by girl, by age, in the report and in the books', async () => {
  const owed = await transfers('arrears?per_page=100')
  expect(owed.totals.amount).toBe(all.total_amount_arrears)
  expect(sum(owed.ages.map((age: Stats) => age.amount))).toBe(all.total_amount_arrears)
  expect(sum(owed.arrears.data.map((girl: Stats) => girl.amount))).toBe(all.total_amount_arrears)

  const period = `from=${dayFromNow(-1)}&to=${dayFromNow(0)}`
  const { report } = await transfers(`report?${period}`)
  const { rows: counted } = await owner.query(
    `select count(*)::int as paid from transfer_payrolls where status = 'success'`,
  )
  expect(report).toMatchObject({
    disbursed: all.total_amount_disbursed,
    payments: counted[0].paid,
    commission: all.total_amount_fees,
    arrears: { amount: all.total_amount_arrears, payments: owed.totals.payments },
  })
  const parts = await Promise.all(
    [1, second].map(async (id) => (await transfers(`report?${period}&transfer_agency_id=${id}`)).report),
  )
  expect(sum(parts.map((part) => part.disbursed))).toBe(all.total_amount_disbursed)
  expect(sum(parts.map((part) => part.arrears.amount))).toBe(all.total_amount_arrears)

  const { accounts } = await transfers('accounting')
  const balance = (account: string) =>
    sum(
      accounts.filter((row: { account: string }) => row.account === account).map((row: Stats) => row.closing),
    )
  const open = Number(all.total_amount_pending) + Number(all.total_amount_unknown)
  expect({
    programme: balance('programme'),
    fees: balance('fees'),
    float: balance('float'),
    recipients: balance('recipients'),
    arrears: balance('arrears'),
    written_off: balance('written_off'),
  }).toEqual({
    programme: all.total_amount_expected,
    fees: all.total_amount_fees,
    float: -(Number(all.total_amount_disbursed) + Number(all.total_amount_fees)),
    recipients: -open,
    arrears: -Number(all.total_amount_arrears),
    written_off: -Number(all.total_amount_written_off),
  })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('what budgets count as spent is what was paid with its fees, and each fee is rounded by itself', async () => {
  const { budgets } = await transfers('budgets')
  const mine = budgets.filter(({ parameter_id }: { parameter_id: number }) => parameter_id === odd)
  // The page has this year and later ones; the first round may have been due in the year before.
  const { rows: paid } = await owner.query(
    `select coalesce(sum(p.amount + p.fees), 0)::int as francs
     from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where p.status = 'success' and extract(year from g.due_on) >= extract(year from now() at time zone 'utc')`,
  )
  expect(paid[0].francs).toBeGreaterThan(0)
  expect(sum(mine.map((budget: Stats) => budget.spent))).toBe(paid[0].francs)
  const { rows } = await owner.query('select amount::int, fees::int from transfer_payrolls')
  for (const { amount, fees } of rows) expect(fees).toBe(Math.floor((amount * 137 + 5000) / 10_000))
})

test('the files of the reconciliations and of each round have the francs of their pages', async () => {
  const sheet = async (path: string, body: object) => {
    const first = await sheetOf(await exported(approver, `/admin/transfers/${path}`, body))
    const [headings = [], ...rows] = (first.getRows(1, first.rowCount) ?? []).map(
      (row) => row.values as unknown[],
    )
    return (heading: string) => {
      const at = headings.indexOf(heading)
      expect(at, `${heading} of ${headings.join(', ')}`).toBeGreaterThan(0)
      return rows.map((row) => row[at])
    }
  }
  const cohorts = await sheet('reconciliations/export', {})
  const names = cohorts('Cohort')
  const listed = (heading: string) =>
    sum(
      cohorts(heading)
        .filter((_, n) => names[n] !== 'Total')
        .map(Number),
    )
  expect([listed('Disbursed (XOF)'), listed('Arrears (XOF)'), listed('Fees (XOF)')]).toEqual([
    all.total_amount_disbursed,
    all.total_amount_arrears,
    all.total_amount_fees,
  ])
  for (const id of ids) {
    const { cohort } = await transfers(`cohorts/${id}/payrolls`)
    for (const group of cohort.transfer_payroll_groups.data) {
      const round = await sheet('cohorts/payroll/export', { payroll_id: group.id })
      const statuses = round('Status')
      const amounts = round('Amount (XOF)').map(Number)
      expect(sum(amounts)).toBe(group.expected)
      expect(sum(amounts.filter((_, n) => statuses[n] === 'Success'))).toBe(group.disbursed)
    }
  }
})
