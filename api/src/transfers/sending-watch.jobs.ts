import { uptime } from 'node:os'
import { sql } from 'kysely'
import type { Context } from '../kit/context.ts'
import { type Tx, transaction } from '../kit/db.ts'
import { readInstallation } from '../kit/installation.ts'
import { repeat } from '../kit/repeat.ts'
import { raiseHold } from './sending-hold.service.ts'
import {
  type DatabaseSide,
  discontinuities,
  type HoldReason,
  type Mark,
  type MarkFile,
  movedAgencies,
  readMarkFile,
  writeMarkFile,
} from './sending-mark.ts'

/** Both clocks at the last look, in milliseconds. */
type Look = { database: number; own: number }

/** Compares the database with the mark outside of it, every second; nothing is sent that was not compared. */
export function watchSending(context: Context): () => Promise<void> {
  let before: Look | null = null
  return repeat(context, 'sending mark', 1_000, async () => {
    before = await compareMarks(context, before)
  })
}

/**
 * One look: raises a hold where the database does not go on from the mark, and moves both sides one on. Workers that
 * share the data folder take turns, so that none of them finds the file half a step behind.
 */
export async function compareMarks(context: Context, before: Look | null = null): Promise<Look> {
  const { db, settings } = context
  return transaction(db, async (turn) => {
    await sql`select pg_advisory_xact_lock(hashtext('sending-mark'))`.execute(turn)
    const file = await readMarkFile(settings)
    const { mark, now } = await transaction(db, (tx) => advance(tx, context, file, before))
    await writeMarkFile(settings, mark)
    // Only now, with the mark on the disk, may anything be sent from this database.
    await sql`
      update sending_marks set incarnation = sending_incarnation(), at = now() where counter = ${mark.counter}
    `.execute(db)
    return now
  })
}

async function advance(
  tx: Tx,
  { db, log, settings }: Context,
  file: MarkFile,
  before: Look | null,
): Promise<{ mark: Mark; now: Look }> {
  // The mark outside may never be ahead of a database that only crashed.
  await sql`set local synchronous_commit = on`.execute(tx)
  const side = await readSide(tx)
  const now = { database: side.now, own: uptime() * 1000 }
  const elapsed = before && { database: now.database - before.database, own: now.own - before.own }
  const reasons = discontinuities(file, side, elapsed)
  if (reasons.length > 0 && (await isWorthHolding(tx, reasons))) {
    log.error({ reasons, file, side }, 'sending is held: the database does not go on from the mark')
    const known = [side.at, file.kind === 'read' ? file.mark.at : null].filter((at) => at !== null)
    const knownUntil = new Date(Math.min(side.now, ...known))
    await raiseHold(tx, settings, reasons, knownUntil, movedAgencies(file, side))
  }
  const counter = Math.max(side.counter, file.kind === 'read' ? file.mark.counter : 0) + 1
  await sql`update sending_marks set counter = ${counter}`.execute(tx)
  const { server, timeline, lsn, changes } = side
  const installation = await readInstallation(db)
  return { mark: { installation, counter, server, timeline, lsn, changes, at: side.now }, now }
}

async function readSide(tx: Tx): Promise<DatabaseSide> {
  const { rows } = await sql<DatabaseSide>`
    select counter, (extract(epoch from at) * 1000)::float8 as at,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      (select system_identifier from pg_control_system())::text as server, sending_timeline() as timeline,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as lsn,
      (select coalesce(jsonb_object_agg(agency_id, n), '{}') from (
        select agency_id, count(*) as n from transfer_agency_changes where state = 'confirmed' group by 1) c) as changes
    from sending_marks for update`.execute(tx)
  if (!rows[0]) throw new Error('The database has no mark: its migrations did not run.')
  return rows[0]
}

/** A portal that never made a round has nothing that could be sent late or twice, unless the mark says otherwise. */
async function isWorthHolding(tx: Tx, reasons: HoldReason[]): Promise<boolean> {
  if (reasons.some((reason) => ['behind', 'timeline', 'server', 'moved'].includes(reason))) return true
  const { rows } = await sql`select from transfer_payroll_groups limit 1`.execute(tx)
  return rows.length > 0
}
