import { isIP } from 'node:net'
import { sql } from 'kysely'
import { type Db, transaction } from '../kit/database/db.ts'
import { tooMany } from '../kit/http/refusals.ts'
import { sha256 } from '../kit/secrets/seal.ts'

/** Each kind of call has counters of its own, so that one kind never slows another. */
type Kind = 'sign-in' | 'provider' | 'code' | 'forgotten' | 'reset' | 'invite'
const perSubject = 10
const perAddress = 60

type Attempt = {
  kind: Kind
  /** The account, link or invite that is tried. */
  subject: string
  address: string
  /** The account is known at this address: what others fail there on their accounts does not slow it. */
  known?: boolean
}

/**
 * The rate limiter of sign-ins, codes, reset links and invites (Access 1.2). It counts an attempt as failed before the
 * attempt is checked, so that concurrent attempts cannot slip through. After 10 failures for a subject or 60 from an
 * address in 15 minutes the next attempt of this kind has to wait. Returns the function to call when the attempt
 * succeeded.
 */
export async function takeAttempt(
  db: Db,
  { kind, subject: subjectText, address: from, known = false }: Attempt,
): Promise<() => Promise<void>> {
  const address = networkOf(from)
  const subject = sha256(`${kind} ${subjectText}`)
  const attempt = await transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(encode(${subject}::bytea, 'hex'), 0))`.execute(tx)
    // Always the second lock, so that no two attempts wait for each other.
    if (!known)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} from ${address}`}, 0))`.execute(tx)
    const found = await sql<{
      failures: number
      since: number
      address_failures: number
      address_since: number
    }>`
      select count(*) filter (where subject = ${subject}) as failures,
        extract(epoch from now() - max(created_at) filter (where subject = ${subject}))::int as since,
        count(*) filter (where address = ${address}) as address_failures,
        extract(epoch from now() - max(created_at) filter (where address = ${address}))::int as address_since
      from failed_attempts where created_at > now() - interval '15 minutes'
        and kind = ${kind} and (subject = ${subject} or address = ${address})`.execute(tx)
    const [past] = found.rows
    const wait = Math.max(
      pause(past?.failures ?? 0, perSubject) - (past?.since ?? 0),
      known ? 0 : pause(past?.address_failures ?? 0, perAddress) - (past?.address_since ?? 0),
    )
    if (wait > 0) throw tooMany(wait)
    const made = await sql<{ id: number }>`
      insert into failed_attempts (kind, subject, address) values (${kind}, ${subject}, ${address}) returning id
    `.execute(tx)
    return made.rows[0]?.id
  })
  return async () => {
    await sql`
      delete from failed_attempts where id = ${attempt} or (kind = ${kind} and subject = ${subject})`.execute(
      db,
    )
  }
}

/** What an address counts as. Whoever has one of IPv6 has all of its network of 64 bits, so that is counted. */
function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped || isIP(address) !== 6) return mapped ?? address
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const last = right.at(-1)?.includes('.') ? 2 : 1
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length - last + 1)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Returns the seconds between attempts: 0 below the limit, then 2, 4, 8 … 60. */
function pause(failures: number, limit: number) {
  return failures < limit ? 0 : Math.min(60, 2 ** (failures - limit + 1))
}

/** Deletes attempts that no longer count. */
export async function forgetAttempts(db: Db) {
  await sql`delete from failed_attempts where created_at < now() - interval '1 day'`.execute(db)
}
