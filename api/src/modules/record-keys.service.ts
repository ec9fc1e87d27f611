import { createHash } from 'node:crypto'
import type { DeclaredCollection, DeclaredField } from '@portal/contracts/record-fields'
import { isNumber, keyFields, keyOf, searchedOf } from '@portal/contracts/record-lists'
import type { SchemaChange } from '@portal/contracts/record-types'
import { bring, sinceOf, versionOf } from '@portal/contracts/record-versions'
import { sql } from 'kysely'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { conflict } from '../kit/http/refusals.ts'
import type { Context } from '../kit/process/context.ts'
import { liveModules } from './live-modules.ts'
import { say } from './messages.ts'
import { changesFor } from './record-changes.service.ts'
import { type Declared, declaredBy, type Shelf } from './shelves.ts'

type Data = Record<string, unknown>

/** A field that lists go by, as a build declares it. Its key is its name, and since which version it means what it means. */
type KeyedField = { key: string; field: DeclaredField; build: Declared }
/**
 * How the records of a collection are checked, found and sorted: as the build declares them that asks, the fields of all
 * builds in use, the rules of its versions, and a mark of all these. The words of the search are those of the live build.
 */
export type Keying = {
  declared: Declared
  live: Declared
  fields: KeyedField[]
  changes: readonly SchemaChange[]
  mark: string
}

/** `girls@2`; of a reference also what it leads to, `girl@2>student`, by which an erasure finds it. */
const keyNameOf = (declared: Declared, name: string) => {
  const since = sinceOf(declared, name)
  const to = declared.fields?.find((field) => field.name === name)?.to
  return `${name}${since === 1 ? '' : `@${since}`}${to ? `>${to}` : ''}`
}

/** The keying of a collection, of which several builds may be in use, the live one first: lists of all of them can be sorted. */
export function keyingOf(builds: readonly Declared[], declared = builds[0] ?? { name: '' }): Keying {
  const live = builds[0] ?? declared
  const keyed = builds.flatMap((build) =>
    keyFields(build).map((field) => ({ key: keyNameOf(build, field.name), field, build })),
  )
  const fields = [...new Map(keyed.map((each) => [each.key, each])).values()]
  const searched = (live.fields ?? []).filter(({ search }) => search).map(({ name }) => name)
  const changes = [
    ...new Map(builds.flatMap(({ changes = [] }) => changes.map((one) => [one.to, one]))).values(),
  ]
  const facts = JSON.stringify([
    fields.map(({ key, field }) => [key, field.type]).sort(),
    searched.sort(),
    ...(changes.length ? [changes, versionOf(live)] : []),
  ])
  const mark = createHash('sha256').update(facts).digest('hex').slice(0, 12)
  return { declared, live, fields, changes: changes.toSorted((a, b) => a.to - b.to), mark }
}

/** The key of a field of the build that asks; undefined if lists cannot go by it. */
export const keyNamed = ({ declared, fields }: Keying, name: string): string | undefined =>
  fields.find(({ key }) => key === keyNameOf(declared, name))?.key

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

/** A record as it is stored, with the version of its fields. */
export type StoredData = { id: number; data: Data; schema: number }

/** Writes the keys of records whose rows are locked or new, and returns their words for the search. */
export async function writeKeys(
  tx: Tx,
  shelf: Shelf,
  keying: Keying,
  records: readonly StoredData[],
): Promise<string[]> {
  const { fields, live } = keying
  const changes = await changesFor(tx, shelf, keying, records)
  const words = records.map(({ data, schema }) => wordsOf(live, bring(data, schema, live, changes)))
  const all = records.map(({ id }) => id)
  await sql`delete from module_record_keys where record_id = any(${all}::bigint[])`.execute(tx)
  if (fields.length === 0) return words
  const ids = await fieldIds(
    tx,
    shelf,
    fields.map(({ key }) => key),
  )
  const builds = [...new Set(fields.map(({ build }) => build))]
  const keys = records.flatMap(({ id, data, schema }) => {
    const read = new Map(builds.map((build) => [build, bring(data, schema, build, changes)]))
    return fields.map(({ key: name, field, build }) => {
      const key = keyOf(field, read.get(build) ?? {})
      const of = { id, field: ids.get(name) }
      return isNumber(field.type) ? { ...of, text: null, number: key } : { ...of, text: key, number: null }
    })
  })
  await sql`insert into module_record_keys (record_id, field_id, text, number)
    select * from unnest(${keys.map(({ id }) => id)}::bigint[], ${keys.map(({ field }) => field)}::int[],
      ${keys.map(({ text }) => text)}::text[], ${keys.map(({ number }) => number)}::float8[])`.execute(tx)
  return words
}

/** The number of records that get their keys in one transaction. */
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
    const { rows } = await sql<StoredData>`
      select id, data, schema from module_records
      where ${here(shelf)} and id > ${after} and keyed is distinct from ${keying.mark}
      order by id limit ${batch} for update skip locked`.execute(tx)
    if (rows.length === 0) return null
    const words = await writeKeys(tx, shelf, keying, rows)
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
