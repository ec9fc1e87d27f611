import { AwsClient } from 'aws4fetch'

/** An S3-compatible bucket. With `pathStyle` its name is in the path of its address, otherwise in the host. */
export type Bucket = {
  endpoint: string
  bucket: string
  region: string
  key: string
  secret: string
  pathStyle: boolean
}

/** The address of a bucket, and a client that signs calls to it. It repeats a call up to `retries` times after 5xx and 429. */
export function openBucket({ endpoint, bucket, region, key, secret, pathStyle }: Bucket, retries = 3) {
  const client = new AwsClient({ accessKeyId: key, secretAccessKey: secret, region, service: 's3', retries })
  const address = new URL(endpoint)
  if (!pathStyle) address.host = `${bucket}.${address.host}`
  const base = address.href.replace(/\/$/, '') + (pathStyle ? `/${bucket}` : '')
  return { client, base }
}

/** The text of an element of S3's XML. */
export const plain = (xml: string) =>
  xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
