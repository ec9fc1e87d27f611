import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerHeader } from '@portal/contracts/backend-answers'
import { passOn } from './alone/pass-on.ts'
import { isOfOwnPage, type OwnServers } from './own-servers/serve.ts'
import { answerFile, type Files } from './page-files.ts'
import { listenTo, type ServedModule } from './served-module.ts'

type Place = {
  /** Whoever knows it may read what is served. */
  key: string
  /** Whether the pages are those of this command. */
  alone: boolean
  portal: string | undefined
}

/** Answers a page, or a frame by the key: what is served, its changes, and calls to servers of the module or to the portal. */
export function respond(
  module: ServedModule,
  { key, alone, portal }: Place,
  request: IncomingMessage,
  reply: ServerResponse,
) {
  const { address, files, own } = module
  const keyed = request.url?.startsWith(`/${key}/`) ?? false
  if (keyed) request.url = request.url?.slice(key.length + 1)
  if (request.url === '/changes') {
    if (!alone && portal) reply.setHeader('access-control-allow-origin', portal)
    return listenTo(module, reply)
  }
  if (own?.has(request)) return answerOwn(request, reply, own, keyed)
  if (alone && portal && request.url?.startsWith('/api/')) return passOn(request, reply, { portal, address })
  return answer(request, reply, { files, portal: keyed ? '*' : alone ? undefined : portal })
}

/** Calls to the module's own servers: from a page of this command, or from one of a portal that knows the key. */
function answerOwn(request: IncomingMessage, reply: ServerResponse, own: OwnServers, keyed: boolean): void {
  if (keyed) {
    reply.setHeader('access-control-allow-origin', '*')
    reply.setHeader('access-control-allow-private-network', 'true')
    reply.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    reply.setHeader('access-control-allow-headers', `accept-language, content-type, ${callerHeader}`)
    if (request.method === 'OPTIONS') return void reply.writeHead(204).end()
  } else if (!isOfOwnPage(request)) {
    return void reply.writeHead(403).end()
  }
  own.answer(request, reply)
}

function answer(
  { method, url }: IncomingMessage,
  reply: ServerResponse,
  { files, portal }: { files: Files; portal: string | undefined },
) {
  if (portal) {
    // Only pages of the portal may fetch scripts and build.json (CORS).
    reply.setHeader('access-control-allow-origin', portal)
    reply.setHeader('access-control-allow-private-network', 'true')
    reply.setHeader('cross-origin-resource-policy', 'cross-origin')
    reply.setHeader('vary', 'origin')
  }
  if (method === 'OPTIONS') {
    reply.setHeader('access-control-allow-methods', 'GET')
    return reply.writeHead(204).end()
  }
  return answerFile(files, url, reply)
}
