import type { ModuleRecord } from '@portal/contracts/module-records'
import { checkRecord } from '@portal/contracts/record-fields'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/refusals.ts'
import type { Actor, Author } from '../kit/session.ts'
import { liveModule } from './live-modules.ts'
import { say } from './messages.ts'
import {
  type Declared,
  declaredBy,
  type Keying,
  keyingOf,
  type Shelf,
  wordsOf,
  writeKeys,
} from './record-keys.service.ts'
import { onShelf, recordColumns, recordTables } from './record-lists.service.ts'

/** The largest size of a record as JSON, in bytes. */
const limit = 20 * 1024

type Data = Record<string, unknown>

/**
 * Checks that a live module has this collection and that this person may use it, and returns how its records are kept. Throws
 * 404 for an unknown, disabled or withheld module, and 403 without the permission.
 */
export async function admitTo(registry: PortalRegistry, actor: Actor, shelf: Shelf, act: 'read' | 'write') {
  const { announced, keying } = await openShelf(registry, shelf)
  const allowed = announced[act]
  const any = typeof allowed === 'string' ? [allowed] : allowed
  const granted = new Set<string>(actor.permissions)
  if (!any.some((permission) => granted.has(permission))) throw forbidden()
  return keying
}

/** A collection of a live module. Throws 404 for an unknown, disabled or withheld module. */
export async function openShelf(registry: PortalRegistry, { module, collection }: Shelf) {
  const entry = await liveModule(registry, module)
  const announced = entry?.collections.find(({ name }) => name === collection)
  if (!entry || !announced || entry.disabled || entry.withheld) throw notFound()
  return { announced, keying: keyingOf(await declaredBy(registry, { module, collection })) }
}

/** Who changes records: a person, or a team's server with its token, for which whoever made it stands. */
export type Keeper = { author: Author; user_id: number; token: { id: number; name: string } | null }

/** Where a record is, and by which token it was changed, for the audit log. */
const placeOf = (shelf: Shelf, { token }: Keeper) => ({ ...shelf, ...(token && { token: token.name }) })

/** The data of a record as they are stored. Throws 422 with a sentence for each field that is not as declared. */
export function asDeclared({ fields = [] }: Declared, given: Data): Data {
  const { data, faults } = checkRecord(fields, given)
  const names = Object.keys(faults)
  if (!names.length) return data
  const sentenceOf = (name: string) => {
    const label = fields.find((field) => field.name === name)?.label
    return label ? say.recordField(label, faults[name] ?? '') : say.recordFieldUnknown(name)
  }
  throw invalid(Object.fromEntries(names.map((name) => [`data.${name}`, sentenceOf(name)])))
}

async function readRecord(db: Reader, shelf: Shelf, id: number): Promise<ModuleRecord> {
  const found = await sql<ModuleRecord>`
    select ${recordColumns} from ${recordTables} where ${onShelf(shelf)} and r.id = ${id}`.execute(db)
  if (!found.rows[0]) throw notFound()
  return found.rows[0]
}

/** Throws 409 if a collection has as many records as this portal keeps. */
async function refuseIfFull(db: Db, shelf: Shelf, most: number) {
  const found =
    await sql`select from module_records r where ${onShelf(shelf)} order by r.id offset ${most - 1} limit 1`.execute(
      db,
    )
  if (found.rows.length) throw conflict(say.collectionFull(String(most)))
}

/** Stores a new record. */
export async function createRecord(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  by: Keeper,
  shelf: Shelf,
  keying: Keying,
  given: Data,
) {
  const data = asDeclared(keying.declared, given)
  const row = rowOf(keying.declared, data)
  await refuseIfFull(db, shelf, settings.moduleRecords)
  return transaction(db, async (tx) => {
    const made = await tx
      .insertInto('module_records')
      .values({ ...shelf, ...row, keyed: keying.mark, user_id: by.user_id, token_id: by.token?.id ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeKeys(tx, shelf, keying, [{ id: made.id, data }])
    await audit(tx, by.author, 'created', 'module record', made.id, {
      new: { ...placeOf(shelf, by), ...data },
    })
    return readRecord(tx, shelf, made.id)
  })
}

/** Changes a record. Throws 409 if it was changed since the caller read it. */
export async function updateRecord(
  db: Db,
  by: Keeper,
  shelf: Shelf,
  keying: Keying,
  { id, version, ...given }: { id: number; data: Data; version: number },
) {
  const data = asDeclared(keying.declared, given.data)
  const row = rowOf(keying.declared, data)
  return transaction(db, async (tx) => {
    const before = await lockRecord(tx, shelf, id)
    if (before.version !== version) throw conflict(say.recordChanged)
    const gone = Object.fromEntries(Object.keys(before.data).map((name) => [name, null]))
    const changes = difference(before.data, { ...gone, ...data })
    await tx
      .updateTable('module_records')
      .set({ ...row, keyed: keying.mark, version: version + 1, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    await writeKeys(tx, shelf, keying, [{ id, data }])
    await audit(tx, by.author, 'updated', 'module record', id, {
      old: { ...placeOf(shelf, by), ...changes.old },
      new: changes.new,
    })
    return readRecord(tx, shelf, id)
  })
}

/** Deletes a record. The audit log keeps its data. */
export async function removeRecord(db: Db, by: Keeper, shelf: Shelf, id: number) {
  await transaction(db, async (tx) => {
    const before = await lockRecord(tx, shelf, id)
    await tx.deleteFrom('module_records').where('id', '=', id).execute()
    await audit(tx, by.author, 'deleted', 'module record', id, {
      old: { ...placeOf(shelf, by), ...before.data },
    })
  })
}

/** Locks a record. Throws 404 if there is none on this shelf. */
export async function lockRecord(tx: Tx, { module, collection }: Shelf, id: number) {
  const record = await tx
    .selectFrom('module_records')
    .selectAll()
    .where('id', '=', id)
    .where('module', '=', module)
    .where('collection', '=', collection)
    .forUpdate()
    .executeTakeFirst()
  if (!record) throw notFound()
  return record
}

/** The columns of a record: its data as JSON, and the words for the search. Throws 422 if the data are too large. */
export function rowOf(declared: Declared, data: Data): { data: string; words: string } {
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > limit) throw invalid({ data: say.recordTooLarge })
  return { data: text, words: wordsOf(declared, data) }
}
