import type { Locale } from '@portal/contracts/sentences'
import {
  type DonorReport,
  type ReachedPart,
  type ReportFilters,
  smallCount,
} from '@portal/contracts/transfers/donor-report'
import type { Db } from '../../kit/database/db.ts'
import { countSums, type Group, readSums, type Sums } from './donor-report-sums.ts'
import { hideSmallCounts } from './small-counts.ts'

/** Reads what a donor is told about a period (Money 3.9). */
export const readDonorReport = async (db: Db, locale: Locale, filters: ReportFilters): Promise<DonorReport> =>
  reportOf(filters, await readSums(db, locale, filters))

/**
 * The same for a whole country, where it takes minutes: in parts, of one moment. `progress` gets about how many payments are read; what it
 * throws ends the counting.
 */
export function countDonorReport(
  db: Db,
  locale: Locale,
  filters: ReportFilters,
  progress: (done: number) => Promise<void>,
): Promise<DonorReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => reportOf(filters, await countSums(tx, locale, filters, progress)))
}

/** Puts the groups together, and hides small counts of girls. */
function reportOf(filters: ReportFilters, { groups, recipients, refused, arrears }: Sums): DonorReport {
  const sum = (
    name: 'girls' | 'payments' | 'amount' | 'commission' | 'stated' | 'stated_payments' | 'tariff',
  ) => groups.reduce((so, group) => so + group[name], 0)
  const places = partsOf(groups, ({ place, place_name }) => ({ key: String(place), name: place_name }))
  const inOrder = groups.toSorted(
    (a, b) => placeInList(a) - placeInList(b) || (a.level ?? '').localeCompare(b.level ?? ''),
  )
  const levels = partsOf(inOrder, ({ level, level_name }) => ({ key: level, name: level_name ?? level }))
  const girls = places.map(({ key }) =>
    levels.map(
      (level) => groups.find((group) => String(group.place) === key && group.level === level.key)?.girls ?? 0,
    ),
  )
  const guarded = hideSmallCounts(girls)
  const guard = (parts: readonly ReachedPart[], shown: readonly (number | null)[]) =>
    parts.map((part, at) =>
      shown[at] === null ? { ...part, girls: null, payments: null, amount: null } : part,
    )
  const small = (count: number) => (count > 0 && count < smallCount ? null : count)
  const payments = sum('payments')
  return {
    disbursed: sum('amount'),
    payments,
    recipients: small(recipients),
    girls: guarded.all,
    refused,
    success_rate: payments + refused > 0 ? payments / (payments + refused) : null,
    arrears: { ...arrears, girls: small(arrears.girls) },
    stated_fees: { payments: sum('stated_payments'), amount: sum('stated') },
    tariff_fees: { payments: payments - sum('stated_payments'), amount: sum('tariff') },
    commission: sum('commission'),
    place: filters.cap ? 'school' : 'cap',
    places: guard(places, guarded.rows),
    levels: guard(levels, guarded.columns),
    girls_by_place_and_level: guarded.cells,
  }
}

/** Girls of no known class level stand last. */
const placeInList = ({ level, level_order }: Group) => level_order ?? (level === null ? 2e6 : 1e6)

type Part = Pick<ReachedPart, 'key' | 'name'> & { girls: number; payments: number; amount: number }

/** The sums of the groups by place or by level, in the order in which they come. */
function partsOf(
  groups: readonly Group[],
  name: (group: Group) => Pick<ReachedPart, 'key' | 'name'>,
): Part[] {
  const parts = new Map<string | null, Part>()
  for (const group of groups) {
    const { key, name: called } = name(group)
    const part = parts.get(key) ?? { key, name: called, girls: 0, payments: 0, amount: 0 }
    parts.set(key, {
      ...part,
      girls: part.girls + group.girls,
      payments: part.payments + group.payments,
      amount: part.amount + group.amount,
    })
  }
  return [...parts.values()]
}
