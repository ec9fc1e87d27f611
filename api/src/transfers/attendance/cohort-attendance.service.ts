import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type {
  cohortAttendance,
  LevelAttendance,
  ListAttendance,
} from '@portal/contracts/transfers/cohort-attendance'
import type { Db } from '../../kit/database/db.ts'
import { type Level, orderOf, pageOfLevels, withSchools, worst } from './attendance-page.ts'
import { keptAttendance } from './kept-attendance.service.ts'
import { type Counted, countAttendance, type Group } from './list-attendance.service.ts'

/** The attendance of a list: that of the last minutes, if a worker keeps it, and otherwise that of now. */
const readList = async (db: Db, cohortId: number): Promise<Counted> =>
  (await keptAttendance(db, cohortId)) ?? countAttendance(db, cohortId)

/** A part of a whole, with one decimal; null where there is nothing to divide by. */
const share = (part: number, whole: number) => (whole > 0 ? Math.round((10 * part) / whole) / 10 : null)

/** The totals of a list are the sums of its groups. */
function totalsOf({ groups, period: { name: _, ...period }, counted_at }: Counted): ListAttendance {
  const sum = (of: readonly Group[], key: 'girls' | 'unknown' | 'days' | 'shares') =>
    of.reduce((all, group) => all + Number(group[key] ?? 0), 0)
  const silent = groups.filter(({ state }) => state === 'silent')
  const [girls, unknown] = [sum(groups, 'girls'), sum(groups, 'unknown')]
  return {
    ...period,
    girls,
    unknown,
    reported: share(100 * sum(groups, 'days'), girls * period.school_days),
    present: share(sum(groups, 'shares'), girls - unknown),
    schools: schoolsIn(groups),
    silent_schools: schoolsIn(silent),
    silent_girls: sum(silent, 'girls'),
    counted_at,
  }
}

const schoolsIn = (groups: readonly Group[]) => new Set(groups.map(({ school_id }) => school_id)).size

/** Reads the attendance of the girls of a list: totals, and one page of its schools and class levels (Money 5.20). */
export async function readAttendance(
  db: Db,
  cohortId: number,
  query: QueryOf<typeof cohortAttendance.list>,
): Promise<AnswerOf<typeof cohortAttendance.list>> {
  const list = await readList(db, cohortId)
  const levels = await pageOfLevels(db, levelsOf(list), query)
  return { name: list.period.name, attendance: totalsOf(list), levels }
}

/** All rows of the sheet, in the order of the page, always as they are now. */
export async function readLevels(db: Db, cohortId: number): Promise<LevelAttendance[]> {
  const levels = levelsOf(await countAttendance(db, cohortId)).toSorted(orderOf(worst, 1))
  return withSchools(db, levels)
}

/** The groups as rows of the page and the sheet; the names of their schools come later. */
const levelsOf = ({ groups, period }: Counted): Level[] =>
  groups.map(({ days, shares, ...group }) => ({
    ...group,
    reported: share(100 * days, group.girls * period.school_days),
    present: share(Number(shares ?? 0), group.girls - group.unknown),
  }))
