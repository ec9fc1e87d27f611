import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Context } from '../kit/context.ts'
import { openLine } from './agency-line.ts'
import { haltCohort } from './cohort-decision.service.ts'
import { payRound, type RoundEnd } from './round.payer.ts'
import { type Lease, takeLease } from './round-lease.service.ts'
import { makeDueRound } from './rounds.service.ts'
import { transferAgencies } from './transfers.tables.ts'

/** Rounds that one worker pays at once: one slow agency must not keep the others waiting. */
const roundsAtOnce = 4

/**
 * The disbursement worker: makes rounds when they are due, takes leases, pays. Any number of workers may run;
 * the returned function stops this one within seconds and leaves nothing half written.
 */
export function startDisbursement(context: Context): () => Promise<void> {
  const owner = randomUUID()
  const closing = new AbortController()
  const paying = new Set<Promise<void>>()
  const finished = loop()

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        while (await makeDueRound(context.db)) context.log.info('a due round was made')
        while (paying.size < roundsAtOnce && !closing.signal.aborted) {
          const lease = await takeLease(context.db.$client, owner)
          if (!lease) break
          const task: Promise<void> = pay(context, lease, closing.signal).finally(() => paying.delete(task))
          paying.add(task)
        }
      } catch (error) {
        context.log.error({ error }, 'the disbursement loop could not read the rounds')
      }
      await Promise.race([wait(250, undefined, { signal: closing.signal }).catch(() => {}), ...paying])
    }
    await Promise.all(paying)
  }

  return async () => {
    closing.abort()
    await finished
  }
}

async function pay(context: Context, lease: Lease, closing: AbortSignal): Promise<void> {
  const { db, log, settings } = context
  const pool = db.$client
  try {
    const [row] = await db.select().from(transferAgencies).where(eq(transferAgencies.id, lease.agency_id))
    const line = row ? await openLine(settings, row) : null
    if (!line) {
      // The lease is left to run out: nothing changes here before somebody mends the agency.
      await haltCohort(db, lease.cohort_id, 'address')
      return
    }
    // Nothing more goes out by an agency that was deactivated; what went out by it is still asked about.
    if (row?.status !== 'active') await haltCohort(db, lease.cohort_id, 'inactive')
    log.info({ round: lease.group_id, fence: lease.fence }, 'paying a round')
    let end: RoundEnd
    try {
      end = await payRound({
        pool,
        lease,
        agency: line.agency,
        connector: line.connector,
        concurrency: line.concurrency,
        closing,
      })
    } finally {
      await line.close()
    }
    if (end.end === 'halted') await haltCohort(db, lease.cohort_id, end.reason)
    log.info({ round: lease.group_id, ...end }, 'left a round')
  } catch (error) {
    log.error({ error, round: lease.group_id }, 'a round was left; it is taken up again')
    await wait(1000)
  }
}
