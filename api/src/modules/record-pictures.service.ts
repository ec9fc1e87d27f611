import type { Picture, SentPicture } from '@portal/contracts/record-pictures'
import { picturesOf } from '@portal/contracts/record-sheet'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { recordUpload } from '../kit/files/files.ts'
import type { AcceptedPicture } from '../kit/files/picture-file.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import { say } from './messages.ts'
import type { Declared, Shelf } from './shelves.ts'

/** Where pictures are: in a collection, or in a developer's sandbox of it. */
export type PicturePlace = { shelf: Shelf; sandbox: number | null }
/** Who sends pictures: a person, or a server by its token. */
export type Sender = { user_id: number; token: { id: number } | null }
/** A record: its table is the portal's, or that of sandboxes. */
type RecordRef = { table: 'module_records' | 'sandbox_records'; id: number }

/** The most pictures that one sender has in no record yet: a form has a few. */
const mostWaiting = 30
/** The most pictures of a sandbox, which is for trying a page. */
const mostInSandbox = 60
const bytesPerMiB = 1024 * 1024

const at = ({ shelf, sandbox }: PicturePlace) => sql`p.module = ${shelf.module}
  and p.collection = ${shelf.collection} and p.sandbox_id is not distinct from ${sandbox}::bigint`
const sentBy = ({ user_id, token }: Sender) =>
  token ? sql`p.token_id = ${token.id}` : sql`p.user_id = ${user_id} and p.token_id is null`
const waiting = sql`p.record_id is null and p.sandbox_record_id is null`
const columnOf = ({ table }: RecordRef) =>
  table === 'module_records' ? sql.ref('record_id') : sql.ref('sandbox_record_id')

/** Throws 409 if this collection has no room for another picture, or this sender has too many that are in no record. */
export async function expectRoom(db: Reader, place: PicturePlace, by: Sender, mostMiB: number) {
  const found = await sql<{ bytes: number; pictures: number; own: number }>`
    select coalesce(sum(p.bytes), 0)::float8 as bytes, count(*)::int as pictures,
      (count(*) filter (where ${waiting} and ${sentBy(by)}))::int as own
    from record_pictures p where ${at(place)}`.execute(db)
  const { bytes = 0, pictures = 0, own = 0 } = found.rows[0] ?? {}
  if (own >= mostWaiting) throw conflict(say.picturesWaiting(mostWaiting))
  if (place.sandbox !== null && pictures >= mostInSandbox) throw conflict(say.sandboxFull)
  if (bytes >= mostMiB * bytesPerMiB) throw conflict(say.picturesFull(mostMiB))
}

/** Pictures of a place are added one after the other, so that none is beyond its limits and none is there twice. */
const lockPictures = (tx: Tx, { shelf, sandbox }: PicturePlace) =>
  sql`select pg_advisory_xact_lock(hashtext(${`pictures ${shelf.module}/${shelf.collection} ${sandbox}`}))`.execute(
    tx,
  )

/**
 * Records a picture whose files are kept, or throws as `expectRoom` does. One that the same sender has sent before, and that is in
 * no record yet, stays the one.
 */
export async function addPicture(
  db: Db,
  place: PicturePlace,
  by: Sender,
  { full, small, width, height, mostMiB }: AcceptedPicture & { mostMiB: number },
): Promise<SentPicture> {
  return transaction(db, async (tx) => {
    await lockPictures(tx, place)
    const before = await sql<{ id: number }>`
      select p.id from record_pictures p join files f on f.id = p.file_id
      where ${at(place)} and ${waiting} and ${sentBy(by)} and f.sha256 = ${full.sha256} order by p.id limit 1
      for update of p`.execute(tx)
    if (before.rows[0]) return { id: before.rows[0].id, width, height }
    await expectRoom(tx, place, by, mostMiB)
    const made = await tx
      .insertInto('record_pictures')
      .values({
        ...{ ...place.shelf, sandbox_id: place.sandbox },
        ...{ user_id: by.user_id, token_id: by.token?.id ?? null },
        file_id: await recordUpload(tx, full, by.user_id),
        small_file_id: await recordUpload(tx, small, by.user_id),
        bytes: full.size + small.size,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: made.id, width, height }
  })
}

const pictureAt = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Partial<Picture>).id : undefined

/**
 * Puts the pictures that a record names into it, and takes those away that it names no more. Throws 422 for one that is of
 * another record, of another collection, or of somebody else.
 */
export async function settlePictures(
  tx: Tx,
  place: PicturePlace,
  by: Sender,
  declared: Declared,
  record: RecordRef,
  data: Record<string, unknown>,
) {
  const named = picturesOf(declared).flatMap(({ name, label }) => {
    const id = pictureAt(data[name])
    return id === undefined ? [] : [{ name, label, id }]
  })
  const own = columnOf(record)
  const found = await sql<{ id: number }>`
    update record_pictures p set ${own} = ${record.id}
    where p.id = any(${named.map(({ id }) => id)}::bigint[]) and ${at(place)}
      and (p.${own} = ${record.id} or ${waiting} and ${sentBy(by)}) returning p.id`.execute(tx)
  const mine = new Set(found.rows.map(({ id }) => id))
  const strange = named.filter(({ id }) => !mine.has(id))
  if (strange.length)
    throw invalid(
      Object.fromEntries(strange.map(({ name, label }) => [`data.${name}`, say.pictureUnknown(label)])),
    )
  await dropUnnamed(tx, record.table, [record.id])
}

/** Takes the pictures away that these records have and their stored data do not name, in whichever version of their fields. */
export const dropUnnamed = (tx: Tx, table: RecordRef['table'], ids: readonly number[]) =>
  dropPictures(
    tx,
    sql`p.${columnOf({ table, id: 0 })} = any(${ids}::bigint[]) and not exists (
      select from ${sql.table(table)} r, jsonb_each(r.data) e where r.id = p.${columnOf({ table, id: 0 })}
        and jsonb_typeof(e.value) = 'object' and e.value->>'id' = p.id::text)`,
  )

/** Takes the pictures of records away that are about to be deleted. */
export const dropPicturesOf = (tx: Tx, { table, id }: RecordRef) =>
  dropPictures(tx, sql`p.${columnOf({ table, id })} = ${id}`)

/**
 * Deletes the rows of pictures `p`. The content of their files is deleted in the night after: a backup that copies the
 * database first and files second still finds what its rows name.
 */
export async function dropPictures(tx: Tx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    with gone as (delete from record_pictures p where ${which} returning file_id, small_file_id)
    update files set dropped_at = now()
    where id in (select unnest(array[file_id, small_file_id]) from gone) returning id`.execute(tx)
  return rows.length / 2
}

export type FoundPicture = { record_id: number | null; own: boolean; key: string }

/** A picture with the key of one of its files; undefined if this place has none of that number. */
export async function findPicture(
  db: Reader,
  place: PicturePlace,
  by: Sender,
  { id, size }: { id: number; size: 'full' | 'small' },
): Promise<FoundPicture | undefined> {
  const file = size === 'small' ? sql.ref('p.small_file_id') : sql.ref('p.file_id')
  const found = await sql<FoundPicture>`
    select coalesce(p.record_id, p.sandbox_record_id) as record_id, ${sentBy(by)} as own, f.key
    from record_pictures p join files f on f.id = ${file} where p.id = ${id} and ${at(place)}`.execute(db)
  return found.rows[0]
}

/** Throws 404 unless the picture is in a record of a collection that may be read, or in none and this sender's own. */
export function expectSeen(picture: FoundPicture | undefined, sees: 'all' | 'own'): FoundPicture {
  if (!picture || (picture.record_id === null ? !picture.own : sees === 'own')) throw notFound()
  return picture
}
