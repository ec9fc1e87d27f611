import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { moduleHeader } from '@portal/contracts/modules'
import type { Session } from '@portal/contracts/session'
import { passOn } from '../alone/pass-on.ts'
import type { Answers } from '../harness/fake-portal.ts'
import { contentTypeOf } from '../page-files.ts'
import { cookieOf, missing, send } from './answers.ts'
import { stageCalls } from './calls.ts'
import { type Behind, sendFrame, sendPage, type TestPortal, type Tools } from './pages.ts'
import type { Served } from './served.ts'
import { fileIn, findStage, type Stage } from './stage.ts'

type Options = {
  /** The module's folder. */
  dir: string
  module: () => Served
  /** Whether it runs in the portal's page instead of a frame. */
  isTrusted: (request: IncomingMessage) => boolean
  answers?: Answers
  /** Who is signed in without a session; nobody by default. */
  signedIn?: Session
  port?: number
  /** A real portal that answers the calls, and where people sign in to it. */
  behind?: Behind | undefined
  tools?: Tools
}

type Answer = ReturnType<typeof stageCalls>['answer']

const nobody: Session = {
  ...{ user: null, permissions: [], locale: 'en' },
  settings: { demo: true, four_eyes: true },
}

/**
 * Starts a portal with one module: the pages, frames and headers of the real one, at `localhost`, with the frames of
 * isolated modules at `127.0.0.1`. Its calls are answered by this process.
 */
export async function startPortal(options: Options) {
  const { dir, module, isTrusted, answers = {}, signedIn = nobody, tools, behind } = options
  const stage = findStage(dir)
  const { record } = module()
  const { answer, records, calls } = stageCalls({ manifest: record, answers })
  const sessions = new Map<string, Session>()
  const sessionOf = (request: IncomingMessage) =>
    inChosenLanguage(sessions.get(cookieOf(request, 'portal_session') ?? '') ?? signedIn, request)
  const server = createServer((request, reply) => {
    serve(testPortal, answer, request, reply).catch((fault: Error) =>
      reply.writeHead(500).end(String(fault.stack)),
    )
  })
  await listenAt(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  const at = { portal: `http://localhost:${port}`, frames: `http://127.0.0.1:${port}` }
  const testPortal: TestPortal = { stage, at, module, isTrusted, sessionOf, behind, tools }
  return {
    ...at,
    ...{ record, records, calls },
    /** Signs somebody in: the value of her session cookie. */
    signIn(session: Session): string {
      const token = `person-${sessions.size + 1}`
      sessions.set(token, session)
      return token
    },
    async end() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The language that was chosen last; the real portal keeps it with the person. */
function inChosenLanguage(session: Session, request: IncomingMessage): Session {
  const chosen = cookieOf(request, 'portal_locale')
  return chosen === 'en' || chosen === 'fr' ? { ...session, locale: chosen } : session
}

/** A port that somebody else has is no reason to stop: any other will do. */
function listenAt(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault: NodeJS.ErrnoException) =>
      fault.code === 'EADDRINUSE' ? server.listen(0, '127.0.0.1') : reject(fault),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function serve(
  testPortal: TestPortal,
  answer: Answer,
  request: IncomingMessage,
  reply: ServerResponse,
) {
  const { stage, at, behind, tools } = testPortal
  const address = new URL(request.url ?? '/', at.portal)
  const isFrames = request.headers.host === new URL(at.frames).host
  if (tools?.answer(request, reply)) return
  if (address.pathname.startsWith('/api/')) {
    if (isFrames) return missing(reply)
    return behind
      ? passOn(request, reply, { portal: behind.portal, address: at.portal })
      : serveCall(testPortal, answer, request, reply)
  }
  const file = fileAt(stage, testPortal.module(), address.pathname)
  if (file) {
    const { headers } = stage
    const own = address.pathname.startsWith('/modules/') ? headers.moduleFile : headers.file
    return send(reply, file, contentTypeOf(address.pathname), {
      ...own,
      ...(isFrames && headers.framesFile),
    })
  }
  if (/\.\w+$/.test(address.pathname)) return missing(reply)
  return isFrames ? sendFrame(testPortal, address, reply) : sendPage(testPortal, address, request, reply)
}

async function serveCall(
  { at, sessionOf }: TestPortal,
  answer: Answer,
  request: IncomingMessage,
  reply: ServerResponse,
) {
  const { pathname, searchParams } = new URL(request.url ?? '/', at.portal)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const isJson = request.headers['content-type']?.startsWith('application/json')
  const call = {
    method: request.method ?? 'GET',
    path: pathname.replace('/api', ''),
    query: Object.fromEntries(searchParams),
    body: isJson ? JSON.parse(Buffer.concat(chunks).toString()) : null,
    isolated: request.headers[moduleHeader.toLowerCase()] !== undefined,
  }
  const { status = 200, type, body } = await answer(call, sessionOf(request))
  reply
    .writeHead(status, { 'content-type': type ?? 'application/json' })
    .end(type ? String(body) : JSON.stringify(body))
}

function fileAt(stage: Stage, { record, file }: Served, path: string): Buffer | null | undefined {
  const own = `/modules/${record.name}/`
  // A page that is open may still load a file of the build before.
  if (path.startsWith(own)) return file(path.slice(own.length).replace(/^\w+\//, ''))
  if (path.startsWith('/assets/')) return fileIn(join(stage.folder, 'shell'), path)
  return path.startsWith('/modules/') ? fileIn(stage.folder, path) : null
}
