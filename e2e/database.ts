import pg from 'pg'
import { place } from './stage/place.ts'

// bigint: every sum here is far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

let pool: pg.Pool | undefined

const ownerPool = () =>
  (pool ??= new pg.Pool({ connectionString: place.ownerUrl, max: 2, allowExitOnIdle: true }))

/** For whoever stops the database: connections that are cut would end the process. */
export async function leaveDatabase(): Promise<void> {
  await pool?.end()
  pool = undefined
}

/** What is stored, read past the application's role. */
export async function rows<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await ownerPool().query<Row>(sql, values)).rows
}

/** The one row a question has. */
export async function row<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row> {
  const found = await rows<Row>(sql, ...values)
  if (!found[0] || found[1]) throw new Error(`${found.length} rows instead of one: ${sql}`)
  return found[0]
}

/** Does something while nobody else holds the advisory lock of that name. */
export async function whileLocked(name: string, act: () => Promise<void>): Promise<void> {
  const client = await ownerPool().connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [name])
    await act()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
