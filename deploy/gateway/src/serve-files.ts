import { extname, join } from 'node:path'
import { isCanary } from '@portal/registry/audience'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GatewayContext, visitorOf } from './context.ts'
import { inside, moduleKinds, sendImmutable } from './files.ts'
import { fileHeaders, moduleFileHeaders } from './headers.ts'
import { admittedNow, type Live } from './live.ts'
import { notFound } from './not-found.ts'
import { moduleName } from './override.ts'
import { sendText } from './pages.ts'
import { serviceWorker } from './service-worker.ts'

/** A request for a file below a folder. */
type Below = { Params: { '*': string } }

/** Serves the files of pages and of modules, and what is live as `/modules.json`. */
export function serveFiles(app: FastifyInstance, context: GatewayContext): void {
  app.get<Below>('/assets/*', (request, reply) =>
    sendPageFile(context, request, reply, { page: 'shell', path: request.params['*'] }),
  )
  app.get<Below>('/modules/*', (request, reply) =>
    sendModuleFile(context, request, reply, request.params['*']),
  )
  app.get<Below>('/external/assets/*', (request, reply) =>
    sendPageFile(context, request, reply, { page: 'external', path: request.params['*'] }),
  )
  serviceWorker(app, context.distDir, fileHeaders())
  app.get('/favicon.ico', (_request, reply) => reply.headers(fileHeaders()).redirect('/assets/mark.svg', 302))
  app.get('/modules.json', async (request, reply) => {
    const current = await context.live()
    if (!current) return notFound(reply)
    reply.headers({
      ...fileHeaders(),
      'cache-control': 'no-store',
      etag: current.etag,
      'content-type': 'application/json; charset=utf-8',
    })
    if (request.headers['if-none-match'] === current.etag) return reply.code(304).send()
    return sendText(request, reply, current.text)
  })
}

/** Sends a hashed file of a page from the build folder, or one of another release from the registry. */
async function sendPageFile(
  context: GatewayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, path }: { page: 'shell' | 'external'; path: string },
) {
  const { distDir, frames, pageFiles } = context
  if (frames?.has(request) && !(await isOfSomeModule(context, request))) return notFound(reply)
  reply.headers(headersFor(context, request, fileHeaders()))
  const built = inside(join(distDir, page, 'assets'), path)
  if (built && (await sendImmutable(reply, built))) return
  const stored = built && (await pageFiles?.(page, path))
  if (!stored || !(await sendImmutable(reply, stored))) notFound(reply)
}

/** Whether a host of frames is that of a module the portal has, or of one that somebody develops. */
async function isOfSomeModule({ frames, developed, live }: GatewayContext, request: FastifyRequest) {
  const isOf = (now: Live | null) =>
    (now?.forVisitor(null).registry.modules ?? []).some(({ name }) => frames?.isOf(name, request))
  const [label = ''] = request.host.split('.')
  const isDeveloped = developed && moduleName.test(label) && frames?.isOf(label, request)
  // As for files of modules: another machine may know of a module before this one.
  return isDeveloped || isOf(await live()) || isOf(await live(true))
}

async function sendModuleFile(
  context: GatewayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
) {
  const [name = '', build = '', ...rest] = path.split('/')
  const allowed = rest.length > 0 && moduleKinds.has(extname(path))
  const caching = allowed ? await admission(context, request, reply, { name, build }) : null
  const file = caching && (await context.builds.file(path))
  reply.headers(headersFor(context, request, moduleFileHeaders(path)))
  if (!file || !caching || !(await sendImmutable(reply, file, caching)))
    notFound(reply, moduleFileHeaders(''))
}

/** How the file of a build may be cached by others, for those who get it; null for everybody else. */
async function admission(
  { live, frames, session: readSession }: GatewayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, build }: { name: string; build: string },
) {
  const audience = await admittedNow(live, name, build)
  if (frames?.has(request) && !frames.isOf(name, request)) return null
  // On the host of an isolated module nobody has a session: the portal opened the frame, and knows its people.
  if (audience === 'everybody' || (audience.length > 0 && frames?.has(request))) return 'public'
  const session = audience.length > 0 ? await readSession?.(request, reply) : undefined
  return audience.some((entry) => isCanary(entry, visitorOf(session))) ? 'private' : null
}

/** Headers of a file: those for isolated modules are asked for by pages without an origin. */
const headersFor = ({ frames }: GatewayContext, request: FastifyRequest, own: Record<string, string>) =>
  frames?.has(request) ? frames.fileHeaders(own) : own
