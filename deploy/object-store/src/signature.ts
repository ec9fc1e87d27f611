import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Who may call the store. */
export type Account = { key: string; secret: string; region: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
/** Percent-encoding of RFC 3986, in which S3 signs names. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** Checks Signature Version 4 of a request before its body is read. Returns S3's error code, or null if it fits. */
export function signatureFault(request: IncomingMessage, account: Account): string | null {
  const found = form.exec(request.headers.authorization ?? '')
  const date = String(request.headers['x-amz-date'] ?? '')
  const bodyHash = String(request.headers['x-amz-content-sha256'] ?? '')
  if (!found) return 'AccessDenied'
  const [, key, day = '', region = '', signed = '', given = ''] = found
  if (key !== account.key) return 'InvalidAccessKeyId'
  if (region !== account.region) return 'AuthorizationHeaderMalformed'
  if (!date.startsWith(day) || Math.abs(Date.now() - timeOf(date)) > 900_000) return 'RequestTimeTooSkewed'
  if (!/^[0-9a-f]{64}$/.test(bodyHash)) return 'InvalidRequest'
  const names = signed.split(';')
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  if (!['host', ...mustBeSigned].every((name) => names.includes(name))) return 'AccessDenied'
  const url = new URL(request.url ?? '', 'http://store')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/')
  const canonical = [request.method, path, query, headers, signed, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${account.secret}`)
  const right = hmac(signing, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
  return timingSafeEqual(right, Buffer.from(given, 'hex')) ? null : 'SignatureDoesNotMatch'
}

/** Whether a body is the one that was signed. */
export const bodyFits = (request: IncomingMessage, body: Buffer): boolean =>
  request.headers['x-amz-content-sha256'] === sha256(body)

const timeOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
