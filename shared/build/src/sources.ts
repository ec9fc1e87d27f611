import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The repository's root folder. */
export const root = join(import.meta.dirname, '../../..')

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

const ignoredFolders = new Set(['node_modules', 'dist', 'test', 'fixtures'])
const isTest = /\.test\.tsx?$/
/** Compiled catalogs are made from the .po files beside them, which are hashed. */
const isCompiledCatalog = /\/src\/(.+\/)?locales\/[^/]+\.ts$/

/** All files below a folder that a build can depend on, sorted. */
export function sourceFiles(folder: string): string[] {
  const files: string[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!ignoredFolders.has(entry.name)) files.push(...sourceFiles(path))
    } else if (!isTest.test(path) && !isCompiledCatalog.test(path) && !entry.name.startsWith('.')) {
      files.push(path)
    }
  }
  return files.sort()
}

let sharedDigest: string | undefined
const ids = new Map<string, string>()

function digest(files: string[]) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${relative(root, file)}\0`)
    hash.update(readFileSync(file))
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
  sharedDigest ??= digestOfShared()
  const id = idOf(sharedDigest, folder)
  ids.set(folder, id)
  return id
}

const digestOfShared = () => digest([...sharedFolders.flatMap(sourceFiles), join(root, 'package-lock.json')])

const idOf = (shared: string, folder: string) =>
  createHash('sha256')
    .update(shared)
    .update(digest(sourceFiles(folder)))
    .digest('hex')
    .slice(0, 12)

/** Whether the sources are still those that the id was worked out from. */
export const isUnchanged = (folder: string): boolean => idOf(digestOfShared(), folder) === buildId(folder)

/** Forgets what was worked out about the sources: the watcher calls it before each build. */
export function forgetSources(): void {
  sharedDigest = undefined
  ids.clear()
}

/** Digest of the preset itself, which decides what every other source becomes. */
export const presetDigest = (): string =>
  digest([...sourceFiles(import.meta.dirname), join(root, 'package-lock.json')])
