import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { addressLimit, jsonLimit } from '@portal/contracts/limits'
import type { Locale } from '@portal/contracts/sentences'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Context } from '../process/context.ts'
import { type Health, serveHealth } from '../process/health.ts'
import { maskedUrl } from '../process/log.ts'
import { measureRequests } from '../process/measures.ts'
import { traceOf, traceRequests } from '../process/telemetry.ts'
import { answerErrors } from './call-errors.ts'
import { watchCallers } from './caller-gone.ts'
import { leaveToAnother } from './draining.ts'
import { callLimit } from './limits.ts'
import { keepToFiles } from './modules-origin.ts'
import { forbidden, longAddress } from './refusals.ts'
import type { App } from './serve.ts'
import { closeSlowRequests } from './slow-requests.ts'

/** Makes the HTTP server with what all calls need. `register` adds the domains under the base path of the api. */
export async function makeServer(
  context: Context,
  health: Health,
  migrations: readonly string[],
  register: (app: App) => void,
): Promise<FastifyInstance> {
  const { settings, db } = context
  const server = openServer(context)
  closeSlowRequests(server, settings.slowestRequest)
  keepToFiles(server, settings)
  measureRequests(server)
  if (settings.traces) traceRequests(server)
  leaveToAnother(server, health)
  await server.register(cookie)
  if (settings.publicUrl.startsWith('https:')) keepToHttps(server)
  await server.register(
    async (http) => {
      await prepareCalls(http, context)
      serveHealth(http, context, health, migrations)
      const limitCalls = callLimit(db, settings.callsPerSecond)
      register({ ...context, http, endpoints: [], limitCalls, checkCaller: refuseCaller })
    },
    { prefix: settings.apiBase },
  )
  return server
}

function openServer({ log, settings }: Context): FastifyInstance {
  const { headersMs } = settings.slowestRequest
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    trustProxy: settings.trustedProxies.length ? settings.trustedProxies : false,
    // Each call of the contracts has its own limit; this is for addresses that do not exist.
    bodyLimit: jsonLimit,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs, 1000) },
    genReqId: () => randomUUID(),
    // Lines of a call name its request themselves. A logger of its own for each request takes longer than its line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // A call that arrives on an open connection while the listener closes is answered like any other.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => readable(url),
    // Whatever Node accepts reaches its call or page, which says what is wrong with it.
    routerOptions: { maxParamLength: maxHeaderSize },
  })
}

/**
 * An address whose escape sequences mean nothing, such as a link that was cut inside of one, is read letter by letter.
 * So it is answered as one that does not exist. Fastify would answer with an error of its own, which echoes the address.
 */
function readable(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

function keepToHttps(server: FastifyInstance) {
  server.addHook('onRequest', async (_request, reply) => {
    void reply.header('strict-transport-security', 'max-age=31536000')
  })
}

/** What every call has, whichever domain answers it. */
async function prepareCalls(http: FastifyInstance, context: Context) {
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
  logCalls(http, context.log)
  answerErrors(http, context)
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

/** Writes one line for each call, without what its address has to keep secret. */
function logCalls(http: FastifyInstance, log: Context['log']) {
  http.addHook('onResponse', (request, reply, done) => {
    const { id, method, ip, visitor } = request
    log.info(
      {
        request_id: id,
        ...traceOf(request),
        method,
        url: maskedUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip,
        user_id: visitor?.id,
      },
      'call',
    )
    done()
  })
}
