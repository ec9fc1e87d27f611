import { type Kysely, sql } from 'kysely'
import { type DatabaseMetadata, generate, PostgresDialect } from 'kysely-codegen'
import { openDb } from '../../src/kit/database/db.ts'

/** JSON is read as an object and written as its text: `pg` would make a PostgreSQL array of a JavaScript one. */
const writtenAsText = 'ColumnType<Record<string, unknown>, string, string>'

/** The types of every table of a migrated database, as the type parsers of `kit/db.ts` read them. */
export async function databaseTypes(url: string): Promise<string> {
  const db = openDb(url, 1)
  try {
    return await generate({
      db,
      dialect: new PostgresDialect(),
      includePattern: 'public.*',
      excludePattern: 'public.migration*',
      outFile: null,
      postprocess: withClosedLists,
      typeMapping: {
        date: 'string',
        int8: 'number',
        json: writtenAsText,
        jsonb: writtenAsText,
        numeric: 'number',
        timestamptz: 'string',
      },
    })
  } finally {
    await db.pool.end()
  }
}

/** A `check (column in ('a', 'b'))` becomes the column's type, so that the closed list stands in the migration alone. */
async function withClosedLists({ db, metadata }: { db: Kysely<unknown>; metadata: DatabaseMetadata }) {
  const { rows } = await sql<{ table: string; column: string; definition: string }>`
    select c.conrelid::regclass::text as table, a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace`.execute(db)
  for (const { table, column, definition } of rows) {
    const values = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1]
    const found = metadata.tables
      .find(({ name }) => name === table)
      ?.columns.find(({ name }) => name === column)
    if (values && found) found.enumValues = [...values.matchAll(/'([^']*)'/g)].map(([, value = '']) => value)
  }
  return metadata
}
