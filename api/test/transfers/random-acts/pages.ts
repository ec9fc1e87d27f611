import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import type { World } from './stage.ts'

type Stats = Record<string, number>
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

/** The figures by the payments themselves, of all cohorts together and of each. */
async function truth(world: World): Promise<{ all: Stats; of: Map<number, Stats> }> {
  const columns = `coalesce(sum(p.amount), 0)::int as total_amount_expected,
    coalesce(sum(p.amount) filter (where p.status = 'success'), 0)::int as total_amount_disbursed,
    coalesce(sum(p.fees) filter (where p.status = 'success'), 0)::int as total_amount_fees,
    coalesce(sum(p.amount) filter (where p.status = 'failed' and p.written_off_at is null), 0)::int as total_amount_arrears,
    coalesce(sum(p.amount) filter (where p.written_off_at is not null), 0)::int as total_amount_written_off,
    coalesce(sum(p.amount) filter (where p.status in ('pending', 'sending')), 0)::int as total_amount_pending,
    coalesce(sum(p.amount) filter (where p.status = 'unknown'), 0)::int as total_amount_unknown`
  const from = `from transfer_cohorts c left join transfer_payroll_groups g on g.cohort_id = c.id
    left join transfer_payrolls p on p.payroll_group_id = g.id`
  const [all] = await world.rows(`select ${columns} ${from}`)
  const each = await world.rows(`select c.id::int, ${columns} ${from} group by c.id order by c.id`)
  return { all, of: new Map(each.map(({ id, ...stats }) => [id, stats])) }
}

/** Collects what differs, in words. */
class Differences {
  readonly found: string[] = []
  same(where: string, actual: unknown, expected: unknown): void {
    if (actual !== expected) this.found.push(`${where}: ${actual} instead of ${expected}`)
  }
  stats(where: string, actual: Stats | undefined, expected: Stats): void {
    for (const [key, value] of Object.entries(expected)) this.same(`${where}, ${key}`, actual?.[key], value)
  }
}

const transfers = (world: World, path: string) => world.read(`/admin/transfers/${path}`)

/** The pages of the whole programme. */
async function programme(world: World, all: Stats, differ: Differences): Promise<void> {
  const { totals, reconciliations } = await transfers(world, 'reconciliations?per_page=100')
  differ.stats('reconciliations', totals, all)
  const settings = await transfers(world, 'settings')
  differ.same('settings', settings.totalAmountDisbursed, all.total_amount_disbursed)
  differ.same('settings, arrears', settings.finalAmountArrears, all.total_amount_arrears)
  differ.same('settings, unknown', settings.totalAmountUnknown, all.total_amount_unknown)
  differ.same('settings, written off', settings.totalAmountWrittenOff, all.total_amount_written_off)
  const agencies = [...world.mobiles.map(({ id }) => id), world.bankId]
  const parts = await Promise.all(
    agencies.map(
      async (id) => (await transfers(world, `reconciliations?transfer_agency_id=${id}`)).totals as Stats,
    ),
  )
  for (const key of Object.keys(all)) {
    differ.same(
      `rows of the reconciliations, ${key}`,
      sum(reconciliations.data.map((row: Stats) => row[key])),
      all[key],
    )
    differ.same(`agencies of the reconciliations, ${key}`, sum(parts.map((part) => part[key] ?? 0)), all[key])
  }
  const home = await world.read('/home/statistics')
  differ.same('home', home.totalDisbursed, all.total_amount_disbursed)
  differ.same(
    'home, CAPs',
    sum(home.disbursementByCap.map((cap: Stats) => cap.total_disbursed)),
    all.total_amount_disbursed,
  )
  const { months } = await world.read('/home/trends')
  differ.same('home, months', sum(months.map((month: Stats) => month.disbursed)), all.total_amount_disbursed)
  const dashboard = await transfers(world, 'dashboard')
  differ.same(
    'dashboard',
    sum(dashboard.agencies.map((each: Stats) => each.disbursed)),
    all.total_amount_disbursed,
  )
  await arrears(world, all, differ)
  await report(world, agencies, all, differ)
  await books(world, all, differ)
}

async function arrears(world: World, all: Stats, differ: Differences): Promise<void> {
  const owed = await transfers(world, 'arrears?per_page=100')
  differ.same('arrears', owed.totals.amount, all.total_amount_arrears)
  differ.same('arrears, ages', sum(owed.ages.map((age: Stats) => age.amount)), all.total_amount_arrears)
  differ.same(
    'arrears, girls',
    sum(owed.arrears.data.map((girl: Stats) => girl.amount)),
    all.total_amount_arrears,
  )
}

async function report(world: World, agencies: number[], all: Stats, differ: Differences): Promise<void> {
  const period = `from=${dayFromNow(-1)}&to=${dayFromNow(0)}`
  const { report: whole } = await transfers(world, `report?${period}`)
  differ.same('report', whole.disbursed, all.total_amount_disbursed)
  differ.same('report, commission', whole.commission, all.total_amount_fees)
  differ.same('report, arrears', whole.arrears.amount, all.total_amount_arrears)
  const parts = await Promise.all(
    agencies.map(async (id) => (await transfers(world, `report?${period}&transfer_agency_id=${id}`)).report),
  )
  differ.same('report, agencies', sum(parts.map((part) => part.disbursed)), all.total_amount_disbursed)
  differ.same(
    'report, arrears of agencies',
    sum(parts.map((part) => part.arrears.amount)),
    all.total_amount_arrears,
  )
}

async function books(world: World, all: Stats, differ: Differences): Promise<void> {
  const { accounts, cohorts } = await transfers(world, 'accounting?per_page=100')
  const balance = (account: string) =>
    sum(
      accounts.filter((row: { account: string }) => row.account === account).map((row: Stats) => row.closing),
    )
  const value = (key: string) => all[`total_amount_${key}`] ?? 0
  const expected: Stats = {
    programme: value('expected'),
    fees: value('fees'),
    float: -(value('disbursed') + value('fees')),
    recipients: -(value('pending') + value('unknown')),
    arrears: -value('arrears'),
    written_off: -value('written_off'),
  }
  for (const [account, francs] of Object.entries(expected)) {
    differ.same(`books, ${account}`, balance(account) + 0, francs + 0)
    differ.same(
      `books by list, ${account}`,
      sum(cohorts.data.map((row: Stats) => row[account])) + 0,
      francs + 0,
    )
  }
}

const groupKeys = {
  total_amount_expected: 'expected',
  total_amount_disbursed: 'disbursed',
  total_amount_fees: 'fees',
  total_amount_arrears: 'arrears',
  total_amount_written_off: 'written_off',
  total_amount_pending: 'pending_amount',
  total_amount_unknown: 'unknown_amount',
}

/** The pages of one cohort and of its rounds. */
async function ofCohort(world: World, id: number, expected: Stats, differ: Differences): Promise<void> {
  const { cohort } = await transfers(world, `cohorts/${id}/summary`)
  differ.stats(`summary of ${id}`, cohort.transfer_cohort_stats, expected)
  const progress = await transfers(world, `cohorts/${id}/progress`)
  differ.stats(`progress of ${id}`, progress.transfer_cohort_stats, expected)
  const { cohort: paid } = await transfers(world, `cohorts/${id}/payrolls?per_page=100`)
  const groups = paid.transfer_payroll_groups.data
  for (const [key, name] of Object.entries(groupKeys))
    differ.same(`rounds of ${id}, ${name}`, sum(groups.map((group: Stats) => group[name])), expected[key])
  for (const group of groups) await ofRound(world, group, differ)
}

type Entry = { amount: number; fees: number; status: string; state: string }
async function ofRound(world: World, group: Stats, differ: Differences): Promise<void> {
  const { payrollGroup } = await transfers(world, `cohorts/payroll/${group.id}?per_page=100`)
  const where = `round ${group.id}`
  for (const key of ['count', 'failed', 'withheld', 'unknown', 'successful', ...Object.values(groupKeys)])
    differ.same(`${where}, ${key}`, payrollGroup[key], group[key])
  const rows: Entry[] = payrollGroup.transfer_payrolls.data
  const amounts = (of: (row: Entry) => boolean) => sum(rows.filter(of).map(({ amount }) => amount))
  differ.same(
    `${where}, rows`,
    amounts(() => true),
    group.expected,
  )
  differ.same(
    `${where}, rows paid`,
    amounts(({ status }) => status === 'success'),
    group.disbursed,
  )
  differ.same(
    `${where}, rows written off`,
    amounts(({ state }) => state === 'written_off'),
    group.written_off,
  )
  const parts = ['successful', 'failed', 'withheld', 'written_off_count', 'pending', 'unknown'] as const
  differ.same(`${where}, its words`, sum(parts.map((part) => payrollGroup[part])), group.count)
}

const lastEvent = async (world: World) =>
  (
    await world.rows(
      "select concat_ws(' ', max(id), (select sum(version) from agency_statements), (select count(*) from transfer_list_erasures)) as now from money_events",
    )
  )[0].now

/**
 * Reads every page that shows money, and says where two of them differ. If money moved meanwhile, they are read again. Null if it
 * never stood still.
 */
export async function faultsOfPages(world: World): Promise<string[] | null> {
  for (let tries = 0; tries < 8; tries++) {
    const before = await lastEvent(world)
    const differ = new Differences()
    const { all, of } = await truth(world)
    await programme(world, all, differ)
    for (const [id, expected] of of) await ofCohort(world, id, expected, differ)
    const { faults } = await verifyLedger(world.portal.db)
    if ((await lastEvent(world)) === before) return [...differ.found, ...faults]
  }
  return null
}
