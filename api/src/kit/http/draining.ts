import type { FastifyInstance } from 'fastify'
import type { Health } from '../process/health.ts'

/** Lets proxies move to another api before this one closes. */
export function leaveToAnother(server: FastifyInstance, health: Health) {
  // Connections in the accept backlog are reset when the listener closes, and a change on one is not repeated. A proxy that
  // repeats reads elsewhere leaves an api alone that hangs up on one, so that no change comes to it in that moment.
  server.addHook('onRequest', (request, reply, done) => {
    if (!health.closing || request.headers['x-repeats-reads'] === undefined || request.method !== 'GET')
      return done()
    reply.hijack()
    request.raw.socket.destroy()
  })
  // A proxy then opens its next connection elsewhere.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (health.draining) void reply.header('connection', 'close')
    done()
  })
}
