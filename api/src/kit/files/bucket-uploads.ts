import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type BucketCalls, elementOf, StoreAway } from './bucket-calls.ts'
import { hashHeader } from './bucket-list.ts'

type Call = BucketCalls['call']

const day = 86_400_000

/** How long the deletion of what failed may take, in ms. A store that is silent does not do it, and a person waits for her answer. */
const undoMs = 2_000

/** Sends a file with its SHA-256, in parts if it is larger than `partBytes`. If that fails, nothing of it remains. */
export async function sendFile(call: Call, place: string, path: string, partBytes: number) {
  const { size } = await stat(path)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const headers = { [hashHeader]: hash.digest('hex') }
  try {
    if (size > partBytes) await sendInParts(call, place, headers, { path, size, partBytes })
    else await call('PUT', place, { body: await readFile(path), headers })
  } catch (error) {
    // The store may have kept it although its answer did not arrive.
    await call('DELETE', place, { timeoutMs: undoMs }).catch(() => {})
    throw error
  }
}

type Parted = { path: string; size: number; partBytes: number }

/** Parts of an upload that failed are deleted: they belong to no object, so deleting the object leaves them. */
async function sendInParts(call: Call, place: string, headers: Record<string, string>, file: Parted) {
  const begun = await call('POST', place, { query: { uploads: '' }, headers })
  const uploadId = elementOf((await begun?.text()) ?? '', 'UploadId')
  if (!uploadId) throw new StoreAway(`POST ${place}`, 'no upload id')
  try {
    const parts = await sendParts(call, place, uploadId, file)
    await complete(call, place, uploadId, parts)
  } catch (error) {
    await call('DELETE', place, { query: { uploadId }, timeoutMs: undoMs }).catch(() => {})
    throw error
  }
}

/** Returns the elements that name the parts when the upload is completed. */
async function sendParts(call: Call, place: string, uploadId: string, { path, size, partBytes }: Parted) {
  const parts: string[] = []
  for (let at = 0; at < size; at += partBytes) {
    const number = parts.length + 1
    const content = await buffer(createReadStream(path, { start: at, end: at + partBytes - 1 }))
    const query = { partNumber: String(number), uploadId }
    const etag = (await call('PUT', place, { query, body: content }))?.headers.get('etag')
    if (!etag) throw new StoreAway(`PUT ${place}`, 'NoSuchUpload')
    parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
  }
  return parts
}

async function complete(call: Call, place: string, uploadId: string, parts: readonly string[]) {
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const ended = await call('POST', place, { query: { uploadId }, body })
  const text = (await ended?.text()) ?? '<Code>NoSuchUpload</Code>'
  // A completion may fail after its status 200 was sent.
  const code = elementOf(text, 'Code')
  if (code) throw new StoreAway(`POST ${place}`, code)
}

/** Ends uploads in parts that a process left behind when it was killed, and returns how many there were. */
export async function endOldUploads(call: Call): Promise<number> {
  const text = (await (await call('GET', '', { query: { uploads: '' } }))?.text()) ?? ''
  let ended = 0
  for (const [, upload = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
    const [place, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((name) => elementOf(upload, name))
    if (!place || !uploadId || !begun || Date.now() - Date.parse(begun) < day) continue
    await call('DELETE', place, { query: { uploadId } })
    ended++
  }
  return ended
}
