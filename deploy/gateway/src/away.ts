import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wantedLanguage } from './pages.ts'

/** Thrown by `session` if sessions cannot be read now. `retryAfter` is in seconds. */
export class SessionUnavailable extends Error {
  readonly retryAfter: string
  constructor(retryAfter: string, options?: ErrorOptions) {
    super('The session cannot be read', options)
    this.retryAfter = retryAfter
  }
}

/** Answers 503 where a session could not be read. A page says so and opens by itself as soon as it can be read. */
export function serveAway(
  app: FastifyInstance,
  isPage: (request: FastifyRequest) => boolean,
  sendPage: (request: FastifyRequest, reply: FastifyReply, name: string) => Promise<void>,
) {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (!(error instanceof SessionUnavailable)) throw error
    void reply.code(503).headers({ 'retry-after': error.retryAfter, 'cache-control': 'no-store' })
    if (isPage(request)) return sendPage(request, reply, `shell/away.${wantedLanguage(request)}.html`)
    return reply.send({ message: 'Unavailable' })
  })
}
