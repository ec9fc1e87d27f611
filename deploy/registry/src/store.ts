import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isKey } from '@portal/sdk/gates/file-names'
import { syncFolder } from './durable.ts'

/** The storage of a registry. Keys are paths with `/`. Writes are atomic. */
export type Store = {
  /** Whether `exists` is as cheap as a stat, so that it can be called for every page. */
  near: boolean
  read(key: string): Promise<Buffer | null>
  exists(key: string): Promise<boolean>
  /** Creates a key; false if it exists. Of two concurrent calls one gets true. */
  create(key: string, data: string | Buffer): Promise<boolean>
  /** Replaces a key atomically: a reader gets the old or the new content. */
  replace(key: string, data: string | Buffer): Promise<void>
  /** Stores a local file under a key. */
  adopt(file: string, key: string): Promise<void>
  copy(from: string, to: string): Promise<void>
  /** All keys below a folder, sorted. */
  list(folder: string): Promise<string[]>
  /** Removes a key, or a folder with all that is below it. */
  remove(key: string): Promise<void>
  /** Throws if a store far away does not answer, or does not do what `create` says. */
  probe?(): Promise<void>
  /** Path of a local file with the content of a key, to send it; null if the key does not exist. */
  file(key: string): Promise<string | null>
}

/** The code of a file system error. */
export const codeOf = (fault: unknown): string | undefined => (fault as NodeJS.ErrnoException).code

/** Error codes of a file system that cannot make this link. */
const unlinkable = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']

const missing = (fault: unknown) => codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR'

function checked(folder: string, key: string): string {
  if (!isKey(key)) throw new Error(`${key} is no key.`)
  return join(folder, key)
}

/** Gives a finished file its name by `act`, a link or a rename. The name survives a power failure, and so do those of folders that were made for it. */
async function nameIn<Done>(path: string, act: () => Promise<Done>): Promise<Done> {
  const folder = dirname(path)
  const first = await mkdir(folder, { recursive: true })
  const done = await act()
  await syncFolder(folder)
  if (first)
    for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
  return done
}

/** A store in a folder. Any number of processes may share it. */
export function diskStore(folder: string): Store {
  const at = (key: string) => checked(folder, key)

  /** Writes a temporary file and syncs it. It is renamed later, so a crash never leaves half a file under a key. */
  async function written(data: string | Buffer): Promise<string> {
    const path = join(folder, '.tmp', `${process.pid}-${randomBytes(6).toString('hex')}`)
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'wx')
    try {
      await file.writeFile(data)
      await file.sync()
    } catch (fault) {
      await rm(path, { force: true })
      throw fault
    } finally {
      await file.close()
    }
    return path
  }

  /** Links a finished file to its key, unless the key exists. */
  async function named(from: string, to: string): Promise<boolean> {
    await mkdir(dirname(to), { recursive: true })
    try {
      await link(from, to)
      return true
    } catch (fault) {
      if (codeOf(fault) === 'EEXIST') return false
      if (!unlinkable.includes(codeOf(fault) ?? '')) throw fault
    }
    return copied(from, to)
  }

  /** Copies a file that cannot be linked. A file from outside the store goes through a temporary file. */
  async function copied(from: string, to: string): Promise<boolean> {
    const inside = from.startsWith(folder)
    try {
      if (!inside) return await create(to, await readFile(from))
      await copyFile(from, to, constants.COPYFILE_EXCL)
      return true
    } catch (fault) {
      if (codeOf(fault) === 'EEXIST') return false
      await rm(to, { force: true })
      throw fault
    }
  }

  async function create(to: string, data: string | Buffer): Promise<boolean> {
    const path = await written(data)
    try {
      return await nameIn(to, () => named(path, to))
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    near: true,
    read: (key) =>
      readFile(at(key)).catch((fault) => {
        if (missing(fault)) return null
        throw fault
      }),
    exists: (key) =>
      stat(at(key)).then(
        () => true,
        () => false,
      ),
    create: (key, data) => create(at(key), data),
    async replace(key, data) {
      const path = await written(data)
      await nameIn(at(key), () => rename(path, at(key)))
    },
    async adopt(file, key) {
      await named(file, at(key))
    },
    async copy(from, to) {
      await named(at(from), at(to))
    },
    async list(key) {
      const found = await readdir(at(key), { recursive: true, withFileTypes: true }).catch((fault) => {
        if (missing(fault)) return []
        throw fault
      })
      return found
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort()
    },
    remove: (key) => rm(at(key), { recursive: true, force: true }),
    file: async (key) => {
      if (!isKey(key)) return null
      const path = at(key)
      const found = await stat(path).catch(() => null)
      return found?.isFile() ? path : null
    },
  }
}
