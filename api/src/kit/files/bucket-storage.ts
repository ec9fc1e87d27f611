import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Bucket } from '@portal/registry/bucket'
import { fileLost } from '../http/refusals.ts'
import { bucketOutbox } from '../jobs/outbox.ts'
import { type BucketCalls, bucketCalls } from './bucket-calls.ts'
import { filesOf, isOther } from './bucket-list.ts'
import { endOldUploads, sendFile } from './bucket-uploads.ts'
import { keyAt, newKey, placeOf, type Storage } from './storage.ts'
import { temporaryFiles } from './temporary-files.ts'

/** A bucket for files, and the size from which they are sent in parts. Tests lower it to save time. */
export type FilesBucket = Bucket & { partBytes: number }

/**
 * Files in an S3-compatible bucket, as `ab/abcdef…`. A file is compared with its SHA-256, if the bucket has that, before the
 * first byte of it is used. `folder` has the temporary files of this machine.
 */
export function bucketStorage({ partBytes, ...bucket }: FilesBucket, folder: string): Storage {
  const temporary = temporaryFiles(folder)
  const calls = bucketCalls(bucket)
  const { call } = calls
  return {
    ...temporary,
    outbox: bucketOutbox(bucket),
    async keep(tempPath) {
      const key = newKey()
      await sendFile(call, placeOf(key), tempPath, partBytes)
      await temporary.drop(tempPath)
      return key
    },
    read: (key) => temporary.once((path) => fetchFile(calls, placeOf(key), path)),
    async withFile(key, use) {
      const path = await temporary.temp()
      try {
        await fetchFile(calls, placeOf(key), path)
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
    async sweep() {
      const removed = await temporary.sweep()
      return removed + (await endOldUploads(call))
    },
  }
}

/** Fetches a file to `path` and compares it with the hash that it was kept with. */
async function fetchFile({ call, chunksOf }: BucketCalls, place: string, path: string) {
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
