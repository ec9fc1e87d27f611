import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Refusal } from '../refusal.ts'

const run = promisify(execFile)

/** What `--vendor` has changed just before. */
const ofPackages = /^(vendor\/|package\.json$|package-lock\.json$)/

/**
 * Refuses where somebody has work that is not committed, because it could not be told from the command's own changes. A folder
 * outside of a repository is none of its business.
 */
export async function expectCommitted(dir: string, besidesPackages: boolean): Promise<void> {
  // In a hook, git sets variables that name another folder and index.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const args = ['status', '--porcelain', '-z', '--no-renames', '--', '.']
  const listed = await run('git', args, { cwd: dir, env }).catch(() => null)
  if (!listed) return
  const prefix = (await run('git', ['rev-parse', '--show-prefix'], { cwd: dir, env })).stdout.trim()
  const files = listed.stdout
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(3 + prefix.length))
    .filter((file) => !besidesPackages || !ofPackages.test(file))
  if (files.length)
    throw new Refusal(
      `Not committed: ${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}. Commit it first, so that the changes of this command can be read by themselves; or say --force.`,
    )
}
