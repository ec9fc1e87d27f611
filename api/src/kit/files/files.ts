import type { Readable } from 'node:stream'
import type { Upload } from '@portal/contracts/fields'
import type { Db, Tx } from '../database/db.ts'
import type { Storage } from './storage.ts'

/** An uploaded file while its call runs: on the disk at `path`, with its SHA-256. */
export type StoredUpload = Upload & { path: string; sha256: Buffer; type: string }

/** An upload whose content is in the storage. Its row is still to be written. */
export type KeptUpload = StoredUpload & { key: string }

/** Puts an upload into the storage, before the transaction begins that refers to it. */
export async function keepUpload<Kept extends StoredUpload>(
  storage: Pick<Storage, 'keep'>,
  upload: Kept,
): Promise<Kept & { key: string }> {
  return { ...upload, key: await storage.keep(upload.path) }
}

/** Inserts the row of a kept upload. Returns its id. */
export async function recordUpload(tx: Tx, upload: KeptUpload, userId: number | null): Promise<number> {
  const { key, name, type, size, sha256 } = upload
  const { id } = await tx
    .insertInto('files')
    .values({ key, name, type, size, sha256, user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The storage of one call. `dropUnrecorded` removes what the call kept and then did not record, because its transaction
 * was rolled back, or because the same file was there already. Not to be called while the outcome of a commit is unknown.
 */
export function storageOfCall(db: Db, storage: Storage) {
  const kept: string[] = []
  return {
    storage: {
      ...storage,
      keep: async (path: string) => {
        const key = await storage.keep(path)
        kept.push(key)
        return key
      },
    },
    async dropUnrecorded() {
      if (kept.length === 0) return
      const recorded = await db.selectFrom('files').select('key').where('key', 'in', kept).execute()
      const known = new Set(recorded.map(({ key }) => key))
      await Promise.all(kept.filter((key) => !known.has(key)).map((key) => storage.remove(key)))
    },
  }
}

/** An answer that is sent as a file attachment. */
export class FileAnswer {
  readonly content: Readable
  readonly name: string
  readonly type: string
  constructor(content: Readable, name: string, type: string) {
    this.content = content
    this.name = name
    this.type = type
  }
  /** RFC 6266: an ASCII name for old browsers and the real name for the others. */
  get disposition() {
    const plain = this.name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '_')
    return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.name)}`
  }
}

/** Media type of an archive. */
export const zipType = 'application/zip'
/** Media type of an .xlsx workbook. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
