import type { Readable } from 'node:stream'
import type { Upload } from '@portal/contracts/fields'
import type { Tx } from './db.ts'
import type { Storage } from './storage.ts'

/** A file of a form as the server holds it while the call runs: on disk at `path`, its SHA-256 known. */
export type StoredUpload = Upload & { path: string; sha256: Buffer; type: string }

/** Takes an upload over for good: moves it and writes its row. Returns the id of the file and its storage key. */
export async function keepUpload(
  tx: Tx,
  storage: Storage,
  upload: StoredUpload,
  userId: number | null,
): Promise<{ id: number; key: string }> {
  const key = await storage.keep(upload.path)
  const { name, type, size, sha256 } = upload
  const { id } = await tx
    .insertInto('files')
    .values({ key, name, type, size, sha256, user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key }
}

/** An answer that is a file, sent as an attachment. */
export class FileAnswer {
  readonly content: Readable
  readonly name: string
  readonly type: string
  constructor(content: Readable, name: string, type: string) {
    this.content = content
    this.name = name
    this.type = type
  }
  /** RFC 6266: a plain name for old readers, the real one for the others. */
  get disposition() {
    const plain = this.name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '_')
    return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.name)}`
  }
}

/** Media type of an .xlsx workbook. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
