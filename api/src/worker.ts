import { repeat } from './kit/jobs/repeat.ts'
import type { Context } from './kit/process/context.ts'
import { watchProgress } from './transfers/engine/agency-progress.service.ts'
import { startDisbursement } from './transfers/rounds/disbursement.jobs.ts'
import { missOldRounds } from './transfers/rounds/rounds.service.ts'
import { askWhileHeld } from './transfers/sending-hold/hold-asking.jobs.ts'
import { compareMarks, watchSending } from './transfers/sending-hold/sending-watch.jobs.ts'

/**
 * Starts everything that a worker does. The returned function stops it within 10 s. Payments start before the code of
 * the other jobs is loaded, so that a restarted worker resumes open payments without delay.
 */
export async function startWorker(context: Context): Promise<() => Promise<void>> {
  // Each worker compares the marks before it sends. If it cannot compare them, the database refuses to send anything.
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
