import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { searchWords } from '@portal/contracts/search-words'
import type { cohortAttendance, LevelAttendance } from '@portal/contracts/transfers/cohort-attendance'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../../kit/database/db.ts'
import { envelopeOf, matches } from '../../kit/database/paging.ts'

type School = Pick<LevelAttendance, 'school_name' | 'admin_code' | 'admin_district_as_cap'>
/** A row of the page without the names of its school. */
export type Level = Omit<LevelAttendance, keyof School>
type Key = (level: Level) => number | string
type Query = QueryOf<typeof cohortAttendance.list>

/** What to look at first: silent schools, then classes of which nothing is known, then the lowest share. */
export const worst: Key = ({ state, present }) =>
  state === 'silent' ? -2 : state === 'unknown' ? -1 : (present ?? 101)

const keys: Record<string, Key> = {
  worst,
  girls: ({ girls }) => girls,
  reported: ({ reported }) => reported ?? -1,
  present: ({ present }) => present ?? -1,
  last_report: ({ last_report }) => last_report ?? '',
}

/** Compares by a key and then by the id, so that pages do not overlap. */
export const orderOf =
  (key: Key, direction: 1 | -1) =>
  (a: Level, b: Level): number => {
    const [left, right] = [key(a), key(b)]
    if (left !== right) return left < right ? -direction : direction
    return a.id < b.id ? -direction : direction
  }

/**
 * One page of the schools and class levels of a list. They are all in memory, because the totals are made of them: handing 15,000 of
 * them to the database again, to sort them, took longer than everything else.
 */
export async function pageOfLevels(
  db: Db,
  levels: readonly Level[],
  query: Query,
): Promise<Page<LevelAttendance>> {
  const { page, per_page, state, search, sort = 'worst' } = query
  const ofState = state ? levels.filter((level) => level.state === state) : levels
  const found = search ? await searched(db, ofState, search) : ofState
  const field = sort.replace(/^-/, '')
  const key = keys[field] ?? (await placesByName(db, found))
  const sorted = found.toSorted(orderOf(key, sort.startsWith('-') ? -1 : 1))
  const from = (page - 1) * per_page
  return envelopeOf(query, await withSchools(db, sorted.slice(from, from + per_page)), found.length)
}

const schoolsOf = (levels: readonly Level[]) => [...new Set(levels.map(({ school_id }) => school_id))]

/** SQL: which of the words a text has. */
const wordsIn = (text: RawBuilder<unknown>, words: readonly string[]) =>
  sql`array[${sql.join(words.map((word) => matches(text, word) || sql`true`))}]`

type Words = { of: number | string; has: boolean[] }

/**
 * The levels whose school, CAP or level has the words, each word in any of them. Schools have their folded text, and CAPs and levels are
 * few: folding the names of 15,000 schools took longer than the rest of the page.
 */
async function searched(db: Db, levels: readonly Level[], search: string): Promise<readonly Level[]> {
  const words = searchWords(search)
  if (words.length === 0) return levels
  const names = [...new Set(levels.map(({ class_level }) => class_level))]
  const [schools, ofLevels] = await Promise.all([
    searchRows(
      db,
      sql<Words>`
      select * from (
        select sc.id as of, ${wordsIn(sql`(sc.search || ' ' || c.search)`, words)} as has
        from schools sc join (select id, portal_search(name) as search from caps offset 0) c on c.id = sc.cap_id) s
      where true = any(s.has)`,
    ),
    searchRows(
      db,
      sql<Words>`
      select l.level as of, ${wordsIn(sql`l.search`, words)} as has
      from (select level, portal_search(level) as search from unnest(${names}::text[]) n (level) offset 0) l`,
    ),
  ])
  const has = new Map([...schools, ...ofLevels].map((found) => [found.of, found.has]))
  return levels.filter(({ school_id, class_level }) =>
    words.every((_, word) => has.get(school_id)?.[word] || has.get(class_level)?.[word]),
  )
}

/** The place of each school in the order of their names. */
async function placesByName(db: Db, levels: readonly Level[]): Promise<Key> {
  const ordered = await rows(
    db,
    sql<{ id: number; place: number }>`
    select id, rank() over (order by name collate "fr-x-icu") as place from schools where id = any(${schoolsOf(levels)}::bigint[])`,
  )
  const places = new Map(ordered.map(({ id, place }) => [id, place]))
  return ({ school_id }) => places.get(school_id) ?? 0
}

/** Adds what the schools of these levels are called. */
export async function withSchools(db: Db, levels: readonly Level[]): Promise<LevelAttendance[]> {
  const schools = await rows(
    db,
    sql<School & { id: number }>`
    select sc.id, sc.name as school_name, sc.admin_code, c.name as admin_district_as_cap
    from schools sc join caps c on c.id = sc.cap_id where sc.id = any(${schoolsOf(levels)}::bigint[])`,
  )
  const byId = new Map(schools.map(({ id, ...school }) => [id, school]))
  return levels.flatMap((level) => {
    const school = byId.get(level.school_id)
    return school ? [{ ...level, ...school }] : []
  })
}
