import { inlineJson } from '@portal/sdk/frame-page'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveAway } from './away.ts'
import { type GatewayContext, visitorOf } from './context.ts'
import { framePage } from './frame.ts'
import { pageHeaders } from './headers.ts'
import { notFound } from './not-found.ts'
import { overridden, overrideOf, serveOverride } from './override.ts'
import { forDevelopment, sendText, wantedLanguage, withTheme } from './pages.ts'
import { pagePreloads } from './preloads.ts'

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

const nothing = {
  registry: { generation: 0, shell: null, modules: [] },
  text: '{"generation":0,"shell":null,"modules":[]}',
}

/** Serves the pages: public ones, frames of isolated modules, the consultant's, and the shell at every other address. */
export function servePages(app: FastifyInstance, context: GatewayContext, apiBase: string): void {
  const { frames, builds, live, read, developed, modulesAt } = context
  const preloads = pagePreloads(read, builds)
  if (frames) {
    const sendFrame = framePage({ ...context, frames })
    app.get('/frame/:name/:build', async (request, reply) => {
      return (await sendFrame(request, reply)) ? reply : notFound(reply)
    })
  }
  serveOverride(app, { allowed: developed, modulesAt }, async (name) =>
    (await live())?.forVisitor(null).registry.modules.find((module) => module.name === name),
  )
  for (const { path, page } of publicPages) {
    app.get(path, (request, reply) =>
      sendPage(context, request, reply, `shell/${page}.${wantedLanguage(request)}.html`),
    )
  }
  app.get('/external/cases/*', (request, reply) => sendPage(context, request, reply, 'external/index.html'))
  // Every other page address gets the shell, which shows "not found". Addresses of files and calls get a 404.
  app.setNotFoundHandler((request, reply) =>
    isPage(request, apiBase) ? sendPortal(context, request, reply, preloads) : notFound(reply),
  )
  serveAway(
    app,
    (request) => isPage(request, apiBase),
    (request, reply, name) => sendPage(context, request, reply, name),
  )
}

function isPage(request: FastifyRequest, apiBase: string): boolean {
  const path = pathOf(request)
  const isCall = path === apiBase || path.startsWith(`${apiBase}/`)
  const isRead = ['GET', 'HEAD'].includes(request.method)
  return isRead && !isCall && !machinePath.test(path) && !/\.[a-z0-9]+$/i.test(path)
}

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''

/** Sends the shell with what this person may see. */
async function sendPortal(
  context: GatewayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  preloads: ReturnType<typeof pagePreloads>,
) {
  const locale = wantedLanguage(request)
  const session = await context.session?.(request, reply)
  const override = overrideOf(request, context.developed)
  const current = (await context.live())?.forVisitor(visitorOf(session)) ?? nothing
  const { registry, text } = override
    ? overridden(current.registry, current.text, override, context.modulesAt)
    : current
  const parts = [inlineJson('registry', text)]
  if (session) parts.push(inlineJson('session', JSON.stringify(session)))
  const head = await preloads(pathOf(request), locale, registry)
  const filling = { inline: parts.join(''), head, ...(override && { scriptsFrom: override.origin }) }
  await sendPage(context, request, reply, `shell/portal.${locale}.html`, filling)
}

/** What is put into a page for one request. `scriptsFrom` is the origin of a developer's machine. */
type Filling = { inline?: string; head?: string; scriptsFrom?: string }

async function sendPage(
  context: GatewayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { inline = '', head = '', scriptsFrom }: Filling = {},
): Promise<void> {
  const page = await context.read(name)
  if (!page || context.frames?.has(request)) return void notFound(reply)
  reply.headers(scriptsFrom ? pageHeaders({ ...context.headers, scriptsFrom }) : context.pageHeaders)
  // The address contains a secret token, so no referrer is sent.
  const isSecret = name.startsWith('external/') || name.startsWith('shell/reset')
  if (isSecret) reply.header('referrer-policy', 'no-referrer')
  const filled = page.text.replace('__INLINE__', () => inline).replace('</head>', () => `${head}</head>`)
  const isDeveloped = context.headers.dev || scriptsFrom
  const html = withTheme(isDeveloped ? forDevelopment(filled) : filled, request)
  await sendText(request, reply, context.finish(html))
}
