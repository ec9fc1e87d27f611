import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const ignoredFolders = new Set(['node_modules', 'dist', 'test', 'fixtures', 'vendor'])
const isTest = /\.test\.tsx?$/
/** Compiled catalogs are made from the .po files beside them, which are hashed. */
const isCompiledCatalog = /(^|\/)src\/(.+\/)?locales\/[^/]+\.ts$/

const isSource = (path: string) =>
  !path.split('/').some((name) => name.startsWith('.') || ignoredFolders.has(name)) &&
  !isTest.test(path) &&
  !isCompiledCatalog.test(path)

/**
 * All files below a folder that a build can depend on, sorted. In a repository these are the committed files and the new
 * ones that git does not ignore, so that the same commit has the same files on every machine.
 */
export function sourceFiles(folder: string): string[] {
  const paths = listedByGit(folder) ?? walked(folder)
  return paths
    .filter(isSource)
    .sort()
    .map((path) => join(folder, path))
}

/** What git lists below a folder; null outside of a repository and where the whole folder is ignored. */
function listedByGit(folder: string): string[] | null {
  // In a hook, git sets variables that name another folder and index.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']
    const output = execFileSync('git', args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
    const paths = output.split('\0').filter((path) => path && isFile(join(folder, path)))
    return paths.length ? paths : null
  } catch {
    return null
  }
}

const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** Without git: everything below a folder that has not the name of an ignored one. */
function walked(folder: string, top = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return entry.name.startsWith('.') || ignoredFolders.has(entry.name) ? [] : walked(path, top)
    return entry.isFile() ? [relative(top, path).replaceAll(sep, '/')] : []
  })
}

/** The content of a source as git stores it: a text has `\n` at the end of its lines, also on Windows. */
export function contentOf(file: string): Buffer {
  const content = readFileSync(file)
  if (content.includes(0) || !content.includes('\r\n')) return content
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
