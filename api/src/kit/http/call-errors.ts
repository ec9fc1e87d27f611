import { fill } from '@portal/contracts/sentences'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { auditRead } from '../audit/reads.ts'
import { fullDisk } from '../files/full-disk.ts'
import type { Context } from '../process/context.ts'
import { maskedUrl } from '../process/log.ts'
import { traceOf } from '../process/telemetry.ts'
import { say } from './messages.ts'
import { asRefusal, notFound, Refusal, tooLarge } from './refusals.ts'
import { unavailable } from './unavailable.ts'

/** Answers errors of calls with a sentence in the language of the caller: refusals with their own, all others with 500. */
export function answerErrors(http: FastifyInstance, context: Context) {
  const { log } = context
  http.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error, request)
    if (refusal && refusal.status >= 500)
      log.warn({ err: error, request_id: request.id, ...traceOf(request), code: refusal.code }, 'unavailable')
    if (refusal?.status === 403) await noteRefusal(context, request, refusal)
    if (refusal) return reply.code(refusal.status).headers(refusal.headers).send(refusal.body(request.locale))
    log.error(
      { err: error, request_id: request.id, ...traceOf(request), url: maskedUrl(request.url) },
      'failure',
    )
    return reply.code(500).send({ message: fill(say.failure, request.locale), request_id: request.id })
  })
  http.setNotFoundHandler((request, reply) => reply.code(404).send(notFound().body(request.locale)))
}

function refusalOf(error: unknown, { method, routeOptions }: FastifyRequest): Refusal | undefined {
  return (
    asRefusal(error) ??
    unavailable(error, method) ??
    fullDisk(error) ??
    ofFastify(error as FastifyError, routeOptions.bodyLimit)
  )
}

function ofFastify(error: FastifyError, bodyLimit: number): Refusal | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(415, say.contentType)
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new Refusal(422, say.cutOff)
  // The body is not JSON, or contains `__proto__`.
  if (error.statusCode === 400) return new Refusal(422, say.json)
  return undefined
}

/** Notes who was refused which call, and why. Asking for the password again is no refusal. */
async function noteRefusal({ db, log }: Context, request: FastifyRequest, refusal: Refusal) {
  const { visitor, method } = request
  if (!visitor || refusal.reauthenticate) return
  const call = `${method} ${maskedUrl(request.url).split('?')[0]}`
  const { text, parts, needs } = refusal
  const reason = { en: fill(text, 'en', ...parts), fr: fill(text, 'fr', ...parts) }
  const why = needs.length > 0 ? { permission: needs.length === 1 ? needs[0] : needs } : { reason }
  log.warn({ request_id: request.id, user_id: visitor.id, call, needs, why: reason.en }, 'refused')
  try {
    await auditRead(db, visitor, 'refused', 'call', null, { call, ...why })
  } catch (error) {
    log.error({ err: error, request_id: request.id }, 'a refusal could not be audited')
  }
}
