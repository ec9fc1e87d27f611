import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKey } from '@portal/sdk/gates/file-names'
import { type Bucket, isFull, openBucket, plain } from './bucket.ts'
import type { Store } from './store.ts'

/**
 * A bucket. `cache` is a local folder for files that are sent to browsers. `answerMs` is how long the store may be silent
 * before it answers a call; tests lower it to save time.
 */
export type S3Options = Omit<Bucket, 'pathStyle'> & { pathStyle?: boolean; cache: string; answerMs?: number }

/** Metadata by which whoever creates an object recognizes it (idempotency key). */
const creator = 'x-amz-meta-creator'

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

/** A registry in a bucket. `create` uses `If-None-Match: *`, so that a key is created only once. */
export function s3Store({ cache, pathStyle = true, answerMs = 10_000, ...options }: S3Options): Store {
  const { bucket } = options
  const { send } = openBucket({ ...options, pathStyle })
  const cached = new Set<string>()

  async function call(
    method: string,
    path: string,
    init: { body?: Buffer; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const controller = new AbortController()
    const endAfter = (ms: number) => {
      const end = () =>
        controller.abort(
          new S3Fault(
            `The store did not answer within ${Math.ceil(ms / 1000)} s to ${method} ${path}.`,
            'ETIMEDOUT',
          ),
        )
      return setTimeout(end, ms).unref()
    }
    const timer = endAfter(answerMs + ((init.body?.length ?? 0) / 1e6) * megabyteMs)
    try {
      const answer = await send(path, { method, ...init, signal: controller.signal })
      endAfter(contentMs)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error(`${key} is no key.`)
    return `/${key.split('/').map(encodeURIComponent).join('/')}`
  }

  async function failed(what: string, answer: Response): Promise<S3Fault> {
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

  async function read(key: string): Promise<Buffer | null> {
    const answer = await call('GET', pathOf(key))
    if (answer.ok) return Buffer.from(await answer.arrayBuffer())
    if (answer.status === 404) return answer.body?.cancel().then(() => null) ?? null
    throw await failed(`GET ${key}`, answer)
  }

  async function put(
    key: string,
    data: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<boolean> {
    const answer = await call('PUT', pathOf(key), { body: Buffer.from(data), headers })
    if (answer.ok) return true
    // 409: a concurrent request creates the same key, and the store accepts one of them.
    if (headers['if-none-match'] && (answer.status === 412 || answer.status === 409)) {
      await answer.body?.cancel()
      return false
    }
    throw await failed(`PUT ${key}`, answer)
  }

  /** A store may keep an object and answer 503. The call is repeated then, and meets its own object. */
  async function create(key: string, data: string | Buffer): Promise<boolean> {
    const own = randomBytes(16).toString('hex')
    if (await put(key, data, { 'if-none-match': '*', [creator]: own })) return true
    const there = await call('HEAD', pathOf(key))
    if (!there.ok && there.status !== 404) throw await failed(`HEAD ${key}`, there)
    return there.headers.get(creator) === own
  }

  async function list(folder: string): Promise<string[]> {
    const found: string[] = []
    for (let token = ''; ; ) {
      const more = token ? `&continuation-token=${encodeURIComponent(token)}` : ''
      const answer = await call('GET', `?list-type=2&prefix=${encodeURIComponent(`${folder}/`)}${more}`)
      if (!answer.ok) throw await failed(`a list of ${folder}`, answer)
      const text = await answer.text()
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) found.push(plain(key))
      token = plain(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '')
      if (!token) return found.sort()
    }
  }

  async function removeOne(key: string) {
    const answer = await call('DELETE', pathOf(key))
    if (!answer.ok && answer.status !== 404) throw await failed(`DELETE ${key}`, answer)
  }

  /** Downloads a file once. Files for browsers are immutable under their key. */
  async function fetched(key: string): Promise<string | null> {
    const path = join(cache, key)
    if (cached.has(key) || (await stat(path).catch(() => null))) return path
    const data = await read(key)
    if (!data) return null
    await mkdir(dirname(path), { recursive: true })
    const aside = `${path}.${randomBytes(4).toString('hex')}.tmp`
    await writeFile(aside, data)
    await rename(aside, path)
    cached.add(key)
    return path
  }

  return {
    near: false,
    read,
    exists: async (key) => {
      const answer = await call('HEAD', pathOf(key))
      if (answer.ok || answer.status === 404) return answer.ok
      throw await failed(`HEAD ${key}`, answer)
    },
    create,
    replace: async (key, data) => {
      await put(key, data)
    },
    adopt: async (file, key) => {
      await put(key, await readFile(file))
    },
    copy: async (from, to) => {
      await put(to, '', { 'x-amz-copy-source': `/${bucket}${pathOf(from)}` })
    },
    list,
    probe: async () => {
      // A name of its own, because another one may probe at the same time, and remove what it has made.
      const probed = `probe/${randomBytes(8).toString('hex')}`
      await put(probed, '', { 'if-none-match': '*' })
      const isOverwritten = await put(probed, '', { 'if-none-match': '*' })
      // A key that may not remove publishes all the same.
      await removeOne(probed).catch(() => undefined)
      if (isOverwritten)
        throw new S3Fault(
          `The store of the modules overwrites an object although it is told not to (If-None-Match: *), so of two changes at the same time one would be lost. The bucket ${bucket} at ${options.endpoint} cannot have modules. If the bucket has versioning, turn it off (docs/operating/stores.md).`,
          'ENOTSUP',
          true,
        )
    },
    remove: async (key) => {
      for (const each of await list(key)) await removeOne(each)
      await removeOne(key)
    },
    /** Also downloads its compressed forms, which the gateway expects in the same folder. */
    file: async (key) => {
      if (!isKey(key)) return null
      const [path] = await Promise.all([fetched(key), fetched(`${key}.br`), fetched(`${key}.gz`)])
      return path
    },
  }
}
