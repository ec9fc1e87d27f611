import pg from 'pg'
import { place } from './stage/place.ts'

// bigint: every sum here is far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

let pool: pg.Pool | undefined

/** What is stored, read past the application's role. */
export async function rows<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]> {
  pool ??= new pg.Pool({ connectionString: place.ownerUrl, max: 2, allowExitOnIdle: true })
  return (await pool.query<Row>(sql, values)).rows
}

/** The one row a question has. */
export async function row<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row> {
  const found = await rows<Row>(sql, ...values)
  if (!found[0] || found[1]) throw new Error(`${found.length} rows instead of one: ${sql}`)
  return found[0]
}
