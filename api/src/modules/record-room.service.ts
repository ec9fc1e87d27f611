import { sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import { conflict } from '../kit/http/refusals.ts'
import { say } from './messages.ts'
import { onShelf } from './record-lists.service.ts'
import type { Shelf } from './shelves.ts'

/** Waits for an erasure that is under way, so that no record is written that refers to a person who is gone after it. */
export const waitForErasure = (tx: Tx) => sql`lock table module_records in row exclusive mode`.execute(tx)

/** Locks the number of records of a collection until the transaction ends. Whoever deletes one need not wait. */
const lockNumber = (tx: Tx, { module, collection }: Shelf, how: 'alone' | 'shared') => {
  const key = sql`hashtext(${`records ${module}/${collection}`})`
  return (
    how === 'alone'
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
}

/** Before records of an import are counted: nobody else adds one until it is written. The order of the locks is that of `createRecord`. */
export async function lockRecords(tx: Tx, shelf: Shelf) {
  await waitForErasure(tx)
  await lockNumber(tx, shelf, 'alone')
}

async function holds(tx: Tx, shelf: Shelf, records: number): Promise<boolean> {
  if (records <= 0) return true
  const found =
    await sql`select from module_records r where ${onShelf(shelf)} order by r.id offset ${records - 1} limit 1`.execute(
      tx,
    )
  return found.rows.length > 0
}

/** More records than are ever being created at the same moment: there are fewer connections to a database. */
const mostAtOnce = 1000

/**
 * Locks the number of records of a collection for one more, and throws 409 if it has as many as this portal keeps. Far from that
 * the lock is shared, so that records are created beside each other. Returns false if it must be had alone.
 */
export async function expectRoomFor(
  tx: Tx,
  shelf: Shelf,
  most: number,
  how: 'alone' | 'shared',
): Promise<boolean> {
  await lockNumber(tx, shelf, how)
  if (how === 'shared') return !(await holds(tx, shelf, most - mostAtOnce))
  if (await holds(tx, shelf, most)) throw conflict(say.collectionFull(String(most)))
  return true
}
