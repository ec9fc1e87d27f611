import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How slowly a request may arrive. */
export type SlowestRequest = {
  /** Milliseconds for the headers. */
  headersMs: number
  /** Milliseconds that every body has, however small it is. */
  graceMs: number
  /** Bytes per second that a body needs after that. A telephone at the edge of its network sends ten times as many. */
  bytesPerSecond: number
}

type Arriving = { raw: IncomingMessage; answer: ServerResponse; since: number; before: number }

const sentence = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Closes connections whose body arrives too slowly. A limit for the whole request would end large uploads over slow
 * lines too, so the limit grows with what has arrived. Node's own limit ends slow headers.
 */
export function closeSlowRequests(server: FastifyInstance, { graceMs, bytesPerSecond }: SlowestRequest) {
  const arriving = new Set<Arriving>()
  server.addHook('onRequest', ({ raw }, { raw: answer }, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    if (length !== '0' || encoding) {
      const one = { raw, answer, since: Date.now(), before: raw.socket.bytesRead }
      arriving.add(one)
      raw.once('close', () => arriving.delete(one))
    }
    done()
  })
  const timer = setInterval(
    () => {
      for (const one of arriving) {
        const { raw, answer, since, before } = one
        const received = raw.socket.bytesRead - before
        const slow = Date.now() - since > graceMs + (received / bytesPerSecond) * 1000
        if (raw.complete || raw.destroyed) arriving.delete(one)
        else if (slow) close(raw, answer)
      }
    },
    Math.min(graceMs, 1000),
  )
  timer.unref()
  server.addHook('onClose', async () => clearInterval(timer))
}

function close({ socket }: IncomingMessage, answer: ServerResponse) {
  if (!answer.headersSent) socket.write(sentence)
  socket.destroy()
}
