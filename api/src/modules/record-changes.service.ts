import type { SchemaChange } from '@portal/contracts/record-types'
import { bring } from '@portal/contracts/record-versions'
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/database/db.ts'
import type { Declared, Shelf } from './shelves.ts'

type Data = Record<string, unknown>
type Known = { declared: Declared; changes: readonly SchemaChange[] }

/**
 * The rules of all versions that these records have. Those of a build that was taken back are no longer declared, so they
 * are read from the table where it left them.
 */
export async function changesFor(
  db: Reader,
  { module, collection }: Shelf,
  { changes }: Pick<Known, 'changes'>,
  records: readonly { schema: number }[],
): Promise<readonly SchemaChange[]> {
  const last = changes.at(-1)?.to ?? 1
  if (records.every(({ schema }) => schema <= last)) return changes
  const found = await sql<{ change: SchemaChange }>`
    select change from module_record_changes
    where module = ${module} and collection = ${collection} and version > ${last} order by version`.execute(
    db,
  )
  return [...changes, ...found.rows.map(({ change }) => change)]
}

/** Records as the build reads them that asks. */
export async function asAsked<Row extends { data: Data; schema: number }>(
  db: Reader,
  shelf: Shelf,
  keying: Known,
  records: readonly Row[],
): Promise<Omit<Row, 'schema'>[]> {
  const changes = await changesFor(db, shelf, keying, records)
  return records.map(({ schema, ...record }) => ({
    ...record,
    data: bring(record.data, schema, keying.declared, changes),
  }))
}

/** Keeps the rules of the version that a record is saved with, for builds that do not have them. */
export async function keepChanges(tx: Tx, { module, collection }: Shelf, { changes = [] }: Declared) {
  if (changes.length === 0) return
  await sql`insert into module_record_changes as known (module, collection, version, change)
    select ${module}, ${collection}, (change->>'to')::int, change from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) change
    on conflict (module, collection, version) do update set change = excluded.change
    where known.change is distinct from excluded.change`.execute(tx)
}
