import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { moduleHeader } from '@portal/contracts/modules'
import type { Session } from '@portal/contracts/session'
import { givenOf, inlineJson, lettingIn, readGiven } from '@portal/sdk/frame-page'
import type { ModuleBuild, RegistryModule } from '@portal/sdk/manifest'
import { passOn, sessionAt } from '../alone/pass-on.ts'
import type { Answers } from '../harness/fake-portal.ts'
import { contentTypeOf } from '../page-files.ts'
import { stageCalls } from './calls.ts'
import { fileIn, findStage, headersAt, type Stage } from './stage.ts'

/** The module's build: as it was published, or as it is served while somebody works on it. */
export type Served = { record: ModuleBuild; file: (name: string) => Buffer | null | undefined }

export type Behind = { portal: string; signInAt: string }

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
  /** While somebody works on the module: adds something to the pages and answers addresses of its own. */
  tools?: {
    head: string
    answer: (request: IncomingMessage, reply: ServerResponse) => boolean
    /** Where pages hear of changes. */
    changes: string
    /** Where a frame gets the module's files. */
    filesAt: string
  }
}

/** A finished build in a folder. */
export function servedFrom(folder: string): Served {
  const record = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as ModuleBuild
  return { record, file: (name) => (name.endsWith('.map') ? null : fileIn(folder, name)) }
}

const nobody: Session = {
  ...{ user: null, permissions: [], locale: 'en' },
  settings: { demo: true, four_eyes: true },
}

type More = { isolated?: string; changes?: string; base?: string; integrity?: string }

/** What of a build's record the registry of a page has. */
function entryOf({ record, file }: Served, more: More = {}): RegistryModule & More {
  const { entry: _, files: __, preloads: ___, shared: ____, words: _____, sources: ______, ...rest } = record
  const integrity = hashOf('sha384', String(file('build.json')))
  return { ...rest, integrity, previous: null, disabled: false, withheld: null, signature: null, ...more }
}

/**
 * Starts a portal with one module: the pages, frames and headers of the real one, at `localhost`, with the frames of
 * isolated modules at `127.0.0.1`. Its calls are answered by this process.
 */
export async function startPortal(options: Options) {
  const { dir, module, isTrusted, answers = {}, signedIn = nobody, tools, behind } = options
  const stage = findStage(dir)
  const { record: first } = module()
  const { answer, records, calls } = stageCalls({ manifest: first, answers })
  const sessions = new Map<string, Session>()
  const server = createServer((request, reply) => {
    serve(request, reply).catch((fault: Error) => reply.writeHead(500).end(String(fault.stack)))
  })
  await listenAt(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  const at = { portal: `http://localhost:${port}`, frames: `http://127.0.0.1:${port}` }

  /** What changes while the page is open has no hash. */
  const developed: More = tools ? { changes: tools.changes, integrity: '' } : {}

  async function serve(request: IncomingMessage, reply: ServerResponse) {
    const address = new URL(request.url ?? '/', at.portal)
    const isFrames = request.headers.host === new URL(at.frames).host
    if (tools?.answer(request, reply)) return
    if (address.pathname.startsWith('/api/')) {
      if (isFrames) return missing(reply)
      return behind
        ? passOn(request, reply, { portal: behind.portal, address: at.portal })
        : serveCall(request, reply)
    }
    const file = fileAt(stage, module(), address.pathname)
    if (file) {
      const { headers } = stage
      const own = address.pathname.startsWith('/modules/') ? headers.moduleFile : headers.file
      return send(reply, file, contentTypeOf(address.pathname), {
        ...own,
        ...(isFrames && headers.framesFile),
      })
    }
    if (/\.\w+$/.test(address.pathname)) return missing(reply)
    return isFrames ? sendFrame(address, reply) : sendPage(address, request, reply)
  }

  async function sendPage(address: URL, request: IncomingMessage, reply: ServerResponse) {
    const person = behind ? await sessionAt(request, behind.portal) : sessionOf(request)
    if (behind && !person.user) return reply.writeHead(302, { location: behind.signInAt }).end()
    const locale = cookieOf(request, 'portal_locale') === 'fr' ? 'fr' : 'en'
    const { record } = module()
    const trusted = isTrusted(request)
    const own = entryOf(module(), { ...developed, ...(!trusted && { isolated: at.frames }) })
    const modules = [...stage.modules, own]
    const inline = inlined('registry', { generation: 1, shell: null, modules })
    const session = inlined('session', person)
    const isFramed = !trusted && record.routes.some((route) => address.pathname.startsWith(route))
    const head = earlyOf(stage, locale, address.pathname, isFramed ? 'framed' : '*')
    const html = pageOf(stage, `portal.${locale}`, inline + session, head + (tools?.head ?? ''))
    send(reply, html, 'text/html; charset=utf-8', headersAt(stage.headers.page, at))
  }

  async function sendFrame({ pathname, searchParams }: URL, reply: ServerResponse) {
    const { record, file } = module()
    if (pathname !== `/frame/${record.name}/${record.build}`) return missing(reply)
    const locale = searchParams.get('lang') === 'fr' ? 'fr' : 'en'
    const entry = entryOf(module(), tools && { ...developed, base: tools.filesAt })
    const inline = inlined('registry', { generation: 0, shell: null, modules: [entry] })
    const built = readGiven(pageOf(stage, `isolated.${locale}`, inline, ''))
    const textOf = async (name: string) => file(name)?.toString() ?? null
    // What changes comes from where it is served, and not from the portal's page.
    const given = { ...built.given, ...(!tools && (await givenOf(record, textOf, sha256))) }
    const { name, build, images = [] } = record
    const headers = tools ? stage.headers.developedFrame : stage.headers.frame
    const own = headersAt(headers, { ...at, name, build, images, filesAt: tools?.filesAt })
    const policy = lettingIn(own['content-security-policy'] ?? '', given)
    send(reply, built.withList(Object.keys(given)), 'text/html; charset=utf-8', {
      ...own,
      'content-security-policy': policy,
    })
  }

  function sessionOf(request: IncomingMessage): Session {
    const session = sessions.get(cookieOf(request, 'portal_session') ?? '') ?? signedIn
    // The language that was chosen last; the real portal keeps it with the person.
    const chosen = cookieOf(request, 'portal_locale')
    return chosen === 'en' || chosen === 'fr' ? { ...session, locale: chosen } : session
  }

  async function serveCall(request: IncomingMessage, reply: ServerResponse) {
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

  return {
    ...at,
    ...{ record: first, records, calls },
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

/** A port that somebody else has is no reason to stop: any other will do. */
function listenAt(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault: NodeJS.ErrnoException) =>
      fault.code === 'EADDRINUSE' ? server.listen(0, '127.0.0.1') : reject(fault),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

function fileAt(stage: Stage, { record, file }: Served, path: string): Buffer | null | undefined {
  const own = `/modules/${record.name}/`
  // A page that is open may still load a file of the build before.
  if (path.startsWith(own)) return file(path.slice(own.length).replace(/^\w+\//, ''))
  if (path.startsWith('/assets/')) return fileIn(join(stage.folder, 'shell'), path)
  return path.startsWith('/modules/') ? fileIn(stage.folder, path) : null
}

const hashOf = (kind: 'sha256' | 'sha384', text: string) =>
  `${kind}-${createHash(kind).update(text).digest('base64')}`
const sha256 = (text: string) => hashOf('sha256', text)

const inlined = (id: string, value: unknown) => inlineJson(id, JSON.stringify(value))

const pageOf = ({ folder }: Stage, name: string, inline: string, head: string) =>
  String(fileIn(join(folder, 'shell'), `${name}.html`))
    .replace('__INLINE__', () => inline)
    .replace('</head>', () => `${head}</head>`)

/** What the gateway names in the head of a page. */
function earlyOf({ folder }: Stage, locale: string, path: string, otherwise: string): string {
  const early = JSON.parse(String(fileIn(join(folder, 'shell'), 'early.json')))[locale]
  return early[path] ?? early[otherwise] ?? ''
}

/** The value of a cookie. */
export const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]

const missing = (reply: ServerResponse) =>
  void reply.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found"}')

function send(
  reply: ServerResponse,
  content: string | Buffer,
  type: string,
  headers: Record<string, string>,
) {
  reply.writeHead(200, { ...headers, 'content-type': type }).end(content)
}
