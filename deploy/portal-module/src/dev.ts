import { randomBytes } from 'node:crypto'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Developed, developModule } from '@portal/build/develop-module'
import { filesBelow } from '@portal/build/files'
import { readManifest } from '@portal/build/registry'
import { callerHeader } from '@portal/contracts/backend-answers'
import { compileWords } from '@portal/i18n/module-catalogs'
import type { Served } from '@portal/sdk/development'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { passOn } from './alone/pass-on.ts'
import { listen } from './listen.ts'
import type { OwnAddresses } from './own-servers/addresses.ts'
import { isOfOwnPage, type OwnServers, ownServers } from './own-servers/serve.ts'
import { answerFile, type Files, pageFiles } from './page-files.ts'
import { messageOf, Refusal } from './refusal.ts'

type Options = {
  dir: string
  port: number
  /** Runs the module in a page of this command instead of the portal's pages. */
  alone: boolean
  /** The portal whose pages load the module from here; with `alone`, the one that answers its calls (default: a fake one). */
  portal?: string
  /** Where servers of the module are on this machine. */
  backends?: OwnAddresses
  say: (line: string) => void
}

const ignored =
  /(^|[/\\])(node_modules|dist|vendor)([/\\]|$)|[/\\]locales[/\\][^/\\]+\.ts$|(^|[/\\])\.|\.tmp$|~$/

/** Serves a module during development. Open pages take each change in place. */
export async function serveModule(options: Options): Promise<() => Promise<void>> {
  const { dir, port, alone, portal, backends = new Map(), say } = options
  const files: Files = new Map()
  let record: ModuleBuild | undefined
  let own: OwnServers | undefined
  const served: Served = { build: '', hash: '', sheets: [], fault: null }
  const address = `http://localhost:${port}`
  // A frame of an isolated module has no origin that could be allowed. Whoever knows the key may read what is served.
  const key = randomBytes(16).toString('hex')
  /** Open pages, which hear of each change. */
  const pages = new Set<ServerResponse>()

  const tell = (page: ServerResponse) => page.write(`event: served\ndata: ${JSON.stringify(served)}\n\n`)

  /** Tells a page what is served now, and after each change. A page that was cut off asks again by itself. */
  function listenTo(reply: ServerResponse) {
    if (!alone && portal) reply.setHeader('access-control-allow-origin', portal)
    reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    tell(reply)
    pages.add(reply)
    reply.on('close', () => pages.delete(reply))
  }

  function fail(fault: string) {
    if (served.fault === fault) return
    served.fault = fault
    if (served.hash) say(`${fault}\nWhat was there before is still served.`)
    for (const page of pages) tell(page)
  }

  async function take(built: Developed, ms: number) {
    // Source maps too, which build.json does not list: a browser fetches them for its tools only.
    for (const file of filesBelow(built.folder))
      if (!(isOfChange(file) && files.has(`/${file}`)))
        files.set(`/${file}`, await readFile(join(built.folder, file)))
    const { hash } = built
    record = built.record
    own ??= await ownServers({ record: () => record as ModuleBuild, named: backends, address })
    const described = { ...record, base: `${address}/`, own_servers: own.names() }
    files.set('/build.json', Buffer.from(JSON.stringify(described)))
    if (served.hash === hash && !served.fault) return
    const sheets = Object.keys(record.files).filter((file) => file.endsWith('.css'))
    Object.assign(served, { build: record.build, hash, sheets, fault: null })
    for (const page of pages) tell(page)
    say(`${record.name} ${record.version}, after ${(ms / 1000).toFixed(2)} s.`)
  }

  const develop = () => developModule(dir, { place: String(port), onBuilt: take, onFault: fail })
  let developed = await develop()
  if (!served.hash) {
    await developed.close()
    throw new Refusal(served.fault ?? 'Nothing is built.')
  }
  if (alone) {
    for (const [path, content] of await pageFiles('alone', dir)) files.set(path, content)
    files.set('/alone.json', Buffer.from(JSON.stringify({ portal: portal ?? null })))
  }

  const server = createServer((request, reply) => {
    const keyed = request.url?.startsWith(`/${key}/`)
    if (keyed) request.url = request.url?.slice(key.length + 1)
    if (request.url === '/changes') return listenTo(reply)
    if (own?.has(request)) return answerOwn(request, reply, own, keyed ?? false)
    if (alone && portal && request.url?.startsWith('/api/'))
      return passOn(request, reply, { portal, address })
    return answer(request, reply, { files, portal: keyed ? '*' : alone ? undefined : portal })
  })
  await listen(server, port)

  const now = () => {
    if (!record) throw new Error('Nothing is built yet.')
    return { record, file: (name: string) => files.get(`/${name}`) }
  }
  const behind = portal ? { portal, signInAt: `${address}/` } : undefined
  const stage = alone
    ? await stageIfThere({
        dir,
        module: now,
        port: port + 1,
        listenTo,
        behind,
        own,
        filesAt: `${address}/${key}/`,
      })
    : null

  /** New words are compiled for the bundler. Another manifest makes another module, which pages load by themselves. */
  async function follow(isOther: boolean) {
    if (!isOther) {
      // A file that cannot be read the bundler names itself.
      const faults = await compileWords(dir).catch(() => [])
      if (faults.length) fail(faults.join('\n'))
      return
    }
    await readManifest(dir)
    await developed.close()
    developed = await develop()
  }
  const stop = watchFolder(dir, (isOther) => follow(isOther).catch((fault) => fail(messageOf(fault))))
  say(
    alone
      ? `Alone, with ${portal ?? 'a made-up portal'} behind it: ${address}/`
      : whereToLook({ port, key }, portal, record),
  )
  if (stage)
    say(
      `In the portal’s own pages, isolated or trusted by a switch: ${stage.portal}${record?.routes[0] ?? '/home'}`,
    )
  return async () => {
    stop()
    await developed.close()
    await stage?.end()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** The portal's pages around the module, where the package with them is installed. */
async function stageIfThere(
  options: Parameters<typeof import('./browser/develop.ts')['startDevelopment']>[0],
) {
  const { startDevelopment } = await import('./browser/develop.ts')
  return startDevelopment(options).catch((fault: unknown) => {
    if (fault instanceof Refusal) return null
    throw fault
  })
}

function whereToLook(
  { port, key }: { port: number; key: string },
  portal: string | undefined,
  record: ModuleBuild | undefined,
): string {
  const to = record?.routes[0] ?? '/home'
  return [
    'Open this in the browser in which you are signed in; it counts for that browser only, for eight hours:',
    `  ${portal}/dev/override?module=${record?.name}&port=${port}&to=${to}&key=${key}&kind=isolated`,
    'It runs isolated, in a frame; a switch above the page runs it in the page. A portal without a second address needs kind=trusted.',
    `Back to what everybody sees: ${portal}/dev/override/reset`,
  ].join('\n')
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

/** What an open page takes of one change. It never changes itself. */
const isOfChange = (file: string) => file.includes('.hot-update.')

/**
 * Watches the sources and calls `act` after changes, debounced, with whether the manifest is among them. Calls never
 * overlap.
 */
function watchFolder(dir: string, act: (isOther: boolean) => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let isOther = false
  const begin = async () => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      const other = isOther
      isOther = false
      await act(other)
    } while (again)
    running = false
  }
  const watchers = ['src', 'portal.module.json', 'package.json'].map((name) =>
    watch(join(dir, name), { recursive: name === 'src' }, (_event, file) => {
      if (ignored.test(`${name}/${file ?? ''}`)) return
      isOther ||= name !== 'src'
      clearTimeout(timer)
      timer = setTimeout(() => void begin(), 120)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
