import { countedAtMost } from '@portal/contracts/fields'
import { type RawBuilder, sql } from 'kysely'
import { type Db, searchRows } from './db.ts'

/** The text that an index in the list's own order has beside the key, and the columns of `narrow` for key and order, as `as`. */
export type Covered = { text: RawBuilder<unknown>; as: RawBuilder<unknown>; columns: RawBuilder<unknown> }

/** Which rows are searched, and which of them are on the page. */
type Page = {
  narrow: RawBuilder<unknown>
  filter: RawBuilder<unknown>
  order: RawBuilder<unknown>
  take: number
  skip: number
}

/** How long a text may be to stand in the index; an entry of an index has room for 2,700 bytes. The migration says it, too. */
const coveredLetters = 500

/** How many entries of the index are read in the order of the list before all matches are sorted instead. */
const walkedAtMost = 200_000

/**
 * The keys of a page of a search, with the total (decision 156). Few matches are found by the index of the words and sorted.
 * If there are more than a list counts, the index of the order is walked until the page is full. A frequent family name
 * stands in one place of that order, which may be far; then all its matches are sorted.
 */
export async function coveredKeys(db: Db, covered: Covered, page: Page, walked = walkedAtMost) {
  const few = await amongFew(db, covered, page)
  const total = few[0]?.list_total ?? 0
  if (total <= countedAtMost) return { keys: few.flatMap(({ id }) => id ?? []), total }
  const take = Math.min(page.take, countedAtMost - page.skip)
  if (take <= 0) return { keys: [], total }
  const counted = { ...page, take }
  const keys = (await byWalking(db, covered, counted, walked)) ?? (await bySorting(db, covered, counted))
  return { keys, total }
}

const limited = ({ order, take, skip }: Page) => sql`order by ${order} limit ${take} offset ${skip}`

/** The page among the matches if a list counts them all, and how many there are. The rows are put in order by who reads them. */
const amongFew = (db: Db, { as, columns }: Covered, page: Page) =>
  searchRows(
    db,
    sql<{ id: number | null; list_total: number }>`
    with ${as} as materialized (select ${columns} from ${page.narrow} ${page.filter} limit ${countedAtMost + 1})
    select k.id, t.list_total from (select count(*) as list_total from ${as}) t left join lateral (
      select ${as}.id from ${as} where t.list_total <= ${countedAtMost} ${limited(page)}) k on true`,
  )

/** The page by walking the index; undefined if so many entries do not fill it. Longer texts are few, and put among the others. */
async function byWalking(
  db: Db,
  { text, as, columns }: Covered,
  page: Page,
  walked: number,
): Promise<number[] | undefined> {
  const { narrow, filter, order, take, skip } = page
  const found = await searchRows(
    db,
    sql<{ id: number; walked: number }>`
    with short as materialized (
      select ${columns} from (
        select * from ${narrow} where length(${text}) <= ${sql.lit(coveredLetters)} order by ${order} limit ${walked}) ${as}
      ${filter} limit ${skip + take}),
    long as (
      select ${columns} from ${narrow} ${filter} and length(${text}) > ${sql.lit(coveredLetters)} order by ${order} limit ${skip + take})
    select ${as}.id, (select count(*) from short) as walked from (
      select * from short union all select * from long) ${as} ${limited(page)}`,
  )
  return found[0]?.walked === skip + take ? found.map(({ id }) => id) : undefined
}

/** The page by sorting all matches, which is faster than to walk the whole register. */
const bySorting = async (db: Db, { as, columns }: Covered, page: Page) =>
  (
    await searchRows(
      db,
      sql<{ id: number }>`
      with ${as} as materialized (select ${columns} from ${page.narrow} ${page.filter})
      select ${as}.id from ${as} ${limited(page)}`,
    )
  ).map(({ id }) => id)
