import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Bucket } from '@portal/registry/bucket'
import { bucketCalls, elementOf, StoreAway } from './bucket-calls.ts'
import { filesOf, hashHeader, isOther } from './bucket-list.ts'
import { bucketOutbox } from './outbox.ts'
import { fileLost } from './refusals.ts'
import { keyAt, newKey, placeOf, type Storage } from './storage.ts'
import { temporaryFiles } from './temporary-files.ts'

/** A bucket for files, and the size from which they are sent in parts. Tests lower it to save time. */
export type FilesBucket = Bucket & { partBytes: number }

const day = 86_400_000

/** How long the deletion of what failed may take, in ms. A store that is silent does not do it, and a person waits for her answer. */
const undoMs = 2_000

/**
 * Files in an S3-compatible bucket, as `ab/abcdef…`. A file is compared with its SHA-256, if the bucket has that, before the
 * first byte of it is used. `folder` has the temporary files of this machine.
 */
export function bucketStorage({ partBytes, ...bucket }: FilesBucket, folder: string): Storage {
  const temporary = temporaryFiles(folder)
  const { call, chunksOf } = bucketCalls(bucket)

  /** Sends a file in parts. Parts of an upload that failed are deleted, so that nothing of it remains. */
  async function putInParts(place: string, path: string, size: number, sha256: string) {
    const begun = await call('POST', place, { query: { uploads: '' }, headers: { [hashHeader]: sha256 } })
    const uploadId = elementOf((await begun?.text()) ?? '', 'UploadId')
    if (!uploadId) throw new StoreAway(`POST ${place}`, 'no upload id')
    try {
      const parts: string[] = []
      for (let at = 0; at < size; at += partBytes) {
        const number = parts.length + 1
        const content = await buffer(createReadStream(path, { start: at, end: at + partBytes - 1 }))
        const query = { partNumber: String(number), uploadId }
        const etag = (await call('PUT', place, { query, body: content }))?.headers.get('etag')
        if (!etag) throw new StoreAway(`PUT ${place}`, 'NoSuchUpload')
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
      }
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const ended = await call('POST', place, { query: { uploadId }, body })
      const text = (await ended?.text()) ?? '<Code>NoSuchUpload</Code>'
      // A completion may fail after its status 200 was sent.
      const code = elementOf(text, 'Code')
      if (code) throw new StoreAway(`POST ${place}`, code)
    } catch (error) {
      await call('DELETE', place, { query: { uploadId }, timeoutMs: undoMs }).catch(() => {})
      throw error
    }
  }

  /** Fetches a file and compares it with the hash that it was kept with. */
  async function fetchTo(key: string, path: string) {
    const place = placeOf(key)
    const answer = await call('GET', place)
    if (!answer) throw fileLost(new Error(`The bucket has no ${place}`))
    const hash = createHash('sha256')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of chunksOf(answer, `GET ${place}`)) {
        hash.update(chunk)
        await file.appendFile(chunk)
      }
    } finally {
      await file.close()
    }
    if (isOther(answer, hash.digest('hex')))
      throw fileLost(new Error(`The content of ${place} in the bucket is not what was kept`))
  }

  return {
    ...temporary,
    outbox: bucketOutbox(bucket),
    async keep(tempPath) {
      const key = newKey()
      const { size } = await stat(tempPath)
      const hash = createHash('sha256')
      await pipeline(createReadStream(tempPath), hash)
      const sha256 = hash.digest('hex')
      try {
        if (size > partBytes) await putInParts(placeOf(key), tempPath, size, sha256)
        else {
          const body = await readFile(tempPath)
          await call('PUT', placeOf(key), { body, headers: { [hashHeader]: sha256 } })
        }
      } catch (error) {
        // The store may have kept it although its answer did not arrive.
        await call('DELETE', placeOf(key), { timeoutMs: undoMs }).catch(() => {})
        throw error
      }
      await temporary.drop(tempPath)
      return key
    },
    read: (key) => temporary.once((path) => fetchTo(key, path)),
    async withFile(key, use) {
      const path = await temporary.temp()
      try {
        await fetchTo(key, path)
        return await use(path)
      } finally {
        await temporary.drop(path)
      }
    },
    async remove(key) {
      await call('DELETE', placeOf(key))
    },
    async *list() {
      for await (const { key: place, keptAt } of filesOf(call)) {
        const key = keyAt(place)
        if (key) yield { key, keptAt }
      }
    },
    async probe(timeoutMs) {
      await call('GET', '', { query: { 'list-type': '2', 'max-keys': '1' }, timeoutMs })
    },
    /** Also ends uploads in parts that a process left behind when it was killed. */
    async sweep() {
      const removed = await temporary.sweep()
      const text = (await (await call('GET', '', { query: { uploads: '' } }))?.text()) ?? ''
      let ended = 0
      for (const [, upload = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const [place, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((name) =>
          elementOf(upload, name),
        )
        if (!place || !uploadId || !begun || Date.now() - Date.parse(begun) < day) continue
        await call('DELETE', place, { query: { uploadId } })
        ended++
      }
      return removed + ended
    },
  }
}
