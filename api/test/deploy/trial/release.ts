import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const here = join(import.meta.dirname, '../../../..')

/** The sources of this checkout, with what is not committed yet. */
function copySources(to: string) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', words, { cwd: here, encoding: 'utf8', maxBuffer: 1e8 }).split('\0')
  for (const name of names.filter((each) => each && existsSync(join(here, each)))) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    cpSync(join(here, name), join(to, name), { verbatimSymlinks: true })
  }
}

/** Packs this checkout as a release. With `next` it is a later one: it has a migration more. */
export function packRelease(archive: string, { next = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-release-'))
  try {
    copySources(folder)
    if (next) {
      const migrations = readdirSync(join(folder, 'api/migrations'))
        .filter((name) => /^\d{4}_/.test(name))
        .sort()
      const number = String(Number(migrations.at(-1)?.slice(0, 4)) + 1).padStart(4, '0')
      writeFileSync(
        join(folder, `api/migrations/${number}_trial.sql`),
        'create table trial_of_upgrade (id int primary key);\n',
      )
    }
    // Without an entry of the folder itself, as `git archive` packs.
    execFileSync('tar', [
      '--create',
      '--gzip',
      '--file',
      archive,
      '--directory',
      folder,
      ...readdirSync(folder),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
