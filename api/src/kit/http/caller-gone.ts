import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

const answers = new AsyncLocalStorage<ServerResponse>()

/** Lets everything that a call does ask whether its caller is still there. */
export function watchCallers(http: FastifyInstance) {
  http.addHook('preHandler', (_request, reply, done) => answers.run(reply.raw, done))
}

/** Returns the question whether the caller of this call has gone. Nobody has outside of calls. */
export function goneCheck(): () => boolean {
  const answer = answers.getStore()
  return () => answer?.destroyed ?? false
}
