import { hash } from 'node:crypto'
import type { Endpoint } from '@portal/contracts/endpoint'
import { fill, type Text } from '@portal/contracts/sentences'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { FileAnswer } from '../files/files.ts'
import { compress } from './compress.ts'

/** An answer that leads the browser to another address. */
export class Redirect {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
}

const started = Symbol('started')

/** Marks an answer as 202, because a job continues the work, or a second person has to confirm it. */
export const accepted = <T extends object>(answer: T): T => Object.assign(answer, { [started]: true })

/** Sends a handler's answer: a redirect as 303, nothing as 204, a file as an attachment, an unchanged poll as 304, everything else as JSON. */
export async function respond(
  app: { settings: { checkAnswers: boolean } },
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
) {
  if (answer instanceof Redirect) return reply.redirect(answer.address, 303)
  if (answer === null) return reply.code(204).send()
  if (answer instanceof FileAnswer) {
    return reply
      .headers({
        'content-type': answer.type,
        'content-disposition': answer.disposition,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      .send(answer.content)
  }
  if (typeof answer === 'object' && answer !== null && started in answer) void reply.code(202)
  const text = JSON.stringify(inOneLanguage(answer, request))
  if (app.settings.checkAnswers) holdAgainstContract(endpoint, text)
  void reply.header('content-type', 'application/json; charset=utf-8')
  // The browser must not cache personal data on its disk; the client keeps the ETag of a poll itself.
  void reply.header('cache-control', 'no-store')
  if (endpoint.method === 'GET' && request.headers['x-poll']) {
    const etag = `"${hash('sha1', text, 'base64url')}"`
    void reply.header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  }
  const compressed = await compress(text, request.headers['accept-encoding'])
  if (!compressed) return reply.send(text)
  void reply.headers({ 'content-encoding': compressed.encoding, vary: 'accept-encoding' })
  return reply.send(compressed.body)
}

function inOneLanguage(answer: unknown, request: FastifyRequest) {
  const { message } = (answer ?? {}) as { message?: unknown }
  if (typeof message !== 'object' || message === null || !('en' in message)) return answer
  return { ...(answer as object), message: fill(message as Text, request.locale) }
}

function holdAgainstContract(endpoint: Endpoint, text: string) {
  const result = v.safeParse(endpoint.answer, JSON.parse(text))
  if (result.success) return
  const faults = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)
  throw new Error(
    `The answer of ${endpoint.method} ${endpoint.path} is not what its contract says: ${faults.join('; ')}`,
  )
}
