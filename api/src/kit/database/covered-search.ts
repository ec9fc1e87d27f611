import { countedAtMost } from '@portal/contracts/fields'
import { searchWords } from '@portal/contracts/search-words'
import { type RawBuilder, sql } from 'kysely'
import { type Db, searchRows } from './db.ts'

/**
 * A list of one table whose index has the searched text beside the name that the list is sorted by: `text`, `name` with its
 * collation, the alias `as`, and the `columns` of key and order.
 */
export type Covered = Record<'text' | 'name' | 'as' | 'columns', RawBuilder<unknown>>

/** Which rows are searched for, and which of them are on the page. */
type Page = {
  search: string
  narrow: RawBuilder<unknown>
  filter: RawBuilder<unknown>
  order: RawBuilder<unknown>
  take: number
  skip: number
}
type Keys = { keys: number[]; total: number }

/** The longest text in the index, whose entries have room for 2,700 bytes. Migration 58 has the same number in its conditions. */
const coveredLetters = 500

/**
 * How many entries of the index are read in the order of the list before all matches are sorted instead, and how many of a hundred
 * blocks of the table are looked at first.
 */
const usual = { walked: 200_000, sampled: 0.1 }

/** More than a list counts. Rows beyond are on no page. */
const counted = countedAtMost + 1

/**
 * The keys of a page of a search, with the total (decision 173). Names that begin with a word of the search come first: they
 * stand together in the index, so a frequent family is read from its own place. Of other frequent words one walk of the index
 * finds page and total. Few matches are found by the index of the words and sorted.
 */
export async function coveredKeys(db: Db, covered: Covered, page: Page, limits = usual): Promise<Keys> {
  const reached = { ...page, take: Math.max(0, Math.min(page.take, countedAtMost - page.skip)) }
  const { sample, found, ...first } = await fromTheirPlace(db, covered, reached, limits.sampled)
  if (first.total > countedAtMost) return first
  // A word that each twentieth row has fills all pages within the walk, unless it stands in one place of the order.
  const frequent = sample > 100 && found * 20 >= sample
  const walk = frequent ? await byWalking(db, covered, reached, limits.walked) : undefined
  if (walk && walk.total > countedAtMost) return walk
  const few = await amongFew(db, covered, page)
  return few.total > countedAtMost ? { ...few, keys: await bySorting(db, covered, reached) } : few
}

const beginningWith = (name: RawBuilder<unknown>, word: string) =>
  sql`(${name} >= portal_search(${word}) and ${name} < portal_search(${word}) || ${'\uffff'})`

/** SQL: names that begin with a word of the search; none without words. U+FFFF is behind all letters in the order of ICU. */
const begins = ({ name }: Covered, search: string) =>
  sql`(1 = 0 ${joined(searchWords(search).map((word) => sql`or ${beginningWith(name, word)}`))})`

const joined = (parts: RawBuilder<unknown>[]) => (parts.length > 0 ? sql.join(parts, sql` `) : sql``)
const limited = ({ order, take, skip }: Page) => sql`${order} limit ${take} offset ${skip}`
const short = ({ text }: Covered) => sql`length(${text}) <= ${sql.lit(coveredLetters)}`
const long = ({ text }: Covered) => sql`length(${text}) > ${sql.lit(coveredLetters)}`

/**
 * SQL: as many matches as are counted whose name begins with a word, from their places in the index. Each word has a scan of its
 * own, without the names of the words before it. `offset 0` keeps the other conditions out of the choice of the index. Longer texts
 * are few.
 */
function begun(covered: Covered, { search, narrow, filter, order }: Page): RawBuilder<unknown> {
  const { name, as, columns } = covered
  const words = searchWords(search)
  const scans = words.map((word, n) => {
    const before = words.slice(0, n).map((other) => sql`and not ${beginningWith(name, other)}`)
    const place = sql`${short(covered)} and ${beginningWith(name, word)} ${joined(before)}`
    return sql`(select ${columns} from (select * from ${narrow} where ${place} order by ${order} offset 0) ${as}
      ${filter} limit ${counted})`
  })
  const longer = sql`(select ${columns} from ${narrow} ${filter} and ${long(covered)} and ${begins(covered, search)})`
  return sql`${sql.join([...scans, longer], sql` union all `)}`
}

/** The page of those names, if they fill all pages, and how many rows of a sample of the table match at all. */
async function fromTheirPlace(db: Db, covered: Covered, page: Page, sampled: number) {
  const { as } = covered
  // The same blocks each time, so that a search takes the same way again.
  const sample = sql`from ${page.narrow} tablesample system (${sampled}::real) repeatable (1)`
  const rows = await searchRows(
    db,
    sql<{ id: number | null; list_total: number; sample: number; found: number }>`
    with begun as materialized (${begun(covered, page)})
    select k.id, t.* from (select (select count(*) from begun) as list_total, (select count(*) ${sample}) as sample,
        (select count(*) ${sample} ${page.filter}) as found) t
      left join lateral (
        select ${as}.id from begun ${as} where t.list_total > ${countedAtMost} order by ${limited(page)}) k on true`,
  )
  return { ...pageOf(rows), sample: rows[0]?.sample ?? 0, found: rows[0]?.found ?? 0 }
}

/** The page and the total by walking the index. The total is too small if the walk did not come far enough. */
async function byWalking(db: Db, covered: Covered, page: Page, walked: number): Promise<Keys> {
  const { as, columns } = covered
  const { search, narrow, filter, order } = page
  const others = sql`${filter} and not ${begins(covered, search)}`
  const rows = await searchRows(
    db,
    sql<{ id: number | null; list_total: number }>`
    with begun as materialized (${begun(covered, page)}),
    passed as materialized (
      select ${columns} from (
        select * from ${narrow} where ${short(covered)} order by ${order} limit ${walked}) ${as} ${others} limit ${counted}),
    longer as materialized (select ${columns} from ${narrow} ${others} and ${long(covered)})
    select k.id, t.list_total from (select (select count(*) from begun) + (select count(*) from passed) as list_total) t
      left join lateral (
        select ${as}.id from (select 0 as place, * from begun union all select 1, * from passed union all select 1, * from longer) ${as}
        where t.list_total > ${countedAtMost} order by ${as}.place, ${limited(page)}) k on true`,
  )
  return pageOf(rows)
}

/** The page among the matches if a list counts them all, and how many there are. */
const amongFew = async (db: Db, covered: Covered, page: Page): Promise<Keys> => {
  const { as, columns } = covered
  const rows = await searchRows(
    db,
    sql<{ id: number | null; list_total: number }>`
    with ${as} as materialized (select ${columns} from ${page.narrow} ${page.filter} limit ${counted})
    select k.id, t.list_total from (select count(*) as list_total from ${as}) t left join lateral (
      select ${as}.id from ${as} where t.list_total <= ${countedAtMost}
      order by ${begins(covered, page.search)} desc, ${limited(page)}) k on true`,
  )
  return pageOf(rows)
}

/** The page by sorting all matches, where an index would be walked for too long. */
async function bySorting(db: Db, covered: Covered, page: Page): Promise<number[]> {
  const { as, columns } = covered
  const rows = await searchRows(
    db,
    sql<{ id: number }>`
    with ${as} as materialized (select ${columns} from ${page.narrow} ${page.filter})
    select ${as}.id from ${as} order by ${begins(covered, page.search)} desc, ${limited(page)}`,
  )
  return rows.map(({ id }) => id)
}

const pageOf = (rows: { id: number | null; list_total: number }[]): Keys => ({
  keys: rows.flatMap(({ id }) => id ?? []),
  total: Math.min(rows[0]?.list_total ?? 0, counted),
})
