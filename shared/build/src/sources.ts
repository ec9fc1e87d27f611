import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { contentOf, sourceFiles } from './source-files.ts'

/** The repository's root folder; of a partner's module, whose build is a package, its `node_modules`. */
export const root = join(import.meta.dirname, '../../..')

/** Whether a module is one of this repository's own, built from the sources of the shared packages. */
export const isOurs = (folder: string): boolean => dirname(folder) === root

/** Where what builds leave between them is kept. */
export const cacheFolder = (folder: string): string =>
  isOurs(folder) ? join(root, 'node_modules/.cache/rsbuild') : join(folder, 'node_modules/.cache/portal')

/** What every browser build is made from, besides its own folder. */
const sharedFolders = [
  'contracts',
  'client',
  'excel',
  'ui',
  'screens',
  'workbench',
  'i18n',
  'sdk',
  'build',
].map((name) => join(root, 'shared', name))

let sharedDigest: string | undefined
const ids = new Map<string, string>()

function digest(files: string[], base = root) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${relative(base, file).replaceAll(sep, '/')}\0`)
    hash.update(contentOf(file))
    hash.update('\0')
  }
  return hash.digest('hex')
}

/**
 * Twelve hex digits over a package's sources, the shared ones and the lock file: same id, same output. Worked out once
 * per run: the name inside a build and that of its folder must agree, also when somebody saves in between.
 */
export function buildId(folder: string): string {
  const known = ids.get(folder)
  if (known) return known
  const id = currentId(folder)
  ids.set(folder, id)
  return id
}

function currentId(folder: string) {
  if (!isOurs(folder)) return idOf(digestOfPackages(folder), folder, folder)
  sharedDigest ??= digestOfShared()
  return idOf(sharedDigest, folder)
}

/** What a partner's module is made from besides its own folder: packages, by version and content, and its lock file. */
function digestOfPackages(folder: string) {
  const packages = join(folder, 'node_modules/@portal')
  if (!existsSync(packages)) throw new Error(`${folder}: nothing is installed here: run npm ci first.`)
  const named = readdirSync(packages)
    .sort()
    .map((name) => {
      const { version, digest } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
      return `${name} ${version} ${digest}`
    })
  const lock = join(folder, 'package-lock.json')
  return digest(existsSync(lock) ? [lock] : [], folder) + named.join('\n')
}

const digestOfShared = () => digest([...sharedFolders.flatMap(sourceFiles), join(root, 'package-lock.json')])

const idOf = (shared: string, folder: string, base = root) =>
  createHash('sha256')
    .update(shared)
    .update(digest(sourceFiles(folder), base))
    .digest('hex')
    .slice(0, 12)

/** Whether the sources are still those that the id was worked out from. */
export function isUnchanged(folder: string): boolean {
  const before = buildId(folder)
  sharedDigest = undefined
  return currentId(folder) === before
}

/** Forgets what was worked out about the sources: the watcher calls it before each build. */
export function forgetSources(): void {
  sharedDigest = undefined
  ids.clear()
}

/** Digest of the preset itself, which decides what every other source becomes. */
export const presetDigest = (): string =>
  digest([...sourceFiles(import.meta.dirname), ...[join(root, 'package-lock.json')].filter(existsSync)])
