import type { IncomingMessage, ServerResponse } from 'node:http'
import { Objects } from './objects.ts'
import { type Account, bodyFits, signatureFault } from './signature.ts'
import type { Stored } from './stored.ts'

/** How the store misbehaves. */
export type Switches = {
  cut: { method: 'PUT' | 'GET'; after: number } | null
  damage: boolean
  full: boolean
  silent: boolean
  refuse: string | null
  min_part: number
}

const statuses: Record<string, number> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  MethodNotAllowed: 405,
  SlowDown: 503,
  InternalError: 500,
}
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const plain = (xml: string) =>
  xml.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** One request, once its signature fits and its body is read. */
type Call = {
  request: IncomingMessage
  reply: ServerResponse
  bucket: string
  key: string
  query: URLSearchParams
  body: Buffer
}

/** Serves the S3 dialect that the README lists. */
export function serveObjects(account: Account, names: readonly string[], folder?: string) {
  const objects = new Objects(names, folder)
  const switches: Switches = {
    cut: null,
    damage: false,
    full: false,
    silent: false,
    refuse: null,
    min_part: 5 * 1024 * 1024,
  }

  const fail = ({ request, reply }: Pick<Call, 'request' | 'reply'>, code: string) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`
    reply.writeHead(statuses[code] ?? 400, { 'content-type': 'application/xml' })
    reply.end(request.method === 'HEAD' ? undefined : text)
  }
  const xml = (reply: ServerResponse, root: string, content: string) =>
    reply
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`)

  function send(call: Call, stored: Stored) {
    const { reply } = call
    const content = switches.damage ? damaged(stored.content) : stored.content
    reply.writeHead(200, {
      'content-length': content.length,
      etag: stored.etag,
      'last-modified': stored.at.toUTCString(),
      ...stored.meta,
    })
    if (call.request.method === 'HEAD') return reply.end()
    if (switches.cut?.method !== 'GET') return reply.end(content)
    return reply.write(content.subarray(0, switches.cut.after), () => reply.destroy())
  }

  function list({ reply, bucket, query }: Call) {
    const all = objects.buckets.get(bucket) ?? new Map<string, Stored>()
    const after = query.get('continuation-token') ?? ''
    const size = Number(query.get('max-keys') ?? 1000)
    const keys = [...all.keys()]
      .sort()
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = keys.slice(0, size).map((key) => {
      const stored = all.get(key) as Stored
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${stored.at.toISOString()}</LastModified><Size>${stored.content.length}</Size></Contents>`
    })
    const next =
      keys.length > size
        ? `<NextContinuationToken>${escaped(keys[size - 1] ?? '')}</NextContinuationToken>`
        : ''
    return xml(
      reply,
      'ListBucketResult',
      `<IsTruncated>${keys.length > size}</IsTruncated>${page.join('')}${next}`,
    )
  }

  function ofBucket(call: Call) {
    const { request, reply, query } = call
    if (request.method === 'GET' && query.get('list-type') === '2') return list(call)
    if (request.method === 'GET' && query.has('uploads')) {
      const open = [...objects.uploads].filter(([, upload]) => upload.bucket === call.bucket)
      const lines = open.map(
        ([id, { key, at }]) =>
          `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
      )
      return xml(reply, 'ListMultipartUploadsResult', lines.join(''))
    }
    return fail(call, 'MethodNotAllowed')
  }

  function ofUpload(call: Call, id: string) {
    const { request, reply, query, body } = call
    if (request.method === 'PUT') {
      const etag = objects.part(id, Number(query.get('partNumber')), body)
      return etag ? reply.writeHead(200, { etag }).end() : fail(call, 'NoSuchUpload')
    }
    if (request.method === 'DELETE')
      return objects.uploads.delete(id) ? reply.writeHead(204).end() : fail(call, 'NoSuchUpload')
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: plain(/<ETag>([^<]*)</.exec(part)?.[1] ?? ''),
    }))
    const made = objects.complete(id, named, switches.min_part)
    return typeof made === 'string'
      ? fail(call, made)
      : xml(reply, 'CompleteMultipartUploadResult', `<ETag>${escaped(made.etag)}</ETag>`)
  }

  function ofObject(call: Call) {
    const { request, reply, bucket, key, query, body } = call
    const all = objects.buckets.get(bucket) as Map<string, Stored>
    const upload = query.get('uploadId')
    if (upload) return ofUpload(call, upload)
    if (request.method === 'POST' && query.has('uploads')) {
      const id = objects.begin(bucket, key, metaOf(request))
      return xml(reply, 'InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`)
    }
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && all.has(key)) return fail(call, 'PreconditionFailed')
      const from = String(request.headers['x-amz-copy-source'] ?? '')
      const source = from && all.get(decodeURIComponent(from).slice(`/${bucket}/`.length))
      if (from && !source) return fail(call, 'NoSuchKey')
      const { etag } = objects.put(bucket, key, source ? source.content : body, metaOf(request))
      return reply.writeHead(200, { etag }).end()
    }
    if (request.method === 'DELETE') {
      all.delete(key)
      return reply.writeHead(204).end()
    }
    const stored = all.get(key)
    return stored ? send(call, stored) : fail(call, 'NoSuchKey')
  }

  /** The unsigned paths by which a test steers the store and looks into it. */
  async function steer(request: IncomingMessage, reply: ServerResponse, url: URL) {
    const answer = (content: unknown) => reply.writeHead(200).end(JSON.stringify(content))
    if (url.pathname === '/-/settings') {
      const { body } = await bodyOf(request, Number.POSITIVE_INFINITY)
      return answer(Object.assign(switches, JSON.parse(body.toString())))
    }
    if (request.method === 'DELETE') {
      for (const all of objects.buckets.values()) all.delete(url.searchParams.get('key') ?? '')
      return answer({})
    }
    const stored = [...objects.buckets].flatMap(([bucket, all]) =>
      [...all].map(([key, { content }]) => ({ bucket, key, size: content.length })),
    )
    return answer({ objects: stored, uploads: [...objects.uploads.values()].map(({ key }) => key) })
  }

  return async (request: IncomingMessage, reply: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://store')
    if (url.pathname.startsWith('/-/')) return steer(request, reply, url)
    if (switches.silent) return undefined
    const { cut } = switches
    const limit = cut?.method === 'PUT' && request.method === 'PUT' ? cut.after : Number.POSITIVE_INFINITY
    const fault = signatureFault(request, account)
    const { body, whole } = await bodyOf(request, limit)
    if (!whole) return request.socket.destroy()
    const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const call: Call = { request, reply, bucket, key: rest.join('/'), query: url.searchParams, body }
    if (fault ?? switches.refuse) return fail(call, fault ?? switches.refuse ?? '')
    if (!bodyFits(request, body)) return fail(call, 'XAmzContentSHA256Mismatch')
    if (!objects.buckets.has(bucket)) return fail(call, 'NoSuchBucket')
    if (switches.full && (request.method === 'PUT' || request.method === 'POST'))
      return fail(call, 'QuotaExceeded')
    return call.key ? ofObject(call) : ofBucket(call)
  }
}

/** Reads a body of at most so many bytes. It is not whole if there are more. */
async function bodyOf(request: IncomingMessage, limit: number): Promise<{ body: Buffer; whole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > limit) return { body: Buffer.alloc(0), whole: false }
    chunks.push(chunk as Buffer)
  }
  return { body: Buffer.concat(chunks), whole: true }
}

const metaOf = (request: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(request.headers)
      .filter(([name]) => name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, String(value)]),
  )

function damaged(content: Buffer): Buffer {
  const copy = Buffer.from(content)
  const middle = copy.length >> 1
  if (copy.length > 0) copy[middle] = (copy[middle] ?? 0) ^ 1
  return copy
}
