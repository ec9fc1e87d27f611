import { uptime } from 'node:os'
import type { HoldReason } from '@portal/contracts/transfers/hold-words'
import { sql } from 'kysely'
import { type Tx, transaction } from '../../kit/database/db.ts'
import { repeat } from '../../kit/jobs/repeat.ts'
import type { Context } from '../../kit/process/context.ts'
import { readInstallation } from '../../kit/process/installation.ts'
import { raiseHold } from './sending-hold.service.ts'
import {
  type DatabaseSide,
  discontinuities,
  type Mark,
  type MarkFile,
  movedAgencies,
  readMarkFile,
  writeMarkFile,
} from './sending-mark.ts'

/** Both clocks at a comparison, in milliseconds: the database's, and the uptime of this machine (`own`). */
type Look = { database: number; own: number }

/**
 * Compares the mark in the database with the file every second. Nothing is sent from a database that was not compared.
 * Returns the function that stops it.
 */
export function watchSending(context: Context): () => Promise<void> {
  let before: Look | null = null
  return repeat(context, 'sending mark', 1_000, async () => {
    before = await compareMarks(context, before)
  })
}

/**
 * Compares both marks, raises a hold if the database does not continue from the file, and advances both. Workers that
 * share the data folder take turns under an advisory lock, so that none reads the file between the two writes.
 */
export async function compareMarks(context: Context, before: Look | null = null): Promise<Look> {
  const { db, settings } = context
  return transaction(db, async (turn) => {
    await sql`select pg_advisory_xact_lock(hashtext('sending-mark'))`.execute(turn)
    const file = await readMarkFile(settings)
    const { mark, now } = await transaction(db, (tx) => advance(tx, context, file, before))
    await writeMarkFile(settings, mark)
    // The file is on the disk now, so this database may send.
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
  // The commit must survive a crash of the database, otherwise the file would be ahead of it.
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
        select agency_id, count(*) as n from (
          select agency_id from transfer_agency_changes where state = 'confirmed'
          -- A cohort that left an agency: a database from before would pay it there a second time.
          union all select from_agency_id from cohort_moves where state = 'approved') each group by 1) c) as changes
    from sending_marks for update`.execute(tx)
  if (!rows[0]) throw new Error('The database has no mark: its migrations did not run.')
  return rows[0]
}

/**
 * Whether a hold is needed. A portal that never made a round has nothing to send late or twice, unless the mark shows
 * that its database is older or another one.
 */
async function isWorthHolding(tx: Tx, reasons: HoldReason[]): Promise<boolean> {
  if (reasons.some((reason) => ['behind', 'timeline', 'server', 'moved'].includes(reason))) return true
  const { rows } = await sql`select from transfer_payroll_groups limit 1`.execute(tx)
  return rows.length > 0
}
