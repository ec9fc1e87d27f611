import { importedFields } from '@portal/contracts/record-sheet'
import type { RecordType } from '@portal/contracts/record-types'
import { versionOf } from '@portal/contracts/record-versions'
import { type RawBuilder, sql } from 'kysely'
import type { CheckedRow } from '../imports/imports.service.ts'
import type { Tx } from '../kit/database/db.ts'
import { asAsked, keepChanges } from './record-changes.service.ts'
import { type Keying, type StoredData, writeKeys } from './record-keys.service.ts'
import { dropUnnamed } from './record-pictures.service.ts'
import { dataToStore, textOf } from './records.service.ts'
import type { Declared, Shelf } from './shelves.ts'

type Data = Record<string, unknown>
/** Where an import writes, and whose records they become. */
export type Target = { shelf: Shelf; keying: Keying; user_id: number }
/** Under this name a staged row has the ids of the things that it names. No field has a point in its name. */
export const referencesColumn = 'record.references'
/** A staged row: its values as texts, and the ids of the things that it names; under `references` if the release before staged it. */
type Entry = CheckedRow['values'] & {
  [referencesColumn]?: Record<string, number>
  references?: Record<string, number>
}

/** A text of a file, as its field stores it. */
export function asStored(type: RecordType, text: string): unknown {
  if (type === 'boolean') return text === 'true'
  return type === 'number' || type === 'whole' ? Number(text) : text
}

/** What the filled cells of a row say. */
function dataOf(declared: Declared, entry: Entry): Data {
  const values: CheckedRow['values'] = entry
  const references = entry[referencesColumn] ?? entry.references
  return Object.fromEntries(
    importedFields(declared).flatMap(({ name, type, to }) => {
      const text = values[name]
      if (text === null || text === undefined) return []
      return [[name, to ? references?.[name] : asStored(type, text)]]
    }),
  )
}

/** Writes what lists go by for records whose rows are new or locked. */
async function keyThem(tx: Tx, { shelf, keying }: Target, records: readonly StoredData[]) {
  const words = await writeKeys(tx, shelf, keying, records)
  const ids = records.map(({ id }) => id)
  await sql`update module_records r set words = w.words, keyed = ${keying.mark}
    from unnest(${ids}::bigint[], ${words}::text[]) w (id, words) where r.id = w.id`.execute(tx)
}

/** Stores new records. `part` is the table `p` of staged rows. */
export async function insertRecords(tx: Tx, target: Target, part: RawBuilder<unknown>): Promise<void> {
  const { shelf, keying, user_id } = target
  const schema = versionOf(keying.declared)
  const { rows } = await sql<{ entry: Entry }>`select p.entry from ${part} order by p."row"`.execute(tx)
  const texts = rows.map(({ entry }) => textOf(dataOf(keying.declared, entry)))
  const made = await sql<StoredData>`
    insert into module_records (module, collection, data, words, schema, user_id)
    select ${shelf.module}, ${shelf.collection}, d.data, '', ${schema}, ${user_id}
    from unnest(${texts}::jsonb[]) with ordinality d (data, n) order by d.n returning id, data, schema`.execute(
    tx,
  )
  await keepChanges(tx, shelf, keying.declared)
  await keyThem(tx, target, made.rows)
}

/** Changes stored records, which are locked, in the cells that are filled. */
export async function changeRecords(tx: Tx, target: Target, part: RawBuilder<unknown>): Promise<void> {
  const { shelf, keying } = target
  const { rows } = await sql<StoredData & { entry: Entry; changed: string[] }>`
    select r.id, r.data, r.schema, p.entry,
      (select array_agg(c."column") from import_changes c where c.import_id = p.import_id and c."row" = p."row") as changed
    from ${part} join module_records r on r.id = p.subject_id order by r.id`.execute(tx)
  const seen = await asAsked(tx, shelf, keying, rows)
  const changed: StoredData[] = []
  for (const [at, row] of rows.entries()) {
    const given = Object.entries(dataOf(keying.declared, row.entry)).filter(([name]) =>
      row.changed.includes(name),
    )
    const next = { ...seen[at]?.data, ...Object.fromEntries(given) }
    changed.push({ id: row.id, ...(await dataToStore(tx, shelf, keying, row, next)) })
  }
  const list = (of: (record: StoredData) => unknown) => changed.map(of)
  await sql`update module_records r set data = c.data, schema = c.schema, version = r.version + 1
    from unnest(${list(({ id }) => id)}::bigint[], ${list(({ data }) => textOf(data))}::jsonb[], ${list((one) => one.schema)}::int[])
      c (id, data, schema) where r.id = c.id`.execute(tx)
  await dropUnnamed(
    tx,
    'module_records',
    changed.map(({ id }) => id),
  )
  await keepChanges(tx, shelf, keying.declared)
  await keyThem(tx, target, changed)
}
