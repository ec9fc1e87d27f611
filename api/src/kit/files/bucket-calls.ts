import { setTimeout as wait } from 'node:timers/promises'
import { type Bucket, isFull, openBucket, plain } from '@portal/registry/bucket'
import { traced } from '../process/telemetry.ts'

/**
 * The store of the files could not be reached, or refused a call. `code` is S3's, or that of the network; `refused` is true
 * if another try would be refused as well.
 */
export class StoreAway extends Error {
  readonly code: string
  readonly refused: boolean
  constructor(what: string, code: string, more: { cause?: unknown; refused?: boolean } = {}) {
    super(`The store of the files failed at ${what}: ${code}`, { cause: more.cause })
    this.code = code
    this.refused = more.refused ?? false
  }
}
/** The store has no space left. The code is that of a full disk, so that people are told the same. */
class StoreFull extends Error {
  readonly code = 'ENOSPC'
}

/** How long one call may take, in ms: the answer to a part of 8 MiB, and each pause within an answer. */
const longestMs = 20_000

type BucketCall = {
  body?: Uint8Array | string
  headers?: Record<string, string>
  query?: Record<string, string>
  timeoutMs?: number
}

/**
 * Calls of one bucket. Each throws `StoreAway` or `StoreFull`, except for a missing object, which is null. A call that was
 * cut off is repeated once: all of them may be made twice.
 */
export function bucketCalls(options: Bucket) {
  const { send } = openBucket(options, 2)

  async function call(method: string, key: string, given: BucketCall = {}): Promise<Response | null> {
    try {
      return await once(method, key, given)
    } catch (error) {
      if (!(error instanceof StoreAway) || !(error.cause instanceof TypeError)) throw error
      await wait(100)
      return once(method, key, given)
    }
  }

  async function once(method: string, key: string, given: BucketCall): Promise<Response | null> {
    const { body, headers, query, timeoutMs = longestMs } = given
    const what = `${method} ${key || 'the bucket'}`
    const path = `${key && `/${key}`}${query ? `?${new URLSearchParams(query)}` : ''}`
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    let answer: Response
    try {
      answer = await traced(`${method} store`, 'client', { 'http.request.method': method }, async (span) => {
        const got = await send(path, { method, body, headers, signal: controller.signal })
        span?.setAttribute('http.response.status_code', got.status)
        return got
      })
    } catch (error) {
      throw new StoreAway(what, controller.signal.aborted ? 'ETIMEDOUT' : codeOf(error), { cause: error })
    } finally {
      clearTimeout(timer)
    }
    if (answer.ok) return answer
    const text = await answer.text().catch(() => '')
    const code = elementOf(text, 'Code') ?? `status ${answer.status}`
    if (answer.status === 404 && code !== 'NoSuchBucket' && key) return null
    if (isFull(answer.status, code)) throw new StoreFull(`The store of the files has no space left: ${code}`)
    throw new StoreAway(what, code, { refused: answer.status < 500 && answer.status !== 429 })
  }

  /** Reads an answer chunk by chunk. A pause that is too long ends it. */
  async function* chunksOf(answer: Response, what: string): AsyncGenerator<Uint8Array> {
    const reader = answer.body?.getReader()
    while (reader) {
      const controller = new AbortController()
      const timeout = wait(longestMs, undefined, { signal: controller.signal }).then(() => {
        throw new StoreAway(what, 'ETIMEDOUT')
      })
      timeout.catch(() => {})
      try {
        const { done, value } = await Promise.race([reader.read(), timeout])
        if (done) return
        yield value
      } catch (error) {
        reader.cancel().catch(() => {})
        throw error instanceof StoreAway ? error : new StoreAway(what, codeOf(error), { cause: error })
      } finally {
        controller.abort()
      }
    }
  }

  return { call, chunksOf }
}

/** The calls of one bucket. */
export type BucketCalls = ReturnType<typeof bucketCalls>

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? code ?? 'no answer')
}

/** The text of the first element of this name. */
export function elementOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found === undefined ? undefined : plain(found)
}
