import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A local S3 server with the calls that the registry makes, as Amazon documents them. */
export async function startS3(bucket = 'portal') {
  const objects = new Map<string, Buffer>()
  /** The metadata of each object, which its writer chose. */
  const metadata = new Map<string, [string, string][]>()
  const calls: string[] = []
  /** The first call that was cut off. */
  const { promise: missed, resolve: miss } = Promise.withResolvers<void>()
  const state = {
    ...{ full: false, away: false, silent: false, overwrites: false },
    /** The next object with this key is kept, and the answer is that the store is overloaded. */
    overloaded: '',
    /** Called before a call is answered, with its method and key: a slow store. */
    before: async (_call: string) => {},
  }

  async function answer(request: IncomingMessage, reply: ServerResponse) {
    if (state.away) {
      miss()
      return void request.socket.destroy()
    }
    if (state.silent) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '', 'http://s3')
    const key = decodeURIComponent(url.pathname).slice(`/${bucket}/`.length)
    const end = (status: number, content: string | Buffer = '') => reply.writeHead(status).end(content)
    calls.push(`${request.method} ${key}`)
    await state.before(`${request.method} ${key}`)
    const { authorization = '' } = request.headers
    const dated = typeof request.headers['x-amz-date'] === 'string'
    if (!/^AWS4-HMAC-SHA256 Credential=key\/.*Signature=[0-9a-f]{64}$/.test(authorization) || !dated)
      return end(403, '<Error><Code>AccessDenied</Code></Error>')
    // Stores accept unsigned bodies over TLS, so only this one shows that each is signed.
    if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return end(400, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>')
    if (request.method === 'GET' && url.searchParams.get('list-type') === '2')
      return end(200, listed(url.searchParams))
    if (request.method === 'PUT') {
      if (state.full) return end(403, '<Error><Code>QuotaExceeded</Code></Error>')
      if (request.headers['if-none-match'] === '*' && objects.has(key) && !state.overwrites) return end(412)
      const source = String(request.headers['x-amz-copy-source'] ?? '').slice(`/${bucket}/`.length)
      objects.set(key, source ? (objects.get(decodeURIComponent(source)) ?? body) : body)
      const given = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'))
      metadata.set(
        key,
        given.map(([name, value]) => [name, String(value)]),
      )
      if (state.overloaded === key) {
        state.overloaded = ''
        return end(503, '<Error><Code>SlowDown</Code></Error>')
      }
      return reply.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`) && end(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return end(204)
    }
    const found = objects.get(key)
    if (found) for (const [name, value] of metadata.get(key) ?? []) reply.setHeader(name, value)
    return found ? end(200, request.method === 'HEAD' ? '' : found) : end(404)
  }

  /** Pages of two keys, so that clients have to follow the continuation token. */
  function listed(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys
      .slice(0, 2)
      .map((key) => `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key></Contents>`)
    const more = keys.length > 2 ? `<NextContinuationToken>${keys[1]}</NextContinuationToken>` : ''
    return `<ListBucketResult>${page.join('')}${more}</ListBucketResult>`
  }

  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { endpoint, bucket, objects, calls, state, missed }
}
