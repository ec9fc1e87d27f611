import { setTimeout as pause } from 'node:timers/promises'
import type { Locale } from '@portal/contracts/sentences'
import DataLoader from 'dataloader'
import { sql } from 'kysely'
import { type Db, rows } from '../database/db.ts'

/** The person of a session. */
export type SessionPerson = {
  id: number
  session_id: number
  first_name: string
  last_name: string
  email: string | null
  locale: Locale | null
}

/** A live session with its person, the ids of her roles, and the stamp of what roles permit. */
export type SessionRow = SessionPerson & {
  /** It was last seen more than a minute ago. */
  stale: boolean
  without_codes: boolean
  role_ids: string
  stamp: string | null
}

/** SQL: whether the session `s` may still be used (Access 2.2). */
export const liveSession = sql`(s.ended_at is null and s.last_seen_at > now() - interval '8 hours'
  and s.created_at > now() - interval '7 days')`

/** A statement that takes longer than this no longer holds up those who arrive after it. */
const slowMs = 50

const readers = new WeakMap<Db, (tokenHash: Buffer) => Promise<SessionRow | null>>()

/** Reads a session by the hash of its token. */
export function readSessionRow(db: Db, tokenHash: Buffer): Promise<SessionRow | null> {
  let read = readers.get(db)
  if (!read) {
    read = readerOf(db)
    readers.set(db, read)
  }
  return read(tokenHash)
}

/**
 * Calls that arrive while a statement reads sessions are read by the next one, together. So each is read after it arrived, and
 * nothing is kept (decision 184).
 */
function readerOf(db: Db) {
  let reading: Promise<unknown> = Promise.resolve()
  const loader = new DataLoader<Buffer, SessionRow | null>(
    (hashes) => {
      const found = readTogether(db, hashes)
      reading = Promise.race([found.catch(() => {}), pause(slowMs, undefined, { ref: false })])
      return found
    },
    {
      cache: false,
      maxBatchSize: 100,
      batchScheduleFn: (send) => void reading.then(() => setImmediate(send)),
    },
  )
  return (tokenHash: Buffer) => loader.load(tokenHash)
}

async function readTogether(db: Db, hashes: readonly Buffer[]): Promise<(SessionRow | null)[]> {
  // The select around the parameter hides its length from the planner. Otherwise a few sessions are planned anew at each
  // statement, which takes three times as long as reading them.
  const found = await rows(
    db,
    sql<SessionRow & { token_hash: Buffer }>`
      select s.token_hash, u.id, s.id as session_id, u.first_name, u.last_name, u.email, u.locale,
        s.last_seen_at < now() - interval '1 minute' as stale, u.totp_confirmed_at is null as without_codes,
        array(select role_id from user_roles where user_id = u.id order by role_id)::text as role_ids,
        (select stamp from access_stamp) as stamp
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = any((select ${hashes}::bytea[])::bytea[]) and u.deactivated_at is null and ${liveSession}`,
  )
  const byHash = new Map(found.map(({ token_hash, ...row }) => [token_hash.toString('latin1'), row]))
  return hashes.map((hash) => byHash.get(hash.toString('latin1')) ?? null)
}
