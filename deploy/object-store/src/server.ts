import type { IncomingMessage, ServerResponse } from 'node:http'
import { escaped, fail, plain, sendXml } from './answers.ts'
import { bodyOf } from './body.ts'
import { Objects } from './objects.ts'
import { type Account, bodyFits, signatureFault } from './signature.ts'
import { type Switches, steer } from './steer.ts'
import type { Stored } from './stored.ts'

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
  return async (request: IncomingMessage, reply: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://store')
    if (url.pathname.startsWith('/-/')) return steer({ objects, switches }, request, reply, url)
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
    return call.key ? ofObject(objects, switches, call) : ofBucket(objects, call)
  }
}

function ofBucket(objects: Objects, call: Call) {
  const { request, query } = call
  if (request.method === 'GET' && query.get('list-type') === '2') return listObjects(objects, call)
  if (request.method === 'GET' && query.has('uploads')) return listUploads(objects, call)
  return fail(call, 'MethodNotAllowed')
}

function listObjects(objects: Objects, { reply, bucket, query }: Call) {
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
  const content = `<IsTruncated>${keys.length > size}</IsTruncated>${page.join('')}${next}`
  return sendXml(reply, 'ListBucketResult', content)
}

function listUploads(objects: Objects, { reply, bucket }: Call) {
  const open = [...objects.uploads].filter(([, upload]) => upload.bucket === bucket)
  const lines = open.map(
    ([id, { key, at }]) =>
      `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  )
  return sendXml(reply, 'ListMultipartUploadsResult', lines.join(''))
}

function ofObject(objects: Objects, switches: Switches, call: Call) {
  const { request, reply, bucket, key, query } = call
  const all = objects.buckets.get(bucket) as Map<string, Stored>
  const upload = query.get('uploadId')
  if (upload) return ofUpload(objects, switches, call, upload)
  if (request.method === 'POST' && query.has('uploads')) {
    const id = objects.begin(bucket, key, metaOf(request))
    return sendXml(reply, 'InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`)
  }
  if (request.method === 'PUT') return putObject(objects, all, call)
  if (request.method === 'DELETE') {
    all.delete(key)
    return reply.writeHead(204).end()
  }
  const stored = all.get(key)
  return stored ? sendObject(switches, call, stored) : fail(call, 'NoSuchKey')
}

function ofUpload(objects: Objects, switches: Switches, call: Call, id: string) {
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
    : sendXml(reply, 'CompleteMultipartUploadResult', `<ETag>${escaped(made.etag)}</ETag>`)
}

/** Stores a body, or the content of another object of the bucket. */
function putObject(objects: Objects, all: ReadonlyMap<string, Stored>, call: Call) {
  const { request, reply, bucket, key, body } = call
  if (request.headers['if-none-match'] === '*' && all.has(key)) return fail(call, 'PreconditionFailed')
  const from = String(request.headers['x-amz-copy-source'] ?? '')
  const source = from && all.get(decodeURIComponent(from).slice(`/${bucket}/`.length))
  if (from && !source) return fail(call, 'NoSuchKey')
  const { etag } = objects.put(bucket, key, source ? source.content : body, metaOf(request))
  return reply.writeHead(200, { etag }).end()
}

function sendObject(switches: Switches, { request, reply }: Call, stored: Stored) {
  const content = switches.damage ? damaged(stored.content) : stored.content
  reply.writeHead(200, {
    'content-length': content.length,
    etag: stored.etag,
    'last-modified': stored.at.toUTCString(),
    ...stored.meta,
  })
  if (request.method === 'HEAD') return reply.end()
  if (switches.cut?.method !== 'GET') return reply.end(content)
  return reply.write(content.subarray(0, switches.cut.after), () => reply.destroy())
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
