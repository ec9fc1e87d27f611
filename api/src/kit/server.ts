import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { addressLimit, jsonLimit } from '@portal/contracts/limits'
import { fill, type Locale } from '@portal/contracts/sentences'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { watchCallers } from './caller-gone.ts'
import type { Context } from './context.ts'
import { fullDisk } from './full-disk.ts'
import { type Health, serveHealth } from './health.ts'
import { callLimit } from './limits.ts'
import { maskedUrl } from './log.ts'
import { measureRequests } from './measures.ts'
import { say } from './messages.ts'
import { keepToFiles } from './modules-origin.ts'
import { auditRead } from './reads.ts'
import { asRefusal, forbidden, longAddress, notFound, Refusal, tooLarge } from './refusals.ts'
import type { App } from './serve.ts'
import { closeSlowRequests } from './slow-requests.ts'
import { traceOf, traceRequests } from './telemetry.ts'
import { unavailable } from './unavailable.ts'

/** Makes the HTTP server with what all calls need. `register` adds the domains under the base path of the api. */
export async function makeServer(
  context: Context,
  health: Health,
  migrations: readonly string[],
  register: (app: App) => void,
): Promise<FastifyInstance> {
  const slowest = context.settings.slowestRequest
  const server = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    trustProxy: context.settings.trustedProxies.length ? context.settings.trustedProxies : false,
    // Each call of the contracts has its own limit; this is for addresses that do not exist.
    bodyLimit: jsonLimit,
    http: {
      headersTimeout: slowest.headersMs,
      connectionsCheckingInterval: Math.min(slowest.headersMs, 1000),
    },
    genReqId: () => randomUUID(),
    // Lines of a call name its request themselves. A logger of its own for each request takes longer than its line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // A call that arrives on an open connection while the listener closes is answered like any other.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
  })
  closeSlowRequests(server, slowest)
  keepToFiles(server, context.settings)
  measureRequests(server)
  if (context.settings.traces) traceRequests(server)
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
  await server.register(cookie)
  if (context.settings.publicUrl.startsWith('https:'))
    server.addHook('onRequest', async (_request, reply) => {
      void reply.header('strict-transport-security', 'max-age=31536000')
    })
  await server.register(
    async (http) => {
      await http.register(multipart)
      http.removeContentTypeParser('text/plain')
      readJson(http)
      watchCallers(http)
      http.decorateRequest('visitor', null)
      http.decorateRequest('machine', 0)
      http.decorateRequest('machineKind', 'machine')
      http.decorateRequest('rawJson', '')
      http.decorateRequest('locale', 'en')
      http.addHook('onRoute', ({ method, url, config }) => {
        if (!config?.access) throw new Error(`${method} ${url} does not say who may call it`)
      })
      http.addHook('onRequest', (request, reply, done) => {
        request.locale = localeOf(request)
        void reply.header('x-request-id', request.id)
        void reply.headers(callHeaders)
        done(request.url.length > context.settings.apiBase.length + addressLimit ? longAddress() : undefined)
      })
      http.addHook('onResponse', (request, reply, done) => {
        const { method, ip, visitor } = request
        const ms = Math.round(reply.elapsedTime)
        context.log.info(
          {
            request_id: request.id,
            ...traceOf(request),
            method,
            url: maskedUrl(request.url),
            status: reply.statusCode,
            ms,
            ip,
            user_id: visitor?.id,
          },
          'call',
        )
        done()
      })
      http.setErrorHandler(async (error, request, reply) => {
        const refusal =
          asRefusal(error) ??
          unavailable(error, request.method) ??
          fullDisk(error) ??
          ofFastify(error as FastifyError, request.routeOptions.bodyLimit)
        if (refusal && refusal.status >= 500)
          context.log.warn(
            { err: error, request_id: request.id, ...traceOf(request), code: refusal.code },
            'unavailable',
          )
        if (refusal?.status === 403) await noteRefusal(context, request, refusal)
        if (refusal)
          return reply.code(refusal.status).headers(refusal.headers).send(refusal.body(request.locale))
        context.log.error(
          { err: error, request_id: request.id, ...traceOf(request), url: maskedUrl(request.url) },
          'failure',
        )
        return reply.code(500).send({ message: fill(say.failure, request.locale), request_id: request.id })
      })
      http.setNotFoundHandler((request, reply) => reply.code(404).send(notFound().body(request.locale)))
      serveHealth(http, context, health, migrations)
      const limitCalls = callLimit(context.db, context.settings.callsPerSecond)
      register({ ...context, http, endpoints: [], limitCalls, checkCaller: refuseCaller })
    },
    { prefix: context.settings.apiBase },
  )
  return server
}

const refuseCaller = async () => {
  throw forbidden()
}

/** Headers of every call: an answer is data, for pages of this host only. */
const callHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The first language of Accept-Language that the portal has; otherwise English. */
function localeOf(request: FastifyRequest): Locale {
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase())
  return wanted.find((language): language is Locale => language === 'en' || language === 'fr') ?? 'en'
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

/** Accepts an empty body, because validation then names the missing fields. */
function readJson(http: FastifyInstance) {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser('application/json')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    request.rawJson = text as string
    return parse(request, text as string, done)
  })
}

function ofFastify(error: FastifyError, bodyLimit: number): Refusal | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(415, say.contentType)
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new Refusal(422, say.cutOff)
  // The body is not JSON, or contains `__proto__`.
  if (error.statusCode === 400) return new Refusal(422, say.json)
  return undefined
}
