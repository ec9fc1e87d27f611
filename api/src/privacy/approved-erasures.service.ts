import type { PersonKind } from '@portal/contracts/access/person-data'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { openDb, type Reader, transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { barsToErasure } from './erasable.service.ts'
import { beganMeanwhile, erasePerson } from './erase-person.service.ts'
import { bars as known, onPage } from './messages.ts'
import { findCases, findPerson } from './person.service.ts'

/** An approved erasure is overdue after two nights. The alert PortalErasureOverdue has the same limit. */
export const overdueHours = 48

/** Whether the request `e` was approved too long ago, as a column of a statement. */
export const isOverdue = sql<boolean>`e.state = 'approved' and e.decided_at < now() - make_interval(hours => ${sql.lit(overdueHours)})`

type Approved = {
  id: number
  kind: PersonKind
  record_id: number
  subject_type: string
  subject_id: number
  cases: string[]
  other_cases: string[]
  stop_paying: boolean
}

/** How a request ended: `waiting` for an export or an import that may contain her, or `failed` with an error in the log. */
type Outcome = 'erased' | 'stopped' | 'waiting' | 'failed'

/**
 * Carries out approved requests as the owner of the database, with the code of `npm run person:erase`, and counts how they
 * ended. A process without DATABASE_OWNER_URL leaves them to `npm run person:erase -- --approved` of every night.
 */
export async function eraseApproved(context: Context): Promise<Record<Outcome, number>> {
  const { db, settings, log } = context
  const counts = { erased: 0, stopped: 0, waiting: 0, failed: 0 }
  if (!settings.databaseOwnerUrl) return counts
  const { rows } = await sql<Approved>`
    select id, kind, record_id, subject_type, subject_id, cases, other_cases, stop_paying from erasure_requests
    where state = 'approved' order by id`.execute(db)
  if (rows.length === 0) return counts
  const asOwner = {
    ...context,
    db: openDb(settings.databaseOwnerUrl, 2, settings.jobLimits),
  }
  try {
    for (const request of rows) {
      // One that fails must not keep the others from their right.
      const outcome = await eraseOne(asOwner, request).catch((error: Error) => {
        log.error({ err: error, request: request.id }, `The erasure ${request.id} failed`)
        return 'failed' as const
      })
      if (outcome) counts[outcome]++
    }
    return counts
  } finally {
    await asOwner.db.pool.end()
  }
}

/** Null if another worker was faster, which counts it. */
async function eraseOne(context: Context, request: Approved, again = true): Promise<Outcome | null> {
  const { db } = context
  const { ids } = await findCases(db, request.cases)
  const person = await findPerson(db, { by: request.kind, id: request.record_id }, ids)
  const decided = { stopPaying: request.stop_paying, otherCases: request.other_cases }
  const bars = person ? await barsToErasure(db, person, decided, onPage) : [known.gone]
  // Tried again in a moment by a worker, and in the next night by the command.
  if (bars.includes(known.exporting) || bars.includes(known.importing)) return 'waiting'
  if (person && bars.length === 0)
    try {
      const isOurs = await erasePerson(context, person, request.id)
      return isOurs ? 'erased' : null
    } catch (error) {
      // What began meanwhile is among the bars when they are read again.
      if (again && beganMeanwhile(error)) return eraseOne(context, request, false)
      throw error
    }
  return transaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update erasure_requests set state = 'stopped', bars = ${JSON.stringify(bars)}::jsonb
      where id = ${request.id} and state = 'approved'`.execute(tx)
    if (!numAffectedRows) return null
    await audit(tx, portal, 'erasure stopped', request.subject_type, request.subject_id, {
      new: { request: request.id },
    })
    return 'stopped' as const
  })
}

/** How many approved requests were not carried out yet, how many of them are overdue, and the age of the oldest in seconds. */
export async function openErasures(db: Reader): Promise<{ open: number; overdue: number; oldest: number }> {
  const { rows } = await sql<{ open: number; overdue: number; oldest: number }>`
    select count(*) as open, count(*) filter (where ${isOverdue}) as overdue,
      coalesce(extract(epoch from now() - min(e.decided_at)), 0)::float as oldest
    from erasure_requests e where e.state = 'approved'`.execute(db)
  return rows[0] ?? { open: 0, overdue: 0, oldest: 0 }
}
