import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Where a registry lives. Keys are paths with `/`; whatever is written is there whole, or not at all. */
export type Store = {
  /** Asking whether a key is there is as cheap as a stat: it may be asked with every page. */
  near: boolean
  read(key: string): Promise<Buffer | null>
  exists(key: string): Promise<boolean>
  /** Writes what is not there yet; false when it is. Of two at once, one gets true. */
  create(key: string, data: string | Buffer): Promise<boolean>
  /** Writes in one step: a reader gets the old content or the new. */
  replace(key: string, data: string | Buffer): Promise<void>
  /** Takes in a file of this machine. */
  adopt(file: string, key: string): Promise<void>
  copy(from: string, to: string): Promise<void>
  /** All keys below a folder, sorted. */
  list(folder: string): Promise<string[]>
  /** Removes a key, or a folder with all that is below it. */
  remove(key: string): Promise<void>
  /** A path on this machine with the key's content, for sending it as it is; null when it is not there. */
  file(key: string): Promise<string | null>
}

/** A fault of the file system by its code. */
export const codeOf = (fault: unknown): string | undefined => (fault as NodeJS.ErrnoException).code

/** What a file system without links says, or one that is asked for a link from another. */
const unlinkable = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']

const missing = (fault: unknown) => codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ENOTDIR'

/** Names with letters, digits and `@ . _ + -`, none hidden. */
export const isKey = (key: string): boolean =>
  key.length < 500 && key.split('/').every((part) => /^[\w@+-][\w@.+-]*$/.test(part))

function checked(folder: string, key: string): string {
  if (!isKey(key)) throw new Error(`${key} is no key.`)
  return join(folder, key)
}

/** A registry in a folder; any number of processes may share it. */
export function diskStore(folder: string): Store {
  const at = (key: string) => checked(folder, key)

  /** Written aside and on disk before it gets its name: a crash leaves a file without a name, never half a file. */
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

  /** Gives a finished file its name, unless that is taken. */
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

  /** Where there are no links, or from another disk: copied aside first where that helps. */
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
      return await named(path, to)
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
      await mkdir(dirname(at(key)), { recursive: true })
      await rename(path, at(key))
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
