import { countedAtMost, type Page, type PageQuery } from '@portal/contracts/fields'
import { beginsWord, phoneFigures, searchWords } from '@portal/contracts/search-words'
import { type RawBuilder, sql } from 'kysely'
import { type Covered, coveredKeys } from './covered-search.ts'
import { type Db, rows, searchRows } from './db.ts'
import { batches } from './keyset.ts'

/** Describes a list for `paged`. Every fragment comes from our code; values of the caller are parameters. */
export type List = {
  columns: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /**
   * The fewest tables that the conditions and orders need, with the same aliases. The keys of a page are found there,
   * and the other tables are joined to these keys only, which keeps deep pages of large lists fast.
   */
  narrow?: RawBuilder<unknown>
  /** Conditions, joined by `and`. Falsy ones are left out. */
  where?: (RawBuilder<unknown> | false | undefined | null | '' | 0)[]
  /** Sort expression of each allowed field. */
  sort: Record<string, RawBuilder<unknown>>
  /** The order if the query has none: `field` or `-field`, or null to sort by `key`. */
  order: string | null
  /** A unique column that every order ends with, so that pages do not overlap. */
  key: RawBuilder<unknown>
  /** The table whose cached total (`list_totals`) is used while there is no condition. */
  total?: string
  /** Plans each statement for its values, as with a search: the rows of one are few, of another many. */
  planned?: boolean
  /** A scalar expression that gets the total faster than counting. It must respect the conditions. */
  count?: RawBuilder<unknown> | undefined
  /** A condition under which there are more rows than a list counts, whatever else; then they are not counted. */
  many?: RawBuilder<unknown> | false
  /** No index finds what is searched or filtered, so all rows are compared: once, with the total counted on the way. */
  compared?: boolean
  /** An index in the list's own order has the searched text, too, and finds frequent words. */
  covered?: Covered
  /** Finds the last place before the row with this number in ascending order from which a deep page may be read. */
  placeBefore?: ((row: number) => Promise<Place | undefined>) | false
}

/** A place in the ascending order of a list: how many rows are up to it, and the condition of those after it. */
export type Place = { rows: number; after: RawBuilder<unknown> }

/** The paged envelope (Calls 3.1). */
export type Paged<Row> = Page<Row>

/** From this offset on the total is read first, so that the page can be read from the nearer end. */
const deep = 1000

/** The page size of the contracts. A literal limit lets PostgreSQL keep one plan; other sizes would each make a text of their own. */
const usual = 15

/** A page of a list of `total` rows in the paged envelope (Calls 3.1). */
export const envelopeOf = <Row>(
  { page, per_page }: Pick<PageQuery, 'page' | 'per_page'>,
  data: Row[],
  total: number,
): Paged<Row> => ({
  ...{ data, current_page: page, last_page: Math.max(1, Math.ceil(total / per_page)) },
  ...{ per_page, total },
})

/**
 * Reads one page in the paged envelope. The first page of a list is one prepared statement. Of a search or a later
 * page the keys are read first, by a small statement that is planned for its values, and then the rows by a prepared one. A
 * deep page reads the total first.
 */
export async function paged<Row>(
  db: Db,
  query: PageQuery & { search?: string },
  list: List,
): Promise<Paged<Row>> {
  const { page, per_page, search = '' } = query
  const where = conditionsOf(list)
  const filter = where.length ? sql`where ${sql.join(where, sql` and `)}` : sql``
  const total = totalOf(list, where.length > 0, filter)
  const offset = (page - 1) * per_page
  const read = search || list.planned ? searchRows : rows
  const isExact = list.count !== undefined || (list.total !== undefined && where.length === 0)
  const envelope = (data: Row[], found: number): Paged<Row> => {
    const capped = !isExact && found > countedAtMost
    return { ...envelopeOf(query, data, capped ? countedAtMost : found), ...(capped && { capped }) }
  }
  if (
    list.covered &&
    list.narrow &&
    read === searchRows &&
    where.length > 0 &&
    !query.sort &&
    !list.compared
  ) {
    const order = orderBy(query, list, false)
    const part = { search, narrow: list.narrow, filter, order, take: per_page, skip: offset }
    const { keys, total } = await coveredKeys(db, list.covered, part)
    return envelope(await rowsOf<Row>(db, list, keys), total)
  }
  if (offset < deep) {
    const part = { filter, order: orderBy(query, list, false), take: per_page, skip: offset }
    // `atOnce` cuts the page of narrow tables before this counts, so such a page is read by its keys.
    const once = list.compared && read === searchRows
    const counted = once ? sql`count(*) over ()` : total
    const found =
      list.narrow && (search || offset > 0 || once)
        ? await byKeys<Row>(db, list, {
            ...part,
            narrow: list.narrow,
            total: counted,
            read,
          })
        : await atOnce<Row>(db, list, { ...part, total: counted, read })
    if (found.data.length > 0 || (offset === 0 && !isExact)) return envelope(found.data, found.total)
  }
  const [counted] = await read(db, sql<{ total: number }>`select ${total} as total`)
  const count = counted?.total ?? 0
  const reached = isExact ? count : Math.min(count, countedAtMost)
  if (offset >= reached) return envelope([], count)
  const take = Math.min(per_page, reached - offset)
  const { backwards, ...part } = await nearestEnd(query, list, { where, take, offset, count, reached })
  const order = orderBy(query, list, backwards)
  const found = await read(db, pageOf(list, list.columns, { ...part, order, take }).$castTo<Row>())
  return envelope(backwards ? found.reverse() : found, count)
}

/** All rows of a list, however many, in the order of its key, which each row has as `id`; and how many there are. */
export function wholeList<Row extends { id: number }>(db: Db, list: List) {
  const filter = sql.join([sql`true`, ...conditionsOf(list)], sql` and `)
  const after = (id: number) =>
    searchRows(
      db,
      sql<Row>`select ${list.columns} from ${list.from} where ${filter} and ${list.key} > ${id} order by ${list.key} limit 500`,
    )
  return {
    total: async () => {
      const count = sql<{ n: number }>`select count(*) as n from ${list.narrow ?? list.from} where ${filter}`
      return (await searchRows(db, count))[0]?.n ?? 0
    },
    batches: () => batches(after, ({ id }) => id),
  }
}

const conditionsOf = ({ where = [] }: List) =>
  where.filter((condition): condition is RawBuilder<unknown> => Boolean(condition))

type Deep = { where: RawBuilder<unknown>[]; take: number; offset: number; count: number; reached: number }

/**
 * From where a deep page is read: from the nearer end, so that the last page of 150,000 rows costs as much as the first, or from
 * a place before it that is known.
 */
async function nearestEnd(query: PageQuery, list: List, { where, take, offset, count, reached }: Deep) {
  const fromEnd = count - offset - take
  const backwards = offset > count / 2 && count === reached
  const passed = backwards ? fromEnd : offset
  const descending = (query.sort ?? list.order ?? '').startsWith('-')
  const before = descending ? fromEnd : offset
  const place = list.placeBefore ? await list.placeBefore(before) : undefined
  const filterOf = (all: RawBuilder<unknown>[]) =>
    all.length > 0 ? sql`where ${sql.join(all, sql` and `)}` : sql``
  if (!place || before - place.rows >= passed) return { backwards, skip: passed, filter: filterOf(where) }
  return { backwards: descending, skip: before - place.rows, filter: filterOf([...where, place.after]) }
}

/** Which rows a page has. */
type Part = {
  filter: RawBuilder<unknown>
  order: RawBuilder<unknown>
  take: number
  skip: number
}
type Counted = Part & { total: RawBuilder<unknown>; read: typeof searchRows }

/** The rows of a page with the total, in one statement. */
async function atOnce<Row>(db: Db, list: List, { total, read, ...part }: Counted) {
  const columns = sql`${list.columns}, ${total} as list_total`
  const found = await read(db, pageOf(list, columns, part).$castTo<Row & { list_total: number }>())
  return {
    data: found.map(({ list_total, ...row }) => row as unknown as Row),
    total: found[0]?.list_total ?? 0,
  }
}

/** The same in two statements. Only the first has conditions, so the second, which joins all tables, is always the same. */
async function byKeys<Row>(
  db: Db,
  list: List,
  { total, read, narrow, ...part }: Counted & { narrow: RawBuilder<unknown> },
) {
  const keys = await read(
    db,
    sql<{ key: number; list_total: number }>`
      select ${list.key} as key, ${total} as list_total from ${narrow} ${limited(part)}`,
  )
  const ids = keys.map(({ key }) => key)
  return { data: await rowsOf<Row>(db, list, ids), total: keys[0]?.list_total ?? 0 }
}

/** The rows of these keys, in their order. The statement is the same for all searches, and is prepared. */
async function rowsOf<Row>(db: Db, { columns, from, key }: List, keys: number[]) {
  const of = sql`where ${key} = any(${keys}::bigint[]) order by array_position(${keys}::bigint[], ${key})`
  return keys.length > 0 ? await rows(db, sql<Row>`select ${columns} from ${from} ${of}`) : []
}

const limited = ({ filter, order, take, skip }: Part) =>
  take === usual && skip === 0
    ? sql`${filter} order by ${order} limit ${sql.lit(usual)}`
    : sql`${filter} order by ${order} limit ${take} offset ${skip}`

function pageOf(list: List, columns: RawBuilder<unknown>, part: Part): RawBuilder<unknown> {
  if (!list.narrow) return sql`select ${columns} from ${list.from} ${limited(part)}`
  return sql`select ${columns} from ${list.from}
    where ${list.key} = any(array(select ${list.key} from ${list.narrow} ${limited(part)})) order by ${part.order}`
}

function totalOf(
  { from, narrow = from, total, count, many }: List,
  filtered: boolean,
  filter: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (count) return count
  if (total === undefined || filtered) {
    const most = sql.lit(countedAtMost + 1)
    const counted = sql`(select count(*) from (select from ${narrow} ${filter} limit ${most}) counted)`
    return many ? sql`case when ${many} then ${most} else ${counted} end` : counted
  }
  return sql`(select coalesce(sum(rows), 0)::bigint from list_totals where name = ${total})`
}

function orderBy(query: PageQuery, list: List, backwards: boolean): RawBuilder<unknown> {
  const wanted = query.sort ?? list.order
  if (!wanted) return backwards ? sql`${list.key} desc` : list.key
  const field = wanted.replace(/^-/, '')
  const expression = list.sort[field]
  if (!expression) throw new Error(`The list has no order by ${field}`)
  const direction = wanted.startsWith('-') !== backwards ? sql`desc` : sql`asc`
  return sql`${expression} ${direction}, ${list.key} ${direction}`
}

/** A word, folded as `portal_search` folds texts; its own signs of patterns are plain text. */
const folded = (word: string) => sql`regexp_replace(portal_search(${word}), '([\\\\%_])', '\\\\\\1', 'g')`

/**
 * Condition: each word of the search is in the expression (made with `portal_search`), in any order, with any case and
 * accents. A word of one or two letters begins a word there, because a trigram index finds the beginnings of words only.
 */
export function matches(expression: RawBuilder<unknown>, search: string): RawBuilder<unknown> | false {
  const words = searchWords(search)
  if (words.length === 0) return false
  const holds = (word: string) => sql`${expression} like '%' || ${folded(word)} || '%'`
  const conditions = words.map((word) => {
    if (beginsWord(word))
      return sql`(${expression} like ${folded(word)} || '%' or ${expression} like '% ' || ${folded(word)} || '%')`
    const figures = phoneFigures(word)
    return figures ? sql`(${holds(word)} or ${holds(figures)})` : holds(word)
  })
  return sql.join(conditions, sql` and `)
}
