import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Storage of files under random keys. `temp` names a file on the local disk. `keep` moves it in one step, so that a
 * reader never sees half of it. Files that are never kept are deleted after a day.
 */
export type Storage = {
  temp(): Promise<string>
  /** Deletes a temporary file, and whatever else was written beside it. */
  drop(tempPath: string): Promise<void>
  keep(tempPath: string): Promise<string>
  put(content: Readable): Promise<string>
  /**
   * A stream of the file that `write` writes, for one reader. The file is unlinked before it is read, so that it never
   * remains.
   */
  once(write: (path: string) => Promise<void>): Promise<Readable>
  read(key: string): Readable
  /** A local path of the file, for readers that need to seek. */
  path(key: string): Promise<string>
  remove(key: string): Promise<void>
  /** Removes temporary files older than a day. */
  sweep(): Promise<number>
}

const keyForm = /^[a-f0-9]{32}$/

/** Files on the disk under `folder`: `kept/ab/abcdef…` and `temp/`. */
export function diskStorage(folder: string): Storage {
  const place = (key: string) => {
    if (!keyForm.test(key)) throw new Error(`Not a storage key: ${key}`)
    return join(folder, 'kept', key.slice(0, 2), key)
  }
  const storage: Storage = {
    async temp() {
      // In a folder of its own, because a stream that is still opening creates its file after the deletion otherwise.
      const own = join(folder, 'temp', randomBytes(16).toString('hex'))
      await mkdir(own, { recursive: true, mode: 0o700 })
      return join(own, 'file')
    },
    drop: (tempPath) => rm(dirname(tempPath), { recursive: true, force: true }),
    async keep(tempPath) {
      const key = randomBytes(16).toString('hex')
      await mkdir(join(folder, 'kept', key.slice(0, 2)), { recursive: true, mode: 0o700 })
      const file = await open(tempPath, 'r')
      // fsync, because a committed row may refer to this file, which must survive a power failure.
      await file.sync().finally(() => file.close())
      await rename(tempPath, place(key))
      await storage.drop(tempPath)
      return key
    },
    async put(content) {
      const path = await storage.temp()
      try {
        await pipeline(content, createWriteStream(path, { mode: 0o600 }))
        return await storage.keep(path)
      } catch (error) {
        await storage.drop(path)
        throw error
      }
    },
    async once(write) {
      const path = await storage.temp()
      try {
        await write(path)
        const file = await open(path, 'r')
        return file.createReadStream()
      } finally {
        // An unlinked file stays readable until its stream is closed, however the call ends.
        await storage.drop(path)
      }
    },
    read: (key) => createReadStream(place(key)),
    path: async (key) => place(key),
    remove: async (key) => rm(place(key), { force: true }),
    async sweep() {
      const names = await readdir(join(folder, 'temp')).catch(() => [])
      let removed = 0
      for (const name of names) {
        const path = join(folder, 'temp', name)
        const found = await stat(path).catch(() => undefined)
        if (!found || Date.now() - found.mtimeMs < 86_400_000) continue
        await rm(path, { recursive: true, force: true })
        removed++
      }
      return removed
    },
  }
  return storage
}
