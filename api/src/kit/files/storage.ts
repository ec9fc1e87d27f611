import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '@portal/registry/durable'
import { fileLost } from '../http/refusals.ts'
import { diskOutbox, type Outbox } from '../jobs/outbox.ts'
import { type TemporaryFiles, temporaryFiles } from './temporary-files.ts'

/** A file in the storage. */
export type StoredFile = { key: string; keptAt: Date }

/**
 * Storage of files under random keys, on this disk or in a bucket (decision 108). What is written is a temporary file on
 * the local disk first. `keep` then moves it in one step, so that a reader never sees half of it.
 */
export type Storage = TemporaryFiles & {
  /** To be called before a transaction begins, because a store elsewhere takes its time. */
  keep(tempPath: string): Promise<string>
  /** A stream of the file. Throws before the first byte if the file is missing or damaged. */
  read(key: string): Promise<Readable>
  /** Calls `use` with a local path of the file, for readers that need to seek. */
  withFile<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result>
  remove(key: string): Promise<void>
  /** Letters without a mail server. They have names instead of keys. */
  outbox: Outbox
  /** All files, in no order, with the time of the store at which each was kept. */
  list(): AsyncIterable<StoredFile>
  /** Asks a store elsewhere whether it serves this portal; undefined if files are on this disk. */
  probe?(timeoutMs: number): Promise<void>
}

const keyForm = /^[a-f0-9]{32}$/

/** A new random key. */
export const newKey = () => randomBytes(16).toString('hex')
/** The place of a key below the root of a storage: `ab/abcdef…`. */
export function placeOf(key: string): string {
  if (!keyForm.test(key)) throw new Error(`Not a storage key: ${key}`)
  return `${key.slice(0, 2)}/${key}`
}
/** The key at a place; undefined for what is not of this portal. */
export function keyAt(place: string): string | undefined {
  const key = place.slice(3)
  return keyForm.test(key) && placeOf(key) === place ? key : undefined
}

/** Files on the disk in the data folder: `files/kept/ab/abcdef…`, `files/temp/`, and `outbox/`. */
export function diskStorage(dataDir: string): Storage {
  const folder = join(dataDir, 'files')
  const temporary = temporaryFiles(join(folder, 'temp'))
  const place = (key: string) => join(folder, 'kept', placeOf(key))
  const opened = (key: string) =>
    open(place(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? fileLost(error) : error
    })
  /** The folders of files that are on the disk for certain. Another call or process may have made one a moment ago. */
  const certain = new Set<string>()
  return {
    ...temporary,
    outbox: diskOutbox(join(dataDir, 'outbox')),
    async keep(tempPath) {
      const key = newKey()
      const into = dirname(place(key))
      await mkdir(into, { recursive: true, mode: 0o700 })
      const file = await open(tempPath, 'r')
      // fsync, because a committed row may refer to this file, which must survive a power failure with its name.
      await file.sync().finally(() => file.close())
      await rename(tempPath, place(key))
      await syncFolder(into)
      if (!certain.has(into)) {
        for (const above of [dirname(into), folder, dataDir]) await syncFolder(above)
        certain.add(into)
      }
      await temporary.drop(tempPath)
      return key
    },
    read: async (key) => (await opened(key)).createReadStream(),
    async withFile(key, use) {
      await (await opened(key)).close()
      return use(place(key))
    },
    remove: (key) => rm(place(key), { force: true }),
    async *list() {
      const root = join(folder, 'kept')
      for (const part of await readdir(root).catch(() => []))
        for (const name of await readdir(join(root, part))) {
          const key = keyAt(`${part}/${name}`)
          // A file may be removed while the folder is read.
          const found = key && (await stat(place(key)).catch(() => undefined))
          if (key && found) yield { key, keptAt: found.mtime }
        }
    },
  }
}
