import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKey } from '@portal/sdk/gates/file-names'
import { type Bucket, openBucket, plain } from './bucket.ts'
import { callsInTime, faultOf, pathOf, type S3Call, S3Fault } from './s3-calls.ts'
import type { Store } from './store.ts'

/**
 * A bucket. `cache` is a local folder for files that are sent to browsers. `answerMs` is how long the store may be silent
 * before it answers a call; tests lower it to save time.
 */
export type S3Options = Omit<Bucket, 'pathStyle'> & { pathStyle?: boolean; cache: string; answerMs?: number }

/** Metadata by which whoever creates an object recognizes it (idempotency key). */
const creator = 'x-amz-meta-creator'

/** A registry in a bucket. `create` uses `If-None-Match: *`, so that a key is created only once. */
export function s3Store({ cache, pathStyle = true, answerMs = 10_000, ...options }: S3Options): Store {
  const { bucket, endpoint } = options
  const call = callsInTime(openBucket({ ...options, pathStyle }).send, answerMs)
  const download = downloadsTo(cache, call)
  return {
    near: false,
    read: (key) => read(call, key),
    exists: (key) => exists(call, key),
    create: (key, data) => create(call, key, data),
    replace: async (key, data) => {
      await put(call, key, data)
    },
    adopt: async (file, key) => {
      await put(call, key, await readFile(file))
    },
    copy: async (from, to) => {
      await put(call, to, '', { 'x-amz-copy-source': `/${bucket}${pathOf(from)}` })
    },
    list: (folder) => list(call, folder),
    probe: () => probe(call, `${bucket} at ${endpoint}`),
    remove: async (key) => {
      for (const each of await list(call, key)) await removeOne(call, each)
      await removeOne(call, key)
    },
    /** Also downloads its compressed forms, which the gateway expects in the same folder. */
    file: async (key) => {
      if (!isKey(key)) return null
      const [path] = await Promise.all([download(key), download(`${key}.br`), download(`${key}.gz`)])
      return path
    },
  }
}

async function read(call: S3Call, key: string): Promise<Buffer | null> {
  const answer = await call('GET', pathOf(key))
  if (answer.ok) return Buffer.from(await answer.arrayBuffer())
  if (answer.status === 404) return answer.body?.cancel().then(() => null) ?? null
  throw await faultOf(`GET ${key}`, answer)
}

async function exists(call: S3Call, key: string): Promise<boolean> {
  const answer = await call('HEAD', pathOf(key))
  if (answer.ok || answer.status === 404) return answer.ok
  throw await faultOf(`HEAD ${key}`, answer)
}

/** Writes an object; false if it was to be a new one and exists. */
async function put(
  call: S3Call,
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
  throw await faultOf(`PUT ${key}`, answer)
}

/** A store may keep an object and answer 503. The call is repeated then, and meets its own object. */
async function create(call: S3Call, key: string, data: string | Buffer): Promise<boolean> {
  const own = randomBytes(16).toString('hex')
  if (await put(call, key, data, { 'if-none-match': '*', [creator]: own })) return true
  const there = await call('HEAD', pathOf(key))
  if (!there.ok && there.status !== 404) throw await faultOf(`HEAD ${key}`, there)
  return there.headers.get(creator) === own
}

async function list(call: S3Call, folder: string): Promise<string[]> {
  const found: string[] = []
  for (let token = ''; ; ) {
    const more = token ? `&continuation-token=${encodeURIComponent(token)}` : ''
    const answer = await call('GET', `?list-type=2&prefix=${encodeURIComponent(`${folder}/`)}${more}`)
    if (!answer.ok) throw await faultOf(`a list of ${folder}`, answer)
    const text = await answer.text()
    for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) found.push(plain(key))
    token = plain(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '')
    if (!token) return found.sort()
  }
}

async function removeOne(call: S3Call, key: string): Promise<void> {
  const answer = await call('DELETE', pathOf(key))
  if (!answer.ok && answer.status !== 404) throw await faultOf(`DELETE ${key}`, answer)
}

async function probe(call: S3Call, place: string): Promise<void> {
  // A name of its own, because another one may probe at the same time, and remove what it has made.
  const probed = `probe/${randomBytes(8).toString('hex')}`
  await put(call, probed, '', { 'if-none-match': '*' })
  const isOverwritten = await put(call, probed, '', { 'if-none-match': '*' })
  // A key that may not remove publishes all the same.
  await removeOne(call, probed).catch(() => undefined)
  if (isOverwritten)
    throw new S3Fault(
      `The store of the modules overwrites an object although it is told not to (If-None-Match: *), so of two changes at the same time one would be lost. The bucket ${place} cannot have modules. If the bucket has versioning, turn it off (docs/operating/stores.md).`,
      'ENOTSUP',
      true,
    )
}

/** Downloads each file once to a folder, and answers where it is. Files for browsers are immutable under their key. */
function downloadsTo(folder: string, call: S3Call) {
  const downloaded = new Set<string>()
  return async (key: string): Promise<string | null> => {
    const path = join(folder, key)
    if (downloaded.has(key) || (await stat(path).catch(() => null))) return path
    const data = await read(call, key)
    if (!data) return null
    await mkdir(dirname(path), { recursive: true })
    const aside = `${path}.${randomBytes(4).toString('hex')}.tmp`
    await writeFile(aside, data)
    await rename(aside, path)
    downloaded.add(key)
    return path
  }
}
