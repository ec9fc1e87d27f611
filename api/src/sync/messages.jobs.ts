import type { Context } from '../kit/context.ts'
import { work } from '../kit/jobs.ts'
import { repeat } from '../kit/repeat.ts'
import { messagesJob } from './incoming.service.ts'
import { processMessages } from './processing.service.ts'

/** Lets a worker make figures of messages, woken by each call that brings some; returns what stops it. */
export function workMessages(context: Context): () => Promise<void> {
  work(messagesJob, (_, signal) => processMessages(context, signal))
  // For what was left when a job had used up its tries.
  return repeat(context, 'waiting messages', 60_000, () => processMessages(context))
}
