import { isKey } from '@portal/sdk/gates/file-names'
import { isFull, type openBucket } from './bucket.ts'

/** How long the content of an answer may take, and a megabyte of what is sent, in milliseconds. */
const contentMs = 60_000
const megabyteMs = 10_000

/**
 * An unexpected response of the store. `code` is the error code of a file system; `refused` is true if another try would be
 * refused as well.
 */
export class S3Fault extends Error {
  readonly code: string
  readonly refused: boolean
  constructor(message: string, code: string, refused = false) {
    super(message)
    this.code = code
    this.refused = refused
  }
}

/** A call to the bucket, which fails if the store is silent for too long. */
export type S3Call = (
  method: string,
  path: string,
  init?: { body?: Buffer; headers?: Record<string, string> },
) => Promise<Response>

/** Makes calls that the store has to answer within `answerMs`, and longer for a large body. */
export function callsInTime(send: ReturnType<typeof openBucket>['send'], answerMs: number): S3Call {
  return async (method, path, init = {}) => {
    const controller = new AbortController()
    const endAfter = (ms: number) =>
      setTimeout(() => controller.abort(silence(ms, `${method} ${path}`)), ms).unref()
    const timer = endAfter(answerMs + ((init.body?.length ?? 0) / 1e6) * megabyteMs)
    try {
      const answer = await send(path, { method, ...init, signal: controller.signal })
      endAfter(contentMs)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }
}

const silence = (ms: number, what: string) =>
  new S3Fault(`The store did not answer within ${Math.ceil(ms / 1000)} s to ${what}.`, 'ETIMEDOUT')

/** The path of an object in the bucket. */
export function pathOf(key: string): string {
  if (!isKey(key)) throw new Error(`${key} is no key.`)
  return `/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** What an answer that nobody expected means. */
export async function faultOf(what: string, answer: Response): Promise<S3Fault> {
  const text = await answer.text().catch(() => '')
  // Nobody waits for room, because a person has to make it.
  if (isFull(answer.status, text))
    return new S3Fault(
      `The store of the modules has no space left: it answered ${answer.status} to ${what}.`,
      'ENOSPC',
      true,
    )
  const refused = answer.status < 500 && answer.status !== 429
  return new S3Fault(`The store answered ${answer.status} to ${what}.`, 'EIO', refused)
}
