import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Whether the sources are a git clone with its history. */
export const hasHistory = () =>
  existsSync(join(root, '.git')) && Number(git('rev-list', '--count', 'HEAD')) > 1

/**
 * The version before this one: `PORTAL_VERSION_BEFORE`, or the latest tag of a release, or what there was before the newest
 * migration. A commit whose migrations are not the first ones of today, in their order, was no version of anything: some got other
 * numbers or another content when they were joined with others, or came before them.
 */
export function versionBefore(): string {
  if (process.env.PORTAL_VERSION_BEFORE) return process.env.PORTAL_VERSION_BEFORE
  const [tag] = git('tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD~1').split('\n')
  if (tag) return tag
  const migrations = migrationsOf('HEAD')
  const added = git(
    'log',
    '-1',
    '--format=%H',
    '--diff-filter=AR',
    '--',
    `${migrations.at(-1)?.split('\t')[1]}`,
  )
  if (!added) return 'HEAD'
  const changes = git('log', '--format=%H', `${added}~1`, '--', 'api/migrations').split('\n')
  const isFirst = (migration: string, index: number) => migration === migrations[index]
  return changes.find((commit) => migrationsOf(commit).every(isFirst)) ?? `${added}~1`
}

/** Each with the hash of its content. A database that was made with another content is refused. */
const migrationsOf = (commit: string) => git('ls-tree', commit, 'api/migrations/').split('\n')

/** Unpacks the sources of a version and installs the packages of its own lock. They are deleted after the test. */
export function sourcesOf(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-before-'))
  // Hundreds of packages take their time.
  onTestFinished(() => rmSync(folder, { recursive: true }), 300_000)
  const archive = execFileSync('git', ['archive', version], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}
