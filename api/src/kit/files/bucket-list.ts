import { type BucketCalls, elementOf } from './bucket-calls.ts'

/** The header under which an object of the bucket carries the SHA-256 of its whole content. */
export const hashHeader = 'x-amz-meta-sha256'

/**
 * Whether an object is not what was kept. One without a hash was put there by another program, such as rclone when it
 * restored a backup; `verify` compares it with its row.
 */
export function isOther({ headers }: Response, sha256: string): boolean {
  const kept = headers.get(hashHeader)
  return kept !== null && kept !== sha256
}

/** All objects of a bucket whose keys begin with `prefix`, page by page. */
export async function* filesOf(
  call: BucketCalls['call'],
  prefix = '',
): AsyncGenerator<{ key: string; keptAt: Date }> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query = {
      'list-type': '2',
      ...(prefix && { prefix }),
      ...(after && { 'continuation-token': after }),
    }
    const text = (await (await call('GET', '', { query }))?.text()) ?? ''
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = elementOf(entry, 'Key')
      const modified = elementOf(entry, 'LastModified')
      if (key && modified) yield { key, keptAt: new Date(modified) }
    }
    after = elementOf(text, 'NextContinuationToken')
  }
}
