import { join } from 'node:path'
import { type ModuleBuild, type Registry, readRegistry } from '@portal/sdk/manifest'
import { moduleFor, preloadsFor } from '@portal/sdk/registry'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { devReload } from './dev-reload.ts'
import { inside, sendImmutable } from './files.ts'
import { fileHeaders, pageHeaders } from './headers.ts'
import { inlineJson, pageReader, sendText, wantedLanguage, watchedFile, withTheme } from './pages.ts'
import { serviceWorker } from './service-worker.ts'

/** Settings of the static side of the portal. */
export type GatewayOptions = {
  /** Folder of what was built: `shell/`, `modules/`, `external/`, `modules.json`. */
  distDir: string
  /** Where the calls live, `/api`; below it nothing is ever answered with a page. */
  apiBase: string
  publicUrl: string
  /** Origin of the analytics host, or null. */
  frameSrc: string | null
  demo: boolean
  /** Pages reload when a build is published (`npm run dev`). */
  dev?: boolean
  /** The session as `GET /session` answers it; inlined into pages behind it, which saves a round trip. */
  session?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** What the shell's own pages ask for, by language and address; `*` is for every page of a module. */
type Early = Record<'en' | 'fr', Record<string, string>>

const publicPages: { path: string; page: string }[] = [
  { path: '/', page: 'landing' },
  { path: '/login', page: 'login' },
  { path: '/password/forgot', page: 'forgot' },
  { path: '/password/reset/:token', page: 'reset' },
  { path: '/offline', page: 'offline' },
]

/** The record of a build, which has the hashes of its files, then what the page at this address is made of. */
function modulePreloads(build: ModuleBuild, path: string, locale: string): string {
  const { base, files } = build
  const scripts = preloadsFor(build, path, locale)
    .filter((file) => files[file])
    .map(
      (file) =>
        `<link rel="preload" as="script" href="${base}${file}" integrity="${files[file]}" crossorigin="anonymous">`,
    )
  const record = `<link rel="preload" as="fetch" href="${base}build.json" crossorigin="anonymous">`
  return [record, ...scripts].join('')
}

/** Serves shell, modules, registry and the consultant's page; registered by the api process, or run on its own. */
export async function gateway(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  const { distDir, apiBase } = options
  const dev = options.dev ?? false
  const headers = { publicUrl: options.publicUrl, frameSrc: options.frameSrc, dev }
  const forPages = pageHeaders(headers)
  const forFiles = fileHeaders()
  const registry = watchedFile(join(distDir, 'modules.json'))
  let checked: { etag: string; registry: Registry; text: string } | undefined
  const finish = dev ? devReload(app, registry) : (html: string) => html

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
    inline = '',
    head = '',
  ) {
    const page = await read(name)
    if (!page) return notFound(reply)
    // An invite's or a reset's address is itself the secret: it must not travel to whatever the page links to.
    const isSecret = name.startsWith('external/') || name.startsWith('shell/reset')
    reply.headers(isSecret ? { ...forPages, 'referrer-policy': 'no-referrer' } : forPages)
    const filled = page.text.replace('__INLINE__', () => inline).replace('</head>', () => `${head}</head>`)
    const html = withTheme(filled, request)
    await sendText(request, reply, finish(html))
  }

  /** The registry without the entries that are not in order: the page takes it as it comes. */
  async function modulesNow() {
    const held = await registry()
    const etag = held?.etag ?? ''
    if (checked?.etag !== etag) {
      const { registry: modules, broken } = readRegistry(held?.text ?? '')
      for (const fault of broken) app.log.error(`modules.json is not in order, ${fault}`)
      checked = { etag, registry: modules, text: JSON.stringify(modules) }
    }
    return checked
  }

  /** What the page at this address will ask for next: fetched beside the shell, not after it. */
  async function early(path: string, locale: 'en' | 'fr', modules: Registry) {
    const pages = await read('shell/early.json')
    const own = pages ? (JSON.parse(pages.text) as Early)[locale] : {}
    if (own[path]) return own[path]
    const module = moduleFor(modules, path)
    const record = module && (await read(`${module.base.slice(1)}build.json`))
    return record ? (own['*'] ?? '') + modulePreloads(JSON.parse(record.text), path, locale) : ''
  }

  async function sendPortal(request: FastifyRequest, reply: FastifyReply, path: string) {
    const held = await modulesNow()
    const locale = wantedLanguage(request)
    const parts = [inlineJson('registry', held.text)]
    if (options.session)
      parts.push(inlineJson('session', JSON.stringify(await options.session(request, reply))))
    const head = await early(path, locale, held.registry)
    await sendPage(request, reply, `shell/portal.${locale}.html`, parts.join(''), head)
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply, folder: string, path: string) {
    reply.headers(forFiles)
    const file = inside(join(distDir, folder), path)
    if (!file || !(await sendImmutable(request, reply, file))) notFound(reply)
  }

  function notFound(reply: FastifyReply) {
    reply.headers(forFiles).header('cache-control', 'no-store').code(404)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message: 'Not found' }))
  }

  type Wild = { Params: { '*': string } }
  app.get<Wild>('/assets/*', (request, reply) =>
    sendFile(request, reply, 'shell/assets', request.params['*']),
  )
  app.get<Wild>('/modules/*', (request, reply) => sendFile(request, reply, 'modules', request.params['*']))
  app.get<Wild>('/external/assets/*', (request, reply) =>
    sendFile(request, reply, 'external/assets', request.params['*']),
  )
  serviceWorker(app, distDir, forFiles)
  app.get('/favicon.ico', (_request, reply) => reply.headers(forFiles).redirect('/assets/mark.svg', 302))
  app.get('/modules.json', async (request, reply) => {
    const held = await registry()
    if (!held) return notFound(reply)
    reply.headers({
      ...forFiles,
      'cache-control': 'no-store',
      etag: held.etag,
      'content-type': 'application/json; charset=utf-8',
    })
    if (request.headers['if-none-match'] === held.etag) return reply.code(304).send()
    return sendText(request, reply, held.text)
  })

  for (const { path, page } of publicPages) {
    app.get(path, (request, reply) =>
      sendPage(request, reply, `shell/${page}.${wantedLanguage(request)}.html`),
    )
  }
  app.get('/external/cases/*', (request, reply) => sendPage(request, reply, 'external/index.html'))

  /** Anything else that a person may type is the shell's to judge; files and calls are not. */
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.[a-z0-9]+$/i.test(path)
    if (!isPage || path === apiBase || path.startsWith(`${apiBase}/`)) return notFound(reply)
    return sendPortal(request, reply, path)
  })
}
