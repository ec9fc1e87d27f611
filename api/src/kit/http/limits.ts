import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, rows } from '../database/db.ts'
import { tooMany } from './refusals.ts'

/** A rate limiter: refuses a call with 429 after too many calls in the current second. */
export type CallLimit = (request: FastifyRequest) => Promise<void>

/** What this process knows of one caller in the current second. */
type Caller = {
  /** When the second ends, by the clock of this process that only goes forward. */
  until: number
  /** Calls that were answered before the database was asked. */
  first: number
  /** Calls that the database has counted and that are still to be made. */
  counted: number
  /** The database was asked in this second. */
  shared: boolean
  /** The limit is exceeded until the second ends. */
  exceeded: boolean
  asking: Promise<void> | null
}

/** Callers of past seconds are forgotten when there are more. */
const callersAtMost = 10_000

/**
 * Limits each session, and each token of a machine, to `perSecond` calls a second, over all apis (decision 130). A fifth of
 * them is free: nobody else is asked before an api has answered so many. From then on the api has calls counted in the
 * database, a tenth of the limit at a time.
 */
export function callLimit(db: Db, perSecond: number): CallLimit {
  const free = Math.floor(perSecond / 5)
  const atOnce = Math.max(1, Math.floor(perSecond / 10))
  const callers = new Map<string, Caller>()

  return async (request) => {
    const name = request.visitor
      ? `session ${request.visitor.session_id}`
      : `${request.machineKind} ${request.machine}`
    for (;;) {
      const caller = current(callers, name)
      if (caller.exceeded) throw tooMany(1)
      if (!caller.shared && caller.first < free) {
        caller.first++
        return
      }
      if (caller.counted > 0) {
        caller.counted--
        return
      }
      // Calls that arrive meanwhile wait for the same answer.
      caller.asking ??= countMore(caller, name).finally(() => {
        caller.asking = null
      })
      await caller.asking
    }
  }

  async function countMore(caller: Caller, name: string) {
    const unknown = caller.shared ? 0 : caller.first
    const wanted = unknown + atOnce
    const { calls, left_ms } = await countCalls(db, name, wanted)
    const granted = Math.min(wanted, perSecond - (calls - wanted))
    caller.until = performance.now() + left_ms
    caller.shared = true
    caller.counted = Math.max(0, granted - unknown)
    caller.exceeded = caller.counted === 0
  }
}

function current(callers: Map<string, Caller>, name: string): Caller {
  const now = performance.now()
  const known = callers.get(name)
  if (known && (known.asking || now < known.until)) return known
  if (callers.size >= callersAtMost)
    for (const [other, { asking, until }] of callers) if (!asking && until <= now) callers.delete(other)
  const caller = { until: now + 1000, first: 0, counted: 0, shared: false, exceeded: false, asking: null }
  callers.set(name, caller)
  return caller
}

/** Adds calls to the caller's current second, which begins with the first of them. Returns their number and what is left of it. */
async function countCalls(db: Db, caller: string, calls: number) {
  const [counted] = await rows(
    db,
    sql<{ calls: number; left_ms: number }>`
      insert into call_counts as c (caller, calls, since) values (${caller}, ${calls}, now())
      on conflict (caller) do update set
        calls = case when c.since > now() - interval '1 second' then c.calls else 0 end + excluded.calls,
        since = case when c.since > now() - interval '1 second' then c.since else excluded.since end
      returning calls, greatest(1, least(1000, extract(epoch from since + interval '1 second' - now()) * 1000))::float as left_ms`,
  )
  if (!counted) throw new Error('calls could not be counted')
  return counted
}

/** Deletes the counts of callers who are gone. */
export async function forgetCallCounts(db: Db) {
  await sql`delete from call_counts where since < now() - interval '1 minute'`.execute(db)
}
