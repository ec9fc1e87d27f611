import type { ModuleRecord } from '@portal/contracts/module-records'
import { checkRecord } from '@portal/contracts/record-fields'
import { mergeOlder, versionOf } from '@portal/contracts/record-versions'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import { sendOnce } from '../kit/http/sent-forms.ts'
import type { Actor, Author } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { say } from './messages.ts'
import { asAsked, changesFor, keepChanges } from './record-changes.service.ts'
import { type Keying, type StoredData, writeKeys } from './record-keys.service.ts'
import { onShelf, recordColumns, recordTables } from './record-lists.service.ts'
import { dropPicturesOf, settlePictures } from './record-pictures.service.ts'
import { expectRoomFor, waitForErasure } from './record-room.service.ts'
import { checkReferences, withReferences } from './references.service.ts'
import type { Declared, Shelf } from './shelves.ts'

/** The largest size of a record as JSON, in bytes. */
export const largestRecord = 20 * 1024

type Data = Record<string, unknown>

/** Who changes records: a person, or a team's server with its token, for which whoever made it stands. */
export type Keeper = {
  author: Author
  /** The person who asks; null for a server. */
  person: Actor | null
  user_id: number
  token: { id: number; name: string } | null
}

/** Where a record is, and by which token it was changed, for the audit log. */
const placeOf = (shelf: Shelf, { token }: Keeper) => ({ ...shelf, ...(token && { token: token.name }) })

const at = (shelf: Shelf) => ({ shelf, sandbox: null })
const refTo = (id: number) => ({ table: 'module_records' as const, id })

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

async function readRecord(
  db: Reader,
  by: Keeper,
  shelf: Shelf,
  keying: Keying,
  id: number,
): Promise<ModuleRecord> {
  const found = await sql<ModuleRecord & { schema: number }>`
    select ${recordColumns} from ${recordTables} where ${onShelf(shelf)} and r.id = ${id}`.execute(db)
  const read = await asAsked(db, shelf, keying, found.rows)
  const [record] = await withReferences(db, by.person, keying.declared, read)
  if (!record) throw notFound()
  return record
}

/** Stores the keys of a record, its words for the search, and the rules of its version. */
async function keyRecord(tx: Tx, shelf: Shelf, keying: Keying, record: StoredData) {
  if (record.schema === versionOf(keying.declared)) await keepChanges(tx, shelf, keying.declared)
  const [words = ''] = await writeKeys(tx, shelf, keying, [record])
  await sql`update module_records set words = ${words}, keyed = ${keying.mark} where id = ${record.id}`.execute(
    tx,
  )
}

/** Stores a new record. */
export async function createRecord(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  by: Keeper,
  shelf: Shelf,
  keying: Keying,
  given: Data,
  lock: 'alone' | 'shared' = 'shared',
): Promise<ModuleRecord> {
  const data = asDeclared(keying.declared, given)
  const row = { data: textOf(data), words: '', schema: versionOf(keying.declared) }
  const saved = await transaction(db, async (tx) => {
    await waitForErasure(tx)
    if (!(await expectRoomFor(tx, shelf, settings.moduleRecords, lock))) return null
    if (by.person) await sendOnce(tx, by.person)
    await checkReferences(tx, by.person, keying.declared, data)
    const made = await tx
      .insertInto('module_records')
      .values({ ...shelf, ...row, user_id: by.user_id, token_id: by.token?.id ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await settlePictures(tx, at(shelf), by, keying.declared, refTo(made.id), data)
    await keyRecord(tx, shelf, keying, { id: made.id, data, schema: row.schema })
    await audit(tx, by.author, 'created', 'module record', made.id, {
      new: { ...placeOf(shelf, by), ...data },
    })
    return readRecord(tx, by, shelf, keying, made.id)
  })
  return saved ?? createRecord({ db, settings }, by, shelf, keying, given, 'alone')
}

/** Changes a record. Throws 409 if it was changed since the caller read it. */
export async function updateRecord(
  db: Db,
  by: Keeper,
  shelf: Shelf,
  keying: Keying,
  { id, version, ...given }: { id: number; data: Data; version: number },
) {
  const checked = asDeclared(keying.declared, given.data)
  return transaction(db, async (tx) => {
    await waitForErasure(tx)
    const before = await lockRecord(tx, shelf, id)
    if (before.version !== version) throw conflict(say.recordChanged)
    const [seen] = await asAsked(tx, shelf, keying, [before])
    await checkReferences(tx, by.person, keying.declared, checked, seen?.data)
    const { data, schema } = await dataToStore(tx, shelf, keying, before, checked)
    const gone = Object.fromEntries(Object.keys(before.data).map((name) => [name, null]))
    const changes = difference(before.data, { ...gone, ...data })
    await tx
      .updateTable('module_records')
      // The database notes when (decision 198).
      .set({ data: textOf(data), schema, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await settlePictures(tx, at(shelf), by, keying.declared, refTo(id), checked)
    await keyRecord(tx, shelf, keying, { id, data, schema })
    await audit(tx, by.author, 'updated', 'module record', id, {
      old: { ...placeOf(shelf, by), ...changes.old },
      new: changes.new,
    })
    return readRecord(tx, by, shelf, keying, id)
  })
}

/** A record never goes back to an older version: a build of before changes what it sees of it, and keeps the rest. */
export async function dataToStore(tx: Tx, shelf: Shelf, keying: Keying, stored: StoredData, given: Data) {
  const { declared } = keying
  if (stored.schema <= versionOf(declared)) return { data: given, schema: versionOf(declared) }
  const changes = await changesFor(tx, shelf, keying, [stored])
  return { data: mergeOlder(stored, given, declared, changes), schema: stored.schema }
}

/** Deletes a record. The audit log keeps its data. */
export async function removeRecord(db: Db, by: Keeper, shelf: Shelf, id: number) {
  await transaction(db, async (tx) => {
    const before = await lockRecord(tx, shelf, id)
    await dropPicturesOf(tx, refTo(id))
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
  return { ...record, data: record.data as Data }
}

/** The data of a record as JSON. Throws 422 if they are too large. */
export function textOf(data: Data): string {
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > largestRecord) throw invalid({ data: say.recordTooLarge })
  return text
}
