import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'

type Value = string | number | boolean | Buffer | null | undefined

const size = 5_000

/**
 * Inserts rows in batches, with one array per column; `types` are PostgreSQL's. Returns their ids in the order of the
 * rows, because identity values are assigned in the order in which rows are read. Returns nothing for a table without
 * `id`.
 */
export async function insertAll<Key extends string>(
  tx: Tx,
  table: string,
  types: Record<Key, string>,
  rows: readonly Partial<Record<NoInfer<Key>, Value>>[],
  { withId = true } = {},
): Promise<number[]> {
  const columns = Object.keys(types) as Key[]
  const names = sql.join(
    columns.map((column) => sql.id(column)),
    sql`, `,
  )
  const ids: number[] = []
  for (let from = 0; from < rows.length; from += size) {
    const part = rows.slice(from, from + size)
    const arrays = columns.map(
      (column) => sql`${part.map((row) => row[column] ?? null)}::${sql.raw(types[column])}[]`,
    )
    const made = await sql<{ id: number }>`
      insert into ${sql.id(table)} (${names})
      select ${names} from unnest(${sql.join(arrays, sql`, `)}) with ordinality as r (${names}, r_at) order by r_at
      ${withId ? sql`returning id` : sql``}`.execute(tx)
    for (const { id } of made.rows) ids.push(id)
  }
  return ids
}

/** The only row of a statement. */
export async function oneRow<Row extends Record<string, unknown>>(
  tx: Tx,
  statement: RawBuilder<unknown>,
): Promise<Row> {
  const { rows } = await statement.$castTo<Row>().execute(tx)
  return at(rows as Row[], 0)
}

/** The entry at index `place`. Throws if there is none, which would be a bug. */
export function at<T>(list: readonly T[], place: number): T {
  const found = list[place]
  if (found === undefined) throw new Error(`There is no entry ${place}`)
  return found
}
