import { open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Codes of systems and disks that sync no folders. They write the names of files with the files. */
const syncsNoFolders = new Set(['EINVAL', 'EBADF', 'ENOTSUP', 'EISDIR', 'EACCES', 'EPERM'])

/** Makes the names in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    if (!syncsNoFolders.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/**
 * Writes a text that only its owner can read, by way of the file `unfinished`: readers, also those after a power failure, find the
 * former text or this one.
 */
export async function writeDurably(path: string, text: string, unfinished: string): Promise<void> {
  await writeFile(unfinished, text, { mode: 0o600, flush: true })
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}
