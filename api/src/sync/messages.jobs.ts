import { work } from '../kit/jobs/jobs.ts'
import { repeat } from '../kit/jobs/repeat.ts'
import type { Context } from '../kit/process/context.ts'
import { messagesJob } from './incoming.service.ts'
import { processMessages } from './processing.service.ts'

/**
 * Registers the job that processes messages. Each call that brings messages queues it. Returns the function that stops
 * it.
 */
export function workMessages(context: Context): () => Promise<void> {
  work(messagesJob, (_, signal) => processMessages(context, signal))
  // Processes messages that remained when a job had no retries left.
  return repeat(context, 'waiting messages', 60_000, () => processMessages(context))
}
