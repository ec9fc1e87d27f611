import type { PersonKind } from '@portal/contracts/person-data'
import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { openDb, transaction } from '../kit/db.ts'
import { portal } from '../kit/session.ts'
import { barsToErasure } from './erasable.service.ts'
import { erasePerson } from './erase-person.service.ts'
import { bars as known, onPage } from './messages.ts'
import { findCases, findPerson } from './person.service.ts'

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

/**
 * Carries out approved requests as the owner of the database, with the code of `npm run person:erase`. A worker without
 * DATABASE_OWNER_URL leaves them to one that has it, or to `npm run person:erase -- --approved`.
 */
export async function eraseApproved(context: Context): Promise<void> {
  const { db, settings } = context
  const { rows } = await sql<Approved>`
    select id, kind, record_id, subject_type, subject_id, cases, other_cases, stop_paying from erasure_requests
    where state = 'approved' order by id`.execute(db)
  if (rows.length === 0 || !settings.databaseOwnerUrl) return
  const asOwner = { ...context, db: openDb(settings.databaseOwnerUrl, 2) }
  try {
    for (const request of rows) await eraseOne(asOwner, request)
  } finally {
    await asOwner.db.pool.end()
  }
}

async function eraseOne(context: Context, request: Approved) {
  const { db } = context
  const { ids } = await findCases(db, request.cases)
  const person = await findPerson(db, { by: request.kind, id: request.record_id }, ids)
  const decided = { stopPaying: request.stop_paying, otherCases: request.other_cases }
  const bars = person ? await barsToErasure(db, person, decided, onPage) : [known.gone]
  // Tried again in a moment.
  if (bars.includes(known.exporting)) return
  if (person && bars.length === 0) {
    await erasePerson(context, person, request.id)
    return
  }
  await transaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update erasure_requests set state = 'stopped', bars = ${JSON.stringify(bars)}::jsonb
      where id = ${request.id} and state = 'approved'`.execute(tx)
    if (numAffectedRows)
      await audit(tx, portal, 'erasure stopped', request.subject_type, request.subject_id, {
        new: { request: request.id },
      })
  })
}
