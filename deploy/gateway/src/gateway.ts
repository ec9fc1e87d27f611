import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { PortalRegistry } from '@portal/registry'
import { isCanary, type Visitor } from '@portal/registry/audience'
import { openPageFiles } from '@portal/registry/page-files'
import { type Given, givenOf, inlineJson, readGiven } from '@portal/sdk/frame-page'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { moduleFor, preloadsFor } from '@portal/sdk/registry'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveAway } from './away.ts'
import { devReload } from './dev-reload.ts'
import { inside, moduleKinds, registerFiles, sendImmutable } from './files.ts'
import { fileHeaders, moduleFileHeaders, pageHeaders } from './headers.ts'
import { type LiveNow, liveFromFile, liveFromRegistry, type Shown } from './live.ts'
import { modulesOrigin } from './modules-origin.ts'
import {
  developedAt,
  developedImages,
  developedRegistry,
  moduleName,
  overridden,
  overrideOf,
  serveOverride,
} from './override.ts'
import { forDevelopment, pageReader, sendText, wantedLanguage, withTheme } from './pages.ts'
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

/**
 * The preloads of the shell's pages, by language and address. `*` stands for every page of a module, `framed` for the page
 * around an isolated one.
 */
type Early = Record<'en' | 'fr', Record<string, string>>

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

const fetched = (href: string, hints = '') =>
  `<link rel="preload" as="fetch"${hints} href="${href}" crossorigin="anonymous">`

/** The preloads of a module's page: build.json, which has the hashes of the files, then the files of this page. */
function modulePreloads(build: ModuleBuild, path: string, locale: string): string {
  const { base, files } = build
  const parts = preloadsFor(build, path, locale)
    .filter((file) => files[file])
    .map(
      (file) =>
        `<link rel="preload" as="${file.endsWith('.css') ? 'style' : 'script'}" href="${base}${file}" integrity="${files[file]}" crossorigin="anonymous">`,
    )
  return [fetched(`${base}build.json`), ...parts].join('')
}

/** The same for a module that runs in a frame: the portal fetches its files, and gives their text to the frame. */
const framePreloads = (build: ModuleBuild, path: string, locale: string): string =>
  ['build.json', ...preloadsFor(build, path, locale)]
    .map((file) => fetched(build.base + file, ' fetchpriority="low"'))
    .join('')

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

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
  const builds = new Map<string, ModuleBuild | null>()
  const givenToFrames = new Map<string, Given>()
  const pageFiles =
    options.registry && openPageFiles(options.registry.store, (message) => app.log.error(message))

  const readers = new Map<string, ReturnType<typeof pageReader>>()
  const read = (name: string) => {
    const reader = readers.get(name) ?? pageReader(distDir, name)
    readers.set(name, reader)
    return reader()
  }

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

  /** Sends a file of a module from the registry. Files of older pages are sent from the build folder. */
  async function moduleFile(path: string): Promise<string | null> {
    const built = inside(join(distDir, 'modules'), path)
    return (built && (await options.registry?.store.file(`modules/${path}`))) || built
  }

  async function buildOf({ name, build, withheld, disabled }: Shown) {
    if (withheld || disabled) return null
    const path = `${name}/${build}/build.json`
    let found = builds.get(path)
    if (found === undefined) {
      const text = await moduleFile(path).then((file) => file && readFile(file, 'utf8').catch(() => null))
      found = text ? (JSON.parse(text) as ModuleBuild) : null
      // A build is immutable.
      if (found) builds.set(path, found)
    }
    return found
  }

  async function earlyOf(locale: 'en' | 'fr') {
    const pages = await read('shell/early.json')
    return pages ? (JSON.parse(pages.text) as Early)[locale] : {}
  }

  /** Preloads of the page at this address, so that they are fetched in parallel with the shell. */
  async function early(path: string, locale: 'en' | 'fr', modules: { modules: Shown[] }) {
    const own = await earlyOf(locale)
    if (own[path]) return own[path]
    const module = moduleFor(modules, path)
    const build = module && (await buildOf(module))
    if (module?.isolated) return (own.framed ?? '') + (build ? framePreloads(build, path, locale) : '')
    return build ? (own['*'] ?? '') + modulePreloads(build, path, locale) : ''
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
    const head = await early(path, locale, registry)
    const name = `shell/portal.${locale}.html`
    await sendPage(request, reply, name, { inline: parts.join(''), head, scriptsFrom: override?.origin })
  }

  /** The page in which an isolated module runs. It has no session; the portal gives it what it needs. */
  async function sendFrame(request: FastifyRequest, reply: FastifyReply) {
    const { name, build } = request.params as { name: string; build: string }
    const { from, images } = request.query as { from?: string; images?: string }
    const locale = wantedLanguage(request)
    const page = frames?.isOf(name, request) ? await read(`shell/isolated.${locale}.html`) : null
    if (!frames || !page) return notFound(reply)
    const machine = developedAt(from, developed)
    if (machine && moduleName.test(name)) {
      // The module's own files come from that machine, and change all the time.
      const { given, withList } = readGiven(forDevelopment(page.text))
      const inline = inlineJson('registry', developedRegistry(name, machine.base))
      reply.headers(
        frames.pageHeaders({ name, build, base: machine.base, images: developedImages(images) }, given),
      )
      return sendText(
        request,
        reply,
        withList(Object.keys(given)).replace('__INLINE__', () => inline),
      )
    }
    if (((await live())?.admitted(name, build) ?? []).length === 0) return notFound(reply)
    const record = await moduleFile(`${name}/${build}/build.json`)
    const text = record && (await readFile(record, 'utf8').catch(() => null))
    if (!text) return notFound(reply)
    const built = readGiven(page.text)
    const details = JSON.parse(text) as ModuleBuild
    const given = { ...built.given, ...(await givenTo(details)) }
    reply.headers(frames.pageHeaders({ name, build, images: details.images }, given))
    const inline = inlineJson('registry', frames.registryOf(text))
    await sendText(
      request,
      reply,
      built.withList(Object.keys(given)).replace('__INLINE__', () => inline),
    )
  }

  /** What the portal may give to frames of a build. A build is immutable. */
  async function givenTo(build: ModuleBuild): Promise<Given> {
    const known = givenToFrames.get(build.base)
    if (known) return known
    const textOf = async (file: string) => {
      const path = await moduleFile(build.base.slice('/modules/'.length) + file)
      return path && readFile(path, 'utf8').catch(() => null)
    }
    const given = await givenOf(build, textOf, sha256)
    givenToFrames.set(build.base, given)
    return given
  }

  /** Headers of a file: those for isolated modules are asked for by pages without an origin. */
  const headersFor = (request: FastifyRequest, own: Record<string, string>) =>
    frames?.has(request) ? frames.fileHeaders(own) : own

  /** Whether a host of frames is that of a module the portal has, or of one that somebody develops. */
  async function isOfSomeModule(request: FastifyRequest) {
    const { modules } = (await live())?.forVisitor(null).registry ?? nothing.registry
    const [label = ''] = request.host.split('.')
    const names = [
      ...modules.map(({ name }) => name),
      ...(developed && moduleName.test(label) ? [label] : []),
    ]
    return names.some((name) => frames?.isOf(name, request))
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
    const known = (await live())?.admitted(name, build) ?? []
    // Another machine may have served a page of the next generation already.
    const audience = known.length > 0 ? known : ((await live(true))?.admitted(name, build) ?? [])
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
    const file = caching && (await moduleFile(path))
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
  if (frames) app.get('/frame/:name/:build', sendFrame)
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
