import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Registry } from '@portal/sdk/manifest'

/** What a line or a server does to one answer. */
export type Fault = 'hang' | 'refuse' | 'cut' | 'missing' | 'broken' | 'html' | 'tamper' | { delay: number }

/** A file that stands in front of the portal's own, or that it does not have. */
export type ServedFile = { type: string; body: string }

/** What the browser asked for, and how many octets of body it was sent. */
export type Asked = { path: string; octets: number }

const faultyPage = '<!doctype html><title>Sign in to the network</title><p>Welcome to the hotel.</p>'

/** The line between browser and portal: real sockets that a test breaks, file by file. */
export async function startProxy(target: string) {
  const upstream = new URL(target)
  const faults: { path: RegExp; fault: Fault }[] = []
  const files = new Map<string, ServedFile>()
  const hanging = new Set<ServerResponse>()
  const requests: Asked[] = []
  let rewrite: ((registry: Registry) => Registry) | null = null

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    const entry: Asked = { path, octets: 0 }
    requests.push(entry)
    countInto(entry, outgoing)
    const fault = faults.find((each) => each.path.test(path))?.fault
    if (fault && breakAnswer(fault, incoming, outgoing)) return
    setTimeout(() => answer(incoming, outgoing, fault), typeof fault === 'object' ? fault.delay : 0)
  })

  function breakAnswer(fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (fault === 'hang') hanging.add(outgoing)
    else if (fault === 'refuse') incoming.socket.destroy()
    else if (fault === 'missing') outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    else if (fault === 'broken') outgoing.writeHead(503, { 'content-type': 'text/plain' }).end('Busy')
    else if (fault === 'html') outgoing.writeHead(200, { 'content-type': 'text/html' }).end(faultyPage)
    else return false
    return true
  }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse, fault?: Fault) {
    const file = files.get((incoming.url ?? '').split('?')[0] ?? '')
    if (file) return send(outgoing, 200, ownHeaders(file), Buffer.from(file.body), fault)
    const asks = ask(upstream, incoming, (found) => {
      const isPage = String(found.headers['content-type']).startsWith('text/html')
      const isList = (incoming.url ?? '').startsWith('/modules.json')
      if (!fault && !(rewrite && (isPage || isList))) {
        outgoing.writeHead(found.statusCode ?? 502, found.headers)
        return found.pipe(outgoing)
      }
      collect(found, (body) => {
        const text = rewrite && (isPage || isList) ? rewritten(body.toString(), isPage) : body
        send(outgoing, found.statusCode ?? 502, plain(found.headers), Buffer.from(text), fault)
      })
    })
    asks.on('error', () => outgoing.destroy())
    incoming.pipe(asks)
  }

  function rewritten(text: string, isPage: boolean): string {
    const change = (json: string) => JSON.stringify(rewrite?.(JSON.parse(json))).replaceAll('<', '\\u003c')
    if (!isPage) return change(text)
    return text.replace(
      /(<script type="application\/json" id="registry">)(.*?)(<\/script>)/s,
      (_, open: string, json: string, close: string) => open + change(json) + close,
    )
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that was asked for since the last `forget`. */
    asked: requests,
    forget: () => void requests.splice(0),
    break: (path: RegExp, fault: Fault) => void faults.unshift({ path, fault }),
    /** The line is whole again; what hangs goes on hanging, as it does when a packet is lost. */
    mend: () => void faults.splice(0),
    /** Puts files in front of the portal's own. */
    serve(all: Record<string, ServedFile>) {
      for (const [path, file] of Object.entries(all)) files.set(path, file)
    },
    /** Changes the registry in every page and in `/modules.json`: what the shell is told, as a test wants it. */
    tell(change: (registry: Registry) => Registry) {
      rewrite = change
    },
    /** As it was before any test. */
    reset() {
      faults.splice(0)
      for (const each of hanging) each.destroy()
      hanging.clear()
      files.clear()
      rewrite = null
      requests.splice(0)
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type Line = Awaited<ReturnType<typeof startProxy>>

const ownHeaders = ({ type }: ServedFile) => ({
  'content-type': type,
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
})

function ask(
  upstream: URL,
  incoming: IncomingMessage,
  take: (found: IncomingMessage) => void,
): ClientRequest {
  const { hostname, port } = upstream
  const { method, url: path, headers } = incoming
  return request({ hostname, port, method, path, headers: { ...headers, host: upstream.host } }, take)
}

/** The headers of an answer whose body is no longer packed. */
function plain(headers: IncomingMessage['headers']) {
  const { 'content-encoding': _, 'content-length': __, 'transfer-encoding': ___, ...rest } = headers
  return rest
}

function collect(found: IncomingMessage, take: (body: Buffer) => void) {
  const parts: Buffer[] = []
  found.on('data', (part: Buffer) => parts.push(part))
  found.on('end', () => {
    const body = Buffer.concat(parts)
    const encoding = found.headers['content-encoding']
    take(encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body)
  })
}

function send(
  outgoing: ServerResponse,
  status: number,
  headers: NodeJS.Dict<string | string[]>,
  body: Buffer,
  fault?: Fault,
) {
  const sent = fault === 'tamper' ? Buffer.concat([body, Buffer.from(' ')]) : body
  outgoing.writeHead(status, { ...headers, 'content-length': sent.length })
  if (fault !== 'cut') return void outgoing.end(sent)
  outgoing.write(sent.subarray(0, Math.floor(sent.length / 2)), () => outgoing.destroy())
}

/** Bodies only, as they go over the line. */
function countInto(entry: Asked, outgoing: ServerResponse) {
  const { write, end } = outgoing
  const count = (chunk: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) entry.octets += Buffer.byteLength(chunk)
  }
  outgoing.write = ((chunk: unknown, ...rest: unknown[]) => {
    count(chunk)
    return Reflect.apply(write, outgoing, [chunk, ...rest])
  }) as typeof outgoing.write
  outgoing.end = ((chunk: unknown, ...rest: unknown[]) => {
    count(chunk)
    return Reflect.apply(end, outgoing, [chunk, ...rest])
  }) as typeof outgoing.end
}
