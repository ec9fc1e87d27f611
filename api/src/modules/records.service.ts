import type { ListQuery } from '@portal/contracts/fields'
import type { ModuleRecord } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { liveModule } from './live-modules.ts'
import { say } from './messages.ts'

/** Bytes of a record as JSON. */
const limit = 20 * 1024

type Data = Record<string, unknown>
/** Where a record belongs: a collection of a module. */
export type Shelf = { module: string; collection: string }

/**
 * Looks up the collection in what is live, and whether this person may. The records of a
 * module that is disabled or withheld cannot be read; an unknown module has none.
 */
export async function admitTo(
  registry: PortalRegistry,
  actor: Actor,
  { module, collection }: Shelf,
  act: 'read' | 'write',
) {
  const entry = await liveModule(registry, module)
  const announced = entry?.collections.find(({ name }) => name === collection)
  if (!entry || !announced || entry.disabled || entry.withheld) throw notFound()
  const allowed = announced[act]
  const any = typeof allowed === 'string' ? [allowed] : allowed
  const held = new Set<string>(actor.permissions)
  if (!any.some((permission) => held.has(permission))) throw forbidden()
}

const columns = sql`r.id, r.data, r.version, r.created_at, r.updated_at,
  jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as user`
const from = sql`module_records r join users u on u.id = r.user_id`
const on = ({ module, collection }: Shelf) => sql`r.module = ${module} and r.collection = ${collection}`

/** Records of a collection, the newest first unless it is asked otherwise. */
export async function listRecords(db: Db, shelf: Shelf, query: ListQuery) {
  const records = await paged<ModuleRecord>(db, query, {
    columns,
    from,
    where: [on(shelf), matches(sql`r.search`, query.search)],
    sort: { created_at: sql`r.created_at`, updated_at: sql`r.updated_at` },
    order: '-created_at',
    key: sql`r.id`,
  })
  return { records }
}

async function readRecord(db: Reader, shelf: Shelf, id: number): Promise<ModuleRecord> {
  const found = await sql<ModuleRecord>`
    select ${columns} from ${from} where ${on(shelf)} and r.id = ${id}`.execute(db)
  if (!found.rows[0]) throw notFound()
  return found.rows[0]
}

/** Keeps a record. */
export async function createRecord(db: Db, actor: Actor, shelf: Shelf, data: Data) {
  const row = rowOf(data)
  return transaction(db, async (tx) => {
    const made = await tx
      .insertInto('module_records')
      .values({ ...shelf, ...row, user_id: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'created', 'module record', made.id, { new: { ...shelf, ...data } })
    return readRecord(tx, shelf, made.id)
  })
}

/** Changes a record that is still as it was read; 409 when it has changed meanwhile. */
export async function updateRecord(
  db: Db,
  actor: Actor,
  shelf: Shelf,
  id: number,
  { data, version }: { data: Data; version: number },
) {
  const row = rowOf(data)
  return transaction(db, async (tx) => {
    const before = await lockRecord(tx, shelf, id)
    if (before.version !== version) throw conflict(say.recordChanged)
    const gone = Object.fromEntries(Object.keys(before.data).map((name) => [name, null]))
    const changes = difference(before.data, { ...gone, ...data })
    await tx
      .updateTable('module_records')
      .set({ ...row, version: version + 1, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    await audit(tx, actor, 'updated', 'module record', id, {
      old: { ...shelf, ...changes.old },
      new: changes.new,
    })
    return readRecord(tx, shelf, id)
  })
}

/** Deletes a record; the audit log keeps what it held. */
export async function removeRecord(db: Db, actor: Actor, shelf: Shelf, id: number) {
  await transaction(db, async (tx) => {
    const before = await lockRecord(tx, shelf, id)
    await tx.deleteFrom('module_records').where('id', '=', id).execute()
    await audit(tx, actor, 'deleted', 'module record', id, { old: { ...shelf, ...before.data } })
  })
}

async function lockRecord(tx: Tx, { module, collection }: Shelf, id: number) {
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

/**
 * The data as it is stored, with the words that a search looks through: every text and number of it, without the names
 * of its fields. Refuses what is too large.
 */
function rowOf(data: Data): { data: string; words: string } {
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > limit) throw invalid({ data: say.recordTooLarge })
  const words: string[] = []
  JSON.parse(text, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') words.push(String(value))
    return value
  })
  return { data: text, words: words.join(' ') }
}
