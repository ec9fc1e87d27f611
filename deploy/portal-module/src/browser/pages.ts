import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Session } from '@portal/contracts/session'
import { givenOf, inlineJson, lettingIn, readGiven } from '@portal/sdk/frame-page'
import { sessionAt } from '../alone/pass-on.ts'
import { cookieOf, missing, send } from './answers.ts'
import { entryOf, hashOf, type Own, type Served } from './served.ts'
import { fileIn, headersAt, type Stage } from './stage.ts'

/** A real portal that answers the calls, and the address where people sign in to it. */
export type Behind = { portal: string; signInAt: string }

/** Additions while somebody develops the module: `head` goes into pages, and `answer` handles addresses of its own (true if it did). */
export type Tools = {
  head: string
  answer: (request: IncomingMessage, reply: ServerResponse) => boolean
  /** Where pages hear of changes. */
  changes: string
  /** Where a frame gets the module's files. */
  filesAt: string
}

/** A running test portal: its files, addresses and module, and who is signed in. */
export type TestPortal = {
  stage: Stage
  /** The origins of pages and of frames. */
  at: { portal: string; frames: string }
  module: () => Served
  isTrusted: (request: IncomingMessage) => boolean
  /** Who is signed in at the test portal. */
  sessionOf: (request: IncomingMessage) => Session
  /** Set if a real portal answers the calls. */
  behind: Behind | undefined
  tools: Tools | undefined
}

/** A page of the portal around the module. */
export async function sendPage(
  testPortal: TestPortal,
  address: URL,
  request: IncomingMessage,
  reply: ServerResponse,
) {
  const { stage, at, module, behind, tools } = testPortal
  const person = behind ? await sessionAt(request, behind.portal) : testPortal.sessionOf(request)
  if (behind && !person.user) return reply.writeHead(302, { location: behind.signInAt }).end()
  const locale = cookieOf(request, 'portal_locale') === 'fr' ? 'fr' : 'en'
  const { record } = module()
  const trusted = testPortal.isTrusted(request)
  const own = entryOf(module(), { ...developedBy(tools), ...(!trusted && { isolated: at.frames }) })
  const modules = [...stage.modules, own]
  const inline = inlined('registry', { generation: 1, shell: null, modules })
  const session = inlined('session', person)
  const isFramed = !trusted && record.routes.some((route) => address.pathname.startsWith(route))
  const head = earlyOf(stage, locale, address.pathname, isFramed ? 'framed' : '*')
  const html = pageOf(stage, `portal.${locale}`, inline + session, head + (tools?.head ?? ''))
  send(reply, html, 'text/html; charset=utf-8', headersAt(stage.headers.page, at))
}

/** The frame of the module, if it is isolated. */
export async function sendFrame(
  testPortal: TestPortal,
  { pathname, searchParams }: URL,
  reply: ServerResponse,
) {
  const { stage, at, module, tools } = testPortal
  const { record, file } = module()
  if (pathname !== `/frame/${record.name}/${record.build}`) return missing(reply)
  const locale = searchParams.get('lang') === 'fr' ? 'fr' : 'en'
  const entry = entryOf(module(), tools && { ...developedBy(tools), base: tools.filesAt })
  const inline = inlined('registry', { generation: 0, shell: null, modules: [entry] })
  const built = readGiven(pageOf(stage, `isolated.${locale}`, inline, ''))
  const textOf = async (name: string) => file(name)?.toString() ?? null
  const sha256 = (text: string) => hashOf('sha256', text)
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

/** What changes while the page is open has no hash. */
const developedBy = (tools: Tools | undefined): Own =>
  tools ? { changes: tools.changes, integrity: '' } : {}

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
