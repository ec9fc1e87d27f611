import { sql } from 'kysely'
import { type Db, rows, transaction } from '../database/db.ts'
import type { Place } from '../database/paging.ts'

/** How many entries lie between two checkpoints: what a page in the middle passes at most. */
const apart = 10_000

/**
 * Notes where each ten thousandth entry of the audit log stands, oldest first (decision 181). Entries two days old have
 * nothing added before them: no transaction lasts that long. All of them must be linked, so none is still to be committed.
 */
export async function noteCheckpoints(db: Db): Promise<void> {
  while (await noteNext(db));
}

type Checkpoint = { entries: number; at: string; id: number; last_id: number }
const start: Checkpoint = { entries: 0, at: '-infinity', id: 0, last_id: 0 }

/** The lock lets an entry of a wrong clock, which deletes checkpoints, come before or after this one. */
const noteNext = (db: Db): Promise<boolean> =>
  transaction(db, async (tx) => {
    await sql`lock table audit_checkpoints in share row exclusive mode`.execute(tx)
    const { rows: noted } = await sql<Checkpoint>`
      select entries, created_at::text as at, audit_id as id, last_id from audit_checkpoints order by entries desc limit 1`.execute(
      tx,
    )
    // The place is handed over as values. Joined to it, the log was read from its beginning for each checkpoint.
    const last = noted[0] ?? start
    const { numAffectedRows } = await sql`
      with block as materialized (
        select a.created_at, a.id from audits a
        where (a.created_at, a.id) > (${last.at}::timestamptz, ${last.id}::bigint) and a.created_at < now() - interval '2 days'
        order by a.created_at, a.id limit ${apart}),
      ending as (select created_at, id from block order by created_at desc, id desc limit 1)
      insert into audit_checkpoints (entries, created_at, audit_id, last_id)
      select ${last.entries + apart}::bigint, ending.created_at, ending.id, greatest(${last.last_id}::bigint, counted.last_id)
      from ending, (select count(*) as n, max(id) as last_id from block) counted
      where counted.n = ${apart} and counted.last_id <= (select linked_up_to from audit_head where id = 1)`.execute(
      tx,
    )
    return numAffectedRows === 1n
  })

/** The checkpoint before an entry, counted from the oldest. `until` leaves out those that count entries which came later. */
export async function checkpointBefore(
  db: Db,
  entry: number,
  until: number | undefined,
): Promise<Place | undefined> {
  const [place] = await rows(
    db,
    sql<{ entries: number; at: string; id: number }>`
      select entries, created_at::text as at, audit_id as id from audit_checkpoints
      where entries <= ${entry} and last_id <= ${until ?? Number.MAX_SAFE_INTEGER} order by entries desc limit 1`,
  )
  return (
    place && {
      rows: place.entries,
      after: sql`(a.created_at, a.id) > (${place.at}::timestamptz, ${place.id}::bigint)`,
    }
  )
}

/** Compares each checkpoint with the entries between it and the one before. Returns a sentence about the first wrong one. */
export async function verifyCheckpoints(db: Db): Promise<string | null> {
  const [wrong] = await rows(
    db,
    sql<{ entries: number; counted: number }>`
      with c as (
        select c.*, lag(c.entries, 1, 0) over w as before, lag(c.created_at, 1, '-infinity') over w as from_at,
          lag(c.audit_id, 1, 0) over w as from_id, lag(c.last_id, 1, 0) over w as from_last
        from audit_checkpoints c window w as (order by c.entries))
      select c.entries, c.before + n.entries as counted from c cross join lateral (
        select count(*) as entries, max(a.id) as last_id,
          coalesce(bool_or((a.created_at, a.id) = (c.created_at, c.audit_id)), false) as there
        from audits a
        where (a.created_at, a.id) > (c.from_at, c.from_id) and (a.created_at, a.id) <= (c.created_at, c.audit_id)) n
      where c.before + n.entries <> c.entries or not n.there or greatest(c.from_last, n.last_id) <> c.last_id
      order by c.entries limit 1`,
  )
  return (
    (wrong &&
      `the checkpoint of entry ${wrong.entries} of the log is not at its entry, ${wrong.counted} are up to it (npm run totals:rebuild makes them again)`) ??
    null
  )
}

/** Makes all checkpoints again. Pages in the middle pass the whole log until it is over. */
export async function rebuildCheckpoints(db: Db): Promise<void> {
  await sql`delete from audit_checkpoints`.execute(db)
  await noteCheckpoints(db)
}
