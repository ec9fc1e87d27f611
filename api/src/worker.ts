import type { Context } from './kit/context.ts'
import { repeat } from './kit/repeat.ts'
import { watchProgress } from './transfers/agency-progress.service.ts'
import { startDisbursement } from './transfers/disbursement.jobs.ts'
import { askWhileHeld } from './transfers/hold-asking.jobs.ts'
import { missOldRounds } from './transfers/rounds.service.ts'
import { compareMarks, watchSending } from './transfers/sending-watch.jobs.ts'

/**
 * Everything a worker does; the returned function stops it all within 10 s. Payments begin before the code of the rest
 * is loaded: what a killed worker left open waits for nothing else.
 */
export async function startWorker(context: Context): Promise<() => Promise<void>> {
  // No worker sends before it has compared the marks itself; where it cannot, the database lets nothing be sent.
  await compareMarks(context).catch((error) => context.log.error({ err: error }, 'sending mark'))
  const stops = [watchSending(context), askWhileHeld(context), startDisbursement(context)]
  const { startOtherJobs } = await import('./worker-jobs.ts')
  stops.push(
    ...(await startOtherJobs(context)),
    repeat(context, 'progress of payments', 5_000, () => watchProgress(context)),
    repeat(context, 'missed rounds', 5_000, () => missOldRounds(context.db)),
  )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
