import type { Context } from '../kit/context.ts'
import { work } from '../kit/jobs.ts'
import { messagesJob } from './incoming.service.ts'
import { processMessages } from './processing.service.ts'

/** Lets a worker make figures of messages, woken by each call that brings some. */
export function workMessages(context: Context) {
  work(messagesJob, (_, signal) => processMessages(context, signal))
}
