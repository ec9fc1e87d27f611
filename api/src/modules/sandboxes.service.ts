import type { ModuleRecord, SandboxCollection } from '@portal/contracts/module-records'
import { overrideCookie } from '@portal/contracts/modules'
import { permissions as ofPortal } from '@portal/contracts/permissions'
import { narrowRows, pageOfRows, readAsked, sortRows, totalOfRows } from '@portal/contracts/record-lists'
import { bring, versionOf } from '@portal/contracts/record-versions'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { matches } from '../kit/database/paging.ts'
import { conflict, forbidden, invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Settings } from '../kit/process/settings.ts'
import { say } from './messages.ts'
import { wordsOf } from './record-keys.service.ts'
import type { Query } from './record-lists.service.ts'
import { dropPicturesOf, settlePictures } from './record-pictures.service.ts'
import { asDeclared, textOf } from './records.service.ts'
import { checkReferences, withReferences } from './references.service.ts'
import { type Act, allowing, type Shelf } from './shelves.ts'

/** The most records of one sandbox. It is for trying a page, and not for data. */
const sandboxLimit = 500

type Caller = { settings: Settings; request: FastifyRequest }
type Data = Record<string, unknown>
/** A collection of a person's own sandbox, as her build declares it. */
export type SandboxShelf = { sandbox: number; shelf: Shelf; declared: SandboxCollection }

/** Whether this browser takes the module from a developer's machine. Only a portal for development allows it. */
export const isOverridden = ({ settings, request }: Caller, module: string): boolean =>
  settings.moduleOverride && (request.cookies[overrideCookie] ?? '').startsWith(`${module}.`)

/** Throws 404 unless this browser takes the module from a developer's machine. */
function overriddenOrRefuse(caller: Caller, module: string) {
  if (!isOverridden(caller, module)) throw notFound()
}

/** Opens this person's sandbox of a module with the collections of her build. Its records stay from the time before. */
export async function openSandbox(
  db: Db,
  caller: Caller,
  actor: Actor,
  module: string,
  collections: readonly SandboxCollection[],
): Promise<number> {
  overriddenOrRefuse(caller, module)
  const [opened] = await rows(
    db,
    sql<{ id: number; records: number }>`
      insert into module_sandboxes (module, user_id, collections) values (${module}, ${actor.id}, ${JSON.stringify(collections)}::jsonb)
      on conflict (user_id, module) do update set collections = excluded.collections, opened_at = now()
      returning id, (select count(*) from sandbox_records r where r.sandbox_id = module_sandboxes.id) as records`,
  )
  return opened?.records ?? 0
}

/** Deletes the records of this person's sandbox of a module. */
export async function emptySandbox(db: Db, caller: Caller, actor: Actor, module: string) {
  overriddenOrRefuse(caller, module)
  await sql`delete from sandbox_records r using module_sandboxes s
    where s.id = r.sandbox_id and s.user_id = ${actor.id} and s.module = ${module}`.execute(db)
}

/**
 * A collection of this person's sandbox. The module's own permissions count as held, because nobody can have them before
 * it is live; those of the portal do not. Throws 404 for a collection that her build does not declare.
 */
async function admitToSandbox(
  db: Db,
  actor: Actor,
  { module, collection }: Shelf,
  act: Act,
): Promise<SandboxShelf> {
  const found = await db
    .selectFrom('module_sandboxes')
    .select(['id', 'collections'])
    .where('user_id', '=', actor.id)
    .where('module', '=', module)
    .executeTakeFirst()
  const declared = ((found?.collections ?? []) as SandboxCollection[]).find(({ name }) => name === collection)
  if (!found || !declared) throw notFound()
  const portals = new Set<string>(ofPortal)
  const granted = new Set<string>(actor.permissions)
  if (!allowing(declared, act).some((name) => granted.has(name) || !portals.has(name))) throw forbidden()
  return { sandbox: found.id, shelf: { module, collection }, declared }
}

/** The sandbox of a browser that takes this module from a developer's machine. A server has none. */
export const sandboxOf = async (
  call: Caller & { db: Db; visitor: Actor | null },
  shelf: Shelf,
  act: Act,
): Promise<SandboxShelf | null> =>
  call.visitor && isOverridden(call, shelf.module) ? admitToSandbox(call.db, call.visitor, shelf, act) : null

const columns = sql`r.id, r.data, r.schema, r.version, r.created_at, r.updated_at,
  jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as user`
const from = sql`sandbox_records r join module_sandboxes s on s.id = r.sandbox_id join users u on u.id = s.user_id`
const on = ({ sandbox, shelf }: SandboxShelf) =>
  sql`r.sandbox_id = ${sandbox} and r.collection = ${shelf.collection}`

/** The records of a collection of a sandbox that search and filters leave. They are few, so they are compared here. */
async function narrowed(db: Db, shelf: SandboxShelf, query: Query): Promise<ModuleRecord[]> {
  const { filters, faults } = readAsked(shelf.declared, query)
  if (Object.keys(faults).length) throw invalid(faults)
  const words = matches(sql`r.search`, query.search) || sql`true`
  const found = await sql<StoredRecord>`
    select ${columns} from ${from} where ${on(shelf)} and ${words} order by r.id`.execute(db)
  return narrowRows(
    found.rows.map((record) => asAsked(record, shelf)),
    filters,
  )
}

type StoredRecord = ModuleRecord & { schema: number }

/** A record as the developer's build reads it, by the rules of its own versions. */
const asAsked = ({ schema, ...record }: StoredRecord, { declared }: SandboxShelf): ModuleRecord => ({
  ...record,
  data: bring(record.data, schema, declared),
})

/** The records of a collection of a sandbox, newest first by default. */
export async function listSandbox(
  db: Db,
  actor: Actor,
  shelf: SandboxShelf,
  query: Query & { page: number; per_page: number },
) {
  const found = await narrowed(db, shelf, query)
  const records = pageOfRows(sortRows(found, shelf.declared, query.sort), query)
  return { records: { ...records, data: await withReferences(db, actor, shelf.declared, records.data) } }
}

/** A total of the records of a sandbox. */
export async function totalSandbox(db: Db, shelf: SandboxShelf, query: Query & { total: string }) {
  const total = shelf.declared.totals?.find(({ name }) => name === query.total)
  if (!total) throw invalid({ total: 'total' })
  return { totals: totalOfRows(await narrowed(db, shelf, query), shelf.declared, total) }
}

async function read(db: Reader, actor: Actor, shelf: SandboxShelf, id: number): Promise<ModuleRecord> {
  const found = await sql<StoredRecord>`
    select ${columns} from ${from} where ${on(shelf)} and r.id = ${id}`.execute(db)
  if (!found.rows[0]) throw notFound()
  const [record] = await withReferences(db, actor, shelf.declared, [asAsked(found.rows[0], shelf)])
  if (!record) throw notFound()
  return record
}

/** The columns of a record, checked. */
async function rowOf(db: Db, actor: Actor, { declared }: SandboxShelf, given: Data) {
  const data = asDeclared(declared, given)
  await checkReferences(db, actor, declared, data)
  return { data: textOf(data), words: wordsOf(declared, data), schema: versionOf(declared) }
}

/** Stores a record in a sandbox. Nothing there is audited, because nothing there is the portal's. */
export async function createInSandbox(db: Db, actor: Actor, shelf: SandboxShelf, data: Data) {
  const row = await rowOf(db, actor, shelf, data)
  return transaction(db, async (tx) => {
    // The lock lets records be counted.
    await sql`select id from module_sandboxes where id = ${shelf.sandbox} for update`.execute(tx)
    const [counted] = (
      await sql<{
        n: number
      }>`select count(*) as n from sandbox_records where sandbox_id = ${shelf.sandbox}`.execute(tx)
    ).rows
    if ((counted?.n ?? 0) >= sandboxLimit) throw conflict(say.sandboxFull)
    const made = await tx
      .insertInto('sandbox_records')
      .values({ sandbox_id: shelf.sandbox, collection: shelf.shelf.collection, ...row })
      .returning('id')
      .executeTakeFirstOrThrow()
    await settle(tx, actor, shelf, made.id, data)
    return read(tx, actor, shelf, made.id)
  })
}

/** Changes a record of a sandbox. Throws 409 if it was changed since the caller read it, as for a live record. */
export async function updateInSandbox(
  db: Db,
  actor: Actor,
  shelf: SandboxShelf,
  id: number,
  { data, version }: { data: Data; version: number },
) {
  const row = await rowOf(db, actor, shelf, data)
  return transaction(db, async (tx) => {
    const before = await lock(tx, shelf, id)
    if (before.version !== version) throw conflict(say.recordChanged)
    await tx
      .updateTable('sandbox_records')
      .set({ ...row, version: version + 1, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    await settle(tx, actor, shelf, id, data)
    return read(tx, actor, shelf, id)
  })
}

/** Deletes a record of a sandbox. */
export function removeFromSandbox(db: Db, shelf: SandboxShelf, id: number) {
  return transaction(db, async (tx) => {
    await lock(tx, shelf, id)
    await dropPicturesOf(tx, { table: 'sandbox_records', id })
    await tx.deleteFrom('sandbox_records').where('id', '=', id).execute()
  })
}

const settle = (tx: Tx, actor: Actor, shelf: SandboxShelf, id: number, data: Data) =>
  settlePictures(
    tx,
    shelf,
    { user_id: actor.id, token: null },
    shelf.declared,
    { table: 'sandbox_records', id },
    data,
  )

async function lock(tx: Tx, { sandbox, shelf }: SandboxShelf, id: number) {
  const record = await tx
    .selectFrom('sandbox_records')
    .select('version')
    .where('id', '=', id)
    .where('sandbox_id', '=', sandbox)
    .where('collection', '=', shelf.collection)
    .forUpdate()
    .executeTakeFirst()
  if (!record) throw notFound()
  return record
}

/** Deletes sandboxes that nobody has opened for 30 days. */
export async function forgetSandboxes(db: Db) {
  await sql`delete from module_sandboxes where opened_at < now() - interval '30 days'`.execute(db)
}
