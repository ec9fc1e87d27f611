import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Temporary files on the local disk. Files that are never kept are deleted after a day. */
export type TemporaryFiles = {
  temp(): Promise<string>
  /** Deletes a temporary file, and whatever else was written beside it. */
  drop(tempPath: string): Promise<void>
  /**
   * A stream of the file that `write` writes, for one reader. The file is unlinked before it is read, so that it never
   * remains.
   */
  once(write: (path: string) => Promise<void>): Promise<Readable>
  /** Removes temporary files older than a day. */
  sweep(): Promise<number>
}

/** Temporary files in `folder`. */
export function temporaryFiles(folder: string): TemporaryFiles {
  const files: TemporaryFiles = {
    async temp() {
      // In a folder of its own, because a stream that is still opening creates its file after the deletion otherwise.
      const own = join(folder, randomBytes(16).toString('hex'))
      await mkdir(own, { recursive: true, mode: 0o700 })
      return join(own, 'file')
    },
    drop: (tempPath) => rm(dirname(tempPath), { recursive: true, force: true }),
    async once(write) {
      const path = await files.temp()
      try {
        await write(path)
        const file = await open(path, 'r')
        return file.createReadStream()
      } finally {
        // An unlinked file stays readable until its stream is closed, however the call ends.
        await files.drop(path)
      }
    },
    async sweep() {
      const names = await readdir(folder).catch(() => [])
      let removed = 0
      for (const name of names) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (!found || Date.now() - found.mtimeMs < 86_400_000) continue
        await rm(path, { recursive: true, force: true })
        removed++
      }
      return removed
    },
  }
  return files
}
