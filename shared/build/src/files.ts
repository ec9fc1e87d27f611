import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isCompressed } from '@portal/sdk/weights'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const compressible = (file: string) => isCompressed(file) || /\.(html|webmanifest)$/.test(file)

/** All files below a folder, with `/` between names. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** Writes `.br` and `.gz` beside every file that shrinks by it: compressed once here, never while serving. */
export async function compress(folder: string): Promise<void> {
  await Promise.all(
    filesBelow(folder)
      .filter((file) => compressible(file))
      .map(async (file) => {
        const path = join(folder, file)
        const plain = await readFile(path)
        if (plain.length < 400) return
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        }
        await writeFile(`${path}.br`, await brotli(plain, { params }))
        await writeFile(`${path}.gz`, await zip(plain, { level: 9 }))
      }),
  )
}

/**
 * `sha384-…` as a browser checks it. Lists of files have the shorter hash, because every visitor loads dozens of them and
 * hashes do not compress.
 */
export const integrityOf = (content: Buffer | string, algorithm: 'sha256' | 'sha384' = 'sha384'): string =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`

/** The hash of a content by the algorithm that the expected hash names, to be compared with it. */
export const integrityLike = (expected: string, content: Buffer | string): string =>
  integrityOf(content, expected.startsWith('sha256-') ? 'sha256' : 'sha384')

/** Integrity of every file of a folder, but the compressed copies and its own record. */
export async function integrities(folder: string): Promise<Record<string, string>> {
  const files = filesBelow(folder).filter((file) => !/\.(br|gz|map)$/.test(file) && file !== 'build.json')
  const pairs = await Promise.all(
    files.map(async (file) => [file, integrityOf(await readFile(join(folder, file)), 'sha256')]),
  )
  return Object.fromEntries(pairs)
}

/** Replaces a file in one step: a reader sees the old content or the new, never half of it. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  await writeFile(temporary, content)
  await rename(temporary, path)
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Locks a folder, so that one process at a time builds into it. Returns the function that releases the lock. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const lock = join(folder, '.lock')
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      return () => rm(lock, { force: true })
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
      // A process that was killed while it built leaves its lock behind.
      if (holder && !isAlive(holder)) await rm(lock, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
