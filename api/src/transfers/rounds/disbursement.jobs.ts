import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { rows } from '../../kit/database/db.ts'
import type { Context } from '../../kit/process/context.ts'
import { openLine } from '../connectors/agency-line.ts'
import {
  adoptInFlight,
  type Lease,
  mayBegin,
  releaseLease,
  renewLease,
  takeLease,
} from '../engine/agency-lease.service.ts'
import { payAgency } from '../engine/payment-loop.ts'
import type { HaltReason } from '../messages.ts'
import { haltCohort } from './cohort-halt.service.ts'
import { makeDueRound } from './rounds.service.ts'

type Taken = Lease & { unclean: boolean }

/** Seconds until the portal tries an agency again whose address may not be called. */
const restSeconds = 5

/**
 * Starts the disbursement worker. It makes rounds when they are due, leases agencies that have payments to send or to
 * query, and pays. It serves agencies concurrently, and several workers may run. The returned function stops this
 * worker within seconds.
 */
export function startDisbursement(context: Context): () => Promise<void> {
  const closing = new AbortController()
  const paying = new Set<Promise<void>>()
  const finished = loop()

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        while (await makeDueRound(context.db)) context.log.info('a due round was made')
      } catch (error) {
        context.log.error({ error }, 'the disbursement loop could not make a due round')
      }
      try {
        while (!closing.signal.aborted) {
          // The owner is new for each lease, because a promoted standby may issue the same fencing token again, even to
          // this process.
          const lease = await takeLease(context.db.pool, randomUUID())
          if (!lease) break
          const task: Promise<void> = pay(context, lease, closing.signal).finally(() => paying.delete(task))
          paying.add(task)
        }
      } catch (error) {
        context.log.error({ error }, 'the disbursement loop could not read what is to be paid')
      }
      await wait(250, undefined, { signal: closing.signal }).catch(() => {})
    }
    await Promise.all(paying)
  }

  return async () => {
    closing.abort()
    await finished
  }
}

async function pay(context: Context, lease: Taken, closing: AbortSignal): Promise<void> {
  const { db, log, settings } = context
  const pool = db.pool
  try {
    // `opened_with` is read before the agency's row. If the row changes in between, the next renewal notices it and the
    // connection is opened again.
    const renewal = await renewLease(pool, lease)
    if (!renewal) return
    const row = await db
      .selectFrom('transfer_agencies')
      .selectAll()
      .where('id', '=', lease.agency_id)
      .executeTakeFirst()
    const line = row ? await openLine(settings, row) : null
    // A deactivated agency gets no more orders. Payments that were sent are still queried.
    if (!line || row?.status !== 'active') await haltAgency(context, lease, line ? 'inactive' : 'address')
    if (!line) {
      await adoptInFlight(pool, lease)
      return await releaseLease(pool, lease, restSeconds)
    }
    log.debug({ agency: lease.agency_id, fence: lease.fence }, 'took an agency')
    try {
      const halt = (cohortId: number, reason: HaltReason) => haltCohort(db, lease, cohortId, reason)
      const end = await payAgency({ pool, lease, line, openedWith: renewal.opened_with, halt, closing })
      log.debug({ agency: lease.agency_id, end }, 'left an agency')
    } finally {
      await line.close()
    }
  } catch (error) {
    // The lease expires without a release, so the next worker queries the payments that were in flight.
    log.error({ error, agency: lease.agency_id }, 'an agency was left; it is taken up again')
  }
}

/** Puts every cohort into error that would send payments to this agency now. */
async function haltAgency({ db }: Context, lease: Taken, reason: HaltReason): Promise<void> {
  const waiting = await rows(
    db,
    sql<{ id: number }>`
    select distinct c.id from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id
    where c.transfer_agency_id = ${lease.agency_id} and c.status = 'approved' and c.stopped_at is null
      and g.pending > 0 and ${sql.raw(mayBegin)}`,
  )
  for (const { id } of waiting) await haltCohort(db, lease, id, reason)
}
