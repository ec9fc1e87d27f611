import type { FastifyReply } from 'fastify'
import { fileHeaders } from './headers.ts'

/** Answers that an address has no file and no page. */
export function notFound(reply: FastifyReply, headers = fileHeaders()): FastifyReply {
  reply.headers(headers).header('cache-control', 'no-store').code(404)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message: 'Not found' }))
}
