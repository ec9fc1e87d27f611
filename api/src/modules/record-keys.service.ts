import { createHash } from 'node:crypto'
import type { DeclaredCollection, DeclaredField } from '@portal/contracts/record-fields'
import { isNumber, keyFields, keyOf, searchedOf } from '@portal/contracts/record-lists'
import type { Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import type { Context } from '../kit/context.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import { conflict } from '../kit/refusals.ts'
import { liveModule, liveModules } from './live-modules.ts'
import { say } from './messages.ts'

type Data = Record<string, unknown>
/** The place of a record: a collection of a module. */
export type Shelf = { module: string; collection: string }
/** A collection with the words for its fields. */
export type Declared = Omit<DeclaredCollection, 'fields'> & {
  fields?: readonly (DeclaredField & { label: Text })[] | undefined
}

/** How the records of a collection are checked, found and sorted: its declaration, by which fields, and a mark of these. */
export type Keying = { declared: Declared; fields: DeclaredField[]; mark: string }

/** The keying of a collection, of which several builds may be in use: lists of all of them can be sorted. */
export function keyingOf(builds: readonly Declared[]): Keying {
  const [first = { name: '' }] = builds
  const fields = [...new Map(builds.flatMap(keyFields).map((field) => [field.name, field])).values()]
  const searched = (first.fields ?? []).filter(({ search }) => search).map(({ name }) => name)
  const facts = JSON.stringify([fields.map(({ name, type }) => [name, type]).sort(), searched.sort()])
  return { declared: first, fields, mark: createHash('sha256').update(facts).digest('hex').slice(0, 12) }
}

/** The words of a record for the search: all texts and numbers that it looks through, without the names of fields. */
export function wordsOf(declared: DeclaredCollection, data: Data): string {
  const words: string[] = []
  JSON.stringify(searchedOf(declared, data), (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') words.push(String(value))
    return value
  })
  return words.join(' ')
}

/** The numbers of these fields of a collection; those that have none yet get one. */
export async function fieldIds(
  db: Reader,
  { module, collection }: Shelf,
  names: readonly string[],
): Promise<Map<string, number>> {
  const read = async () => {
    const found = await db
      .selectFrom('module_record_fields')
      .select(['id', 'name'])
      .where('module', '=', module)
      .where('collection', '=', collection)
      .execute()
    return new Map(found.map(({ id, name }) => [name, id]))
  }
  const known = await read()
  const missing = names.filter((name) => !known.has(name))
  if (missing.length === 0) return known
  await db
    .insertInto('module_record_fields')
    .values(missing.toSorted().map((name) => ({ module, collection, name })))
    .onConflict((already) => already.doNothing())
    .execute()
  return read()
}

/** Writes the keys of records whose rows are locked or new. */
export async function writeKeys(
  tx: Tx,
  shelf: Shelf,
  { fields }: Keying,
  records: readonly { id: number; data: Data }[],
) {
  const all = records.map(({ id }) => id)
  await sql`delete from module_record_keys where record_id = any(${all}::bigint[])`.execute(tx)
  if (fields.length === 0) return
  const ids = await fieldIds(
    tx,
    shelf,
    fields.map(({ name }) => name),
  )
  const keys = records.flatMap(({ id, data }) =>
    fields.map((field) => {
      const key = keyOf(field, data)
      return isNumber(field.type)
        ? { id, field: ids.get(field.name), text: null, number: key }
        : { id, field: ids.get(field.name), text: key, number: null }
    }),
  )
  await sql`insert into module_record_keys (record_id, field_id, text, number)
    select * from unnest(${keys.map(({ id }) => id)}::bigint[], ${keys.map(({ field }) => field)}::int[],
      ${keys.map(({ text }) => text)}::text[], ${keys.map(({ number }) => number)}::float8[])`.execute(tx)
}

/** So many records get their keys in one transaction. */
const batch = 1000
/** So long a list waits for that. */
const timeoutMs = 2_000

const here = ({ module, collection }: Shelf) => sql`module = ${module} and collection = ${collection}`

/** Whether records of a collection have keys of another declaration, or none: each question is one look into an index. */
async function isBehind(db: Reader, shelf: Shelf, mark: string): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from module_records where ${here(shelf)} and keyed < ${mark})
      or exists (select from module_records where ${here(shelf)} and keyed > ${mark})
      or exists (select from module_records where ${here(shelf)} and keyed is null) as behind`.execute(db)
  return rows[0]?.behind ?? false
}

/** Writes the keys of the next records after this id that need it. Returns the last id, or null if there are no more. */
function catchUp(db: Db, shelf: Shelf, keying: Keying, after: number): Promise<number | null> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; data: Data }>`
      select id, data from module_records
      where ${here(shelf)} and id > ${after} and keyed is distinct from ${keying.mark}
      order by id limit ${batch} for update skip locked`.execute(tx)
    if (rows.length === 0) return null
    await writeKeys(tx, shelf, keying, rows)
    const words = rows.map(({ data }) => wordsOf(keying.declared, data))
    await sql`update module_records r set keyed = ${keying.mark}, words = w.words
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${words}::text[]) w (id, words) where r.id = w.id`.execute(
      tx,
    )
    return rows.at(-1)?.id ?? null
  })
}

/**
 * Sees to it that all records of a collection have their keys: after a build that declares others, and for records that the
 * release before has saved. The worker does it too. Throws 409 if it takes longer than a list should wait.
 */
export async function keyRecords(db: Db, shelf: Shelf, keying: Keying, until = Date.now() + timeoutMs) {
  let after: number | null = 0
  while (await isBehind(db, shelf, keying.mark)) {
    if (Date.now() > until) throw conflict(say.recordsInSorting)
    after = await catchUp(db, shelf, keying, after ?? 0)
  }
}

/** Writes the keys of all live collections, after each new generation. */
export function keyLiveRecords({ db, registry }: Pick<Context, 'db' | 'registry'>) {
  let seen = -1
  return async () => {
    const { generation, modules } = await liveModules(registry)
    if (generation === seen) return
    for (const { name: module, collections } of modules.filter((each) => !each.withheld))
      for (const { name: collection } of collections) {
        const keying = keyingOf(await declaredBy(registry, { module, collection }))
        if (keying.fields.length)
          await keyRecords(db, { module, collection }, keying, Number.POSITIVE_INFINITY)
      }
    seen = generation
  }
}

/** How all builds of a live module that are in use declare a collection, the live one first: a canary may sort by other fields. */
export async function declaredBy(
  registry: PortalRegistry,
  { module, collection }: Shelf,
): Promise<Declared[]> {
  const entry = await liveModule(registry, module)
  if (!entry) return []
  const builds = [entry, ...(entry.beside ?? []), ...(entry.canary ? [entry.canary.module] : [])]
  return builds.flatMap(({ collections }) => collections.filter(({ name }) => name === collection))
}
