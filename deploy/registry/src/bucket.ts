import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'

/** The longest pause before the second attempt, in milliseconds. It doubles with each. */
const firstRetryMs = 50

/** An S3-compatible bucket. With `pathStyle` its name is in the path of its address, otherwise in the host. */
export type Bucket = {
  endpoint: string
  bucket: string
  region: string
  key: string
  secret: string
  pathStyle: boolean
}

type Init = {
  method: string
  body?: Uint8Array | string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * `send` signs calls to it with their bodies, so that the store refuses a body that was
 * changed on its way. A call is repeated up to `retries` times after 5xx and 429.
 */
export function openBucket({ endpoint, bucket, region, key, secret, pathStyle }: Bucket, retries = 3) {
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3' })
  const address = new URL(endpoint)
  if (!pathStyle) address.host = `${bucket}.${address.host}`
  const base = address.href.replace(/\/$/, '') + (pathStyle ? `/${bucket}` : '')
  async function send(path: string, { body = '', headers, method, signal }: Init): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const signed = await client.sign(`${base}${path}`, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
        ...(body.length > 0 && { body: body as BodyInit }),
      })
      // The signal belongs to this call. That of a request is lost when Node collects the request as garbage, so
      // `client.fetch`, which repeats calls as well, would wait for ever.
      const answer = await fetch(signed, { signal })
      if (attempt === retries || (answer.status < 500 && answer.status !== 429)) return answer
      await answer.body?.cancel()
      await wait(firstRetryMs * 2 ** attempt * Math.random(), undefined, { signal })
    }
  }
  return { send }
}

/** Whether an answer, by its body or its code, says that there is no space left. Ceph answers 403 above a quota. */
export const isFull = (status: number, text: string) =>
  status === 507 || /QuotaExceeded|StorageFull|InsufficientStorage/.test(text)

/** The text of an element of S3's XML. */
export const plain = (xml: string) =>
  xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
