import type { ModuleRecord, RecordChange } from '@portal/contracts/module-records'
import { sql } from 'kysely'
import type { Db } from '../kit/database/db.ts'
import { invalid } from '../kit/http/refusals.ts'
import { say } from './messages.ts'
import { asAsked } from './record-changes.service.ts'
import type { Keying } from './record-keys.service.ts'
import { onShelf, recordColumns, recordTables } from './record-lists.service.ts'
import type { Keeper } from './records.service.ts'
import { withReferences } from './references.service.ts'
import type { Shelf } from './shelves.ts'

/** The most changes of a response. */
const most = 100

/** How far somebody has read: all changes before this moment, and those of it up to this record. */
type Position = {
  at: string
  id: number
  /** When the reading of everything began; null once it has ended. */
  begun: string | null
}

/** Reads `since`: a moment, or what a response before said as `next`. */
function positionOf(since: string): Position {
  const [at = '', id = '0', begun] = since.split('~')
  if (![at, begun ?? at].every(exists)) throw invalid({ since: 'invalid' })
  return { at, id: Number(id), begun: begun ?? null }
}

/** Whether there is such a day and hour: not 30 February. */
const exists = (moment: string) => {
  const time = new Date(moment)
  return !Number.isNaN(Number(time)) && time.toISOString().startsWith(moment.slice(0, 19))
}

const nextOf = ({ at, id, begun }: Position) => [at, id, ...(begun ? [begun] : [])].join('~')
const text = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`)

/**
 * What has changed in a collection since a moment, in the order in which it changed, deletions included; without `since` all
 * records. A record stands once, where it changed last. What is after the oldest change that is not committed yet comes with a
 * later call, so none is passed over.
 */
export async function readChanges(
  db: Db,
  { keying, by }: { keying: Keying; by: Keeper },
  shelf: Shelf,
  since: string | undefined,
  keptDays: number,
): Promise<{ changes: RecordChange[]; next: string; more: boolean }> {
  // A statement of its own: what ends after it is seen by the next one, or is later than it.
  const { now, settled } = await readClock(db, shelf)
  const from = since === undefined ? { at: '-infinity', id: 0, begun: now } : positionOf(since)
  await refuseTooOld(db, from, keptDays)
  const places = await placesAfter(db, shelf, from, settled)
  const shown = places.slice(0, most)
  const ids = shown.flatMap(({ id, deleted }) => (deleted ? [] : [id]))
  const { rows } = await sql<ModuleRecord & { schema: number }>`
    select ${recordColumns} from ${recordTables} where ${onShelf(shelf)} and r.id = any(${ids}::bigint[])`.execute(
    db,
  )
  const read = await asAsked(db, shelf, keying, rows)
  const records = new Map(
    (await withReferences(db, by.person, keying.declared, read)).map((record) => [record.id, record]),
  )
  const changes = shown.flatMap(({ id, at, deleted }): RecordChange[] => {
    const record = records.get(id) ?? null
    // Deleted since the statement before: that comes with a later call.
    return deleted || record ? [{ id, at, record }] : []
  })
  const last = shown.at(-1)
  if (last && places.length > most)
    return { changes, next: nextOf({ ...last, begun: from.begun }), more: true }
  const end = settled > from.at || since === undefined ? { at: settled, id: 0 } : from
  return { changes, next: nextOf({ ...end, begun: null }), more: false }
}

/** The moment of now, and the one before which all changes of the collection are committed (decision 198). */
async function readClock(db: Db, { module, collection }: Shelf): Promise<{ now: string; settled: string }> {
  const { rows } = await sql<{ now: string; settled: string }>`
    select to_char(now() at time zone 'utc', ${text}) as now, to_char(least(now(), (
      select to_timestamp(min(objid::bigint) + 1700000000) from pg_locks
      where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
        and objsubid = 2 and classid::bigint = hashtext(${`${module}/${collection}`})::bigint & 4294967295
    )) at time zone 'utc', ${text}) as settled`.execute(db)
  return rows[0] as { now: string; settled: string }
}

/** Deletions of before are forgotten, so whoever asks for them would keep what is gone. */
async function refuseTooOld(db: Db, { at, begun }: Position, days: number) {
  const { rows } = await sql<{ old: boolean }>`
    select ${begun ?? at}::timestamptz < now() - make_interval(days => ${days}) as old`.execute(db)
  if (rows[0]?.old) throw invalid({ since: say.changesForgotten(String(days)) })
}

type Place = { id: number; at: string; deleted: boolean }

/** Where records were changed or deleted last, one more than a response has. */
async function placesAfter(
  db: Db,
  shelf: Shelf,
  { at, id, begun }: Position,
  settled: string,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select id, to_char(moment at time zone 'utc', ${text}) as at, deleted from (
      (select r.id, r.updated_at as moment, false as deleted from module_records r
        where ${onShelf(shelf)} and (r.updated_at, r.id) > (${at}::timestamptz, ${id}) and r.updated_at < ${settled}::timestamptz
        order by r.updated_at, r.id limit ${most + 1})
      union all
      (select r.record_id, r.deleted_at, true from module_record_deletions r
        where ${onShelf(shelf)} and (r.deleted_at, r.record_id) > (${at}::timestamptz, ${id}) and r.deleted_at < ${settled}::timestamptz
          and r.deleted_at >= ${begun ?? at}::timestamptz
        order by r.deleted_at, r.record_id limit ${most + 1})
    ) c order by moment, id limit ${most + 1}`.execute(db)
  return rows
}
