import { extname, join } from 'node:path'
import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { PortalRegistry } from '@portal/registry'
import { isCanary, type Visitor } from '@portal/registry/audience'
import { openPageFiles } from '@portal/registry/page-files'
import { inlineJson } from '@portal/sdk/frame-page'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveAway } from './away.ts'
import { openBuilds } from './builds.ts'
import { devReload } from './dev-reload.ts'
import { inside, moduleKinds, registerFiles, sendImmutable } from './files.ts'
import { framePage } from './frame.ts'
import { fileHeaders, moduleFileHeaders, pageHeaders } from './headers.ts'
import { admittedNow, type LiveNow, liveFromFile, liveFromRegistry } from './live.ts'
import { modulesOrigin } from './modules-origin.ts'
import { moduleName, overridden, overrideOf, serveOverride } from './override.ts'
import { forDevelopment, pageReader, sendText, wantedLanguage, withTheme } from './pages.ts'
import { pagePreloads } from './preloads.ts'
import { serviceWorker } from './service-worker.ts'

/** Settings of the static side of the portal. */
export type GatewayOptions = {
  /** Folder of the build: `shell/`, `modules/`, `external/`, `modules.json`. */
  distDir: string
  /** Path prefix of the API, `/api`. Requests below it never get a page. */
  apiBase: string
  publicUrl: string
  /** The hosts on which isolated modules run. Without them they do not run. */
  modulesAt?: ModulesAddress
  /** Hosts from which frames may draw images without https. */
  listedHosts?: readonly string[]
  /** Origin of the analytics host, or null. */
  frameSrc: string | null
  demo: boolean
  /** Pages reload when a build is published (`npm run dev`). */
  dev?: boolean
  /**
   * The session in the form of `GET /session`. It is inlined into pages that need a session, which saves a round trip.
   * Throws a `SessionUnavailable` if sessions cannot be read now.
   */
  session?: (request: FastifyRequest, reply: FastifyReply) => Promise<SessionAnswer>
  /** Knows which modules are live, and stores their files. Without a registry the build folder is served. */
  registry?: PortalRegistry
  /** Lets a browser load a module from its own machine (`/dev/override`). For development, never in production. */
  moduleOverride?: boolean
}

/** The fields of a session that decide about canaries. The others are passed through. */
export type SessionAnswer = { user: { id: number; roles: readonly { name: string }[] } | null }

const publicPages: { path: string; page: string }[] = [
  { path: '/', page: 'landing' },
  { path: '/login', page: 'login' },
  { path: '/password/forgot', page: 'forgot' },
  { path: '/password/reset/:token', page: 'reset' },
  { path: '/offline', page: 'offline' },
]

/** Addresses that monitors and orchestrators try. A page with 200 would tell them that all is well. */
const machinePath =
  /^\/(-\/.*|actuator(\/.*)?|\.well-known\/.*|(healthz?|livez?|liveness|readyz?|readiness|startupz|metrics|ping|status|varz)\/?)$/i

const visitorOf = (session: SessionAnswer | undefined): Visitor | null =>
  session?.user ? { id: session.user.id, roles: session.user.roles.map(({ name }) => name) } : null

const nothing = {
  registry: { generation: 0, shell: null, modules: [] },
  text: '{"generation":0,"shell":null,"modules":[]}',
}

/** Serves shell, modules, registry and the consultant's page, inside the api process or as a separate process. */
export async function gateway(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  const { distDir, apiBase } = options
  const dev = options.dev ?? false
  const { modulesAt = null } = options
  const headers = { publicUrl: options.publicUrl, frameSrc: options.frameSrc, modulesAt, dev }
  const frames = modulesAt && modulesOrigin(modulesAt, options.publicUrl, options.listedHosts)
  const forPages = pageHeaders(headers)
  const forFiles = fileHeaders()
  const developed = options.moduleOverride ?? false
  const live: LiveNow = options.registry
    ? liveFromRegistry(app, options.registry, modulesAt)
    : liveFromFile(app, distDir)
  const finish = dev ? devReload(app, live) : (html: string) => html
  const read = pageReader(distDir)
  const builds = openBuilds(distDir, options.registry)
  const preloads = pagePreloads(read, builds)
  const pageFiles =
    options.registry && openPageFiles(options.registry.store, (message) => app.log.error(message))

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    { inline = '', head = '', scriptsFrom }: { inline?: string; head?: string; scriptsFrom?: string } = {},
  ) {
    const page = await read(name)
    if (!page || frames?.has(request)) return notFound(reply)
    // The address contains a secret token, so no referrer is sent.
    const isSecret = name.startsWith('external/') || name.startsWith('shell/reset')
    reply.headers(scriptsFrom ? pageHeaders({ ...headers, scriptsFrom }) : forPages)
    if (isSecret) reply.header('referrer-policy', 'no-referrer')
    const filled = page.text.replace('__INLINE__', () => inline).replace('</head>', () => `${head}</head>`)
    const html = withTheme(dev || scriptsFrom ? forDevelopment(filled) : filled, request)
    await sendText(request, reply, finish(html))
  }

  async function sendPortal(request: FastifyRequest, reply: FastifyReply, path: string) {
    const locale = wantedLanguage(request)
    const session = await options.session?.(request, reply)
    const override = overrideOf(request, developed)
    const current = (await live())?.forVisitor(visitorOf(session)) ?? nothing
    const { registry, text } = override
      ? overridden(current.registry, current.text, override, modulesAt)
      : current
    const parts = [inlineJson('registry', text)]
    if (session) parts.push(inlineJson('session', JSON.stringify(session)))
    const head = await preloads(path, locale, registry)
    const name = `shell/portal.${locale}.html`
    await sendPage(request, reply, name, { inline: parts.join(''), head, scriptsFrom: override?.origin })
  }

  /** Headers of a file: those for isolated modules are asked for by pages without an origin. */
  const headersFor = (request: FastifyRequest, own: Record<string, string>) =>
    frames?.has(request) ? frames.fileHeaders(own) : own

  /** Whether a host of frames is that of a module the portal has, or of one that somebody develops. */
  async function isOfSomeModule(request: FastifyRequest) {
    const isOf = (now: Awaited<ReturnType<LiveNow>>) =>
      (now?.forVisitor(null).registry.modules ?? []).some(({ name }) => frames?.isOf(name, request))
    const [label = ''] = request.host.split('.')
    const isDeveloped = developed && moduleName.test(label) && frames?.isOf(label, request)
    // As for files of modules: another machine may know of a module before this one.
    return isDeveloped || isOf(await live()) || isOf(await live(true))
  }

  /** Sends a hashed file of a page from the build folder, or one of another release from the registry. */
  async function sendPageFile(
    request: FastifyRequest,
    reply: FastifyReply,
    page: 'shell' | 'external',
    path: string,
  ) {
    if (frames?.has(request) && !(await isOfSomeModule(request))) return notFound(reply)
    reply.headers(headersFor(request, forFiles))
    const built = inside(join(distDir, page, 'assets'), path)
    if (built && (await sendImmutable(reply, built))) return
    const stored = built && (await pageFiles?.(page, path))
    if (!stored || !(await sendImmutable(reply, stored))) notFound(reply)
  }

  /** How the file of a build may be cached by others, for those who get it; null for everybody else. */
  async function admission(request: FastifyRequest, reply: FastifyReply, name: string, build: string) {
    const audience = await admittedNow(live, name, build)
    if (frames?.has(request) && !frames.isOf(name, request)) return null
    // On the host of an isolated module nobody has a session: the portal opened the frame, and knows its people.
    if (audience === 'everybody' || (audience.length > 0 && frames?.has(request))) return 'public'
    const session = audience.length > 0 ? await options.session?.(request, reply) : undefined
    return audience.some((entry) => isCanary(entry, visitorOf(session))) ? 'private' : null
  }

  async function sendModuleFile(request: FastifyRequest, reply: FastifyReply, path: string) {
    const [name = '', build = '', ...rest] = path.split('/')
    const allowed = rest.length > 0 && moduleKinds.has(extname(path))
    const caching = allowed ? await admission(request, reply, name, build) : null
    const file = caching && (await builds.file(path))
    reply.headers(headersFor(request, moduleFileHeaders(path)))
    if (!file || !caching || !(await sendImmutable(reply, file, caching)))
      notFound(reply, moduleFileHeaders(''))
  }

  function notFound(reply: FastifyReply, headers = forFiles) {
    reply.headers(headers).header('cache-control', 'no-store').code(404)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message: 'Not found' }))
  }

  type Wild = { Params: { '*': string } }
  await registerFiles(app, distDir)
  app.get<Wild>('/assets/*', (request, reply) => sendPageFile(request, reply, 'shell', request.params['*']))
  if (frames) {
    const sendFrame = framePage({ frames, builds, live, read, developed })
    app.get('/frame/:name/:build', async (request, reply) => {
      return (await sendFrame(request, reply)) ? reply : notFound(reply)
    })
  }
  app.get<Wild>('/modules/*', (request, reply) => sendModuleFile(request, reply, request.params['*']))
  app.get<Wild>('/external/assets/*', (request, reply) =>
    sendPageFile(request, reply, 'external', request.params['*']),
  )
  serviceWorker(app, distDir, forFiles)
  app.get('/favicon.ico', (_request, reply) => reply.headers(forFiles).redirect('/assets/mark.svg', 302))
  app.get('/modules.json', async (request, reply) => {
    const current = await live()
    if (!current) return notFound(reply)
    reply.headers({
      ...forFiles,
      'cache-control': 'no-store',
      etag: current.etag,
      'content-type': 'application/json; charset=utf-8',
    })
    if (request.headers['if-none-match'] === current.etag) return reply.code(304).send()
    return sendText(request, reply, current.text)
  })

  serveOverride(app, { allowed: developed, modulesAt }, async (name) =>
    (await live())?.forVisitor(null).registry.modules.find((module) => module.name === name),
  )
  for (const { path, page } of publicPages) {
    app.get(path, (request, reply) =>
      sendPage(request, reply, `shell/${page}.${wantedLanguage(request)}.html`),
    )
  }
  app.get('/external/cases/*', (request, reply) => sendPage(request, reply, 'external/index.html'))

  const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''
  const isPage = (request: FastifyRequest) => {
    const path = pathOf(request)
    const isCall = path === apiBase || path.startsWith(`${apiBase}/`)
    const isRead = ['GET', 'HEAD'].includes(request.method)
    return isRead && !isCall && !machinePath.test(path) && !/\.[a-z0-9]+$/i.test(path)
  }
  /** Every other page address gets the shell, which shows "not found". Addresses of files and calls get a 404. */
  app.setNotFoundHandler((request, reply) =>
    isPage(request) ? sendPortal(request, reply, pathOf(request)) : notFound(reply),
  )
  serveAway(app, isPage, sendPage)
}
