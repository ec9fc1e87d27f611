import { join } from 'node:path'
import { moduleFor, preloadsFor, type Registry, type RegistryModule } from '@portal/sdk/manifest'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { devReload } from './dev-reload.ts'
import { inside, sendImmutable } from './files.ts'
import { fileHeaders, pageHeaders } from './headers.ts'
import { inlineJson, pageReader, sendText, wantedLanguage, watchedFile, withTheme } from './pages.ts'

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

const publicPages: { path: string; page: string }[] = [
  { path: '/', page: 'landing' },
  { path: '/login', page: 'login' },
  { path: '/password/forgot', page: 'forgot' },
  { path: '/password/reset/:token', page: 'reset' },
]

function modulePreloads(module: RegistryModule, path: string, locale: string): string {
  return preloadsFor(module, path, locale)
    .filter((file) => module.files[file])
    .map(
      (file) =>
        `<link rel="preload" as="script" href="${module.base}${file}" integrity="${module.files[file]}" crossorigin="anonymous">`,
    )
    .join('')
}

/** Serves shell, modules, registry and the consultant's page; registered by the api process, or run on its own. */
export async function gateway(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  const { distDir, apiBase } = options
  const dev = options.dev ?? false
  const headers = { publicUrl: options.publicUrl, frameSrc: options.frameSrc, dev }
  const forPages = pageHeaders(headers)
  const forFiles = fileHeaders(headers)
  const registry = watchedFile(join(distDir, 'modules.json'))
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

  /** What the page at this address will ask for next: fetched beside the shell, not after it. */
  async function early(path: string, locale: 'en' | 'fr', modules: Registry | null) {
    const held = await read('shell/early.json')
    const shell: { module?: string; home?: string } = held ? JSON.parse(held.text) : {}
    if (path === '/home') return shell.home ?? ''
    const module = modules && moduleFor(modules, path)
    if (!module) return ''
    return (shell.module ?? '') + modulePreloads(module, path, locale)
  }

  async function sendPortal(request: FastifyRequest, reply: FastifyReply, path: string) {
    const held = await registry()
    const locale = wantedLanguage(request)
    const parts = [inlineJson('registry', held?.text ?? '{"generation":0,"shell":null,"modules":[]}')]
    if (options.session)
      parts.push(inlineJson('session', JSON.stringify(await options.session(request, reply))))
    const head = await early(path, locale, held && JSON.parse(held.text))
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
