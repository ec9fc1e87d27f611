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

/** Answers `nothing` if what was read does not exist. */
const orIfMissing =
  <T>(nothing: T) =>
  (fault: unknown): T => {
    if (codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR') return nothing
    throw fault
  }

function checked(folder: string, key: string): string {
  if (!isKey(key)) throw new Error(`${key} is no key.`)
  return join(folder, key)
}

/** A store in a folder. Any number of processes may share it. */
export function diskStore(folder: string): Store {
  const at = (key: string) => checked(folder, key)
  return {
    near: true,
    read: (key) => readFile(at(key)).catch(orIfMissing(null)),
    exists: (key) =>
      stat(at(key)).then(
        () => true,
        () => false,
      ),
    create: (key, data) => create(folder, at(key), data),
    async replace(key, data) {
      const path = await written(folder, data)
      await nameIn(at(key), () => rename(path, at(key)))
    },
    async adopt(file, key) {
      await named(folder, file, at(key))
    },
    async copy(from, to) {
      await named(folder, at(from), at(to))
    },
    async list(key) {
      const found = await readdir(at(key), { recursive: true, withFileTypes: true }).catch(orIfMissing([]))
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

/** Creates a file with a content; false if it exists. */
async function create(folder: string, to: string, data: string | Buffer): Promise<boolean> {
  const path = await written(folder, data)
  try {
    return await nameIn(to, () => named(folder, path, to))
  } finally {
    await rm(path, { force: true })
  }
}

/** Writes a temporary file and syncs it. It is renamed later, so a crash never leaves half a file under a key. */
async function written(folder: string, data: string | Buffer): Promise<string> {
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

/** Links a finished file to its key, unless the key exists. */
async function named(folder: string, from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await link(from, to)
    return true
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return false
    if (!unlinkable.includes(codeOf(fault) ?? '')) throw fault
  }
  return copied(folder, from, to)
}

/** Copies a file that cannot be linked. A file from outside the store goes through a temporary file. */
async function copied(folder: string, from: string, to: string): Promise<boolean> {
  const inside = from.startsWith(folder)
  try {
    if (!inside) return await create(folder, to, await readFile(from))
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return false
    await rm(to, { force: true })
    throw fault
  }
}
