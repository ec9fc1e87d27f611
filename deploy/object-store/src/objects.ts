import { createHash, randomUUID } from 'node:crypto'
import { keptMap } from './kept-map.ts'
import type { Stored } from './stored.ts'

type Part = { content: Buffer; etag: string }
type Upload = {
  bucket: string
  key: string
  meta: Record<string, string>
  parts: Map<number, Part>
  at: Date
}

const md5 = (content: Buffer) => createHash('md5').update(content).digest('hex')

/** Buckets with their objects, and the uploads in parts that have not ended. */
export class Objects {
  readonly buckets: Map<string, Map<string, Stored>>
  readonly uploads = new Map<string, Upload>()

  /** With a folder, objects outlive the process. Uploads in parts do not. */
  constructor(names: readonly string[], folder?: string) {
    this.buckets = new Map(names.map((name) => [name, folder ? keptMap(folder, name) : new Map()]))
  }

  put(bucket: string, key: string, content: Buffer, meta: Record<string, string>): Stored {
    const stored = { content, etag: `"${md5(content)}"`, meta, at: new Date() }
    this.buckets.get(bucket)?.set(key, stored)
    return stored
  }

  begin(bucket: string, key: string, meta: Record<string, string>): string {
    const id = randomUUID()
    this.uploads.set(id, { bucket, key, meta, parts: new Map(), at: new Date() })
    return id
  }

  /** Adds a part, or replaces it. Returns its ETag, or null if there is no such upload. */
  part(id: string, number: number, content: Buffer): string | null {
    const etag = `"${md5(content)}"`
    return this.uploads.get(id)?.parts.set(number, { content, etag }) ? etag : null
  }

  /** Joins the named parts. Returns the object, or S3's error code. */
  complete(id: string, named: readonly { number: number; etag: string }[], minPart: number): Stored | string {
    const upload = this.uploads.get(id)
    if (!upload) return 'NoSuchUpload'
    const contents: Buffer[] = []
    if (named.some(({ number }, at) => number <= (named[at - 1]?.number ?? 0))) return 'InvalidPartOrder'
    for (const [at, { number, etag }] of named.entries()) {
      const part = upload.parts.get(number)
      if (!part || part.etag !== etag) return 'InvalidPart'
      if (part.content.length < minPart && at < named.length - 1) return 'EntityTooSmall'
      contents.push(part.content)
    }
    if (contents.length === 0) return 'MalformedXML'
    this.uploads.delete(id)
    return this.put(upload.bucket, upload.key, Buffer.concat(contents), upload.meta)
  }
}
